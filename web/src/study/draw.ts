// Pieces of diagrams.
import { theme } from "../theme";
import type { Axis } from "./axis";
import type { Pen } from "./picture";

export const failedColor = (): string => getComputedStyle(document.documentElement).getPropertyValue("--bad").trim();

export function line(pen: Pen, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

const sharp = (place: number): number => Math.round(place) + 0.5;
const font = (size: number): string => `${size}px system-ui, sans-serif`;

/** Numbers below the picture, with lines of the grid up to `top` where it is given. */
export function drawAcross(pen: Pen, axis: Axis, bottom: number, top?: number, size = 12): void {
  const colors = theme();
  pen.font = font(size);
  pen.textAlign = "center";
  let free = -Infinity;  // where the last number ends
  const width = pen.canvas.width / pen.getTransform().a;
  for (const { value, text } of axis.ticks(Math.abs(axis.to - axis.from) / (size * 6))) {
    const x = axis.place(value);
    pen.strokeStyle = colors.grid;
    if (top !== undefined) line(pen, sharp(x), top, sharp(x), bottom);
    const half = pen.measureText(text).width / 2;
    const middle = Math.max(half, Math.min(x, width - half));  // whole, at the edge of the picture too
    if (middle - half < free) continue;
    free = middle + half + 4;
    pen.fillStyle = colors.faint;
    pen.fillText(text, middle, bottom + size + 4);
  }
}

/** Numbers to the left of the picture, with lines of the grid up to `right` where it is given. */
export function drawUpwards(pen: Pen, axis: Axis, left: number, right?: number, size = 12): void {
  const colors = theme();
  pen.font = font(size);
  pen.textAlign = "right";
  for (const { value, text } of axis.ticks(Math.abs(axis.to - axis.from) / (size * 3.2))) {
    const y = axis.place(value);
    pen.strokeStyle = colors.grid;
    if (right !== undefined) line(pen, left, sharp(y), right, sharp(y));
    pen.fillStyle = colors.faint;
    pen.fillText(text, left - 6, y + size / 3);
  }
}

/** The width of the longest of an axis' numbers. */
export function widthOfNumbers(pen: Pen, axis: Axis, size = 12): number {
  pen.font = font(size);
  return Math.max(0, ...axis.ticks(Math.abs(axis.to - axis.from) / (size * 3.2)).map(({ text }) => pen.measureText(text).width));
}

export function nameAcross(pen: Pen, text: string, x: number, y: number): void {
  pen.font = font(12);
  pen.textAlign = "center";
  pen.fillStyle = theme().faint;
  pen.fillText(text, x, y);
}

export function nameUpwards(pen: Pen, text: string, x: number, y: number): void {
  pen.save();
  pen.translate(x, y);
  pen.rotate(-Math.PI / 2);
  nameAcross(pen, text, 0, 0);
  pen.restore();
}

export function cross(pen: Pen, x: number, y: number, size: number): void {
  line(pen, x - size, y - size, x + size, y + size);
  line(pen, x - size, y + size, x + size, y - size);
}

export function frame(pen: Pen, left: number, top: number, right: number, bottom: number): void {
  pen.strokeStyle = theme().grid;
  pen.lineWidth = 1;
  pen.strokeRect(sharp(left), sharp(top), Math.round(right - left), Math.round(bottom - top));
}

// viridis (van der Walt & Smith): even for the eye, in grey and to the colour-blind
const stops = [[68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37]] as const;

/** Of a part from 0 to 1. */
export function ramp(part: number): string {
  const place = Math.min(1, Math.max(0, part)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(place));
  const mixed = stops[i]!.map((from, k) => Math.round(from + (place - i) * (stops[i + 1]![k]! - from)));
  return `rgb(${mixed.join(",")})`;
}
