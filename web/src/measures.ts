// What figures need to know of the whole motion: how far slides go, how long springs are, how large gears.
import { momentAt, sampleMoment, spread, type PlannedAnchor, type PlannedFigure, type ScenePlan } from "./scene";
import { Pose } from "./pose";
import { dot, length, sub, times, toVec, unit, type Vec } from "./vec";

const moments = 200;

/** Least and greatest over the run. */
export interface Range {
  low: number;
  high: number;
}

export class Measures {
  private readonly poses: Pose[];

  constructor(plan: ScenePlan, count: number) {
    this.poses = spread(count, moments).map((index) => new Pose(plan, sampleMoment(index)));
  }

  get start(): Pose {
    return this.poses[0]!;
  }

  range(value: (pose: Pose) => number): Range {
    const values = this.poses.map(value).filter(Number.isFinite);
    return values.length > 0 ? { low: Math.min(...values), high: Math.max(...values) } : { low: 0, high: 0 };
  }

  moves(anchor: PlannedAnchor): boolean {
    return anchor.place.some(({ values }) => values !== undefined);
  }

  /** Of the distance between the two ends. */
  lengths(figure: PlannedFigure): Range {
    return this.range((pose) => length(sub(pose.place(figure.at[1]!), pose.place(figure.at[0]!))));
  }

  /** Where along the axis the second end is, from the first. */
  slides(figure: PlannedFigure): Range {
    return this.range((pose) => slideOf(figure, pose));
  }

  /** The longest vector of an arrow. */
  greatest(tracks: PlannedFigure["numbers"][string]): number {
    return this.range((pose) => length(pose.vector(tracks))).high;
  }
}

export function axisOf(figure: PlannedFigure, pose: Pose, key = "axis", anchor = 0): Vec {
  const tracks = figure.numbers[key];
  return tracks ? unit(pose.direction(figure.at[anchor]!, pose.vector(tracks))) : [0, 0, 1];
}

export const slideOf = (figure: PlannedFigure, pose: Pose): number =>
  dot(axisOf(figure, pose), sub(pose.place(figure.at[1]!), pose.place(figure.at[0]!)));

/** The velocity and the acceleration of a place, from the interpolated motion. */
export function ratesOf(plan: ScenePlan, time: Float64Array, t: number, place: (pose: Pose) => Vec): { velocity: Vec; acceleration: Vec } {
  const [first, last] = [time[0]!, time[time.length - 1]!];
  const h = (last - first) / Math.max(1, time.length - 1);
  const inside = h > 0 ? Math.min(last - h, Math.max(first + h, t)) : Math.max(last - h, Math.min(first + h, t));
  const [before, now, after] = [-1, 0, 1].map((k) => toVec(place(new Pose(plan, momentAt(time, inside + k * h)))));
  if (!(h !== 0)) return { velocity: [0, 0, 0], acceleration: [0, 0, 0] };
  const velocity = times(1 / (2 * h), sub(after!, before!));
  const acceleration = times(1 / (h * h), sub(sub(after!, now!), sub(now!, before!)));
  return { velocity, acceleration };
}
