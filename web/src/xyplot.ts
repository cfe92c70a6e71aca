// A diagram of curves over any quantity, on a canvas: axes linear or logarithmic.
import { penOf } from "./dom";
import { theme } from "./theme";
import { powersOfTen, powerText, spanOf, ticks, tickTexts } from "./ticks";

export interface XySeries {
  color: string;
  dash?: number[];
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  /** Samples to draw, all when absent. */
  indices?: number[];
  marks?: boolean;
}

export interface XyPlot {
  log: { x: boolean; y: boolean };
  series: XySeries[];
  labels?: { x: string; y: string };
  height?: number;
  /** A point to emphasize. */
  now?: { x: number; y: number; color: string };
}

const border = { left: 66, right: 16, top: 14, bottom: 34, label: 18 };

interface Axis {
  place: (value: number) => number;
  ticks: number[];
  texts: string[];
}

function makeAxis(lists: ArrayLike<number>[], log: boolean, from: number, to: number, wanted: number): Axis {
  const [low, high] = spanOf(lists, log);
  const map = log ? Math.log10 : (value: number): number => value;
  const scale = (to - from) / (map(high) - map(low));
  const splits = log ? powersOfTen(low, high, wanted) : ticks(low, high, wanted);
  return {
    place: (value) => from + scale * (map(value) - map(low)),
    ticks: splits,
    texts: log ? splits.map(powerText) : tickTexts(splits),
  };
}

export function paintXy(canvas: HTMLCanvasElement, width: number, plot: XyPlot): void {
  const height = plot.height ?? 340;
  const pen = penOf(canvas, width, height);
  const bottom = height - border.bottom - (plot.labels ? border.label : 0);
  const x = makeAxis(plot.series.map((one) => one.x), plot.log.x, border.left, width - border.right, width / 90);
  const y = makeAxis(plot.series.map((one) => one.y), plot.log.y, bottom, border.top, 6);
  drawAxes(pen, width, bottom, x, y, plot.labels);
  for (const one of plot.series) drawSeries(pen, x, y, one);
  if (plot.now && Number.isFinite(plot.now.x) && Number.isFinite(plot.now.y)) {
    pen.fillStyle = plot.now.color;
    pen.strokeStyle = theme().paper;
    pen.lineWidth = 2;
    disc(pen, x.place(plot.now.x), y.place(plot.now.y), 5);
    pen.stroke();
  }
}

function drawAxes(pen: CanvasRenderingContext2D, width: number, bottom: number, x: Axis, y: Axis,
  labels: XyPlot["labels"]): void {
  const colors = theme();
  pen.font = "12px system-ui, sans-serif";
  pen.strokeStyle = colors.grid;
  pen.fillStyle = colors.faint;
  pen.textAlign = "center";
  const line = (x0: number, y0: number, x1: number, y1: number): void => {
    pen.beginPath();
    pen.moveTo(Math.round(x0) + 0.5, Math.round(y0) + 0.5);
    pen.lineTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
    pen.stroke();
  };
  for (const [i, tick] of x.ticks.entries()) {
    line(x.place(tick), border.top, x.place(tick), bottom);
    pen.fillText(x.texts[i]!, x.place(tick), bottom + 18);
  }
  pen.textAlign = "right";
  for (const [i, tick] of y.ticks.entries()) {
    line(border.left, y.place(tick), width - border.right, y.place(tick));
    pen.fillText(y.texts[i]!, border.left - 8, y.place(tick) + 4);
  }
  if (!labels) return;
  pen.textAlign = "center";
  pen.fillText(labels.x, (border.left + width) / 2, bottom + 40);
  pen.save();
  pen.translate(14, (border.top + bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(labels.y, 0, 0);
  pen.restore();
}

function drawSeries(pen: CanvasRenderingContext2D, x: Axis, y: Axis, series: XySeries): void {
  pen.strokeStyle = pen.fillStyle = series.color;
  pen.lineWidth = 1.5;
  pen.setLineDash(series.dash ?? []);
  pen.lineJoin = "round";
  pen.beginPath();
  let drawing = false;
  const indices = series.indices ?? Array.from({ length: series.x.length }, (_, i) => i);
  const places = indices.map((i) => [x.place(series.x[i]!), y.place(series.y[i]!)] as const);
  for (const [px, py] of places) {
    const there = Number.isFinite(px) && Number.isFinite(py);
    if (there && drawing) pen.lineTo(px, py);
    else if (there) pen.moveTo(px, py);
    drawing = there;
  }
  pen.stroke();
  pen.setLineDash([]);
  if (series.marks) for (const [px, py] of places) if (Number.isFinite(px + py)) disc(pen, px, py, 3.5);
}

function disc(pen: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}
