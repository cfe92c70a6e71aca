// Toothed wheels that mesh with each other: one module for all that are connected, one wheel for each that a body
// carries, and a tooth in every gap.
import { gearWheels, lineOfCentres } from "./measures";
import type { Pose } from "./pose";
import type { PlannedAnchor, PlannedFigure } from "./scene";
import { length, sub } from "./vec";

export interface ToothedWheel {
  anchor: PlannedAnchor;
  radius: number;
  teeth: number;
  /** Teeth inside. */
  ring: boolean;
  /** Of the middle of its first tooth within its body. */
  phase: number;
}

interface Mesh {
  first: number;
  second: number;
  /** Where they touch, as seen from each centre. */
  contact: [number, number];
}

const same = 0.02;  // of a radius
const fewest = 12;
const most = 30;

/** The wheels of all gears in the plane but belts and racks. */
export function gearTrain(figures: PlannedFigure[], start: Pose): ToothedWheel[] {
  const wheels: ToothedWheel[] = [];
  const meshes: Mesh[] = [];
  const wheelOf = (anchor: PlannedAnchor, radius: number, ring: boolean): number => {
    const known = wheels.findIndex((one) => one.anchor.body === anchor.body && one.ring === ring &&
      Math.abs(one.radius - radius) < same * radius && length(sub(start.place(one.anchor), start.place(anchor))) < same * radius);
    if (known >= 0) return known;
    return wheels.push({ anchor, radius, teeth: 0, ring, phase: NaN }) - 1;
  };
  for (const figure of figures) {
    const plan = figure.kind === "gear" && !figure.numbers["rack"] ? gearWheels(figure, start) : undefined;
    if (!plan || plan.belt) continue;
    const [first, second] = ([0, 1] as const).map((k) => wheelOf(figure.at[k]!, plan.radii[k], plan.ring === k)) as [number, number];
    const line = lineOfCentres(figure, start);
    const towards = Math.atan2(line[1], line[0]);
    const contact: [number, number] = plan.ring === undefined ? [towards, towards + Math.PI] : plan.ring === 0 ? [towards, towards] : [towards + Math.PI, towards + Math.PI];
    meshes.push({ first, second, contact });
  }
  for (const train of connected(wheels.length, meshes)) {
    count(train.map((i) => wheels[i]!));
    mate(wheels, train[0]!, meshes, start);
  }
  return wheels;
}

function connected(size: number, meshes: Mesh[]): number[][] {
  const group = Array.from({ length: size }, (_, i) => i);
  for (const { first, second } of meshes) {
    const [from, to] = [group[second]!, group[first]!];
    group.forEach((one, i) => { if (one === from) group[i] = to; });
  }
  return [...new Set(group)].map((one) => group.flatMap((other, i) => (other === one ? [i] : [])));
}

/** Whole numbers of teeth, in the ratio of the radii as nearly as some number on the smallest allows. */
function count(wheels: ToothedWheel[]): void {
  const least = Math.min(...wheels.map(({ radius }) => radius));
  const off = (few: number): number => Math.max(...wheels.map(({ radius }) => {
    const wanted = (few * radius) / least;
    return Math.abs(Math.round(wanted) / wanted - 1);
  }));
  let best = fewest;
  for (let few = fewest; few <= most; ++few) if (off(few) < off(best) - 1e-6) best = few;
  for (const wheel of wheels) wheel.teeth = Math.round((best * wheel.radius) / least);
}

/** From a wheel on, each is turned so that its teeth stand in the gaps of the one before. */
function mate(wheels: ToothedWheel[], from: number, meshes: Mesh[], start: Pose): void {
  const turn = 2 * Math.PI;
  const angle = (i: number): number => start.angle(wheels[i]!.anchor);
  wheels[from]!.phase = -angle(from);
  const queue = [from];
  for (let known = queue.shift(); known !== undefined; known = queue.shift()) {
    for (const { first, second, contact } of meshes) {
      if (first !== known && second !== known) continue;
      const k = first === known ? 0 : 1;
      const other = k === 0 ? second : first;
      if (!Number.isNaN(wheels[other]!.phase)) continue;
      const [a, b] = [wheels[known]!, wheels[other]!];
      const passed = ((contact[k]! - (a.phase + angle(known))) * a.teeth) / turn;  // pitches from a tooth of a to the contact
      const inside = a.ring || b.ring;
      const wanted = inside ? passed - 0.5 : 0.5 - passed;
      b.phase = contact[1 - k]! - (turn / b.teeth) * wanted - angle(other);
      queue.push(other);
    }
  }
}
