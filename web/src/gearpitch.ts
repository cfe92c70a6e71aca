// Where two toothed wheels touch: spur gears, rings, bevel gears, racks, belts.
import { axisOf } from "./measures";
import type { Pose } from "./pose";
import type { PlannedFigure } from "./scene";
import { add, cross, dot, length, sub, times, unit, type Vec } from "./vec";

/** A pitch circle, at the start. */
export interface PitchCircle {
  center: Vec;
  axis: Vec;
  radius: number;
  /** Teeth inside. */
  ring: boolean;
  /** Of bevel gears: how far along the axis the tip of the pitch cone is. */
  apex: number | undefined;
}

export interface Pitch {
  wheels: [PitchCircle, PitchCircle] | [PitchCircle];  // a rack has one
  contact: Vec;
  /** Along which both move there when the first wheel turns about its axis. */
  tangent: Vec;
  belt: boolean;
}

const nearlyEqual = 1 / 3;  // a ring gear for a ratio nearer to 1 would be larger than three times its distance
const parallel = 1e-6;

/** ω₂ = ratio ω₁, each about its own axis; a rack moves by ratio·angle. Undefined where nothing can be drawn. */
export function pitchOf(figure: PlannedFigure, pose: Pose, size: number): Pitch | undefined {
  const ratio = pose.number(figure.numbers["ratio"]);
  if (!(Math.abs(ratio) > 0)) return undefined;
  const [a, b] = [pose.place(figure.at[0]!), pose.place(figure.at[1]!)];
  const u1 = axisOf(figure, pose);
  const circle = (center: Vec, axis: Vec, radius: number, ring = false, apex?: number): PitchCircle => ({ center, axis, radius, ring, apex });
  const touching = (wheels: Pitch["wheels"], contact: Vec, belt = false): Pitch =>
    ({ wheels, contact, belt, tangent: unit(cross(u1, sub(contact, wheels[0].center))) });
  if (figure.numbers["rack"]) {  // ω u₁ × r = v
    const across = cross(axisOf(figure, pose, "rack", 1), u1);
    return touching([circle(a, u1, Math.abs(ratio))], add(a, times(ratio, across)));
  }
  const u2 = figure.numbers["axis2"] ? axisOf(figure, pose, "axis2", 1) : u1;
  if (length(cross(u1, u2)) > parallel) return bevel(a, u1, b, u2, ratio, size);
  const between = sub(b, a);
  const apart = sub(between, times(dot(between, u1), u1));  // wheels are in one plane
  const distance = length(apart);
  if (!(distance > parallel * Math.max(length(between), size))) return undefined;
  const turns = ratio * Math.sign(dot(u1, u2));  // of the second about the first's axis
  if (turns > 0 && Math.abs(turns - 1) < nearlyEqual) {
    const second = (0.5 * distance) / (1 + turns);
    return touching([circle(a, u1, turns * second), circle(add(a, apart), u2, second)], add(a, times(turns * second / distance, apart)), true);
  }
  // x from the first towards the second with ω₁ x = ω₂ (x − d)
  const x = (turns * distance) / (turns - 1);
  const ring = turns < 0 ? undefined : turns > 1 ? 0 : 1;
  const wheels: Pitch["wheels"] = [circle(a, u1, Math.abs(x), ring === 0), circle(add(a, apart), u2, Math.abs(x - distance), ring === 1)];
  return touching(wheels, add(a, times(x / distance, apart)));
}

/** Cones about axes that meet: along the line c where they touch ω₁ u₁ × c = ω₂ u₂ × c, so that c ~ u₁ − ratio u₂. */
function bevel(a: Vec, u1: Vec, b: Vec, u2: Vec, ratio: number, size: number): Pitch | undefined {
  const normal = cross(u1, u2);
  const square = dot(normal, normal);
  const between = sub(b, a);
  if (Math.abs(dot(between, normal)) > 1e-3 * length(between) * Math.sqrt(square)) return undefined;  // axes that pass each other
  const apex = add(a, times(dot(cross(between, u2), normal) / square, u1));
  const line = unit(sub(u1, times(ratio, u2)));
  const sides = [dot(sub(a, apex), u1), dot(sub(b, apex), u2)] as const;
  const cosines = [dot(line, u1), dot(line, u2)] as const;
  const held = sides.map((side, k) => side * cosines[k]!);
  const sign = held[0]! + held[1]! < 0 ? -1 : 1;
  const lengths = sides.flatMap((side, k) => (Math.abs(cosines[k]!) > 1e-3 && Math.abs(side) > parallel * size ? [Math.abs(side / cosines[k]!)] : []));
  const cone = lengths.length > 0 ? Math.min(...lengths) : 0.2 * size;
  const wheel = (axis: Vec, cosine: number): PitchCircle => {
    const along = sign * cone * cosine;
    return { center: add(apex, times(along, axis)), axis, radius: cone * Math.sqrt(1 - cosine * cosine), ring: false, apex: -along };
  };
  const wheels: Pitch["wheels"] = [wheel(u1, cosines[0]), wheel(u2, cosines[1])];
  const contact = add(apex, times(sign * cone, line));
  return { wheels, contact, belt: false, tangent: unit(cross(u1, sub(contact, wheels[0].center))) };
}
