// The figures of joints and forces in space.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, DoubleSide, CatmullRomCurve3, CurvePath, CylinderGeometry, Group, LatheGeometry, LineCurve3, Matrix4, SphereGeometry,
  TorusGeometry, TubeGeometry, Vector2, Vector3, type Object3D,
} from "three";
import { makeGears } from "./gears3d";
import { axisOf, slideOf, type Measures } from "./measures";
import type { Pose } from "./pose";
import type { PlannedFigure } from "./scene";
import { stringPoints } from "./rope";
import { ballGeometry, fanGeometry, part, stretch, type Role } from "./solids3d";
import { across, add, cross, sub, times, toVec, unit, type Vec } from "./vec";

export interface Figure3d {
  object: Object3D;
  update(pose: Pose): void;
}

export interface Workshop {
  /** The thickness of a thin rod. */
  mark: number;
  size: number;
  measures: Measures;
}

type Make = (figure: PlannedFigure, shop: Workshop) => Figure3d | undefined;

/** Puts an object at a place, its y along an axis and its x along a direction across it. */
function settle(object: Object3D, place: Vec, axis: Vec, side: Vec): void {
  object.position.set(...place);
  const z = cross(side, axis);
  object.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(new Vector3(...side), new Vector3(...axis), new Vector3(...z)));
}

/** The axis of a figure as its first body has it, and a direction across it that turns with that body. */
function axesAt(figure: PlannedFigure, pose: Pose, anchor = 0): { axis: Vec; side: Vec } {
  const own = figure.numbers["axis"] ? unit(pose.vector(figure.numbers["axis"])) : [0, 0, 1] as Vec;
  const held = figure.at[anchor]!;
  return { axis: pose.direction(held, own), side: pose.direction(held, across(own)) };
}

const cylinder = (radius: number, length: number, role: Role, sides = 28): Object3D => part(new CylinderGeometry(radius, radius, length, sides), role);

function tube(points: Vector3[], radius: number, role: Role, segments: number): Object3D {
  return part(new TubeGeometry(new CatmullRomCurve3(points), segments, radius, 8), role);
}

function helix(coils: number, radius: number, length: number, lead: number): Vector3[] {
  const points = [new Vector3(0, -length / 2, 0), new Vector3(0, -length / 2 + 0.5 * lead, 0)];
  for (let i = 0; i <= 16 * coils; ++i) {
    const phase = (2 * Math.PI * i) / 16;
    points.push(new Vector3(radius * Math.cos(phase), -length / 2 + lead + ((length - 2 * lead) * i) / (16 * coils), radius * Math.sin(phase)));
  }
  points.push(new Vector3(0, length / 2 - 0.5 * lead, 0), new Vector3(0, length / 2, 0));
  return points;
}

const between = (object: Object3D, figure: PlannedFigure, rest = 1): Figure3d => ({
  object, update: (pose) => stretch(object, pose.place(figure.at[0]!), pose.place(figure.at[1]!), rest),
});

const held = (object: Object3D, figure: PlannedFigure, anchor = 0): Figure3d => ({
  object,
  update: (pose) => {
    const { axis, side } = axesAt(figure, pose, anchor);
    settle(object, pose.place(figure.at[anchor]!), axis, side);
  },
});

const radiusOf = (figure: PlannedFigure, { measures }: Workshop, otherwise: number): number => measures.start.number(figure.numbers["radius"], otherwise);

const spring: Make = (figure, shop) => {
  const { low, high } = shop.measures.lengths(figure);
  const rest = (low + high) / 2 || 1;
  const coils = Math.round(shop.measures.start.number(figure.numbers["coils"], 8));
  const radius = radiusOf(figure, shop, Math.min(2.6 * shop.mark, 0.3 * rest));
  return between(tube(helix(coils, radius, rest, 0.1 * rest), 0.16 * radius, "spring", 20 * coils), figure, rest);
};

const damper: Make = (figure, shop) => {
  const { low, high } = shop.measures.lengths(figure);
  const half = Math.min(0.85 * low, Math.max(0.5 * high, 0.1 * low)) || 1;
  const object = new Group();
  const radius = radiusOf(figure, shop, Math.min(1.5 * shop.mark, 0.2 * (high || 1)));
  const barrel = cylinder(radius, 1, "metal");
  const rod = cylinder(0.45 * radius, 1, "ink");
  object.add(barrel, rod);
  return {
    object,
    update: (pose) => {
      const [a, b] = [pose.place(figure.at[0]!), pose.place(figure.at[1]!)];
      stretch(barrel, a, add(a, times(half, unit(sub(b, a)))));
      stretch(rod, add(a, times(0.3 * half, unit(sub(b, a)))), b);
    },
  };
};

