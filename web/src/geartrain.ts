// Toothed wheels and racks that mesh with each other: one module for all that are connected, one wheel for each that a
// body carries, and a tooth in every gap.
import { pitchOf, type PitchCircle } from "./gearpitch";
import { axisOf } from "./measures";
import type { Pose } from "./pose";
import type { PlannedAnchor, PlannedFigure, Track } from "./scene";
import { across, cross, dot, length, sub, unit, type Vec } from "./vec";

/** Held by a body, in whose frame its directions are. */
export interface ToothedWheel {
  anchor: PlannedAnchor;  // its centre
  axis: Vec;
  /** Of the middle of its first tooth. */
  first: Vec;
  radius: number;
  teeth: number;
  ring: boolean;
  /** Of a bevel gear: how far along the axis the tip of its pitch cone is. */
  apex: number | undefined;
  /** The joint about which it turns. */
  bearing: PlannedAnchor;
}

export interface Rack {
  /** A place on its pitch line, in the middle of a tooth. */
  anchor: PlannedAnchor;
  along: Vec;
  /** Towards the wheel. */
  up: Vec;
  /** Of its wheel. */
  axis: Vec;
  module: number;
  figure: PlannedFigure;
}

export interface GearTrain {
  wheels: ToothedWheel[];
  racks: Rack[];
}

interface Wheel extends PitchCircle {
  held: PlannedAnchor;
  teeth: number;
  /** The direction of the middle of its first tooth, at the start. */
  first: Vec | undefined;
}

interface Mesh {
  first: number;
  second: number | undefined;  // a rack
  contact: Vec;
  tangent: Vec;
  figure: PlannedFigure;
}

const same = 0.02;  // of a radius
const fewest = 12;
const most = 30;
const turn = 2 * Math.PI;

/** Of all gears but belts. */
export function gearTrain(figures: PlannedFigure[], start: Pose, size: number): GearTrain {
  const wheels: Wheel[] = [];
  const meshes: Mesh[] = [];
  for (const figure of figures) {
    const pitch = figure.kind === "gear" ? pitchOf(figure, start, size) : undefined;
    if (!pitch || pitch.belt) continue;
    const [first, second] = pitch.wheels.map((circle, k) => wheelOf(wheels, figure.at[k]!, circle)) as [number, number | undefined];
    meshes.push({ first, second, contact: pitch.contact, tangent: pitch.tangent, figure });
  }
  for (const train of connected(wheels.length, meshes)) {
    count(train.map((i) => wheels[i]!));
    mate(wheels, train[0]!, meshes);
  }
  return {
    wheels: wheels.map((wheel) => fixed(wheel, start)),
    racks: meshes.filter(({ second }) => second === undefined).map((mesh) => rackOf(mesh, wheels[mesh.first]!, start)),
  };
}

function wheelOf(wheels: Wheel[], held: PlannedAnchor, circle: PitchCircle): number {
  const near = same * circle.radius;
  const known = wheels.findIndex((one) => one.held.body === held.body && one.ring === circle.ring &&
    (one.apex === undefined) === (circle.apex === undefined) && Math.abs(one.radius - circle.radius) < near &&
    length(sub(one.center, circle.center)) < near && length(cross(one.axis, circle.axis)) < same);
  if (known >= 0) return known;
  return wheels.push({ ...circle, held, teeth: 0, first: undefined }) - 1;
}

function connected(size: number, meshes: Mesh[]): number[][] {
  const group = Array.from({ length: size }, (_, i) => i);
  for (const { first, second } of meshes) {
    if (second === undefined) continue;
    const [from, to] = [group[second]!, group[first]!];
    group.forEach((one, i) => { if (one === from) group[i] = to; });
  }
  return [...new Set(group)].map((one) => group.flatMap((other, i) => (other === one ? [i] : [])));
}

/** Whole numbers of teeth, in the ratio of the radii as nearly as some number on the smallest allows. */
function count(wheels: Wheel[]): void {
  const least = Math.min(...wheels.map(({ radius }) => radius));
  const off = (few: number): number => Math.max(...wheels.map(({ radius }) => {
    const wanted = (few * radius) / least;
    return Math.abs(Math.round(wanted) / wanted - 1);
  }));
  let best = fewest;
  for (let few = fewest; few <= most; ++few) if (off(few) < off(best) - 1e-6) best = few;
  for (const wheel of wheels) wheel.teeth = Math.round((best * wheel.radius) / least);
}

