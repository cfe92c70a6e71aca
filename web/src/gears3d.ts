// Gears, racks and belts in space.
import { BufferAttribute, BufferGeometry, CylinderGeometry, DoubleSide, Group, Matrix4, Vector3, type Mesh, type Object3D } from "three";
import type { Figure3d, Workshop } from "./figures3d";
import { pitchOf } from "./gearpitch";
import { wheelColors } from "./gears2d";
import { gearTrain, rackOutline, rackReach, type Rack, type ToothedWheel } from "./geartrain";
import type { Pose } from "./pose";
import type { PlannedAnchor, PlannedFigure } from "./scene";
import { part, stretch } from "./solids3d";
import { axisOf } from "./measures";
import { toothOutline } from "./teeth";
import { add, cross, length, sub, times, unit, type Vec } from "./vec";

/** A body between two loops of as many places on each of its two ends: a wall outside, one inside, and the ends. */
function hollow(outer: [Vec[], Vec[]], inner: [Vec[], Vec[]]): BufferGeometry {
  const corners: number[] = [];
  const quad = (a: Vec, b: Vec, c: Vec, d: Vec): void => { for (const place of [a, b, c, a, c, d]) corners.push(...place); };
  const count = outer[0].length;
  for (let i = 0; i < count; ++i) {
    const k = (i + 1) % count;
    quad(outer[0][i]!, outer[0][k]!, outer[1][k]!, outer[1][i]!);
    quad(inner[0][k]!, inner[0][i]!, inner[1][i]!, inner[1][k]!);
    quad(inner[0][i]!, inner[0][k]!, outer[0][k]!, outer[0][i]!);
    quad(inner[1][k]!, inner[1][i]!, outer[1][i]!, outer[1][k]!);
  }
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  geometry.computeVertexNormals();
  return geometry;
}

const rim = 1.18;  // of a ring
const bore = 0.22;
const face = 0.3;  // of a bevel gear's cone
const back = 0.12;

/** About z, the first tooth towards x. A bevel gear gets thinner towards the tip of its cone. */
function wheelGeometry({ radius, teeth, ring, apex }: ToothedWheel, depth: number): BufferGeometry {
  const outline = toothOutline(radius, teeth, ring);
  const circle = (size: number): [number, number][] => outline.map(([x, y]) => [(size * x) / Math.hypot(x, y), (size * y) / Math.hypot(x, y)]);
  const flat = (loop: [number, number][], z: number): Vec[] => loop.map(([x, y]) => [x, y, z]);
  if (apex === undefined) {
    const [outside, inside] = ring ? [circle(rim * radius), outline] : [outline, circle(bore * radius)];
    return hollow([flat(outside, -depth / 2), flat(outside, depth / 2)], [flat(inside, -depth / 2), flat(inside, depth / 2)]);
  }
  // teeth stand at right angles to the pitch cone
  const cone = Math.hypot(radius, apex);
  const large = outline.map(([x, y]): Vec => {
    const height = Math.hypot(x, y) - radius;
    const size = (radius + (height * Math.abs(apex)) / cone) / Math.hypot(x, y);
    return [size * x, size * y, (Math.sign(apex) * height * radius) / cone];
  });
  const small = large.map(([x, y, z]): Vec => [(1 - face) * x, (1 - face) * y, apex + (1 - face) * (z - apex)]);
  return hollow([large, small], [flat(circle(bore * radius), -back * apex), flat(circle(bore * radius), face * apex)]);
}

const thin = (radius: number): BufferGeometry => new CylinderGeometry(radius, radius, 1, 12);

/** Both sides of its walls are drawn, so that it does not matter which way a cone points. */
function toothed(geometry: BufferGeometry, role: number): Mesh {
  const mesh = part(geometry, role);
  mesh.material.side = DoubleSide;
  return mesh;
}

function rackGeometry(outline: [number, number][], depth: number): BufferGeometry {
  const base = Math.min(...outline.map(([, y]) => y));
  const loop = (z: number, low: boolean): Vec[] => outline.map(([x, y]) => [x, low ? base : y, z]);
  const [a, b] = [-depth / 2, depth / 2];
  return hollow([loop(a, false), loop(b, false)], [loop(a, true), loop(b, true)]);
}

