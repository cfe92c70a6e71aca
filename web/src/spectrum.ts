// What a curve consists of: amplitudes by frequency, and how long it has which values.
import { valueAt } from "./data";

export interface Diagram {
  x: Float64Array;
  y: Float64Array;
}

/** In place; the length is a power of two. */
export function fourier(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j]!, re[i]!];
      [im[i], im[j]] = [im[j]!, im[i]!];
    }
  }
  for (let size = 2; size <= n; size <<= 1) {
    for (let k = 0; k < size / 2; ++k) {
      const [c, s] = [Math.cos((2 * Math.PI * k) / size), -Math.sin((2 * Math.PI * k) / size)];
      for (let i = k; i < n; i += size) {
        const j = i + size / 2;
        const [x, y] = [c * re[j]! - s * im[j]!, s * re[j]! + c * im[j]!];
        re[j] = re[i]! - x;
        im[j] = im[i]! - y;
        re[i]! += x;
        im[i]! += y;
      }
    }
  }
}

const mostSamples = 1 << 14;
const padding = 4;  // with zeros: peaks of few periods are round
const nothing = 2e-3;  // of the highest amplitude

/** Amplitudes of the deviation from the mean, through Hann's window; a sine of amplitude A has a peak of A. */
export function spectrum(time: Float64Array, values: Float64Array, from: number, to: number): Diagram {
  const inside = time.reduce((sum, t) => sum + (t >= from && t <= to ? 1 : 0), 0);
  const n = Math.min(mostSamples, 2 ** Math.floor(Math.log2(Math.max(4, inside))));
  const step = (to - from) / n;
  const sampled = Float64Array.from({ length: n }, (_, i) => valueAt(time, values, from + i * step));
  const mean = sampled.reduce((sum, value) => sum + value, 0) / n;
  const length = padding * n;
  const re = new Float64Array(length);
  const window = (i: number): number => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / n);
  sampled.forEach((value, i) => { re[i] = (value - mean) * window(i); });
  const im = new Float64Array(length);
  fourier(re, im);
  const sum = n / 2;  // of the window
  const y = Float64Array.from({ length: length / 2 }, (_, k) => (2 * Math.hypot(re[k]!, im[k]!)) / sum);
  const peak = y.reduce((a, b) => Math.max(a, b), 0);
  const last = y.reduce((at, value, k) => (value > nothing * peak ? k : at), 0);
  const shown = Math.min(length / 2, Math.max(16 * padding, Math.ceil(1.25 * last)));  // beyond it there is nothing to see
  return { x: Float64Array.from({ length: shown }, (_, k) => k / (length * step)), y: y.slice(0, shown) };
}

const bins = 48;

/** The part of the time that is spent in each of equal ranges of values, as the outline of bars. */
export function histogram(time: Float64Array, values: Float64Array, from: number, to: number, low: number, high: number): Diagram {
  const parts = new Float64Array(bins);
  const width = (high - low) / bins || 1;
  const samples = Math.max(2000, values.length);
  for (let i = 0; i < samples; ++i) {
    const value = valueAt(time, values, from + ((i + 0.5) / samples) * (to - from));
    if (!Number.isFinite(value)) continue;
    parts[Math.min(bins - 1, Math.max(0, Math.floor((value - low) / width)))]! += 1 / samples;
  }
  const x: number[] = [low];
  const y: number[] = [0];
  parts.forEach((part, i) => {
    x.push(low + i * width, low + (i + 1) * width);
    y.push(part, part);
  });
  return { x: Float64Array.from([...x, low + bins * width]), y: Float64Array.from([...y, 0]) };
}
