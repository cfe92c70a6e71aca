// The figures of joints and forces in the plane, as technical drawings show them.
import type { Camera2d } from "./camera2d";
import { axisOf, slideOf, type Measures } from "./measures";
import type { Pose } from "./pose";
import type { PlannedFigure } from "./scene";
import { drawBelt, drawTrain, type Brush } from "./gears2d";
import { gearTrain, type GearTrain } from "./geartrain";
import { stringPoints } from "./rope";
import { ball, circle, polygon, wheel } from "./round2d";
import { along, alongAxis, disc, drawArrow, drawSupport, drawTurn, ends, hatch, pixel, radiusOf, strokeLine, type Point } from "./strokes2d";
import { seriesColor, theme } from "./theme";

/** Below bodies: what they stand on and slide in. Above: what joins them. */
const below = new Set(["ground", "guide", "slot", "sleeve", "screw", "table", "gear", "polygon"]);

export class Figures2d {
  private readonly train: GearTrain;

  constructor(private readonly figures: PlannedFigure[], private readonly measures: Measures) {
    this.train = gearTrain(figures, measures.start, 0);
  }

  draw(pen: CanvasRenderingContext2D, camera: Camera2d, pose: Pose, mark: number, under: boolean): void {
    if (under) drawTrain({ pen, camera, pose, measures: this.measures, mark }, this.train);
    for (const figure of this.figures) {
      const slotted = figure.kind === "slot" && !under;  // its pin is above what it is in
      if (below.has(figure.kind) !== under && !slotted) continue;
      const brush: Brush = { pen, camera, pose, measures: this.measures, mark };
      pen.save();
      pen.lineWidth = 1.6;
      pen.strokeStyle = pen.fillStyle = theme().ink;
      if (slotted) pin(brush, figure);
      else pictures[figure.kind]?.(brush, figure);
      pen.restore();
    }
  }
}

// An end that nothing moves stands on hatched ground across the figure.
function drawFeet(brush: Brush, figure: PlannedFigure): void {
  const { pen, mark, measures } = brush;
  const [from, to] = ends(brush, figure);
  for (const [anchor, here, there] of [[figure.at[0]!, from, to], [figure.at[1]!, to, from]] as const) {
    if (anchor.body !== undefined || anchor.point !== undefined || measures.moves(anchor)) continue;
    pen.save();
    along(pen, here, there);
    pen.rotate(Math.PI / 2);
    pen.strokeStyle = theme().faint;
    pen.lineWidth = 1.5;
    strokeLine(pen, [-1.2 * mark, 0], [1.2 * mark, 0]);
    hatch(pen, -1.2 * mark, 1.2 * mark, 0, 0.5 * mark);
    pen.restore();
  }
}

// A coil between two straight ends: a helix seen from the side, whose turns spread as it stretches.
function spring(brush: Brush, figure: PlannedFigure): void {
  const { pen, mark, pose } = brush;
  drawFeet(brush, figure);
  const length = along(pen, ...ends(brush, figure));
  const coils = Math.round(pose.number(figure.numbers["coils"], 8));
  const radius = radiusOf(brush, figure, 0.9 * mark);
  const lead = 0.1 * length;
  const pitch = (length - 2 * lead) / coils;
  const loop = Math.min(Math.max(0.45 * radius, 0.3 * pitch), lead);  // turns seen a little from the side, loops however long it is
  pen.strokeStyle = seriesColor(2);
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(0, 0);
  for (let i = 0; i <= 24 * coils; ++i) {
    const phase = (2 * Math.PI * i) / 24;
    pen.lineTo(lead + (pitch * i) / 24 - loop * (1 - Math.cos(phase)), -radius * Math.sin(phase));
  }
  pen.lineTo(length, 0);
  pen.stroke();
}