/** The pitches from the tooth in the middle of which `first` points to a place, against the clock seen along the axis. */
function pitchesTo({ center, axis, teeth }: Wheel, first: Vec, place: Vec): number {
  const to = sub(place, center);
  return (teeth / turn) * Math.atan2(dot(to, cross(axis, first)), dot(to, first));
}

/** Whether teeth go along a direction there when the wheel turns about its axis, or against it. */
const senseOf = ({ center, axis }: Wheel, place: Vec, tangent: Vec): number => Math.sign(dot(cross(axis, sub(place, center)), tangent));

/** `v` turned about a unit vector at right angles to it. */
const turnedAbout = (axis: Vec, v: Vec, angle: number): Vec => {
  const side = cross(axis, v);
  return [0, 1, 2].map((i) => Math.cos(angle) * v[i]! + Math.sin(angle) * side[i]!) as Vec;
};

/** From a wheel on, each is turned so that its teeth stand in the gaps of the one before. */
function mate(wheels: Wheel[], from: number, meshes: Mesh[]): void {
  const start = wheels[from]!;
  start.first = Math.abs(start.axis[2]) > 1 - 1e-9 ? [1, 0, 0] : across(start.axis);
  const queue = [from];
  for (let known = queue.shift(); known !== undefined; known = queue.shift()) {
    for (const { first, second, contact, tangent } of meshes) {
      if (second === undefined || (first !== known && second !== known)) continue;
      const other = wheels[first === known ? second : first]!;
      if (other.first) continue;
      const one = wheels[known]!;
      const senses = senseOf(one, contact, tangent) * senseOf(other, contact, tangent);
      const wanted = senses * pitchesTo(one, one.first!, contact) + 0.5;
      const towards = unit(sub(contact, other.center));
      other.first = turnedAbout(other.axis, towards, (-turn * wanted) / other.teeth);
      queue.push(wheels.indexOf(other));
    }
  }
}

const still = (v: Vec): Track[] => v.map((constant) => ({ values: undefined, constant }));

/** A place of what holds an anchor, as an anchor of its own. */
function placed(held: PlannedAnchor, place: Vec, start: Pose): PlannedAnchor {
  if (held.body === undefined) return { ...held, place: still(place) };
  return { body: held.body, place: still(start.within(held, sub(place, start.position(held.body)))) };
}

function fixed({ center, axis, radius, ring, apex, held, teeth, first }: Wheel, start: Pose): ToothedWheel {
  return {
    anchor: held.point === undefined ? placed(held, center, start) : held,
    axis: start.within(held, axis), first: start.within(held, first!), radius, teeth, ring, apex, bearing: held,
  };
}

function rackOf({ contact, tangent, figure }: Mesh, wheel: Wheel, start: Pose): Rack {
  const held = figure.at[1]!;
  const module = (2 * wheel.radius) / wheel.teeth;
  const along = axisOf(figure, start, "rack", 1);
  // a gap of the rack where the wheel has a tooth
  const shift = (0.5 - senseOf(wheel, contact, tangent) * pitchesTo(wheel, wheel.first!, contact)) * Math.PI * module;
  const middle = [0, 1, 2].map((i) => contact[i]! + shift * tangent[i]!) as Vec;
  return {
    anchor: placed(held, middle, start), along: start.within(held, along),
    up: start.within(held, unit(sub(wheel.center, contact))), axis: start.within(held, wheel.axis), module, figure,
  };
}

/** From the middle of its first tooth: how far a rack reaches, so that its wheel never leaves it. */
export function rackReach(rack: Rack, range: (value: (pose: Pose) => number) => { low: number; high: number }): { first: number; last: number } {
  const center = rack.figure.at[0]!;
  const pitch = Math.PI * rack.module;
  const travel = range((pose) => dot(pose.direction(rack.anchor, rack.along), sub(pose.place(center), pose.place(rack.anchor))));
  const more = 4;
  return { first: Math.floor(travel.low / pitch) - more, last: Math.ceil(travel.high / pitch) + more };
}

/** The outline of a rack: along it, and up towards the wheel. */
export function rackOutline({ module }: Rack, { first, last }: { first: number; last: number }): [number, number][] {
  const pitch = Math.PI * module;
  const outline: [number, number][] = [];
  for (let i = first; i <= last; ++i) {
    for (const [part, height] of [[-0.3, -1.2], [-0.12, 1], [0.12, 1], [0.3, -1.2]] as const) outline.push([(i + part) * pitch, height * module]);
  }
  return [...outline, [(last + 0.5) * pitch, -1.2 * module], [(last + 0.5) * pitch, -3.5 * module], [(first - 0.5) * pitch, -3.5 * module], [(first - 0.5) * pitch, -1.2 * module]];
}