const spiral: Make = (figure, shop) => {
  const outer = radiusOf(figure, shop, 4 * shop.mark);
  const points = Array.from({ length: 60 }, (_, i) => {
    const [r, phase] = [outer * (0.25 + (0.75 * i) / 59), (6 * Math.PI * i) / 59];
    return new Vector3(r * Math.cos(phase), 0, r * Math.sin(phase));
  });
  return held(tube(points, 0.06 * outer, "spring", 160), figure, 1);
};

const bar: Make = (figure, shop) => {
  const radius = radiusOf(figure, shop, 0.8 * shop.mark);
  return between(part(new CylinderGeometry(radius, radius, 1, 20), "metal"), figure);
};

/** A tube along the points where it hangs, of straight pieces. */
const string: Make = (figure, shop) => {
  const radius = radiusOf(figure, shop, 0.35 * shop.mark);
  const object = part(new BufferGeometry(), "ink");
  object.frustumCulled = false;
  return {
    object,
    update: (pose) => {
      const points = stringPoints(figure, pose, shop.measures).map((place) => new Vector3(...place));
      const path = new CurvePath<Vector3>();
      for (let i = 0; i + 1 < points.length; ++i) path.add(new LineCurve3(points[i], points[i + 1]));
      object.geometry.dispose();
      object.geometry = new TubeGeometry(path, points.length > 3 ? 2 * points.length : 8, radius, 6);
    },
  };
};

/** About y: a tyre of some width around a rim with spokes, one of them marked; without a width a thin one. */
function wheelObject(radius: number, width: number, hub: number): Group {
  const object = new Group();
  const thick = width > 0 ? 0.3 * radius : 0.2 * radius;
  const inside = radius - thick;
  if (width > 0) {
    const round = Math.min(0.3 * width, 0.5 * thick);
    const half = width / 2;
    const arc = [0, 1, 2, 3].map((i) => [radius - round * (1 - Math.cos((Math.PI / 6) * i)), half - round * (1 - Math.sin((Math.PI / 6) * i))] as const);
    const profile = [[inside, -half], ...arc.map(([r, y]) => [r, -y] as const).reverse(), ...arc, [inside, half], [inside, -half]] as const;
    object.add(part(new LatheGeometry(profile.map(([r, y]) => new Vector2(r, y)), 64), "ink"), cylinder(1.001 * inside, 0.45 * width, "metal", 48));
  } else {
    const rim = part(new TorusGeometry(radius - thick / 2, thick / 2, 16, 64), "ink");
    rim.rotation.x = Math.PI / 2;
    object.add(rim);
  }
  object.add(cylinder(0.14 * radius, Math.max(hub, 0.6 * width), "metal"));
  for (let i = 0; i < 6; ++i) {
    const spoke = width > 0 ? part(new BoxGeometry(0.14 * radius, 1, 0.62 * width), i === 0 ? "mark" : "faint")
      : cylinder(0.035 * radius, 1, i === 0 ? "mark" : "metal", 10);
    const angle = (Math.PI * i) / 3;
    stretch(spoke, [0, 0, 0], [inside * Math.cos(angle), 0, inside * Math.sin(angle)]);
    if (width > 0) spoke.rotateY(Math.PI / 2);
    object.add(spoke);
  }
  return object;
}

const wheel: Make = (figure, shop) => {
  const radius = radiusOf(figure, shop, 1);
  const width = shop.measures.start.number(figure.numbers["width"]);
  return held(wheelObject(radius, width, Math.max(0.3 * radius, 2 * shop.mark)), figure);
};

const ball: Make = (figure, shop) => {
  const object = part(ballGeometry(radiusOf(figure, shop, 1)), figure.at[0]!.body ?? "accent");
  object.material.vertexColors = true;
  object.material.transparent = true;
  object.material.opacity = 0.85;
  return held(object, figure);
};

const circle: Make = (figure, shop) => {
  const ring = part(new TorusGeometry(radiusOf(figure, shop, 1), 0.4 * shop.mark, 8, 96), "faint");
  ring.rotation.x = Math.PI / 2;
  const object = new Group();
  object.add(ring);
  return held(object, figure);
};

const polygon: Make = (figure) => {
  const object = part(new BufferGeometry(), "accent");
  return {
    object,
    update: (pose) => {
      object.geometry.dispose();
      object.geometry = fanGeometry(figure.at.map((anchor) => pose.place(anchor)));
    },
  };
};

/** A rail of the first body along the axis as far as the slide goes, and a block on it of the second. */
const slider = (rail: (length: number, shop: Workshop, figure: PlannedFigure) => Object3D, block: (shop: Workshop) => Object3D): Make => (figure, shop) => {
  const { low, high } = shop.measures.slides(figure);
  const length = high - low + 14 * shop.mark;
  const object = new Group();
  const [bar3, slide] = [rail(length, shop, figure), block(shop)];
  object.add(bar3, slide);
  return {
    object,
    update: (pose) => {
      const { axis, side } = axesAt(figure, pose);
      const start = pose.place(figure.at[0]!);
      settle(bar3, add(start, times((low + high) / 2, axis)), axis, side);
      settle(slide, add(start, times(slideOf(figure, pose), axis)), axis, side);
    },
  };
};

