// The animation in the plane, on a canvas.
import type { Clock } from "./clock";
import type { Samples, Shape } from "./data";
import { element, onResize } from "./dom";
import { at, boundsOf, momentAt, nearness, pathMoments, shortName, type Moment, type ScenePlan } from "./scene";
import { onTheme, seriesColor, theme } from "./theme";

const margin = 46;
const tracePoints = 8000;
const thinRod = 4;  // pixels
const mostNames = 24;
const roomOfAPoint = 24;  // pixels
const tail = 0.08;  // of the run: this much of a path is drawn strongly

export class Scene2d {
  readonly canvas = element("canvas", { class: "scene", role: "img", "aria-label": "animation of the motion" });
  private readonly pen = this.canvas.getContext("2d")!;
  private readonly bounds;
  private readonly path: Moment[];
  private width = 0;
  private height = 0;
  private scale = 1;
  private origin = [0, 0];
  private marks = 1;  // size of pins and links: smaller where points are crowded

  constructor(private readonly plan: ScenePlan, private readonly samples: Samples, private readonly clock: Clock,
    frame: HTMLElement) {
    this.bounds = boundsOf(plan);
    this.path = pathMoments(samples.time, tracePoints);
    frame.append(this.canvas);
    onResize(frame, (width, height) => this.resize(width, height));
    onTheme(() => this.draw());
    clock.listen(() => this.draw());
  }

  private resize(width: number, height: number): void {
    const { low, high } = this.bounds;
    const spanX = high[0]! - low[0]!;
    const spanY = high[1]! - low[1]!;
    const size = Math.max(spanX, spanY) || 1;
    this.width = width;
    this.height = height;
    this.scale = Math.min(
      (width - 2 * margin) / Math.max(spanX, 1e-3 * size), (this.height - 2 * margin) / Math.max(spanY, 1e-3 * size));
    this.origin = [
      width / 2 - (this.scale * (low[0]! + high[0]!)) / 2,
      this.height / 2 + (this.scale * (low[1]! + high[1]!)) / 2,
    ];
    this.marks = Math.min(1, Math.max(0.35, (this.scale * nearness(this.plan)) / roomOfAPoint));
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.draw();
  }

  private x = (value: number): number => this.origin[0]! + this.scale * value;
  private y = (value: number): number => this.origin[1]! - this.scale * value;
  private place(point: number, moment: Moment): [number, number] {
    const { tracks } = this.plan.points[point]!;
    return [this.x(at(tracks[0]!, moment)), this.y(at(tracks[1]!, moment))];
  }

  private draw(): void {
    if (this.width === 0 || this.samples.count === 0) return;
    const moment = momentAt(this.samples.time, this.clock.time);
    this.pen.clearRect(0, 0, this.width, this.height);
    this.pen.lineJoin = "round";
    this.pen.lineCap = "round";
    this.drawGrid();
    this.drawTraces(moment);
    this.plan.bodies.forEach((_, i) => this.drawBody(i, moment));
    this.drawLinks(moment);
    this.drawPoints(moment);
    this.drawScaleBar();
  }