// A cylinder at the first end, a piston at the second: it never leaves the cylinder where that is possible.
function damper(brush: Brush, figure: PlannedFigure): void {
  const { pen, mark, camera, measures } = brush;
  drawFeet(brush, figure);
  const length = along(pen, ...ends(brush, figure));
  const { low, high } = measures.lengths(figure);
  const half = radiusOf(brush, figure, 0.6 * mark);
  const lead = 0.12 * camera.scale * low;
  const barrel = Math.min(Math.max(0.5 * camera.scale * high, 0.45 * length), 0.85 * camera.scale * low) || 0.5 * length;
  const rod = Math.min(0.95 * (camera.scale * high - lead), barrel + 0.3 * (camera.scale * high - barrel));
  const piston = Math.min(barrel, Math.max(lead + 0.1 * barrel, length - Math.min(rod, length - lead)));
  strokeLine(pen, [0, 0], [lead, 0]);
  pen.fillStyle = theme().paper;
  pen.globalAlpha = 0.7;
  pen.fillRect(lead, -half, barrel - lead, 2 * half);
  pen.globalAlpha = 1;
  strokeLine(pen, [barrel, -half], [lead, -half], [lead, half], [barrel, half]);
  pen.lineWidth = 3;
  strokeLine(pen, [piston, -0.85 * half], [piston, 0.85 * half]);
  pen.lineWidth = 2;
  strokeLine(pen, [piston, 0], [length, 0]);
}

// Its outer end turns with the first body, its inner one with the second: it winds and unwinds.
function spiral(brush: Brush, figure: PlannedFigure): void {
  const { pen, pose, mark } = brush;
  pen.translate(...ends(brush, figure)[0]);
  const outer = radiusOf(brush, figure, 1.9 * mark);
  const from = -pose.angle(figure.at[1]!);
  const wound = 5 * Math.PI + pose.angle(figure.at[1]!) - pose.angle(figure.at[0]!);
  pen.strokeStyle = seriesColor(2);
  pen.lineWidth = 1.8;
  pen.beginPath();
  for (let i = 0; i <= 120; ++i) {
    const radius = outer * (0.25 + (0.75 * i) / 120);
    const angle = from + (wound * i) / 120;
    pen.lineTo(radius * Math.cos(angle), radius * Math.sin(angle));
  }
  pen.stroke();
}

function bar(brush: Brush, figure: PlannedFigure): void {
  const { pen, mark } = brush;
  drawFeet(brush, figure);
  const [from, to] = ends(brush, figure);
  const wide = 2 * radiusOf(brush, figure, 0.28 * mark);
  for (const [color, width] of [[theme().ink, wide + 2.4], [theme().paper, wide]] as const) {
    pen.strokeStyle = color;
    pen.lineWidth = width;
    strokeLine(pen, from, to);
  }
  pen.lineWidth = 1.6;
  pen.strokeStyle = theme().ink;
  pen.fillStyle = theme().paper;
  for (const end of [from, to]) disc(pen, end, 0.45 * mark);
}

function string(brush: Brush, figure: PlannedFigure): void {
  const { pen, pose, measures } = brush;
  drawFeet(brush, figure);
  pen.lineWidth = Math.max(1.8, 2 * radiusOf(brush, figure, 0));
  pen.lineJoin = "round";
  strokeLine(pen, ...stringPoints(figure, pose, measures).map((place) => pixel(brush, place)));
}

// Two rails of the first body, and between them a block that turns with the second.
function guide(brush: Brush, figure: PlannedFigure): void {
  const { pen, camera, pose, measures, mark } = brush;
  const { low, high } = measures.slides(figure);
  const block = 1.9 * mark;
  const [from, to] = [camera.scale * low - 1.6 * block, camera.scale * high + 1.6 * block];
  alongAxis(brush, figure);
  pen.strokeStyle = theme().faint;
  for (const side of [-1, 1]) {
    strokeLine(pen, [from, 0.62 * side * block], [to, 0.62 * side * block]);
    if (figure.at[0]!.body !== undefined) continue;
    pen.save();
    pen.scale(1, side);
    pen.lineWidth = 1;
    hatch(pen, from, to, 0.62 * block, 0.4 * mark);
    pen.restore();
  }
  const slide = camera.scale * slideOf(figure, pose);
  pen.fillStyle = theme().paper;
  pen.strokeStyle = theme().ink;
  pen.beginPath();
  pen.rect(slide - block, -0.55 * block, 2 * block, 1.1 * block);
  pen.fill();
  pen.stroke();
}

function slot(brush: Brush, figure: PlannedFigure): void {
  const { pen, camera, measures, mark } = brush;
  const { low, high } = measures.slides(figure);
  alongAxis(brush, figure);
  pen.beginPath();
  pen.roundRect(camera.scale * low - mark, -0.6 * mark, camera.scale * (high - low) + 2 * mark, 1.2 * mark, 0.6 * mark);
  pen.globalAlpha = 0.6;
  pen.fillStyle = theme().paper;
  pen.fill();
  pen.globalAlpha = 1;
  pen.stroke();
}

