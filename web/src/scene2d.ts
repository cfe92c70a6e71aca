// The animation in the plane, on a canvas.
import { litPlaces, singularAt, singularText } from "./alerts";
import { touchedPlaces } from "./events";
import { arrowColor, Arrows } from "./arrows";
import { Camera2d } from "./camera2d";
import type { Clock } from "./clock";
import { timeUnitOf, type Samples, type ShownUnit } from "./data";
import { element, onResize } from "./dom";
import { boxAt, extentsOf, middleOf } from "./extents";
import { Figures2d } from "./figures2d";
import { quantity } from "./format";
import { drawGrid, drawScaleBar } from "./grid2d";
import { instantAxis } from "./instant";
import { Measures } from "./measures";
import { Options } from "./options";
import { Pose } from "./pose";
import { lengthUnit, momentAt, nearness, pathMoments, shortName, type Moment, type ScenePlan } from "./scene";
import { drawFrame, drawShape } from "./shapes2d";
import { danger, eventColor, onTheme, seriesColor, theme, warning } from "./theme";
import { drawArrow, drawSupport } from "./strokes2d";
import { SvgPen } from "./svgpen";
import { defaultTraces, fade, passedOf, tracePlaces } from "./traces";
import { add, length, type Vec } from "./vec";

const tracePoints = 8000;
const mostNames = 24;
const nameFont = "600 12px system-ui, sans-serif";
const roomOfAPoint = 24;  // pixels
const ghost = 0.35;  // opacity of positions below the last one
const fades = 24;  // pieces of a growing trace, each fainter than the next

/** A text around a place, in pixels. */
interface NameTag {
  text: string;
  x: number;
  y: number;
  color: string;
}

export class Scene2d {
  readonly canvas = element("canvas", { class: "scene", role: "img", tabindex: 0, "aria-label": "animation of the motion" });
  readonly options: Options;
  readonly camera: Camera2d;
  readonly arrows: Arrows;
  private pen = this.canvas.getContext("2d")!;
  private readonly figures: Figures2d;
  private readonly path: Moment[];
  private traces: Vec[][] | undefined;  // made when they are first drawn
  private readonly near: number;
  private readonly unit: ShownUnit;  // of lengths
  private readonly size: number;
  private width = 0;
  private height = 0;
  private mark = 10;  // size of pins in pixels: smaller where points are crowded

  constructor(private readonly plan: ScenePlan, private readonly samples: Samples, private readonly clock: Clock,
    frame: HTMLElement) {
    const extents = extentsOf(plan, samples.count);
    const measures = new Measures(plan, samples.count);
    this.options = new Options(extents.travels);
    this.options.traces = defaultTraces(plan);
    this.camera = new Camera2d(extents);
    this.arrows = new Arrows(plan, samples, measures, extents.size);
    this.figures = new Figures2d(plan.figures, measures);
    this.path = pathMoments(samples.time, tracePoints);
    this.size = extents.size;
    this.unit = lengthUnit(plan, samples);
    this.near = Math.min(nearness(plan), 0.25 * extents.size);
    frame.append(this.canvas);
    this.camera.listen(this.canvas, () => this.draw());
    this.options.listen(() => this.draw());
    onResize(frame, (width, height) => this.resize(width, height));
    onTheme(() => this.draw());
    clock.listen(() => this.draw());
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.camera.resize(width, height);
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.draw();
  }

  private pixel = (place: Vec): [number, number] => [this.camera.x(place[0]), this.camera.y(place[1])];

  /** The mechanism at some times, the last one over the others, as a drawing in SVG. */
  vector(times: number[], width: number, title: string): string {
    const middles = times.map((time) => this.middleAt(momentAt(this.samples.time, time)));
    if (times.length > 1) this.camera.hold(this.options.camera, middles);
    const height = Math.round(this.camera.heightFor(width));
    const pen = new SvgPen({ width, height });
    const canvasPen = this.pen;
    this.resize(width, height);
    this.pen = pen as unknown as CanvasRenderingContext2D;
    const { traces } = this.options;
    this.options.traces = "off";
    if (this.plan.traces.length > 0) this.drawPaths(times);
    times.forEach((time, i) => {
      this.clock.time = time;
      const moment = this.aim();
      const last = i === times.length - 1;
      if (last) this.drawMechanism(moment);
      else pen.group(ghost, () => this.drawMechanism(moment, false));
    });
    drawScaleBar(this.pen, this.camera, height, this.unit);
    this.drawGravity();
    this.pen = canvasPen;
    this.options.traces = traces;
    this.camera.hold(this.options.camera, undefined);
    return pen.take(title);
  }

