// Where bodies and what they hold are at a moment.
import { at, type Moment, type PlannedAnchor, type ScenePlan, type Track } from "./scene";
import { add, dot, toVec, turned, type Vec } from "./vec";

const numbers = (tracks: Track[], moment: Moment): Vec => toVec(tracks.map((one) => at(one, moment)));

export class Pose {
  // computed when asked for: a trace asks for one body of many
  private readonly positions: Vec[] = [];
  private readonly turns: number[][] = [];

  constructor(private readonly plan: ScenePlan, readonly moment: Moment) {}

  position(body: number): Vec {
    return (this.positions[body] ??= numbers(this.plan.bodies[body]!.position, this.moment));
  }
  /** An angle, a unit quaternion with the scalar first, or nothing. */
  turn(body: number): number[] {
    const known = this.turns[body];
    if (known) return known;
    const values = this.plan.bodies[body]!.turn.map((one) => at(one, this.moment));
    const size = values.length === 4 ? Math.hypot(...values) || 1 : 1;
    return (this.turns[body] = values.map((value) => value / size));
  }
  point(index: number): Vec {
    return numbers(this.plan.points[index]!.tracks, this.moment);
  }
  place(anchor: PlannedAnchor): Vec {
    if (anchor.point !== undefined) return this.point(anchor.point);
    const place = numbers(anchor.place, this.moment);
    return anchor.body === undefined ? place : add(this.position(anchor.body), this.rotated(anchor.body, place));
  }
  /** A direction that is fixed in what holds the anchor. */
  direction(anchor: PlannedAnchor, v: Vec): Vec {
    return anchor.body === undefined ? v : this.rotated(anchor.body, v);
  }
  /** The same direction in the axes of what holds the anchor. */
  within(anchor: PlannedAnchor, v: Vec): Vec {
    const axes: Vec[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    return toVec(axes.map((axis) => dot(this.direction(anchor, axis), v)));
  }
  rotated(body: number, v: Vec): Vec {
    const turn = this.turn(body);
    if (turn.length === 4) return turned(turn, v);
    const [c, s] = [Math.cos(turn[0] ?? 0), Math.sin(turn[0] ?? 0)];
    return [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]];
  }
  /** In the plane. */
  angle(anchor: PlannedAnchor): number {
    return anchor.body === undefined ? 0 : this.turn(anchor.body)[0] ?? 0;
  }
  vector(tracks: Track[]): Vec {
    return numbers(tracks, this.moment);
  }
  /** Where gravity pulls; where a model does not say downwards. */
  get down(): Vec {
    const gravity = this.plan.figures.find(({ kind }) => kind === "gravity");
    return gravity ? this.vector(gravity.numbers["vector"]!) : this.plan.dimension === 2 ? [0, -1, 0] : [0, 0, -1];
  }
  number(tracks: Track[] | undefined, otherwise = 0): number {
    return tracks?.[0] ? at(tracks[0], this.moment) : otherwise;
  }
}
