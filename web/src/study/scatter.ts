// Runs as points over two columns. Dragging a rectangle selects, a click opens the run of the nearest point.
import { number } from "../format";
import { seriesColor, theme } from "../theme";
import { Axis, axisOf, label } from "./axis";
import { isVaried, type DensityData, type Rows, type StudyColumn, type StudyData } from "./data";
import { cross, drawAcross, drawUpwards, failedColor, frame, line, nameAcross, nameUpwards, ramp, widthOfNumbers } from "./draw";
import { Picture, type Pen, type Spot } from "./picture";
import type { Selection } from "./selection";

export interface ScatterChoice {
  x: number;
  y: number;
  /** The column whose values colour the points. */
  color?: number;
}

const reach = 12;  // pixels around a point that belong to it
const strip = 6;  // half of what runs stand in that did not finish
const room = 44;  // of numbers in a matrix, the same in each row

export class Scatter {
  readonly picture: Picture;
  private across = new Axis(0, 1, false, 0, 1);
  private upwards = new Axis(0, 1, false, 1, 0);
  private bottom = 0;

  constructor(private readonly study: StudyData, private readonly rows: Rows, private readonly selection: Selection,
    private chosen: ScatterChoice, private readonly small: boolean, height: (width: number) => number) {
    this.picture = new Picture(this.inWords(), height, (pen, width, high) => this.paint(pen, width, high));
    this.picture.listen({
      tell: (at) => { const i = this.nearest(at); return i === undefined ? undefined : this.describe(i); },
      click: (at) => this.click(at),
      drag: (from, to) => this.drag(from, to),
    });
    selection.listen(() => this.picture.draw());
  }

  choose(choice: ScatterChoice): void {
    this.chosen = choice;
    this.picture.canvas.setAttribute("aria-label", this.inWords());
    this.picture.draw();
  }
  private get x(): StudyColumn {
    return this.study.columns[this.chosen.x]!;
  }
  private get y(): StudyColumn {
    return this.study.columns[this.chosen.y]!;
  }
  private inWords(): string {
    return `${label(this.y)} over ${label(this.x)}, a point for each run`;
  }
  private describe(i: number): string {
    const said = `run ${this.rows.numbers[i]!}: ${this.x.name} = ${number(this.rows.value(i, this.chosen.x), 5)}`;
    return this.rows.hasFailed(i) ? `${said}, did not finish` : `${said}, ${this.y.name} = ${number(this.rows.value(i, this.chosen.y), 5)}`;
  }

  /** Where a run is drawn; undefined: nowhere. */
  private spot(i: number): Spot | undefined {
    const x = this.rows.value(i, this.chosen.x);
    if (!Number.isFinite(x)) return undefined;
    if (this.rows.hasFailed(i) && !isVaried(this.y)) {
      return isVaried(this.x) ? { x: this.across.placeInside(x), y: this.bottom - strip } : undefined;
    }
    const y = this.rows.value(i, this.chosen.y);
    return Number.isFinite(y) ? { x: this.across.placeInside(x), y: this.upwards.placeInside(y) } : undefined;
  }
  private nearest(at: Spot): number | undefined {
    let found: number | undefined;
    let least = reach;
    for (let i = 0; i < this.rows.count; ++i) {
      const spot = this.spot(i);
      if (!spot) continue;
      const away = Math.hypot(spot.x - at.x, spot.y - at.y);
      if (away < least) [least, found] = [away, i];
    }
    return found;
  }
  private click(at: Spot): void {
    const i = this.nearest(at);
    if (i !== undefined) this.selection.open(this.rows.numbers[i]!);
    else this.selection.select([this.chosen.x, undefined], [this.chosen.y, undefined]);
  }
  private drag(from: Spot, to: Spot): void {
    this.selection.select(
      [this.chosen.x, [this.across.value(from.x), this.across.value(to.x)]],
      [this.chosen.y, [this.upwards.value(from.y), this.upwards.value(to.y)]]);
  }

  private paint(pen: Pen, width: number, height: number): void {
    this.layOut(pen, width, height);
    const { across, upwards } = this;
    const size = this.small ? 10 : 12;
    drawAcross(pen, across, this.bottom, upwards.to, size);
    drawUpwards(pen, upwards, across.from, across.to, size);
    frame(pen, across.from, upwards.to, across.to, this.bottom);
    if (!this.small) {
      nameAcross(pen, label(this.x), (across.from + across.to) / 2, height - 4);
      nameUpwards(pen, label(this.y), 12, (upwards.from + upwards.to) / 2);
    }
    const density = this.chosen.color === undefined
      ? this.study.densities.find(({ x, y }) => x === this.chosen.x && y === this.chosen.y) : undefined;
    if (density) this.paintDensity(pen, density);
    if (this.isCurve) this.paintCurve(pen);
    this.paintPoints(pen, density !== undefined);
    this.paintFailed(pen);
    this.paintOpened(pen);
  }

