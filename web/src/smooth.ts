// Curves between samples: positions and velocities follow the polynomials that have their values and derivatives at
// both ends; what has no derivative among the columns is linear.
import { indexAt, type Column, type Samples } from "./data";

const fine = 6000;  // points of a curve beyond which more are not seen
const mostParts = 8;

/** Into how many parts the time between two samples is divided for drawing. */
export const refinement = (count: number): number => Math.min(mostParts, Math.max(1, Math.floor(fine / Math.max(1, count))));

/** Whether the columns have its derivative. */
export const bends = (samples: Samples, { name, group }: Column): boolean =>
  (group === "q" || group === "v") && samples.find(`${name}'`) !== undefined;

/** Values at the samples and at equal parts between them. */
export function refined(samples: Samples, column: Column, parts: number): Float64Array {
  const { time } = samples;
  const { values } = column;
  if (parts === 1 || values.length !== time.length || values.length < 2) return values;
  const result = new Float64Array((values.length - 1) * parts + 1);
  const between = interpolant(samples, column);
  for (let i = 0; i + 1 < values.length; ++i) {
    for (let k = 0; k < parts; ++k) result[i * parts + k] = k === 0 ? values[i]! : between(i, k / parts);
  }
  result[result.length - 1] = values[values.length - 1]!;
  return result;
}

export function refinedTime(time: Float64Array, parts: number): Float64Array {
  if (parts === 1 || time.length < 2) return time;
  const result = new Float64Array((time.length - 1) * parts + 1);
  for (let i = 0; i + 1 < time.length; ++i) {
    for (let k = 0; k < parts; ++k) result[i * parts + k] = time[i]! + (k / parts) * (time[i + 1]! - time[i]!);
  }
  result[result.length - 1] = time[time.length - 1]!;
  return result;
}

/** The value at any time, unscaled. */
export function valueNear(samples: Samples, column: Column, t: number): number {
  const i = indexAt(samples.time, t);
  const h = samples.time[i + 1]! - samples.time[i]!;
  if (i + 1 >= samples.count || h === 0) return column.values[i] ?? NaN;
  return interpolant(samples, column)(i, Math.min(1, Math.max(0, (t - samples.time[i]!) / h)));
}

/** The value at a part s of the way from sample i to the next. */
function interpolant(samples: Samples, column: Column): (i: number, s: number) => number {
  const { time } = samples;
  const { values: q } = column;
  const derivative = (primes: string): Float64Array | undefined => samples.find(column.name + primes)?.values;
  const raw = samples.find(column.name);
  const factor = raw && raw !== column && raw.scale !== column.scale ? raw.scale : 1;  // of a column in the unit it is shown in
  const v = derivative("'");
  const a = derivative("''");
  if (!v || !bends(samples, column)) return (i, s) => q[i]! + s * (q[i + 1]! - q[i]!);
  return (i, s) => {
    const h = time[i + 1]! - time[i]!;
    const [s2, s3] = [s * s, s * s * s];
    if (!a) {  // cubic Hermite
      return q[i]! * (1 - 3 * s2 + 2 * s3) + q[i + 1]! * (3 * s2 - 2 * s3) + factor * h * (v[i]! * (s - 2 * s2 + s3) + v[i + 1]! * (s3 - s2));
    }
    const [s4, s5] = [s2 * s2, s2 * s3];  // quintic Hermite
    const slopes = v[i]! * (s - 6 * s3 + 8 * s4 - 3 * s5) + v[i + 1]! * (-4 * s3 + 7 * s4 - 3 * s5);
    const bends = a[i]! * (s2 - 3 * s3 + 3 * s4 - s5) + a[i + 1]! * (s3 - 2 * s4 + s5);
    const rise = 10 * s3 - 15 * s4 + 6 * s5;
    return q[i]! * (1 - rise) + q[i + 1]! * rise + factor * (h * slopes + (h * h / 2) * bends);
  };
}
