// Other views of a chart's curves than over time, and marks at their extremes.
import type uPlot from "uplot";
import type { ShownUnit } from "./data";
import { number, quantity } from "./format";
import { histogram, spectrum, type Diagram } from "./spectrum";
import { theme } from "./theme";
import { paintXy } from "./xyplot";

export const views = { time: "over time", spectrum: "spectrum", histogram: "histogram" } as const;
export type View = keyof typeof views;

interface ViewData {
  time: Float64Array;
  curves: { values: Float64Array; shown: boolean; color: string; dash: number[] }[];
  /** The part of the time that is looked at. */
  from: number;
  to: number;
  unit: string;
  timeUnit: ShownUnit;
}

const height = 230;

export function paintView(canvas: HTMLCanvasElement, view: Exclude<View, "time">, width: number, data: ViewData): void {
  const seen = data.curves.filter(({ shown }) => shown);
  const { from, to } = data;
  const inside = (values: Float64Array): Float64Array => values.filter((value, i) => data.time[i]! >= from && data.time[i]! <= to && Number.isFinite(value));
  const all = seen.flatMap(({ values }) => { const part = inside(values); return part.length > 0 ? [part.reduce((a, b) => Math.min(a, b)), part.reduce((a, b) => Math.max(a, b))] : []; });
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const quantity = data.unit === "" ? "" : ` [${data.unit}]`;
  const { unit: timeUnit, scale } = data.timeUnit;
  const frequency = timeUnit === "s" ? "Hz" : `1/${timeUnit || "time"}`;
  const shownSpectrum = (values: Float64Array): Diagram => {
    const { x, y } = spectrum(data.time, values, from, to);
    return { x: x.map((f) => f / scale), y };
  };
  paintXy(canvas, width, {
    height,
    log: { x: false, y: false },
    labels: view === "spectrum"
      ? { x: `frequency [${frequency}]`, y: `amplitude${quantity}` }
      : { x: `value${quantity}`, y: "part of the time" },
    series: seen.map(({ values, color, dash }) => ({
      color, dash,
      ...(view === "spectrum" ? shownSpectrum(values) : histogram(data.time, values, from, to, low, high)),
    })),
  });
}

/** The least and the greatest value of each curve in sight, with its time. */
export function drawExtremes(chart: uPlot, curves: number, timeUnit: ShownUnit): void {
  const pen = chart.ctx;
  const ratio = window.devicePixelRatio || 1;
  const [x] = chart.data;
  pen.save();
  pen.font = `${11 * ratio}px system-ui, sans-serif`;
  for (let k = 1; k <= curves; ++k) {
    const series = chart.series[k]!;
    const y = chart.data[k]!;
    if (!series.show) continue;
    const inside = Array.from(x.keys()).filter((i) => y[i] != null && x[i]! >= chart.scales["x"]!.min! && x[i]! <= chart.scales["x"]!.max!);
    if (inside.length === 0) continue;
    const pick = (better: (a: number, b: number) => boolean): number => inside.reduce((best, i) => (better(y[i]!, y[best]!) ? i : best));
    for (const [i, above] of [[pick((a, b) => a > b), true], [pick((a, b) => a < b), false]] as const) {
      const [px, py] = [chart.valToPos(x[i]!, "x", true), chart.valToPos(y[i]!, "y", true)];
      pen.fillStyle = typeof series.stroke === "function" ? String(series.stroke(chart, k)) : String(series.stroke);
      pen.beginPath();
      pen.arc(px, py, 3.5 * ratio, 0, 2 * Math.PI);
      pen.fill();
      const text = `${number(y[i]!, 4)} at ${quantity(x[i]!, timeUnit, 4)}`;
      const half = pen.measureText(text).width / 2 + 2 * ratio;
      pen.textAlign = "center";
      pen.lineWidth = 3 * ratio;
      pen.strokeStyle = theme().paper;
      const [tx, ty] = [Math.min(chart.bbox.left + chart.bbox.width - half, Math.max(chart.bbox.left + half, px)), py + (above ? 15 : -8) * ratio];
      pen.strokeText(text, tx, ty);
      pen.fillText(text, tx, ty);
    }
  }
  pen.restore();
}