  // Traces of a still picture: between its times, or of the whole run where it has one; points closer than a pixel are
  // left out.
  private drawPaths(times: number[]): void {
    const { pen } = this;
    this.clock.time = times[times.length - 1]!;
    this.aim();
    const [first, last] = times.length > 1 ? [Math.min(...times), Math.max(...times)] : [-Infinity, Infinity];
    const inside = this.path.map(({ index }) => this.samples.time[index]! >= first && this.samples.time[index]! <= last);
    this.traces ??= tracePlaces(this.plan, this.path);
    this.traces.forEach((places, i) => {
      let before: [number, number] | undefined;
      pen.beginPath();
      places.filter((_, k) => inside[k]).forEach((place) => {
        const [x, y] = this.pixel(place);
        if (before && Math.hypot(x - before[0], y - before[1]) < 1) return;
        before = [x, y];
        pen.lineTo(x, y);
      });
      pen.strokeStyle = seriesColor(i + 1);
      pen.lineWidth = 1.4;
      pen.stroke();
    });
  }

  private middleAt = (moment: Moment): Vec => middleOf(boxAt(this.plan, moment));

  private aim(): Moment {
    const moment = momentAt(this.samples.time, this.clock.time);
    this.camera.aim(this.options.camera, this.middleAt(moment));
    const room = this.camera.scale * this.near;
    this.mark = 10 * Math.min(1.4, Math.max(0.35, room / roomOfAPoint));
    this.pen.lineJoin = "round";
    this.pen.lineCap = "round";
    return moment;
  }

  private draw(): void {
    if (this.width === 0 || this.samples.count === 0) return;
    const moment = this.aim();
    this.pen.clearRect(0, 0, this.width, this.height);
    drawGrid(this.pen, this.camera, this.width, this.height, this.unit);
    this.drawMechanism(moment);
    drawScaleBar(this.pen, this.camera, this.height, this.unit);
    this.drawGravity();
  }

  /** `whole`: with traces and what is shown on request. */
  private drawMechanism(moment: Moment, whole = true): void {
    const { pen } = this;
    const pose = new Pose(this.plan, moment);
    if (this.options.shown.has("alerts")) this.drawAlerts(pose);
    if (this.options.shown.has("contacts")) this.drawHalos(touchedPlaces(this.plan, pose, this.clock.time), eventColor());
    this.figures.draw(pen, this.camera, pose, this.mark, true);
    if (whole) this.drawTraces(moment, pose);
    this.plan.bodies.forEach((_, i) => this.drawBody(i, pose));
    this.drawLinks(pose);
    this.figures.draw(pen, this.camera, pose, this.mark, false);
    this.drawPoints(pose);
    if (whole) this.drawExtras(pose);
  }

  private drawAlerts(pose: Pose): void {
    const { plan, clock } = this;
    const singular = singularAt(plan.alerts, clock.time, clock.last - clock.first);
    this.drawHalos(litPlaces(plan, pose, singular !== undefined).map(({ place }) => place), singular === undefined ? warning : danger);
    if (singular !== undefined) this.label(singularText(singular, timeUnitOf(this.samples)), [this.width / 2, 34], 0, danger);
  }

  private drawHalos(places: Vec[], color: string): void {
    const { pen } = this;
    pen.fillStyle = color;
    pen.globalAlpha = 0.45;
    for (const place of places) {
      pen.beginPath();
      pen.arc(...this.pixel(place), 1.7 * this.mark, 0, 2 * Math.PI);
      pen.fill();
    }
    pen.globalAlpha = 1;
  }