  private layOut(pen: Pen, width: number, height: number): void {
    const size = this.small ? 10 : 12;
    const bottom = (this.bottom = height - (this.small ? 18 : 38));
    const hasFailed = this.rows.failed > 0 && isVaried(this.x) && !isVaried(this.y);
    this.upwards = axisOf(this.y, hasFailed ? bottom - 2 * strip : bottom, 8);
    const numbers = widthOfNumbers(pen, this.upwards, size);
    const left = this.small ? Math.max(room, numbers + 10) : numbers + 34;
    this.across = axisOf(this.x, left, width - 8);
    this.upwards = new Axis(this.upwards.low, this.upwards.high, this.upwards.log, this.upwards.from, 8);
  }

  /** One grid alone varies: its runs make a curve. */
  private get isCurve(): boolean {
    return this.x.points !== undefined && this.study.columns.filter(isVaried).length === 1 && this.study.densities.length === 0;
  }

  private paintDensity(pen: Pen, { x_bins, y_bins, counts }: DensityData): void {
    const most = Math.max(1, ...counts);
    const nx = x_bins.edges.length - 1;
    pen.fillStyle = seriesColor(0);
    counts.forEach((count, i) => {
      if (count === 0) return;
      const [column, row] = [i % nx, Math.floor(i / nx)];
      const [x0, x1] = [this.across.placeInside(x_bins.edges[column]!), this.across.placeInside(x_bins.edges[column + 1]!)];
      const [y0, y1] = [this.upwards.placeInside(y_bins.edges[row]!), this.upwards.placeInside(y_bins.edges[row + 1]!)];
      pen.globalAlpha = (this.selection.isEmpty ? 0.85 : 0.35) * (0.12 + (0.88 * Math.log1p(count)) / Math.log1p(most));
      pen.fillRect(x0, y1, x1 - x0 + 0.3, y0 - y1 + 0.3);
    });
    pen.globalAlpha = 1;
  }

  private paintCurve(pen: Pen): void {
    const order = Array.from({ length: this.rows.reached + this.rows.failed }, (_, i) => i)
      .sort((a, b) => this.rows.value(a, this.chosen.x) - this.rows.value(b, this.chosen.x));
    pen.strokeStyle = seriesColor(0);
    pen.globalAlpha = 0.5;
    pen.beginPath();
    let drawing = false;
    for (const i of order) {
      const spot = this.rows.hasFailed(i) ? undefined : this.spot(i);
      if (spot && drawing) pen.lineTo(spot.x, spot.y);
      else if (spot) pen.moveTo(spot.x, spot.y);
      drawing = spot !== undefined;
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  private paintPoints(pen: Pen, overDensity: boolean): void {
    const { rows, selection } = this;
    const size = rows.reached > 1500 ? 2 : rows.reached > 300 ? 2.6 : 4;
    const colors = this.chosen.color === undefined ? undefined : this.colorsBy(this.chosen.color);
    const put = (i: number): void => {
      const spot = this.spot(i);
      if (spot) pen.fillRect(spot.x - size / 2, spot.y - size / 2, size, size);
    };
    if (!overDensity || !selection.isEmpty) {
      pen.globalAlpha = selection.isEmpty ? (rows.reached > 1500 ? 0.55 : 0.8) : 0.18;
      pen.fillStyle = seriesColor(0);
      for (let i = 0; i < rows.reached && !overDensity; ++i) {
        if (!selection.isEmpty && selection.has(i)) continue;
        if (colors) pen.fillStyle = colors(i);
        put(i);
      }
    }
    if (selection.isEmpty) {
      pen.globalAlpha = 1;
      return;
    }
    pen.globalAlpha = 0.9;
    pen.fillStyle = seriesColor(1);
    for (let i = 0; i < rows.reached; ++i) {
      if (!selection.has(i)) continue;
      if (colors) pen.fillStyle = colors(i);
      put(i);
    }
    pen.globalAlpha = 1;
  }

  private colorsBy(place: number): (i: number) => string {
    const axis = axisOf(this.study.columns[place]!, 0, 1);
    return (i) => ramp(axis.placeInside(this.rows.value(i, place)));
  }

  private paintFailed(pen: Pen): void {
    const { rows, selection } = this;
    if (rows.failed === 0 || !isVaried(this.x)) return;
    pen.strokeStyle = failedColor();
    pen.lineWidth = 1.2;
    for (let i = rows.reached; i < rows.reached + rows.failed; ++i) {
      const spot = this.spot(i);
      pen.globalAlpha = selection.has(i) ? 0.9 : 0.25;
      if (spot) cross(pen, spot.x, spot.y, 2.5);
    }
    pen.globalAlpha = 1;
    pen.lineWidth = 1;
  }

  private paintOpened(pen: Pen): void {
    const run = this.selection.run;
    const i = run === undefined ? undefined : this.rows.find(run);
    const spot = i === undefined ? undefined : this.spot(i);
    if (!spot) return;
    pen.strokeStyle = theme().ink;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(spot.x, spot.y, 6, 0, 2 * Math.PI);
    pen.stroke();
    pen.lineWidth = 1;
    pen.globalAlpha = 0.25;
    line(pen, spot.x, this.upwards.to, spot.x, this.upwards.from);
    line(pen, this.across.from, spot.y, this.across.to, spot.y);
    pen.globalAlpha = 1;
  }
}
