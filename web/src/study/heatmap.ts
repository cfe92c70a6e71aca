// Means over two of what varies, as colours. A click opens the run of a cell, or selects the cell's runs.
import { element } from "../dom";
import { number } from "../format";
import { theme } from "../theme";
import { around } from "../ticks";
import { Axis, axisOfBins, binText, label } from "./axis";
import { binOf, type HeatMapData, type StudyColumn, type StudyData } from "./data";
import { cross, drawAcross, drawUpwards, failedColor, frame, nameAcross, nameUpwards, ramp, widthOfNumbers } from "./draw";
import { Picture, type Pen, type Spot } from "./picture";
import type { Selection } from "./selection";
import { numbersBehind } from "./tables";
import { counted } from "./words";

/** A column's mean, or the share of runs that did not finish. */
export type Shown = number | "failed";

const bar = { width: 12, gap: 14 };

export class HeatMap {
  readonly card: HTMLElement;
  private readonly picture: Picture;
  private readonly caption = element("figcaption", {});
  private across = new Axis(0, 1, false, 0, 1);
  private upwards = new Axis(0, 1, false, 1, 0);
  private values: (number | null)[] = [];

  constructor(private readonly study: StudyData, private readonly selection: Selection, private map: HeatMapData,
    private readonly shown: Shown) {
    this.picture = new Picture(this.title, (width) => Math.min(420, Math.max(260, width * 0.72)), (pen, width, height) => this.paint(pen, width, height));
    this.picture.listen({ tell: (at) => this.tell(at), click: (at) => this.click(at), drag: (from, to) => this.drag(from, to) });
    selection.listen(() => this.picture.draw());
    this.choose(map);
    this.card = element("figure", { class: "card" }, this.caption, this.picture.box,
      numbersBehind(this.title, ["x", "y", "value", "runs", "not finished"], () => this.tableRows()));
  }

  choose(map: HeatMapData): void {
    this.map = map;
    this.values = this.shown === "failed" ? map.rows.map((rows, i) => (rows > 0 ? map.failed[i]! / rows : null))
      : map.means[map.of.indexOf(this.shown)]!;
    this.caption.replaceChildren(this.title);
    this.picture.canvas.setAttribute("aria-label", `${this.title} over ${label(this.x)} and ${label(this.y)}, as colours`);
    this.picture.draw();
  }

  private get x(): StudyColumn {
    return this.study.columns[this.map.x]!;
  }
  private get y(): StudyColumn {
    return this.study.columns[this.map.y]!;
  }
  private get title(): string {
    if (this.shown === "failed") return "Share of runs that did not finish";
    const name = label(this.study.columns[this.shown]!);
    return this.map.rows.some((rows) => rows > 1) ? `Mean of ${name}` : name;
  }
  private tableRows(): string[][] {
    const nx = this.map.x_bins.edges.length - 1;
    return this.values.map((value, i) => [binText(this.map.x_bins, i % nx), binText(this.map.y_bins, Math.floor(i / nx)),
      number(value), String(this.map.rows[i]!), String(this.map.failed[i]!)]);
  }

  /** The least and the greatest mean, and the ends of the colours. */
  private get span(): [number, number] {
    let [low, high] = [Infinity, -Infinity];
    for (const value of this.values) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return low > high ? [0, 1] : low === high ? around(low, high, 0) : [low, high];
  }

  private cellAt({ x, y }: Spot): number | undefined {
    if (x < this.across.from || x > this.across.to || y > this.upwards.from || y < this.upwards.to) return undefined;
    const [i, j] = [binOf(this.map.x_bins, this.across.value(x)), binOf(this.map.y_bins, this.upwards.value(y))];
    return i < 0 || j < 0 ? undefined : j * (this.map.x_bins.edges.length - 1) + i;
  }
  private tell(at: Spot): string | undefined {
    const cell = this.cellAt(at);
    if (cell === undefined) return undefined;
    const nx = this.map.x_bins.edges.length - 1;
    const [rows, failed] = [this.map.rows[cell]!, this.map.failed[cell]!];
    const place = `${this.x.name}: ${binText(this.map.x_bins, cell % nx)}, ${this.y.name}: ${binText(this.map.y_bins, Math.floor(cell / nx))}`;
    const runs = rows === 1 ? `run ${this.map.first_row[cell]!}` : counted(rows, "run");
    return `${place} → ${number(this.values[cell]!, 5)} (${runs}${failed > 0 ? `, ${failed} not finished` : ""})`;
  }
  private click(at: Spot): void {
    const cell = this.cellAt(at);
    if (cell === undefined || this.map.rows[cell] === 0) return;
    if (this.map.rows[cell] === 1) this.selection.open(this.map.first_row[cell]!);
    else this.drag(at, at);
  }
  /** Whole cells. */
  private drag(from: Spot, to: Spot): void {
    const range = (axis: Axis, bins: HeatMapData["x_bins"], a: number, b: number): [number, number] => {
      const [first, last] = [a, b].map((place) => binOf(bins, axis.value(place))).sort((p, q) => p - q);
      return [bins.edges[first!]!, bins.edges[last! + 1]!];
    };
    this.selection.select([this.map.x, range(this.across, this.map.x_bins, from.x, to.x)],
      [this.map.y, range(this.upwards, this.map.y_bins, from.y, to.y)]);
  }