  private drawTraces(moment: Moment, pose: Pose): void {
    const { pen, options } = this;
    if (options.traces === "off") return;
    const now = passedOf(this.path, moment);
    this.traces ??= tracePlaces(this.plan, this.path);
    this.traces.forEach((places, i) => {
      const stroke = (list: Vec[], alpha: number, width: number): void => {
        pen.beginPath();
        for (const place of list) pen.lineTo(...this.pixel(place));
        pen.globalAlpha = alpha;
        pen.lineWidth = width;
        pen.stroke();
      };
      pen.strokeStyle = seriesColor(this.plan.traces.length > 0 ? i + 1 : i);
      if (options.traces === "whole") stroke(places, 0.3, 1);
      const passed = Math.min(now, places.length);
      const piece = Math.max(1, Math.ceil(places.length / fades / 2));
      for (let end = passed; end > 0; end -= piece) {
        const part = places.slice(Math.max(0, end - piece - 1), end);
        if (end === passed) part.push(this.traceEnd(i, pose));
        stroke(part, fade((passed - end) / places.length), 1.8);
        if (options.traces === "whole" && (passed - end) / places.length > 0.1) break;
      }
      pen.globalAlpha = 1;
    });
  }

  private traceEnd(i: number, pose: Pose): Vec {
    return this.plan.traces.length > 0 ? pose.point(this.plan.traces[i]!) : pose.position(i);
  }

  private drawBody(index: number, pose: Pose): void {
    const { pen, camera } = this;
    pen.save();
    pen.translate(...this.pixel(pose.position(index)));
    pen.scale(camera.scale, -camera.scale);
    pen.rotate(pose.turn(index)[0] ?? 0);
    for (const shape of this.plan.bodies[index]!.shapes) drawShape(pen, shape, seriesColor(index), this.mark / camera.scale, camera.scale);
    pen.restore();
  }

  private drawLinks(pose: Pose): void {
    const { pen } = this;
    const wide = (this.plan.links.length > 14 ? 0.4 : 0.7) * this.mark;
    for (const [color, width] of [[theme().paper, wide + 0.3 * this.mark], [theme().accent, wide]] as const) {
      pen.strokeStyle = color;
      pen.lineWidth = width;
      for (const [from, to] of this.plan.links) {
        pen.beginPath();
        pen.moveTo(...this.pixel(pose.point(from)));
        pen.lineTo(...this.pixel(pose.point(to)));
        pen.stroke();
      }
    }
  }

  // Fixed points stand on hatched ground; moving ones are pins.
  private drawPoints(pose: Pose): void {
    const { pen, mark } = this;
    this.plan.points.forEach((point, i) => {
      const place = this.pixel(pose.point(i));
      if (point.fixed) drawSupport(pen, place, mark);
      pen.beginPath();
      pen.arc(...place, (point.fixed ? 0.5 : 0.4) * mark, 0, 2 * Math.PI);
      pen.fillStyle = theme().paper;
      pen.strokeStyle = theme().ink;
      pen.lineWidth = 0.18 * mark;
      pen.fill();
      pen.stroke();
    });
  }

  private drawExtras(pose: Pose): void {
    const { pen, options } = this;
    this.plan.bodies.forEach(({ shapes }, i) => {
      const shown = options.shown.has("frames") || shapes.some(({ kind }) => kind === "frame");
      if (shown) drawFrame(pen, this.pixel(pose.position(i)), pose.turn(i)[0] ?? 0, 2.6 * this.mark);
      if (options.shown.has("centers")) this.drawCenter(this.pixel(pose.position(i)));
      if (options.shown.has("instant")) this.drawPole(i, pose);
    });
    const values = this.arrows.at(pose, this.clock.time, options).map(({ quantity: what, from, along, value, unit }): NameTag => {
      pen.strokeStyle = pen.fillStyle = seriesColor(arrowColor(what));
      const [tail, tip] = [this.pixel(from), this.pixel(add(from, along))];
      drawArrow(pen, tail, tip, 2.4);
      return this.behind(quantity(value, { unit, scale: 1 }, 3), tail, tip, pen.fillStyle);
    });
    if (options.shown.has("names")) this.drawNames([...values, ...this.names(pose)]);
  }

  /** A text in the direction of an arrow, behind its tip. */
  private behind(text: string, tail: [number, number], tip: [number, number], color: string): NameTag {
    this.pen.font = nameFont;
    const [dx, dy] = [tip[0] - tail[0], tip[1] - tail[1]];
    const far = Math.hypot(dx, dy) || 1;
    const half = this.pen.measureText(text).width / 2;
    return { text, color, x: tip[0] + (dx / far) * (half + 5), y: tip[1] + (dy / far) * 12 + 4 };
  }

