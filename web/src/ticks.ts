// What axes span and where they have their numbers.
import { number } from "./format";

/** A quantity that varies by less, relative to its size, is constant: ten times the tolerance of a usual run. */
export const flatness = 1e-9;

/** The range of an axis around values: a constant is a line in the middle, not a picture of its round-off. */
export function around(low: number, high: number, room: number): [number, number] {
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= flatness * size || high === low) {
    const middle = (low + high) / 2;
    const pad = 0.1 * size || 1;
    return [middle - pad, middle + pad];
  }
  return [low - room * (high - low), high + room * (high - low)];
}

/** Ticks in at most six digits; where these do not tell them apart, one has all of its digits, and the others say what they are more. */
export function tickTexts(splits: number[], whole = 0): string[] {
  const texts = splits.map((tick) => number(tick));
  if (new Set(texts).size === texts.length) return texts;
  const base = splits[whole]!;
  return splits.map((tick, i) => (i === whole ? number(tick, 12) : `${tick > base ? "+" : ""}${number(tick - base, 3)}`));
}

/** A round length of at least `least`: 1, 2 or 5 times a power of ten. */
export function roundLength(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return Number(([1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= 0.999 * least) ?? 10 * power).toPrecision(1));
}

/** Round numbers within a range, about `wanted` of them. */
export function ticks(low: number, high: number, wanted: number): number[] {
  const rough = (high - low) / Math.max(1, wanted);
  if (!(rough > 0) || rough === Infinity) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((value) => value >= 0.999 * rough) ?? 10 * power;
  const list: number[] = [];
  const first = Math.ceil(low / step - 1e-9);
  for (let i = first; i * step <= high + 1e-9 * step && i < first + 1000; ++i) {
    list.push(i === 0 ? 0 : Number((i * step).toPrecision(12)));
  }
  return list;
}

/** Powers of ten within a range, at most `wanted` of them. */
export function powersOfTen(low: number, high: number, wanted: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / Math.max(1, wanted)));
  const list: number[] = [];
  for (let exponent = first; exponent <= last && list.length < 1000; exponent += step) list.push(Number(`1e${exponent}`));
  return list;
}

/** Residuals of exact zeros and of rounding may be 300 powers of ten apart: the lower ones say nothing. */
const widest = 1e16;

/** The range of a logarithmic axis, from a power of ten to another. */
export function logRange(min: number | null, max: number | null): [number, number] {
  if (!(min! > 0) || !(max! < Infinity)) return [1e-17, 1e-15];
  const high = 10 ** Math.ceil(Math.log10(max!));
  const low = 10 ** Math.floor(Math.log10(Math.max(min!, high / widest)));
  return [low, high > low ? high : 10 * low];
}

/** 10⁻³ */
export function powerText(value: number): string {
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const exponent = Math.round(Math.log10(value));
  return "10" + String(exponent).replace(/-/, "⁻").replace(/\d/g, (d) => digits[Number(d)]!);
}

/** The least and the greatest of all values that an axis can show, with room around them. */
export function spanOf(lists: ArrayLike<number>[], log: boolean): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const list of lists) {
    for (let i = 0; i < list.length; ++i) {
      const value = list[i]!;
      if (!Number.isFinite(value) || (log && value <= 0)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) return log ? [0.1, 10] : [0, 1];
  if (log) {
    const decade = (value: number): number => Number(`1e${value}`);
    const around: [number, number] = [low / 1.6, high * 1.6];
    if (powersOfTen(...around, 2).length >= 2) return around;
    const first = Math.floor(Math.log10(low));
    return [decade(first), decade(Math.max(first + 1, Math.ceil(Math.log10(high))))];  // two numbers at least
  }
  return around(low, high, 0.05);
}
