// How the values of a column are spread over all runs; dragging across it selects.
import { element } from "../dom";
import { number } from "../format";
import { seriesColor, theme } from "../theme";
import { axisOfBins, binText, label, type Axis } from "./axis";
import { binOf, isVaried, type Rows, type StoredHistogram, type StudyColumn } from "./data";
import { drawAcross, failedColor, line } from "./draw";
import { Picture, type Pen } from "./picture";
import type { Selection } from "./selection";
import { numbersBehind } from "./tables";
import { counted, plainNumber } from "./words";

const border = { left: 10, right: 10, top: 12, bottom: 22 };
const height = 170;

export class Histogram {
  readonly card: HTMLElement;
  private readonly bins: StoredHistogram;
  private readonly picture: Picture;
  private axis: Axis;

  constructor(private readonly column: StudyColumn, private readonly place: number, private readonly rows: Rows,
    private readonly selection: Selection) {
    this.bins = column.histogram!;
    this.axis = axisOfBins(this.bins, 0, 1);
    this.picture = new Picture(`Histogram of ${label(column)}: ${this.inWords()}`, () => height, (pen, width) => this.paint(pen, width));
    this.picture.listen({
      tell: ({ x }) => this.tell(x),
      click: () => this.selection.select([place, undefined]),
      drag: (from, to) => this.selection.select([place, this.range(from.x, to.x)]),
      key: (event) => this.key(event),
    });
    selection.listen(() => this.picture.draw());
    this.card = element("figure", { class: "card histogram" },
      element("figcaption", {}, label(column)),
      this.picture.box,
      element("p", { class: "under" }, this.inWords()),
      numbersBehind(`bins of ${column.name}`, ["from", "to", "runs", "not finished"], () => this.bins.reached.map((count, i) => [
        number(this.bins.values?.[i] ?? this.bins.edges[i]!), number(this.bins.values?.[i] ?? this.bins.edges[i + 1]!),
        plainNumber(count), plainNumber(this.bins.failed[i]!)])));
  }

  private inWords(): string {
    const { column, bins } = this;
    if (isVaried(column)) return `${number(column.from ?? NaN)} to ${number(column.to ?? NaN)}, ${column.given ?? ""}`;
    if (!column.count) return "no finite value";
    const spread = column.min === column.max ? `always ${number(column.min!)}`
      : `${number(column.min!)} to ${number(column.max!)}, mean ${number(column.mean!, 5)} ± ${number(column.deviation!, 2)}`;
    const beyond = [
      ...(bins.below > 0 ? [`${plainNumber(bins.below)} below the axis`] : []),
      ...(bins.above > 0 ? [`${plainNumber(bins.above)} beyond the axis`] : []),
    ];
    return [spread, ...beyond].join("; ");
  }

  private total(i: number): number {
    return this.bins.reached[i]! + (isVaried(this.column) ? this.bins.failed[i]! : 0);
  }
  private binAt(x: number): number {
    return binOf(this.bins, this.axis.value(x));
  }
  /** Whole bins. */
  private range(from: number, to: number): [number, number] {
    const [first, last] = [this.binAt(Math.min(from, to)), this.binAt(Math.max(from, to))];
    return [this.bins.edges[first]!, this.bins.edges[last + 1]!];
  }
  private tell(x: number): string | undefined {
    if (x < border.left || x > this.axis.to) return undefined;
    const i = this.binAt(x);
    if (i < 0) return undefined;
    const failed = isVaried(this.column) && this.bins.failed[i]! > 0 ? `, ${plainNumber(this.bins.failed[i]!)} not finished` : "";
    return `${binText(this.bins, i)}: ${counted(this.total(i), "run")}${failed}`;
  }
  /** Arrows move what is selected by a bin, with Shift its upper end. */
  private key(event: KeyboardEvent): boolean {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") this.selection.select([this.place, undefined]);
    if (step === undefined) return event.key === "Escape";
    const { edges } = this.bins;
    const last = edges.length - 2;
    const now = this.selection.range(this.place);
    let [low, high] = now ? [Math.max(0, binOf(this.bins, now[0])), Math.max(0, edges.indexOf(now[1]) - 1)] : step > 0 ? [-1, -1] : [last + 1, last + 1];
    if (event.shiftKey && now) high = Math.min(last, Math.max(low, high + step));
    else if (low + step >= 0 && high + step <= last) [low, high] = [low + step, high + step];
    this.selection.select([this.place, [edges[low]!, edges[high + 1]!]]);
    return true;
  }

  /** Of each bin the share of its runs that is selected, as far as they are there one by one. */
  private selectedShares(): Float64Array {
    const all = new Float64Array(this.bins.reached.length);
    const chosen = new Float64Array(all.length);
    const values = this.rows.columns[this.place]!;
    const end = this.rows.reached + (isVaried(this.column) ? this.rows.failed : 0);
    for (let i = 0; i < end; ++i) {
      const bin = binOf(this.bins, values[i]!);
      if (bin < 0) continue;
      all[bin]! += 1;
      if (this.selection.has(i)) chosen[bin]! += 1;
    }
    return chosen.map((count, i) => (all[i]! > 0 ? count / all[i]! : 0));
  }

  private paint(pen: Pen, width: number): void {
    const { bins, selection } = this;
    const [bottom, colors] = [height - border.bottom, theme()];
    const axis = (this.axis = axisOfBins(bins, border.left, width - border.right));
    drawAcross(pen, axis, bottom);
    const most = Math.max(1, ...bins.reached.map((_, i) => this.total(i)));
    const high = (count: number): number => (count > 0 ? Math.max(1, (count / most) * (bottom - border.top)) : 0);
    const shares = selection.isEmpty ? undefined : this.selectedShares();
    bins.reached.forEach((count, i) => {
      const [x0, x1] = [axis.place(bins.edges[i]!), axis.place(bins.edges[i + 1]!)];
      const gap = x1 - x0 > 4 ? 1 : 0;
      const bar = (from: number, size: number, color: string): void => {
        pen.fillStyle = color;
        pen.fillRect(x0 + gap / 2, bottom - from - size, x1 - x0 - gap, size);
      };
      pen.globalAlpha = shares ? 0.3 : 0.85;
      bar(0, high(count), seriesColor(0));
      if (isVaried(this.column)) bar(high(count), high(bins.failed[i]!), failedColor());
      pen.globalAlpha = 1;
      if (shares) bar(0, high(shares[i]! * this.total(i)), seriesColor(1));
    });
    pen.strokeStyle = colors.faint;
    line(pen, axis.from, bottom + 0.5, axis.to, bottom + 0.5);
    this.paintRange(pen, axis, bottom);
  }

  private paintRange(pen: Pen, axis: Axis, bottom: number): void {
    const range = this.selection.range(this.place);
    if (range) {
      const [x0, x1] = [axis.placeInside(range[0]), axis.placeInside(range[1])];
      pen.strokeStyle = theme().ink;
      pen.strokeRect(x0, border.top - 6, x1 - x0, bottom - border.top + 6);
    }
    const run = this.selection.run;
    const opened = run === undefined ? undefined : this.rows.find(run);
    if (opened === undefined || !Number.isFinite(this.rows.value(opened, this.place))) return;
    const x = axis.placeInside(this.rows.value(opened, this.place));
    pen.strokeStyle = pen.fillStyle = theme().ink;
    pen.beginPath();
    pen.moveTo(x, bottom - 1);
    pen.lineTo(x - 5, bottom - 10);
    pen.lineTo(x + 5, bottom - 10);
    pen.fill();
  }
}
