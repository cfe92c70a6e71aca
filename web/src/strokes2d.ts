// What figures in the plane are drawn with: lines, hatching, discs, arrows, supports.
import type { Brush } from "./gears2d";
import { axisOf } from "./measures";
import type { PlannedFigure } from "./scene";
import { theme } from "./theme";
import type { Vec } from "./vec";

export type Point = [number, number];

export const pixel = ({ camera }: Brush, place: Vec): Point => [camera.x(place[0]), camera.y(place[1])];
export const ends = (brush: Brush, figure: PlannedFigure): [Point, Point] =>
  [pixel(brush, brush.pose.place(figure.at[0]!)), pixel(brush, brush.pose.place(figure.at[1] ?? figure.at[0]!))];
export const radiusOf = ({ pose, camera }: Brush, figure: PlannedFigure, otherwise: number): number =>
  (figure.numbers["radius"] ? camera.scale * pose.number(figure.numbers["radius"]) : otherwise);

/** The pen at a place, x along a direction: both in pixels. Returns the length. */
export function along(pen: CanvasRenderingContext2D, from: Point, to: Point): number {
  pen.translate(...from);
  pen.rotate(Math.atan2(to[1] - from[1], to[0] - from[0]));
  return Math.hypot(to[0] - from[0], to[1] - from[1]);
}

/** The pen at the first end, x along the figure's axis. */
export function alongAxis(brush: Brush, figure: PlannedFigure): void {
  const axis = axisOf(figure, brush.pose);
  brush.pen.translate(...ends(brush, figure)[0]);
  brush.pen.rotate(-Math.atan2(axis[1], axis[0]));
}

export function strokeLine(pen: CanvasRenderingContext2D, ...points: Point[]): void {
  pen.beginPath();
  for (const point of points) pen.lineTo(...point);
  pen.stroke();
}

export function hatch(pen: CanvasRenderingContext2D, from: number, to: number, y: number, size: number): void {
  pen.beginPath();
  for (let x = from + size; x <= to; x += size) {
    pen.moveTo(x, y);
    pen.lineTo(x - size, y + size);
  }
  pen.stroke();
}

export function disc(pen: CanvasRenderingContext2D, [x, y]: Point, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
}

/** An arc with a head around a place: positive turns counter-clockwise. */
export function drawTurn(pen: CanvasRenderingContext2D, [x, y]: Point, radius: number, sign: number): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(1, -sign);
  pen.beginPath();
  pen.arc(0, 0, radius, 0.3, 1.6 * Math.PI);
  pen.stroke();
  pen.rotate(1.6 * Math.PI);
  pen.beginPath();
  pen.moveTo(radius - 0.3 * radius, 0);
  pen.lineTo(radius + 0.3 * radius, 0);
  pen.lineTo(radius, 0.55 * radius);
  pen.fill();
  pen.restore();
}

/** A bearing on hatched ground. */
export function drawSupport(pen: CanvasRenderingContext2D, [x, y]: Point, mark: number): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(mark / 10, mark / 10);
  pen.strokeStyle = theme().faint;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(0, 0);
  pen.lineTo(-9, 15);
  pen.lineTo(9, 15);
  pen.closePath();
  pen.moveTo(-14, 15);
  pen.lineTo(14, 15);
  for (let i = -2; i <= 2; ++i) {
    pen.moveTo(5 * i + 2, 15);
    pen.lineTo(5 * i - 3, 21);
  }
  pen.stroke();
  pen.restore();
}

export function drawArrow(pen: CanvasRenderingContext2D, from: Point, to: Point, width: number): void {
  pen.save();
  const length = along(pen, from, to);
  const head = Math.min(5 * width, length);
  pen.lineWidth = width;
  pen.lineCap = "butt";
  strokeLine(pen, [0, 0], [length - 0.8 * head, 0]);
  pen.beginPath();
  pen.moveTo(length, 0);
  pen.lineTo(length - head, -0.42 * head);
  pen.lineTo(length - head, 0.42 * head);
  pen.fill();
  pen.restore();
}
