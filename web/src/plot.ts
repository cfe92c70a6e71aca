// A chart over time: uPlot draws what decimate() leaves; the legend tells the values at the clock's time.
import uPlot from "uplot";
import type { Clock } from "./clock";
import { largest, roundOff, type ChartPlan } from "./charts";
import { valueAt, withUnit, type RunEvent, type ShownUnit } from "./data";
import { dataTable } from "./datatable";
import { decimate } from "./decimate";
import { element, onResize } from "./dom";
import { drawMarks, groupText } from "./events";
import { number } from "./format";
import { Nearness, soon } from "./lazy";
import { inlineMath } from "./math";
import { drawExtremes, paintView, views, type View } from "./plotviews";
import { eventColor, onTheme, seriesColor, seriesDash, theme } from "./theme";
import { around, logRange, powersOfTen, powerText, ticks, tickTexts } from "./ticks";

/** The part of the time axis that all charts show. */
export class TimeRange {
  from: number;
  to: number;
  private readonly listeners: (() => void)[] = [];
  constructor(readonly first: number, readonly last: number) {
    this.from = first;
    this.to = last;
  }
  listen(listener: () => void): void {
    this.listeners.push(listener);
  }
  set(from: number, to: number): void {
    const span = Math.min(to - from, this.last - this.first);
    if (!(span > 1e-9 * (this.last - this.first))) return;
    this.from = Math.max(this.first, Math.min(from, this.last - span));
    this.to = this.from + span;
    for (const listener of this.listeners) listener();
  }
  reset(): void {
    this.set(this.first, this.last);
  }
  zoom(factor: number, around = (this.from + this.to) / 2): void {
    this.set(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }
  pan(part: number): void {
    const span = this.to - this.from;
    this.set(this.from + part * span, this.to + part * span);
  }
  get whole(): boolean {
    return this.from === this.first && this.to === this.last;
  }
}

const height = 230;
const shownAtFirst = 10;
const nearby = 5;  // pixels from an event to the cursor that asks for it

/** Curves over a time that increases; `others` are those of another run, drawn over them. */
export interface ChartCurves {
  time: Float64Array;
  curves: Float64Array[];
  others: Float64Array[];
}

/** What the charts of a page share. */
export interface PlotContext {
  clock: Clock;
  range: TimeRange;
  sampleTime: Float64Array;
  timeUnit: ShownUnit;
  events: RunEvent[];
}

export class TimePlot {
  readonly card: HTMLElement;
  private readonly box = element("div", { class: "plot" });
  private readonly cursor = element("div", { class: "time-cursor" });
  private readonly tip = element("div", { class: "event-tip", role: "status", hidden: true });
  private readonly values: HTMLElement[] = [];
  private readonly canvas = element("canvas", { class: "view", role: "img", hidden: true });
  private readonly caption: HTMLElement;
  private readonly shown: boolean[];
  private readonly noise: number;  // values below it are round-off beside the largest
  private known: ChartCurves | undefined;
  private chart: uPlot | undefined;
  private stale = false;
  private readonly near: Nearness;
  private view: View = "time";
  private extremes = false;

  /** What `draw` gives is drawn; the legend reads the plan's columns. */
  constructor(private readonly plan: ChartPlan, private readonly page: PlotContext, private readonly draw: () => ChartCurves) {
    this.shown = plan.columns.map((_, i) => plan.columns.length <= shownAtFirst + 2 || i < shownAtFirst);
    this.noise = roundOff * Math.max(0, ...plan.columns.map(({ values }) => largest(values)));
    this.caption = element("figcaption", {}, element("span", { class: "title" }, withUnit(plan.title, plan.unit)));
    this.card = element("figure", { class: "card chart empty", id: plan.id, tabindex: 0 }, this.caption);
    this.card.addEventListener("keydown", (event) => this.key(event));
    onResize(this.card, () => this.resize());
    onTheme(() => { if (this.chart) this.rebuild(); });
    page.range.listen(() => this.refresh());
    page.clock.listenCalmly(() => this.showTime());
    this.near = new Nearness(this.card, () => {
      if (!this.chart) this.rebuild();
      else if (this.stale) this.refresh();
      this.showTime();
    });
  }

