// Gears, racks and belts in the plane.
import type { Camera2d } from "./camera2d";
import { pitchOf } from "./gearpitch";
import { rackOutline, rackReach, type GearTrain, type Rack, type ToothedWheel } from "./geartrain";
import type { Measures } from "./measures";
import type { Pose } from "./pose";
import type { PlannedFigure } from "./scene";
import { toothOutline } from "./teeth";
import { seriesColor, theme } from "./theme";
import { add, sub, times, unit, type Vec } from "./vec";

export interface Brush {
  pen: CanvasRenderingContext2D;
  camera: Camera2d;
  pose: Pose;
  measures: Measures;
  /** The size of a pin, in pixels. */
  mark: number;
}

export const wheelColors = [4, 6, 2, 5, 0, 3];

export function drawTrain(brush: Brush, { wheels, racks }: GearTrain): void {
  brush.pen.lineWidth = 1.3;
  wheels.forEach((wheel, i) => drawWheel(brush, wheel, i));
  for (const rack of racks) drawRack(brush, rack);
}

function drawWheel({ pen, camera, pose }: Brush, { anchor, first, radius: size, teeth, ring }: ToothedWheel, index: number): void {
  const radius = camera.scale * size;
  const place = pose.place(anchor);
  const direction = pose.direction(anchor, first);
  pen.save();
  pen.translate(camera.x(place[0]), camera.y(place[1]));
  pen.rotate(-Math.atan2(direction[1], direction[0]));
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

function drawRack({ pen, camera, pose, measures }: Brush, rack: Rack): void {
  const [from, along, up] = [pose.place(rack.anchor), pose.direction(rack.anchor, rack.along), pose.direction(rack.anchor, rack.up)];
  pen.beginPath();
  for (const [s, height] of rackOutline(rack, rackReach(rack, (value) => measures.range(value)))) {
    const place = add(from, add(times(s, along), times(height, up)));
    pen.lineTo(camera.x(place[0]), camera.y(place[1]));
  }
  pen.closePath();
  pen.fillStyle = seriesColor(6);
  pen.strokeStyle = theme().ink;
  pen.globalAlpha = 0.3;
  pen.fill();
  pen.globalAlpha = 1;
  pen.stroke();
}

/** Two discs with a belt around them; nothing for wheels with teeth. */
export function drawBelt(brush: Brush, figure: PlannedFigure): void {
  const { pen, camera, pose } = brush;
  const pitch = pitchOf(figure, brush.measures.start, 0);
  if (!pitch?.belt) return;
  const radii = pitch.wheels.map(({ radius }) => radius) as [number, number];
  const [a, b] = [pose.place(figure.at[0]!), pose.place(figure.at[1]!)];
  const line = unit(sub(b, a));
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
  radii.forEach((radius, k) => drawWheel(brush, { anchor: figure.at[k]!, axis: [0, 0, 1], first: [1, 0, 0], radius, teeth: 0, ring: false, apex: undefined, bearing: figure.at[k]! }, k));
}
