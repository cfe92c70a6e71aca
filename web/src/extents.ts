// How much room a motion takes, and how large the mechanism itself is.
import { pitchOf } from "./gearpitch";
import { Pose } from "./pose";
import { cornersOf, roundOf, sampleMoment, spread, type Moment, type ScenePlan } from "./scene";
import { add, length, sub, times, type Vec } from "./vec";

export interface Box {
  low: Vec;
  high: Vec;
}

export interface Extents {
  /** Around everything at all times. */
  all: Box;
  /** The mechanism at most times. */
  size: number;
  /** How far it reaches along each axis, at the most. */
  reach: Vec;
  /** The motion is far larger than what moves: a camera should go along. */
  travels: boolean;
}

const moments = 200;
const far = 4;  // times the mechanism: less fits into one picture without being small

/** Their first anchor is a line or a plane that goes on, or a place that only says where it is. */
const endless = new Set(["guide", "slot", "sleeve", "screw", "ground", "table"]);

const empty = (): Box => ({ low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] });

function include(box: Box, place: Vec, margin: number): void {
  if (!place.every(Number.isFinite)) return;
  for (const axis of [0, 1, 2] as const) {
    box.low[axis] = Math.min(box.low[axis], place[axis] - margin);
    box.high[axis] = Math.max(box.high[axis], place[axis] + margin);
  }
}

export const middleOf = ({ low, high }: Box): Vec => times(0.5, add(low, high));
export const spanOf = ({ low, high }: Box): Vec => sub(high, low);
export const sizeOf = (box: Box): number => Math.max(0, ...spanOf(box).filter(Number.isFinite));

/** Around all of these. */
export function boxAround(boxes: Box[]): Box {
  const all = empty();
  for (const { low, high } of boxes) {
    include(all, low, 0);
    include(all, high, 0);
  }
  return all;
}

/** Around the mechanism at a moment; a fixed point that nothing is tied to is no part of it. */
export function boxAt(plan: ScenePlan, moment: Moment): Box {
  const pose = new Pose(plan, moment);
  const box = empty();
  const tied = new Set<number>(plan.links.flat());
  for (const { at } of plan.figures) for (const { point } of at) if (point !== undefined) tied.add(point);
  plan.points.forEach(({ fixed }, i) => { if (!fixed || tied.has(i)) include(box, pose.point(i), 0); });
  plan.bodies.forEach(({ shapes }, i) => {
    include(box, pose.position(i), 0);
    for (const shape of shapes) for (const corner of cornersOf(shape)) include(box, add(pose.position(i), pose.rotated(i, corner)), roundOf(shape));
  });
  for (const figure of plan.figures) {
    const { kind, at, numbers } = figure;
    if (figure.mesh) {
      for (const corner of cornersOf({ kind: "box", size: sub(figure.mesh.high, figure.mesh.low), center: middleOf(figure.mesh) })) {
        include(box, add(pose.place(at[0]!), pose.direction(at[0]!, corner)), 0);
      }
    }
    const radius = ["wheel", "ball", "circle"].includes(kind) ? pose.number(numbers["radius"]) : 0;
    const wheels = kind === "gear" ? pitchOf(figure, pose, 0)?.wheels ?? [] : [];
    for (const one of wheels) include(box, one.center, (one.ring ? 1.2 : 1.1) * one.radius);
    at.forEach((anchor, i) => { if (i > 0 || !endless.has(kind)) include(box, pose.place(anchor), radius); });
  }
  if (box.low[0] > box.high[0]) plan.points.forEach((_, i) => include(box, pose.point(i), 0));
  return box.low[0] > box.high[0] ? { low: [0, 0, 0], high: [0, 0, 0] } : box;
}

export function extentsOf(plan: ScenePlan, count: number): Extents {
  const boxes = spread(count, moments).map((index) => boxAt(plan, sampleMoment(index)));
  const all = boxAround(boxes);
  if (all.low[0] > all.high[0]) include(all, [0, 0, 0], 0);
  const sizes = boxes.map(sizeOf).sort((a, b) => a - b);
  const whole = sizeOf(all);
  const size = sizes[sizes.length >> 1] || whole || 1;
  const reach = [0, 1, 2].map((axis) => Math.max(...boxes.map((one) => spanOf(one)[axis]!))) as Vec;
  return { all, size, reach, travels: length(spanOf(all)) > far * size };
}