  get drawn(): ChartCurves {
    return (this.known ??= this.draw());
  }

  /** A page of a robot has thousands of curves: what belongs to a chart is made when it comes near, or when there is time. */
  private fill(): void {
    if (!this.card.classList.contains("empty")) return;
    this.card.classList.remove("empty");
    this.card.setAttribute("aria-label", this.description());
    this.caption.append(element("span", { class: "stretch" }), this.choices());
    this.card.append(this.box, this.canvas, this.legend(), dataTable(this.plan, this.page.sampleTime, this.page.timeUnit));
  }

  private get width(): number {
    const { paddingLeft, paddingRight } = getComputedStyle(this.card);
    return Math.floor(this.card.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight));
  }

  /** What is drawn now. */
  get uplot(): uPlot | undefined {
    return this.chart;
  }

  /** For those who do not see it. */
  private description(): string {
    const ranges = this.plan.columns.slice(0, shownAtFirst).map(({ name, values }) => {
      const { least, greatest } = extremesOf(values);
      return `${name} from ${number(least, 4)} to ${number(greatest, 4)}`;
    });
    return `${withUnit(this.plan.title, this.plan.unit)} over time: ${ranges.join(", ")}`;
  }

  private choices(): HTMLElement {
    const view = element("select", {
      "aria-label": `what ${this.plan.title} shows`, class: "screen",
      change: () => { this.view = view.value as View; this.refresh(); },
    }, ...Object.entries(views).map(([value, text]) => element("option", { value }, text)));
    const mark = element("button", {
      type: "button", class: "quiet screen", "aria-pressed": "false", title: "mark the least and the greatest value",
      click: () => {
        this.extremes = !this.extremes;
        mark.setAttribute("aria-pressed", String(this.extremes));
        this.chart?.redraw();
      },
    }, "extremes");
    return element("span", { class: "choices" }, ...(this.plan.log ? [] : [mark, view]));
  }

  private paintOther(): void {
    const other = this.view !== "time";
    this.canvas.hidden = !other;
    this.box.hidden = other;
    if (!other) return;
    const { width } = this;
    const curves = this.drawn.curves.map((values, i) => ({ values, shown: this.shown[i]!, color: seriesColor(i), dash: seriesDash(i) }));
    paintView(this.canvas, this.view as Exclude<View, "time">, width, {
      time: this.drawn.time, curves, from: this.page.range.from, to: this.page.range.to, unit: this.plan.unit, timeUnit: this.page.timeUnit,
    });
    this.canvas.setAttribute("aria-label", `${views[this.view]} of ${this.plan.title}`);
  }

  private legend(): HTMLElement {
    const list = element("div", { class: "legend" });
    this.plan.columns.forEach((column, i) => {
      const value = element("span", { class: "value" });
      this.values.push(value);
      const button = element("button", {
        type: "button", "aria-pressed": this.shown[i]!, "aria-label": `show ${column.name}`, title: `show or hide ${column.name}`,
        click: () => {
          this.shown[i] = !this.shown[i];
          button.setAttribute("aria-pressed", String(this.shown[i]));
          this.chart?.setSeries(i + 1, { show: this.shown[i]! });
          if (this.drawn.others.length > 0) this.chart?.setSeries(this.plan.columns.length + i + 1, { show: this.shown[i]! });
          this.paintOther();
        },
      }, element("span", { class: `swatch series-${i % 8} dash-${Math.floor(i / 8) % 3}` }), inlineMath(column.latex, column.name), value);
      button.setAttribute("aria-pressed", String(this.shown[i]));
      list.append(button);
    });
    return list;
  }