// A line on which something rolls, hatched on the other side.
function ground(brush: Brush, figure: PlannedFigure): void {
  const { pen, camera, pose, mark } = brush;
  const axis = axisOf(figure, pose);
  const [from, to] = ends(brush, figure);
  const width = 2 * Math.hypot(pen.canvas.width, pen.canvas.height);
  const direction = Math.atan2(-axis[1], axis[0]);
  const [c, s] = [Math.cos(direction), Math.sin(direction)];
  const [x, y] = camera.middle;
  const reached = (x - from[0]) * c + (y - from[1]) * s;  // the line is endless: it is drawn where somebody looks
  const above = figure.at[1] ? -(to[0] - from[0]) * s + (to[1] - from[1]) * c <= 0 : true;
  pen.translate(...from);
  pen.rotate(direction);
  pen.strokeStyle = theme().faint;
  strokeLine(pen, [reached - width, 0], [reached + width, 0]);
  pen.lineWidth = 1;
  if (!above) pen.scale(1, -1);
  const step = 0.8 * mark;
  const unitStep = step / camera.scale;
  const first = Math.floor((reached - width) / camera.scale / unitStep) * step;
  hatch(pen, first, reached + width, 0, step);
}

function pin(brush: Brush, figure: PlannedFigure): void {
  const { pen, mark } = brush;
  const [from, to] = ends(brush, figure);
  if (figure.at[0]!.body === undefined && figure.at[0]!.point === undefined) drawSupport(pen, from, mark);
  else if (figure.at[1]!.body === undefined && figure.at[1]!.point === undefined) drawSupport(pen, to, mark);
  pen.fillStyle = theme().paper;
  pen.strokeStyle = theme().ink;
  pen.lineWidth = 1.8;
  disc(pen, to, 0.5 * mark);
}

function weld(brush: Brush, figure: PlannedFigure): void {
  const { pen, mark } = brush;
  const [x, y] = ends(brush, figure)[0];
  pen.fillRect(x - 0.4 * mark, y - 0.4 * mark, 0.8 * mark, 0.8 * mark);
}

function bushing(brush: Brush, figure: PlannedFigure): void {
  const { pen, mark } = brush;
  const [from, to] = ends(brush, figure);
  pen.strokeStyle = seriesColor(2);
  pen.lineWidth = 0.45 * mark;
  pen.beginPath();
  pen.arc(...from, 0.8 * mark, 0, 2 * Math.PI);
  pen.stroke();
  pen.strokeStyle = theme().ink;
  pen.fillStyle = theme().paper;
  pen.lineWidth = 1.6;
  disc(pen, to, 0.4 * mark);
}

function motor(brush: Brush, figure: PlannedFigure): void {
  const { pen, pose, mark } = brush;
  const [from, to] = ends(brush, figure);
  pen.strokeStyle = pen.fillStyle = seriesColor(1);
  pen.lineWidth = 2;
  if (pose.number(figure.numbers["slides"]) === 0) return drawTurn(pen, to, 1.5 * mark, 1);
  const axis = axisOf(figure, pose);
  const across: Point = [1.9 * mark * axis[1], 1.9 * mark * axis[0]];
  drawArrow(pen, [to[0] + across[0] - 2 * mark * axis[0], to[1] + across[1] + 2 * mark * axis[1]],
    [to[0] + across[0] + 2 * mark * axis[0], to[1] + across[1] - 2 * mark * axis[1]], 2);
  if (from === to) return;
}

function torque(brush: Brush, figure: PlannedFigure): void {
  const value = brush.pose.number(figure.numbers["turn"]);
  if (value === 0) return;
  const { pen, mark } = brush;
  pen.strokeStyle = pen.fillStyle = seriesColor(7);
  pen.lineWidth = 2.2;
  drawTurn(pen, ends(brush, figure)[0], 1.8 * mark, Math.sign(value));
}

const pictures: Record<string, (brush: Brush, figure: PlannedFigure) => void> = {
  spring, damper, spiral, bushing, bar, string, wheel, ball, circle, polygon, gear: drawBelt, pin, guide, slot, sleeve: guide, screw: guide,
  socket: pin, weld, ground, motor, torque,
};
