// Strings: straight where they are tight, hanging as a catenary where they are slack.
import type { Measures } from "./measures";
import type { Pose } from "./pose";
import type { PlannedFigure } from "./scene";
import { add, dot, length as lengthOf, sub, times, unit, type Vec } from "./vec";

const pieces = 32;
const torn = 1.02;   // of the length: no string that holds both ends is so much longer
const steep = 1e-4;  // of the length: ends so nearly above each other hang straight down

/** t > 0 of sinh t = ratio t, for a ratio > 1; by Newton's method from above, where the function is convex. */
function stretchOf(ratio: number): number {
  let t = ratio < 3 ? Math.sqrt(6 * (ratio - 1)) : Math.log(2 * ratio) + Math.log(Math.log(2 * ratio));
  for (let i = 0; i < 30; ++i) {
    const step = (Math.sinh(t) - ratio * t) / (Math.cosh(t) - ratio);
    t -= step;
    if (!(Math.abs(step) > 1e-14 * t)) break;
  }
  return t;
}

/** Points of a string of a length between two places, with equal pieces between them; one that was let go hangs from its first end. */
export function hanging(from: Vec, to: Vec, length: number, down: Vec): Vec[] {
  const span = sub(to, from);
  if (lengthOf(span) > torn * length) return [from, add(from, times(length, unit(down)))];
  if (!(length > lengthOf(span) * (1 + 1e-9)) || lengthOf(down) === 0) return [from, to];
  const up = times(-1, unit(down));
  const rise = dot(span, up);
  const aside = sub(span, times(rise, up));
  const wide = lengthOf(aside);
  if (wide < steep * length) return [from, add(from, times((rise - length) / 2, up)), to];
  // y = a cosh((x − m)/a) + b through both ends: length² − rise² = (2 a sinh(wide/(2 a)))²
  const a = wide / (2 * stretchOf(Math.sqrt(length ** 2 - rise ** 2) / wide));
  const m = wide / 2 - a * Math.atanh(rise / length);
  const before = Math.sinh(-m / a);
  return Array.from({ length: pieces + 1 }, (_, i) => {
    if (i === 0) return from;
    if (i === pieces) return to;
    const x = m + a * Math.asinh(before + (i * length) / (pieces * a));
    return add(from, add(times(x / wide, aside), times(a * (Math.cosh((x - m) / a) - Math.cosh(m / a)), up)));
  });
}

/** Of a string without a length the longest that the motion needs. */
export function stringPoints(figure: PlannedFigure, pose: Pose, measures: Measures): Vec[] {
  const length = figure.numbers["length"] ? pose.number(figure.numbers["length"]) : measures.lengths(figure).high;
  return hanging(pose.place(figure.at[0]!), pose.place(figure.at[1]!), length, pose.down);
}
