// The axis about which a body turns at a moment: in the plane its pole, the point that stands still.
import { Pose } from "./pose";
import { momentAt, type ScenePlan } from "./scene";
import { add, cross, dot, length, sub, times, type Vec } from "./vec";

export interface InstantAxis {
  /** The point of the axis nearest to the body's origin. */
  place: Vec;
  /** The angular velocity. */
  omega: Vec;
}

const part = 0.25;  // of the time between samples, to either side
const farthest = 30;  // times the mechanism: beyond it a body hardly turns

function angularVelocity(before: number[], after: number[], span: number): Vec {
  if (before.length !== 4) return [0, 0, ((after[0] ?? 0) - (before[0] ?? 0)) / span];
  const [a0, a1, a2, a3] = after as [number, number, number, number];
  const [b0, b1, b2, b3] = before as [number, number, number, number];
  const scalar = a0 * b0 + a1 * b1 + a2 * b2 + a3 * b3;
  // 2 p' p*, in space
  const vector: Vec = [-a0 * b1 + a1 * b0 - a2 * b3 + a3 * b2, -a0 * b2 + a1 * b3 + a2 * b0 - a3 * b1, -a0 * b3 - a1 * b2 + a2 * b1 + a3 * b0];
  return times((2 * Math.sign(scalar || 1)) / span, vector);
}

export function instantAxis(plan: ScenePlan, time: Float64Array, t: number, body: number, size: number): InstantAxis | undefined {
  const [first, last] = [time[0]!, time[time.length - 1]!].sort((a, b) => a - b) as [number, number];
  const step = (part * (last - first)) / Math.max(1, time.length - 1);
  const [from, to] = [Math.max(first, t - step), Math.min(last, t + step)];
  if (!(to > from)) return undefined;
  const [before, after] = [from, to].map((when) => new Pose(plan, momentAt(time, when))) as [Pose, Pose];
  const v = times(1 / (to - from), sub(after.position(body), before.position(body)));
  const omega = angularVelocity(before.turn(body), after.turn(body), to - from);
  const square = dot(omega, omega);
  const arm = times(1 / square, cross(omega, v));  // v + ω × arm has no part across ω
  if (!(square > 0) || !(length(arm) < farthest * size)) return undefined;
  return { place: add(times(0.5, add(before.position(body), after.position(body))), arm), omega };
}