  private paint(pen: Pen, width: number, height: number): void {
    const { map } = this;
    const bottom = height - 38;
    this.upwards = axisOfBins(map.y_bins, bottom, 8);
    const scale = new Axis(...this.span, false, bottom, 8);
    const right = width - widthOfNumbers(pen, scale) - bar.width - bar.gap - 8;
    this.across = axisOfBins(map.x_bins, widthOfNumbers(pen, this.upwards) + 34, right);
    drawAcross(pen, this.across, bottom);
    drawUpwards(pen, this.upwards, this.across.from);
    nameAcross(pen, label(this.x), (this.across.from + right) / 2, height - 4);
    nameUpwards(pen, label(this.y), 12, (bottom + 8) / 2);
    this.paintCells(pen, scale);
    frame(pen, this.across.from, 8, right, bottom);
    this.paintScale(pen, scale, right + bar.gap);
    this.paintSelected(pen);
  }

  private cell(i: number): { x0: number; x1: number; y0: number; y1: number } {
    const { x_bins, y_bins } = this.map;
    const nx = x_bins.edges.length - 1;
    const [column, row] = [i % nx, Math.floor(i / nx)];
    const across = (edge: number): number => Math.round(this.across.place(x_bins.edges[edge]!));  // no seams
    const upwards = (edge: number): number => Math.round(this.upwards.place(y_bins.edges[edge]!));
    return { x0: across(column), x1: across(column + 1), y0: upwards(row), y1: upwards(row + 1) };
  }
  private paintCells(pen: Pen, scale: Axis): void {
    this.values.forEach((value, i) => {
      const { x0, x1, y0, y1 } = this.cell(i);
      if (value !== null) {
        pen.fillStyle = ramp((value - scale.low) / (scale.high - scale.low));
        pen.fillRect(x0, y1, x1 - x0, y0 - y1);
      } else if (this.map.rows[i]! > 0 && this.map.failed[i]! > 0) {
        pen.strokeStyle = failedColor();
        cross(pen, (x0 + x1) / 2, (y0 + y1) / 2, Math.min(4, (x1 - x0) / 3, (y0 - y1) / 3));
      }
    });
  }
  private paintScale(pen: Pen, scale: Axis, left: number): void {
    for (let y = scale.to; y < scale.from; ++y) {
      pen.fillStyle = ramp((scale.from - y) / (scale.from - scale.to));
      pen.fillRect(left, y, bar.width, 1.4);
    }
    pen.fillStyle = theme().faint;
    pen.textAlign = "left";
    for (const { value, text } of scale.ticks(7)) pen.fillText(text, left + bar.width + 5, scale.place(value) + 4);
  }
  private paintSelected(pen: Pen): void {
    const [x, y] = [this.selection.range(this.map.x), this.selection.range(this.map.y)];
    pen.strokeStyle = theme().ink;
    pen.lineWidth = 2;
    if (x || y) {
      const [x0, x1] = x ? x.map((value) => this.across.placeInside(value)) : [this.across.from, this.across.to];
      const [y0, y1] = y ? y.map((value) => this.upwards.placeInside(value)) : [this.upwards.from, this.upwards.to];
      pen.strokeRect(x0!, y1!, x1! - x0!, y0! - y1!);
    }
    const opened = this.selection.run === undefined ? -1 : this.map.first_row.indexOf(this.selection.run);
    if (opened >= 0) {
      const { x0, x1, y0, y1 } = this.cell(opened);
      pen.strokeRect(x0, y1, x1 - x0, y0 - y1);
    }
    pen.lineWidth = 1;
  }
}
