// Axes of a study's diagrams: a quantity on a stretch of pixels, even or logarithmic.
import { withUnit } from "../data";
import { around, powersOfTen, powerText, ticks, tickTexts } from "../ticks";
import { number } from "../format";
import type { Bins, StudyColumn } from "./data";

export class Axis {
  /** `from` and `to` are pixels. */
  constructor(readonly low: number, readonly high: number, readonly log: boolean, readonly from: number, readonly to: number) {}

  private map(value: number): number {
    return this.log ? Math.log(value) : value;
  }
  place(value: number): number {
    return this.from + ((this.to - this.from) * (this.map(value) - this.map(this.low))) / (this.map(this.high) - this.map(this.low));
  }
  /** Of a value beyond the axis: its end. */
  placeInside(value: number): number {
    const place = this.place(value);
    return Math.min(Math.max(place, Math.min(this.from, this.to)), Math.max(this.from, this.to));
  }
  value(place: number): number {
    const part = Math.min(1, Math.max(0, (place - this.from) / (this.to - this.from)));
    const [low, high] = [this.map(this.low), this.map(this.high)];
    const mapped = low + part * (high - low);
    return this.log ? Math.exp(mapped) : mapped;
  }
  ticks(wanted: number): { value: number; text: string }[] {
    if (!this.log) {
      const list = ticks(this.low, this.high, wanted);
      const texts = tickTexts(list);
      return list.map((value, i) => ({ value, text: texts[i]! }));
    }
    const powers = powersOfTen(this.low, this.high, wanted);
    if (powers.length >= 3) return powers.map((value) => ({ value, text: powerText(value) }));
    const first = Math.floor(Math.log10(this.low));
    const last = Math.ceil(Math.log10(this.high));
    const fine: number[] = [];
    for (let power = first; power <= last; ++power) for (const digit of [1, 2, 5]) fine.push(Number(`${digit}e${power}`));
    return fine.filter((value) => value >= this.low * 0.999999 && value <= this.high * 1.000001).map((value) => ({ value, text: number(value, 3) }));
  }
}

/** With room around what a column shows. */
export function axisOf(column: StudyColumn, from: number, to: number): Axis {
  const { low = 0, high = 1, log = false } = column;
  if (log && high > low) {
    const room = (high / low) ** 0.03;
    return new Axis(low / room, high * room, true, from, to);
  }
  return new Axis(...around(low, high, 0.04), false, from, to);
}

/** From the first edge to the last. */
export const axisOfBins = (bins: Bins, from: number, to: number): Axis =>
  new Axis(bins.edges[0]!, bins.edges[bins.edges.length - 1]!, bins.log ?? false, from, to);

export const label = (column: StudyColumn): string => withUnit(column.name, column.unit ?? "");

/** "3 to 4", or the value that the bin stands for. */
export const binText = (bins: Bins, i: number): string =>
  (bins.values ? number(bins.values[i]!) : `${number(bins.edges[i]!, 5)} to ${number(bins.edges[i + 1]!, 5)}`);
