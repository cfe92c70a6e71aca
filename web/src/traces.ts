// The paths that are drawn: of the points that a model names, else of the centres of its bodies.
import type { TraceMode } from "./options";
import { Pose } from "./pose";
import type { Moment, ScenePlan } from "./scene";
import type { Vec } from "./vec";

export type Path = (pose: Pose) => Vec;

export const tracedPaths = (plan: ScenePlan): Path[] => (plan.traces.length > 0
  ? plan.traces.map((point) => (pose: Pose) => pose.point(point))
  : plan.bodies.map((_, i) => (pose: Pose) => pose.position(i)));

/** All places of all paths, computed once: path by path, moment by moment. */
export const tracePlaces = (plan: ScenePlan, moments: Moment[]): Vec[][] => {
  const poses = moments.map((moment) => new Pose(plan, moment));
  return tracedPaths(plan).map((path) => poses.map(path));
};

/** How many of the moments of a path are passed at a moment. */
export function passedOf(path: Moment[], { index, weights }: Moment): number {
  const whole = weights[1] === 1;
  let [low, high] = [0, path.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (path[middle]!.index < index || (!whole && path[middle]!.index === index && path[middle]!.weights[2] < weights[2])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Without traces of its own a model shows them on request. */
export const defaultTraces = (plan: ScenePlan): TraceMode => (plan.traces.length > 0 ? "grow" : "off");

const memory = 0.35;  // of the run: older parts of a growing trace are at their faintest
const faintest = 0.12;

/** How strongly a part of a growing trace is drawn: `age` as a part of the run. */
export const fade = (age: number): number => Math.max(faintest, 1 - age / memory);