  private data(): uPlot.AlignedData {
    const width = Math.max(200, this.width);
    const { x, y } = decimate(this.drawn.time, [...this.drawn.curves, ...this.drawn.others], this.page.range.from, this.page.range.to, width);
    return [x, ...y] as uPlot.AlignedData;
  }

  private resize(): void {
    if (!this.chart) return soon(() => { if (!this.chart) this.rebuild(); });
    const { width } = this;
    if (width === this.chart.width) return;
    this.chart.setSize({ width, height });
    this.refresh();
  }

  private refresh(): void {
    if (!this.chart) return;
    this.stale = !this.near.now;
    if (this.stale) return;
    this.paintOther();
    if (this.view !== "time") return;
    this.chart.batch(() => {
      this.chart!.setData(this.data(), false);
      this.chart!.setScale("x", { min: this.page.range.from, max: this.page.range.to });
    });
    this.showTime();
  }

  private rebuild(): void {
    const { width } = this;
    if (!(width > 0)) return;
    this.fill();
    this.chart?.destroy();
    this.chart = new uPlot(this.options(width), this.data(), this.box);
    this.chart.over.append(this.cursor, this.tip);
    this.listen(this.chart.over);
    this.paintOther();
    this.showTime();
  }

  private options(width: number): uPlot.Options {
    const colors = theme();
    const { unit: timeUnit, scale } = this.page.timeUnit;
    const axis = {
      // splits below are independent of it, but uPlot draws no numbers where it finds no step in a list that ends
      incrs: (_u: uPlot, _i: number, min: number, max: number) => [Math.max(5, max - min)],
      stroke: colors.faint, font: "12px system-ui, sans-serif",
      grid: { stroke: colors.grid, width: 1 }, ticks: { stroke: colors.grid, width: 1, size: 4 },
    };
    return {
      width, height, padding: [8, 14, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false, x: false },
      scales: {
        x: { time: false, range: () => [this.page.range.from, this.page.range.to] },
        y: this.plan.log
          ? { distr: 3, range: (_u, min, max) => logRange(min, max) }
          : { range: (_u, min, max) => (Number.isFinite(min) && Number.isFinite(max) ? around(min, max, 0.06) : [0, 1]) },
      },
      axes: [
        {
          ...axis, size: 34, ...label("t", timeUnit),
          splits: (u, _i, min, max) => ticks(scale * min, scale * max, u.width / 90).map((tick) => tick / scale),
          values: (_u, splits) => tickTexts(splits.map((tick) => Number((scale * tick).toPrecision(12)))),
        },
        {
          ...axis, size: 62, ...label("", this.plan.unit),
          splits: (_u, _i, min, max) => (this.plan.log ? powersOfTen(min, max, 7) : ticks(min, max, 6)),
          values: (_u, splits) => (this.plan.log ? splits.map(powerText) : tickTexts(splits)),
          filter: (_u, splits) => splits,
        },
      ],
      series: [{}, ...this.plan.columns.map((column, i) => ({
        label: column.name, stroke: seriesColor(i), dash: seriesDash(i), width: 1.6, show: this.shown[i]!, points: { show: false }, spanGaps: this.plan.log,
        pxAlign: 0,  // whole pixels make stairs
      })), ...this.drawn.others.map((_, i) => ({
        label: `${this.plan.columns[i]!.name} of the other run`, stroke: seriesColor(i), dash: [3, 4], width: 2.4, alpha: 0.6, show: this.shown[i]!,
        points: { show: false }, pxAlign: 0,
      }))],
      hooks: {
        drawAxes: [(u) => drawMarks(u.ctx, this.page.events, (t) => u.valToPos(t, "x", true), u.bbox, eventColor())],
        draw: [(u) => { if (this.extremes) drawExtremes(u, this.plan.columns.length, this.page.timeUnit); }],
        setSelect: [(u) => {
          if (u.select.width > 4) {
            const from = u.posToVal(u.select.left, "x");
            this.page.range.set(from, u.posToVal(u.select.left + u.select.width, "x"));
          }
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
      },
    };
  }

  private listen(over: HTMLElement): void {
    const timeOf = (event: MouseEvent): number =>
      this.chart!.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
    let pan: { x: number; from: number; to: number } | undefined;
    over.addEventListener("mousedown", (event) => {
      if (!event.shiftKey) return;
      pan = { x: event.clientX, from: this.page.range.from, to: this.page.range.to };
      event.stopImmediatePropagation();
      event.preventDefault();
    }, true);
    window.addEventListener("mouseup", () => { pan = undefined; });
    over.addEventListener("mousemove", (event) => {
      if (pan) {
        const shift = ((pan.x - event.clientX) / over.clientWidth) * (pan.to - pan.from);
        this.page.range.set(pan.from + shift, pan.to + shift);
      } else if (!this.page.clock.playing) {
        this.page.clock.seek(timeOf(event));
      }
      this.tell(event.clientX - over.getBoundingClientRect().left);
    });
    over.addEventListener("mouseleave", () => { this.tip.hidden = true; });
    over.addEventListener("click", (event) => this.page.clock.seek(timeOf(event)));
    over.addEventListener("dblclick", () => this.page.range.reset());
    over.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.page.range.zoom(event.deltaY > 0 ? 1.25 : 0.8, timeOf(event));
    }, { passive: false });
  }