  // The point of a body's plane that stands still: a cross, and a line to the body.
  private drawPole(body: number, pose: Pose): void {
    const { pen } = this;
    const axis = instantAxis(this.plan, this.samples.time, this.clock.time, body, this.size);
    if (!axis) return;
    const [[x, y], from] = [this.pixel(axis.place), this.pixel(pose.position(body))];
    pen.strokeStyle = pen.fillStyle = seriesColor(body);
    pen.lineWidth = 1;
    pen.setLineDash([3, 4]);
    pen.beginPath();
    pen.moveTo(...from);
    pen.lineTo(x, y);
    pen.stroke();
    pen.setLineDash([]);
    pen.lineWidth = 2;
    pen.beginPath();
    for (const side of [-1, 1]) {
      pen.moveTo(x - 5, y - 5 * side);
      pen.lineTo(x + 5, y + 5 * side);
    }
    pen.stroke();
  }

  // The sign of a centre of mass: a disc of four quarters.
  private drawCenter([x, y]: [number, number]): void {
    const { pen } = this;
    for (let k = 0; k < 4; ++k) {
      pen.beginPath();
      pen.moveTo(x, y);
      pen.arc(x, y, 6, (k * Math.PI) / 2, ((k + 1) * Math.PI) / 2);
      pen.fillStyle = k % 2 === 0 ? theme().ink : theme().paper;
      pen.fill();
    }
    pen.strokeStyle = theme().ink;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.arc(x, y, 6, 0, 2 * Math.PI);
    pen.stroke();
  }

  private label(text: string, [x, y]: [number, number], above: number, color: string): void {
    const { pen } = this;
    pen.font = nameFont;
    pen.textAlign = "center";
    pen.lineWidth = 3;
    pen.strokeStyle = theme().paper;
    pen.strokeText(text, x, y + above);
    pen.fillStyle = color;
    pen.fillText(text, x, y + above);
  }

  private names(pose: Pose): NameTag[] {
    const joints = this.plan.figures.filter(({ kind, name, at }) => at.length === 2 && ["pin", "guide", "slot", "spring", "damper", "spiral", "bar", "gear"].includes(kind) && !isNumbered(name, kind));
    const names: [string, Vec][] = [
      ...this.plan.points.map(({ name }, i): [string, Vec] => [shortName(name), pose.point(i)]),
      ...joints.map(({ kind, name, at }): [string, Vec] => [name, ["pin", "guide", "slot"].includes(kind) ? pose.place(at[1]!) : midway(pose.place(at[0]!), pose.place(at[1]!))]),
    ];
    if (names.length > mostNames) return [];
    return names.map(([text, place]) => {
      const [x, y] = this.pixel(place);
      return { text, x, y: y - 0.7 * this.mark - 6, color: theme().ink };
    });
  }

  // A name that would stand on another is left out.
  private drawNames(tags: NameTag[]): void {
    const taken: { left: number; right: number; y: number }[] = [];
    this.pen.font = nameFont;
    for (const { text, x, y, color } of tags) {
      const half = this.pen.measureText(text).width / 2;
      if (taken.some((other) => x + half > other.left && x - half < other.right && Math.abs(other.y - y) < 13)) continue;
      taken.push({ left: x - half, right: x + half, y });
      this.label(text, [x, y], 0, color);
    }
  }

  private drawGravity(): void {
    const gravity = this.plan.figures.find(({ kind }) => kind === "gravity");
    if (!gravity) return;
    const vector = new Pose(this.plan, momentAt(this.samples.time, this.clock.time)).vector(gravity.numbers["vector"]!);
    const size = length(vector);
    if (size === 0) return;
    const { pen } = this;
    const [x, y] = [this.width - 28, 34];
    const [dx, dy] = [(18 * vector[0]) / size, (-18 * vector[1]) / size];
    pen.strokeStyle = pen.fillStyle = theme().faint;
    drawArrow(pen, [x - dx, y - dy], [x + dx, y + dy], 2);
    pen.font = "italic 13px system-ui, sans-serif";
    pen.fillText("g", x + 12, y + 4);
  }
}

/** joint3, spring1: nobody gave it this name. */
const isNumbered = (name: string, kind: string): boolean => name.replace(/\d+$/, "#") === `${kind}#` || /^(joint|force)\d+$/.test(name);
const midway = (a: Vec, b: Vec): Vec => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 0];
