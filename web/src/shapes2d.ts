// Bodies in the plane. The pen stands in the body's frame, a unit is a unit of length.
import type { Shape } from "./data";
import { seriesColor, theme } from "./theme";

const thinRod = 0.4;  // of the size of a pin

/** `mark` is the size of a pin, `scale` the pixels of a unit. */
export function drawShape(pen: CanvasRenderingContext2D, shape: Shape, color: string, mark: number, scale: number): void {
  if (shape.kind === "frame") return;
  pen.save();
  const [x = 0, y = 0] = shape.center ?? [];
  pen.translate(x, y);
  pen.rotate(shape.turn?.[0] ?? 0);
  pen.fillStyle = pen.strokeStyle = color;
  pen.lineWidth = 1.5 / scale;
  if (shape.kind === "plate") drawPlate(pen, shape.corners, Math.max(shape.radius, 0.3 * mark), color, scale);
  else drawOutline(pen, shape, thinRod * mark);
  pen.restore();
}

function drawOutline(pen: CanvasRenderingContext2D, shape: Exclude<Shape, { kind: "plate" | "frame" }>, thin: number): void {
  pen.beginPath();
  outline(pen, shape, thin);
  pen.globalAlpha = shape.kind === "inertia" ? 0.15 : 0.3;
  pen.fill();
  pen.globalAlpha = 1;
  pen.stroke();
  if (shape.kind !== "box" && shape.kind !== "inertia") return;
  const [width = 1, high = 1] = shape.size;  // one end is marked, so that half a turn is seen
  pen.fillStyle = seriesColor(1);
  pen.fillRect(width / 2 - 0.06 * width, -high / 2, 0.06 * width, high);
}

// Corners with a rim around them: a disc, a bar with round ends, or a plate with round corners.
function drawPlate(pen: CanvasRenderingContext2D, corners: number[][], radius: number, color: string, scale: number): void {
  const path = (): void => {
    pen.beginPath();
    for (const [x = 0, y = 0] of corners) pen.lineTo(x, y);
    if (corners.length === 1) pen.lineTo(corners[0]![0]! + 0.02 / scale, corners[0]![1]!);  // no point: those are not drawn
    if (corners.length > 2) pen.closePath();
  };
  const rims = [[color, 2 * radius + 1.5 / scale], [theme().paper, 2 * radius - 1.5 / scale]] as const;
  for (const [ink, width] of rims) {
    path();
    pen.strokeStyle = pen.fillStyle = ink;
    pen.lineWidth = Math.max(width, 0.5 / scale);
    pen.stroke();
    pen.fill();
  }
  path();
  pen.globalAlpha = 0.35;
  pen.strokeStyle = pen.fillStyle = color;
  pen.stroke();
  if (corners.length > 2) {
    pen.globalAlpha = 0.2;
    pen.fill();
  }
  pen.globalAlpha = 1;
}

/** `thin` is half the width of a rod without radius. */
function outline(pen: CanvasRenderingContext2D, shape: Exclude<Shape, { kind: "plate" | "frame" }>, thin: number): void {
  if (shape.kind === "polygon") {
    for (const [x, y] of shape.points) pen.lineTo(x, y);
    pen.closePath();
  } else if (shape.kind === "box" || shape.kind === "inertia") {
    const [width = 1, high = 1] = shape.size;
    pen.rect(-width / 2, -high / 2, width, high);
  } else if ((shape.kind === "cylinder" || shape.kind === "rod") && shape.axis !== "z") {
    const radius = shape.radius || thin;
    const [long, wide] = shape.axis === "x" ? [shape.length, 2 * radius] : [2 * radius, shape.length];
    pen.rect(-long / 2, -wide / 2, long, wide);
  } else {
    pen.arc(0, 0, shape.radius, 0, 2 * Math.PI);
    pen.moveTo(0, 0);
    pen.lineTo(shape.radius, 0);  // shows how it turns
  }
}

/** Axes of a frame, x red and y green as everywhere. */
export function drawFrame(pen: CanvasRenderingContext2D, [x, y]: [number, number], angle: number, size: number): void {
  const axes = [[seriesColor(7), angle], [seriesColor(2), angle + Math.PI / 2]] as const;
  for (const [color, direction] of axes) {
    pen.strokeStyle = color;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + size * Math.cos(direction), y - size * Math.sin(direction));
    pen.stroke();
  }
}