/** Turns with what holds it: z along the axis, x along the first direction. */
function held(object: Object3D, anchor: PlannedAnchor, axis: Vec, first: Vec): Figure3d {
  return {
    object,
    update: (pose: Pose) => {
      const [z, x] = [pose.direction(anchor, axis), pose.direction(anchor, first)];
      object.position.set(...pose.place(anchor));
      object.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(new Vector3(...x), new Vector3(...cross(z, x)), new Vector3(...z)));
    },
  };
}

function makeWheel(wheel: ToothedWheel, index: number, depth: number): Figure3d {
  const { radius, ring, apex } = wheel;
  const color = wheelColors[index % wheelColors.length]!;
  const object = new Group();
  object.add(toothed(wheelGeometry(wheel, depth), color));
  const [from, to] = ring ? [1.1 * radius, rim * radius] : [bore * radius, 0.8 * radius];
  const high = apex === undefined ? depth / 2 : -0.6 * back * apex;
  const spoke = part(thin(0.05 * radius), "mark");  // shows how it turns
  stretch(spoke, [from, 0, high], [to, 0, high]);
  object.add(spoke);
  return held(object, wheel.anchor, wheel.axis, wheel.first);
}

/** From the joint of a wheel to its middle, where that is elsewhere on the axis. */
function makeShaft({ anchor, bearing, radius }: ToothedWheel, { measures, mark }: Workshop): Figure3d[] {
  const long = length(sub(measures.start.place(anchor), measures.start.place(bearing)));
  if (long < mark) return [];
  const object = part(thin(Math.min(1.2 * mark, 0.2 * radius)), "metal");
  return [{ object, update: (pose) => stretch(object, pose.place(bearing), pose.place(anchor)) }];
}

function makeRack(rack: Rack, depth: number, { measures }: Workshop): Figure3d {
  const outline = rackOutline(rack, rackReach(rack, (value) => measures.range(value)));
  const z = cross(rack.along, rack.up);
  const object = toothed(rackGeometry(outline, depth), 6);
  return held(object, rack.anchor, z, rack.along);
}

/** Two discs and the belt around them. */
function makeBelt(figure: PlannedFigure, shop: Workshop): Figure3d | undefined {
  const pitch = pitchOf(figure, shop.measures.start, shop.size);
  if (!pitch?.belt) return undefined;
  const object = new Group();
  const discs = pitch.wheels.map(({ radius }, k) => part(new CylinderGeometry(radius, radius, 1, 48), wheelColors[k]!));
  const sides = [part(thin(1.2 * shop.mark), "ink"), part(thin(1.2 * shop.mark), "ink")];
  object.add(...discs, ...sides);
  const radii = pitch.wheels.map(({ radius }) => radius) as [number, number];
  return {
    object,
    update: (pose) => {
      const ends = [pose.place(figure.at[0]!), pose.place(figure.at[1]!)] as const;
      const axis = axisOf(figure, pose);
      const across = unit(cross(axis, sub(ends[1], ends[0])));
      discs.forEach((disc, k) => stretch(disc, add(ends[k]!, times(-shop.mark, axis)), add(ends[k]!, times(shop.mark, axis))));
      sides.forEach((side, i) => stretch(side, ...ends.map((end, k) => add(end, times((i === 0 ? 1 : -1) * radii[k]!, across))) as [Vec, Vec]));
    },
  };
}

export function makeGears(figures: PlannedFigure[], shop: Workshop): Figure3d[] {
  const { wheels, racks } = gearTrain(figures, shop.measures.start, shop.size);
  const least = Math.min(...wheels.map(({ radius }) => radius), shop.size);
  const depth = Math.max(2 * shop.mark, 0.25 * least);
  return [
    ...wheels.flatMap((wheel, i) => [makeWheel(wheel, i, depth), ...makeShaft(wheel, shop)]),
    ...racks.map((rack) => makeRack(rack, depth, shop)),
    ...figures.filter(({ kind }) => kind === "gear").flatMap((figure) => makeBelt(figure, shop) ?? []),
  ];
}