  private gridStep(): number {
    const wanted = 60 / this.scale;
    const power = 10 ** Math.floor(Math.log10(wanted));
    return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= wanted) ?? 10 * power;
  }

  private drawGrid(): void {
    const step = this.gridStep();
    this.pen.strokeStyle = theme().grid;
    this.pen.lineWidth = 1;
    this.pen.beginPath();
    const first = Math.ceil(-this.origin[0]! / this.scale / step);
    for (let i = first; this.x(i * step) <= this.width; ++i) {
      const x = Math.round(this.x(i * step)) + 0.5;
      this.pen.moveTo(x, 0);
      this.pen.lineTo(x, this.height);
    }
    const lowest = Math.ceil((this.origin[1]! - this.height) / this.scale / step);
    for (let i = lowest; this.y(i * step) >= 0; ++i) {
      const y = Math.round(this.y(i * step)) + 0.5;
      this.pen.moveTo(0, y);
      this.pen.lineTo(this.width, y);
    }
    this.pen.stroke();
  }

  private drawScaleBar(): void {
    const step = this.gridStep();
    const { pen } = this;
    const y = this.height - 12;
    pen.strokeStyle = pen.fillStyle = theme().faint;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(12, y - 4);
    pen.lineTo(12, y);
    pen.lineTo(12 + step * this.scale, y);
    pen.lineTo(12 + step * this.scale, y - 4);
    pen.stroke();
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.fillText(String(Number(step.toPrecision(3))), 16 + step * this.scale, y + 1);
  }

  private drawTraces(moment: Moment): void {
    const { pen } = this;
    const begin = moment.index - tail * this.samples.count;
    this.plan.traces.forEach((point, i) => {
      const stroke = (moments: Moment[], alpha: number, width: number): void => {
        pen.beginPath();
        for (const one of moments) pen.lineTo(...this.place(point, one));
        pen.globalAlpha = alpha;
        pen.lineWidth = width;
        pen.stroke();
      };
      pen.strokeStyle = seriesColor(i + 1);
      stroke(this.path, 0.3, 1);
      stroke([...this.path.filter(({ index }) => index >= begin && index < moment.index), moment], 1, 2);
      pen.globalAlpha = 1;
    });
  }

  private drawLinks(moment: Moment): void {
    const { pen } = this;
    const wide = (this.plan.links.length > 14 ? 4 : 7) * this.marks;
    for (const [color, width] of [[theme().paper, wide + 3 * this.marks], [theme().accent, wide]] as const) {
      pen.strokeStyle = color;
      pen.lineWidth = width;
      for (const [from, to] of this.plan.links) {
        pen.beginPath();
        pen.moveTo(...this.place(from, moment));
        pen.lineTo(...this.place(to, moment));
        pen.stroke();
      }
    }
  }

  // Fixed points stand on hatched ground; moving ones are pins.
  private drawPoints(moment: Moment): void {
    const { pen } = this;
    const colors = theme();
    this.plan.points.forEach((point, i) => {
      const [x, y] = this.place(i, moment);
      if (point.fixed) this.drawGround(x, y);
      pen.beginPath();
      pen.arc(x, y, (point.fixed ? 5 : 4) * this.marks, 0, 2 * Math.PI);
      pen.fillStyle = colors.paper;
      pen.strokeStyle = colors.ink;
      pen.lineWidth = 1.8 * this.marks;
      pen.fill();
      pen.stroke();
    });
    if (this.plan.points.length <= mostNames) this.drawNames(moment);
  }

  // A name that would stand on another is left out.
  private drawNames(moment: Moment): void {
    const { pen } = this;
    const taken: { left: number; right: number; y: number }[] = [];
    pen.font = "600 12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.lineWidth = 3;
    this.plan.points.forEach((point, i) => {
      const [x, y] = this.place(i, moment);
      const name = shortName(point.name);
      const half = pen.measureText(name).width / 2;
      if (taken.some((other) => x + half > other.left && x - half < other.right && Math.abs(other.y - y) < 13)) return;
      taken.push({ left: x - half, right: x + half, y });
      pen.strokeStyle = theme().paper;
      pen.strokeText(name, x, y - 12);
      pen.fillStyle = theme().ink;
      pen.fillText(name, x, y - 12);
    });
  }

  private drawGround(x: number, y: number): void {
    const { pen } = this;
    pen.save();
    pen.translate(x, y);
    pen.scale(this.marks, this.marks);
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

  private drawBody(index: number, moment: Moment): void {
    const { pen } = this;
    const body = this.plan.bodies[index]!;
    pen.save();
    pen.translate(this.x(at(body.position[0]!, moment)), this.y(at(body.position[1]!, moment)));
    pen.scale(this.scale, -this.scale);
    pen.rotate(body.turn[0] ? at(body.turn[0], moment) : 0);
    pen.fillStyle = pen.strokeStyle = seriesColor(index);
    pen.lineWidth = 1.5 / this.scale;
    for (const shape of body.shapes) {
      pen.beginPath();
      outline(pen, shape, (thinRod * this.marks) / this.scale);
      pen.globalAlpha = 0.3;
      pen.fill();
      pen.globalAlpha = 1;
      pen.stroke();
    }
    pen.restore();
  }
}

/** `thin` is half the width of a rod without radius. */
function outline(pen: CanvasRenderingContext2D, shape: Shape, thin: number): void {
  if (shape.kind === "polygon") {
    for (const [x, y] of shape.points) pen.lineTo(x, y);
    pen.closePath();
    return;
  }
  const [x = 0, y = 0] = shape.center ?? [];
  if (shape.kind === "box") {
    const [width = 1, high = 1] = shape.size;
    pen.rect(x - width / 2, y - high / 2, width, high);
  } else if ((shape.kind === "cylinder" || shape.kind === "rod") && shape.axis !== "z") {
    const radius = shape.radius || thin;
    const [long, wide] = shape.axis === "x" ? [shape.length, 2 * radius] : [2 * radius, shape.length];
    pen.rect(x - long / 2, y - wide / 2, long, wide);
  } else {
    pen.arc(x, y, shape.radius, 0, 2 * Math.PI);
    pen.moveTo(x, y);
    pen.lineTo(x + shape.radius, y);  // shows how it turns
  }
}
