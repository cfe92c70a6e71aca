// Gears, racks and belts in the plane.
import type { Camera2d } from "./camera2d";
import type { ToothedWheel } from "./geartrain";
import { lineOfCentres, type GearWheels, type Measures } from "./measures";
import type { Pose } from "./pose";
import type { PlannedFigure } from "./scene";
import { toothOutline } from "./teeth";
import { seriesColor, theme } from "./theme";
import { add, dot, sub, times, type Vec } from "./vec";

export interface Brush {
  pen: CanvasRenderingContext2D;
  camera: Camera2d;
  pose: Pose;
  measures: Measures;
  /** The size of a pin, in pixels. */
  mark: number;
}

/** Belts and racks; toothed wheels are drawn by drawTrain. */
export function drawGear(brush: Brush, figure: PlannedFigure, wheels: GearWheels): void {
  const { pen, pose } = brush;
  pen.lineWidth = 1.3;
  const rack = figure.numbers["rack"];
  if (!wheels.belt && !rack) return;
  if (wheels.belt) drawBelt(brush, figure, wheels);
  for (const k of rack ? [0] as const : [0, 1] as const) {
    const anchor = figure.at[k]!;
    drawWheel(brush, { anchor, radius: wheels.radii[k], teeth: wheels.belt ? 0 : wheels.teeth[k], ring: false, phase: 0 }, k, pose);
  }
  if (rack) drawRack(brush, figure, wheels);
}

export function drawTrain(brush: Brush, wheels: ToothedWheel[]): void {
  brush.pen.lineWidth = 1.3;
  wheels.forEach((wheel, i) => drawWheel(brush, wheel, i, brush.pose));
}

const wheelColors = [4, 6, 2, 5, 0, 3];

function drawWheel({ pen, camera }: Brush, { anchor, radius: size, teeth, ring, phase }: ToothedWheel, index: number, pose: Pose): void {
  const radius = camera.scale * size;
  const place = pose.place(anchor);
  pen.save();
  pen.translate(camera.x(place[0]), camera.y(place[1]));
  pen.rotate(-phase - pose.angle(anchor));
  pen.strokeStyle = theme().ink;
  pen.fillStyle = seriesColor(wheelColors[index % wheelColors.length]!);
  pen.beginPath();
  if (teeth === 0) pen.arc(0, 0, radius, 0, 2 * Math.PI);
  else for (const [x, y] of toothOutline(radius, teeth, ring)) pen.lineTo(x, -y);
  pen.closePath();
  if (ring) pen.moveTo(1.18 * radius, 0);
  if (ring) pen.arc(0, 0, 1.18 * radius, 0, 2 * Math.PI, true);
  pen.globalAlpha = 0.3;
  pen.fill("evenodd");
  pen.globalAlpha = 1;
  pen.stroke();
  pen.strokeStyle = seriesColor(1);
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(ring ? 1.06 * radius : 0.3 * radius, 0);
  pen.lineTo(ring ? 1.16 * radius : 0.8 * radius, 0);  // shows how it turns
  pen.stroke();
  pen.restore();
}

function drawBelt({ pen, camera, pose }: Brush, figure: PlannedFigure, { radii }: GearWheels): void {
  const [a, b] = [pose.place(figure.at[0]!), pose.place(figure.at[1]!)];
  const line = lineOfCentres(figure, pose);
  const across: Vec = [-line[1], line[0], 0];
  pen.strokeStyle = theme().faint;
  pen.lineWidth = 3;
  for (const side of [-1, 1]) {
    const [from, to] = [add(a, times(side * radii[0], across)), add(b, times(side * radii[1], across))];
    pen.beginPath();
    pen.moveTo(camera.x(from[0]), camera.y(from[1]));
    pen.lineTo(camera.x(to[0]), camera.y(to[1]));
    pen.stroke();
  }
  pen.lineWidth = 1.3;
}

// Teeth along the slide on the side of the pinion, as far as it moves.
function drawRack({ pen, camera, pose, measures }: Brush, figure: PlannedFigure, { radii, teeth }: GearWheels): void {
  const tracks = figure.numbers["rack"]!;
  const along = pose.direction(figure.at[1]!, pose.vector(tracks));
  const [center, held] = [pose.place(figure.at[0]!), pose.place(figure.at[1]!)];
  const radius = radii[0];
  const ratio = pose.number(figure.numbers["ratio"]);
  // where the wheel's rim moves with the slide: v = ω × r
  const across: Vec = [ratio > 0 ? along[1] : -along[1], ratio > 0 ? -along[0] : along[0], 0];
  const pitchPoint = add(center, times(radius, across));
  const travel = measures.range((at) => dot(at.direction(figure.at[1]!, at.vector(tracks)), sub(at.place(figure.at[0]!), at.place(figure.at[1]!))));
  const now = dot(along, sub(center, held));
  const module = (2 * radius) / teeth[0];
  const pitch = Math.PI * module;
  pen.save();
  pen.translate(camera.x(pitchPoint[0]), camera.y(pitchPoint[1]));
  pen.rotate(-Math.atan2(along[1], along[0]));
  pen.scale(camera.scale, dot(across, [-along[1], along[0], 0]) > 0 ? -camera.scale : camera.scale);
  const start = dot(along, sub(measures.start.place(figure.at[0]!), measures.start.place(figure.at[1]!)));
  const first = Math.floor((travel.low - radius) / pitch);
  const last = Math.ceil((travel.high + radius) / pitch);
  pen.beginPath();
  for (let i = first; i <= last; ++i) {
    for (const [part, y] of [[0.2, 1.2], [0.38, -1], [0.62, -1], [0.8, 1.2]] as const) pen.lineTo(i * pitch + part * pitch + start - now - Math.round(start / pitch) * pitch, y * module);
  }
  pen.lineTo(last * pitch + pitch + start - now - Math.round(start / pitch) * pitch, 3.5 * module);
  pen.lineTo(first * pitch + start - now - Math.round(start / pitch) * pitch, 3.5 * module);
  pen.closePath();
  pen.restore();
  pen.fillStyle = seriesColor(6);
  pen.strokeStyle = theme().ink;
  pen.globalAlpha = 0.3;
  pen.fill();
  pen.globalAlpha = 1;
  pen.stroke();
}
