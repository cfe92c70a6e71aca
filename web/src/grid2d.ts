// The grid of the plane with its numbers, and the bar that shows a length.
import type { Camera2d } from "./camera2d";
import type { ShownUnit } from "./data";
import { quantity } from "./format";
import { theme } from "./theme";
import { roundLength, ticks, tickTexts } from "./ticks";

const apart = 60;  // pixels between two lines, at least

/** Of the numbers that are seen, those that are written; the first is among them. */
function drawNumbers(pen: CanvasRenderingContext2D, places: number[], scale: number, at: (place: number) => [number, number] | undefined): void {
  const seen = places.filter((place) => at(place) !== undefined);
  tickTexts(seen.map((place) => Number((scale * place).toPrecision(12)))).forEach((text, i) => pen.fillText(text, ...at(seen[i]!)!));
}

/** Between two lines, in the model's numbers: round in the unit that is shown. */
const stepOf = (camera: Camera2d, { scale }: ShownUnit): number => roundLength((apart * scale) / camera.scale) / scale;

export function drawGrid(pen: CanvasRenderingContext2D, camera: Camera2d, width: number, height: number, unit: ShownUnit): void {
  const [left, top] = camera.at(0, 0);
  const [right, bottom] = camera.at(width, height);
  const step = stepOf(camera, unit);
  const lines = (low: number, high: number): number[] =>
    ticks(unit.scale * low, unit.scale * high, (high - low) / step).map((value) => value / unit.scale);
  const vertical = lines(left, right);
  const level = lines(bottom, top);
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
  const inside = (value: number, low: number, high: number): boolean => value > low && value < high;
  drawNumbers(pen, vertical, unit.scale, (value) => (inside(camera.x(value), 40, width - 20) ? [camera.x(value), 11] : undefined));
  pen.textAlign = "left";
  drawNumbers(pen, level, unit.scale, (value) => (inside(camera.y(value), 24, height - 24) ? [3, camera.y(value) - 3] : undefined));
}

export function drawScaleBar(pen: CanvasRenderingContext2D, camera: Camera2d, height: number, unit: ShownUnit): void {
  const step = stepOf(camera, unit);
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
  pen.fillText(quantity(step, unit), 16 + step * camera.scale, y + 1);
}