const guide = slider((length, { mark }) => part(new BoxGeometry(1.6 * mark, length, 1.6 * mark), "faint"),
  ({ mark }) => part(new BoxGeometry(4 * mark, 5 * mark, 4 * mark), "metal"));
const sleeve = slider((length, { mark }) => cylinder(0.9 * mark, length, "faint"), ({ mark }) => cylinder(2 * mark, 5 * mark, "metal"));
const screw = slider((length, { mark, measures }, figure) => {
  const pitch = Math.abs(measures.start.number(figure.numbers["pitch"])) || 4 * mark;
  const object = new Group();
  const coils = Math.max(3, Math.min(40, Math.round(length / Math.max(pitch, 1.5 * mark))));
  object.add(cylinder(0.9 * mark, length, "faint"), tube(helix(coils, 1.1 * mark, length, 0), 0.3 * mark, "metal", 16 * coils));
  return object;
}, ({ mark }) => cylinder(2.6 * mark, 2.4 * mark, "metal", 6));

const pin: Make = (figure, { mark }) => held(cylinder(1.5 * mark, 6 * mark, "metal"), figure);
const socket: Make = (figure, { mark }) => held(part(new SphereGeometry(1.9 * mark, 24, 16), "metal"), figure, 1);
const weld: Make = (figure, { mark }) => held(part(new BoxGeometry(2.2 * mark, 2.2 * mark, 2.2 * mark), "metal"), figure);
const bushing: Make = (figure, { mark }) => held(part(new TorusGeometry(2 * mark, 0.9 * mark, 12, 32), "spring"), figure);
const table: Make = (figure, { mark, size }) => held(cylinder(0.25 * size, 0.3 * mark, "faint", 48), figure);

// A cross of two pins, each with the fork of its body.
const universal: Make = (figure, { mark }) => {
  const object = new Group();
  const pins = [cylinder(0.7 * mark, 7 * mark, "metal"), cylinder(0.7 * mark, 7 * mark, "metal")] as const;
  object.add(...pins, part(new SphereGeometry(1.2 * mark, 20, 12), "ink"));
  const middle = object.children[2]!;
  return {
    object,
    update: (pose) => {
      const place = pose.place(figure.at[1]!);
      middle.position.set(...place);
      const axes = [axisOf(figure, pose), axisOf(figure, pose, "axis2", 1)];
      axes.forEach((axis, k) => settle(pins[k]!, place, axis, across(axis)));
    },
  };
};

const motor: Make = (figure, { mark, measures }) => {
  const slides = measures.start.number(figure.numbers["slides"]) !== 0;
  const object = new Group();
  const housing = cylinder(slides ? 1.4 * mark : 2.4 * mark, slides ? 8 * mark : 3.4 * mark, "mark");
  housing.position.y = slides ? 0 : 4 * mark;
  object.add(housing);
  return held(object, figure);
};

/** Flat faces, in the colour of the body that has them. */
const mesh: Make = (figure) => {
  if (!figure.mesh) return undefined;
  const anchor = figure.at[0]!;
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(figure.mesh.vertices, 3));
  geometry.setIndex(new BufferAttribute(figure.mesh.triangles, 1));
  const object = part(geometry, anchor.body ?? "metal");
  object.material.flatShading = true;
  object.material.side = DoubleSide;
  return {
    object,
    update: (pose) => {
      object.position.set(...pose.place(anchor));
      const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => new Vector3(...pose.direction(anchor, toVec(axis)))) as [Vector3, Vector3, Vector3];
      object.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(...axes));
    },
  };
};

const makers: Record<string, Make> = {
  spring, damper, spiral, bushing, bar, string, wheel, ball, circle, polygon, mesh, pin, guide, slot: guide, sleeve, screw, socket, universal, weld, table, motor,
};

const joints = new Set(["pin", "motor", "guide", "sleeve", "socket", "universal", "weld"]);

/** Joints between bodies that their meshes show are seen in these. */
function withoutHidden(figures: PlannedFigure[]): PlannedFigure[] {
  const meshed = new Set(figures.filter(({ kind }) => kind === "mesh").map(({ at }) => at[0]!.body));
  return meshed.size === 0 ? figures : figures.filter(({ kind, at }) => !joints.has(kind) || !at.every(({ body }) => body === undefined || meshed.has(body)));
}

export function makeFigures(figures: PlannedFigure[], shop: Workshop): Figure3d[] {
  return [...withoutHidden(figures).flatMap((figure) => makers[figure.kind]?.(figure, shop) ?? []), ...makeGears(figures, shop)];
}

