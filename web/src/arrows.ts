// Arrows of forces, reactions, velocities and accelerations: those of one quantity have one scale.
import type { Samples } from "./data";
import type { Options } from "./options";
import type { Measures } from "./measures";
import { ratesOf } from "./measures";
import type { Pose } from "./pose";
import type { ScenePlan, Track } from "./scene";
import { length, times, type Vec } from "./vec";

export interface Arrow {
  quantity: string;
  from: Vec;
  /** In units of the scene. */
  along: Vec;
  /** The length of what it shows, and in which unit. */
  value: number;
  unit: string;
}

const longest = 0.3;  // of the mechanism

/** Places whose velocity is shown: centres of bodies, or points that move. */
export function movingPlaces(plan: ScenePlan): ((pose: Pose) => Vec)[] {
  const places: ((pose: Pose) => Vec)[] = plan.bodies.map((_, i) => (pose: Pose) => pose.position(i));
  plan.points.forEach(({ fixed }, i) => { if (!fixed) places.push((pose) => pose.point(i)); });
  return places;
}

export class Arrows {
  private readonly scales = new Map<string, number>();
  private readonly places: ((pose: Pose) => Vec)[];
  private readonly units = new Map<Float64Array, string>();  // of columns, by their values
  private readonly time: Float64Array;

  constructor(private readonly plan: ScenePlan, samples: Samples, measures: Measures, private readonly size: number) {
    this.places = movingPlaces(plan);
    this.time = samples.time;
    for (const { values, unit, scale } of samples.columns) if (scale === 1) this.units.set(values, unit);
    for (const { kind, quantity, numbers } of plan.figures) {
      if (kind !== "arrow" || numbers["scale"]) continue;
      const greatest = measures.greatest(numbers["vector"]!);
      this.scales.set(quantity, Math.max(this.scales.get(quantity) ?? 0, greatest));
    }
    for (const [quantity, greatest] of this.scales) this.scales.set(quantity, greatest > 0 ? (longest * size) / greatest : 0);
  }

  has(quantity: string): boolean {
    return this.scales.has(quantity) || this.plan.figures.some((figure) => figure.kind === "arrow" && figure.quantity === quantity);
  }

  at(pose: Pose, t: number, options: Options): Arrow[] {
    const list: Arrow[] = [];
    for (const { kind, quantity, at, numbers } of this.plan.figures) {
      if (kind !== "arrow" || (quantity === "reaction" && !options.shown.has("reaction"))) continue;
      if (quantity !== "reaction" && quantity !== "" && !options.shown.has("force")) continue;
      const vector = pose.vector(numbers["vector"]!);
      const scale = numbers["scale"] ? pose.number(numbers["scale"]) : this.scales.get(quantity) ?? 0;
      list.push({ quantity, from: pose.place(at[0]!), along: times(scale, vector), value: length(vector), unit: this.unitOf(numbers["vector"]!) });
    }
    for (const quantity of ["velocity", "acceleration"] as const) {
      if (!options.shown.has(quantity) || this.time.length < 3) continue;
      for (const place of this.places) {
        const vector = ratesOf(this.plan, this.time, t, place)[quantity];
        list.push({ quantity, from: place(pose), along: times(this.rateScale(quantity), vector), value: length(vector), unit: "" });
      }
    }
    return list.filter(({ along }) => along.every(Number.isFinite) && length(along) > 1e-4 * this.size);
  }

  private unitOf(tracks: Track[]): string {
    return tracks.map(({ values }) => values && this.units.get(values)).find((unit) => unit !== undefined) ?? "";
  }

  private rateScale(quantity: "velocity" | "acceleration"): number {
    const known = this.scales.get(quantity);
    if (known !== undefined) return known;
    let greatest = 0;
    const [first, last] = [this.time[0]!, this.time[this.time.length - 1]!];
    for (let i = 0; i <= 40; ++i) {
      const t = first + (i / 40) * (last - first);
      for (const place of this.places) greatest = Math.max(greatest, length(ratesOf(this.plan, this.time, t, place)[quantity]) || 0);
    }
    const scale = greatest > 0 ? (longest * this.size) / greatest : 0;
    this.scales.set(quantity, scale);
    return scale;
  }
}

/** The index of the colour of a quantity. */
export const arrowColor = (quantity: string): number => ({ force: 7, reaction: 3, torque: 4, velocity: 0, acceleration: 5 })[quantity] ?? 7;