  /** What happened where the cursor is. */
  private tell(x: number): void {
    const chart = this.chart!;
    const near = this.page.events.filter(({ t }) => Math.abs(chart.valToPos(t, "x") - x) < nearby);
    this.tip.hidden = near.length === 0;
    if (near.length === 0) return;
    this.tip.textContent = groupText(near, this.page.timeUnit);
    const width = chart.over.clientWidth;
    this.tip.style.transform = x < width / 2 ? `translateX(${x + 8}px)` : `translateX(calc(${x - 8}px - 100%))`;
  }

  private key(event: KeyboardEvent): void {
    const actions: Record<string, () => void> = {
      "+": () => this.page.range.zoom(0.7, this.page.clock.time),
      "-": () => this.page.range.zoom(1 / 0.7, this.page.clock.time),
      "0": () => this.page.range.reset(),
      PageUp: () => this.page.range.pan(-0.5),
      PageDown: () => this.page.range.pan(0.5),
    };
    const action = actions[event.key];
    if (!action || event.target !== this.card) return;
    event.preventDefault();
    action();
  }

  private showTime(): void {
    const chart = this.chart;
    if (!chart || !this.near.now) return;
    const { time } = this.page.clock;
    const inside = time >= this.page.range.from && time <= this.page.range.to;
    this.cursor.hidden = !inside;
    if (inside) this.cursor.style.transform = `translateX(${chart.valToPos(time, "x")}px)`;
    this.plan.columns.forEach((column, i) => {
      if (this.page.clock.playing && !this.shown[i]) return;  // of hundreds of names; they follow when the motion stops
      const now = valueAt(this.page.sampleTime, column.values, time);
      const text = number(this.plan.log || Math.abs(now) > this.noise || Number.isNaN(now) ? now : 0, 5);
      const value = this.values[i]!;
      if (value.textContent !== text) value.textContent = text;
    });
  }
}

/** The name of an axis, as far as there is one. */
function label(name: string, unit: string): { label?: string; labelSize?: number; labelFont?: string } {
  if (name === "" && (unit === "" || unit === "1")) return {};
  return { label: name === "" ? unit : withUnit(name, unit), labelSize: 18, labelFont: "12px system-ui, sans-serif" };
}

export function extremesOf(values: ArrayLike<number>): { least: number; greatest: number } {
  let [least, greatest] = [NaN, NaN];
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]!;
    if (Number.isNaN(least) || value < least) least = value;
    if (Number.isNaN(greatest) || value > greatest) greatest = value;
  }
  return { least, greatest };
}
