// Gears, racks and belts in the plane.
import type { Camera2d } from "./camera2d";
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

/** How far each wheel's first tooth is turned within its body, so that tooth meets gap at the start. */
function phases(figure: PlannedFigure, wheels: GearWheels, start: Pose): [number, number] {
  const line = lineOfCentres(figure, start);
  const toward = Math.atan2(line[1], line[0]);
  const inner = wheels.ring === undefined ? toward + Math.PI : toward;
  const half = Math.PI / wheels.teeth[1];
  const [first, second] = wheels.ring === 0 ? [toward + Math.PI, toward + Math.PI] : [toward, inner];
  return [first - start.angle(figure.at[0]!), second + half - start.angle(figure.at[1]!)];
}

export function drawGear(brush: Brush, figure: PlannedFigure, wheels: GearWheels): void {
  const { pen, pose, measures } = brush;
  pen.lineWidth = 1.3;
  const rack = figure.numbers["rack"];
  const turns = rack ? [0, 0] : phases(figure, wheels, measures.start);
  if (wheels.belt) drawBelt(brush, figure, wheels);
  for (const k of [0, 1] as const) {
    if (k === 1 && rack) break;
    drawWheel(brush, pose.place(figure.at[k]!), turns[k]! + pose.angle(figure.at[k]!), wheels, k);
  }
  if (rack) drawRack(brush, figure, wheels);
}

function drawWheel({ pen, camera }: Brush, place: Vec, angle: number, wheels: GearWheels, k: 0 | 1): void {
  const radius = camera.scale * wheels.radii[k]!;
  const ring = wheels.ring === k;
  pen.save();
  pen.translate(camera.x(place[0]), camera.y(place[1]));
  pen.rotate(-angle);
  pen.strokeStyle = theme().ink;
  pen.fillStyle = seriesColor(k === 0 ? 4 : 6);
  pen.beginPath();
  if (wheels.belt) pen.arc(0, 0, radius, 0, 2 * Math.PI);
  else for (const [x, y] of toothOutline(radius, wheels.teeth[k], ring)) pen.lineTo(x, -y);
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
