// The grid of the plane with its numbers, and the bar that shows a length.
import type { Camera2d } from "./camera2d";
import { number } from "./format";
import { theme } from "./theme";
import { ticks } from "./ticks";

const apart = 60;  // pixels between two lines, at least

/** A round length of at least `least`: 1, 2 or 5 times a power of ten. */
export function roundLength(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return Number(([1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= 0.999 * least) ?? 10 * power).toPrecision(1));
}

export function drawGrid(pen: CanvasRenderingContext2D, camera: Camera2d, width: number, height: number): void {
  const [left, top] = camera.at(0, 0);
  const [right, bottom] = camera.at(width, height);
  const step = roundLength(apart / camera.scale);
  const vertical = ticks(left, right, (right - left) / step);
  const level = ticks(bottom, top, (top - bottom) / step);
  pen.strokeStyle = theme().grid;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const value of vertical) {
    const x = Math.round(camera.x(value)) + 0.5;
    pen.moveTo(x, 0);
    pen.lineTo(x, height);
  }
  for (const value of level) {
    const y = Math.round(camera.y(value)) + 0.5;
    pen.moveTo(0, y);
    pen.lineTo(width, y);
  }
  pen.stroke();
  pen.font = "10px system-ui, sans-serif";
  pen.fillStyle = theme().faint;
  pen.textAlign = "center";
  for (const value of vertical) if (camera.x(value) > 40 && camera.x(value) < width - 20) pen.fillText(number(value), camera.x(value), 11);
  pen.textAlign = "left";
  for (const value of level) if (camera.y(value) > 24 && camera.y(value) < height - 24) pen.fillText(number(value), 3, camera.y(value) - 3);
}

export function drawScaleBar(pen: CanvasRenderingContext2D, camera: Camera2d, height: number, unit: string): void {
  const step = roundLength(apart / camera.scale);
  const y = height - 12;
  pen.strokeStyle = pen.fillStyle = theme().faint;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(12, y - 4);
  pen.lineTo(12, y);
  pen.lineTo(12 + step * camera.scale, y);
  pen.lineTo(12 + step * camera.scale, y - 4);
  pen.stroke();
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "left";
  pen.fillText(unit === "" ? number(step) : `${number(step)} ${unit}`, 16 + step * camera.scale, y + 1);
}
