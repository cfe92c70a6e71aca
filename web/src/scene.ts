// The scene of a run as numbers: where points and bodies are at a time.
import { alertsOf, type Alerts } from "./alerts";
import { indexAt, noUnit, type Anchor, type Body, type Coordinate, type Figure, type RunSummary, type Samples, type Scene, type Shape, type ShownUnit } from "./data";
import type { ContactStates } from "./events";
import { decodeMesh, type MeshData } from "./meshes";
import { standIns } from "./standins";
import { add, times, toVec, turned, type Vec } from "./vec";

/** A coordinate over time; a number is the same at all times. */
export interface Track {
  values: Float64Array | undefined;
  constant: number;
}

export interface ScenePoint {
  name: string;
  tracks: Track[];
  fixed: boolean;
}

export interface SceneBody {
  name: string;
  position: Track[];
  turn: Track[];  // an angle, or a quaternion with the scalar first
  shapes: Shape[];
}

export interface PlannedAnchor {
  point?: number;
  body?: number;
  place: Track[];
}

export interface PlannedFigure {
  kind: string;
  name: string;
  quantity: string;
  at: PlannedAnchor[];
  numbers: Record<string, Track[]>;
  mesh?: MeshData;
}

/** A time between two samples: the weights of the two and of their neighbours. */
export interface Moment {
  index: number;
  weights: [number, number, number, number];  // of the samples index − 1 … index + 2
}

export interface ScenePlan {
  dimension: 2 | 3;
  points: ScenePoint[];
  links: [number, number][];
  traces: number[];
  bodies: SceneBody[];
  figures: PlannedFigure[];
  alerts: Alerts;
  contacts?: ContactStates;
}

function track(samples: Samples, coordinate: Coordinate): Track {
  if (typeof coordinate === "number") return { values: undefined, constant: coordinate };
  const column = samples.find(coordinate);
  if (!column) throw new Error(`the scene names the column ${coordinate}, which is not there`);
  const { values } = column;
  const still = values.every((value) => value === values[0]);
  return still ? { values: undefined, constant: values[0] ?? 0 } : { values, constant: 0 };
}

/** A large page may leave out columns, as those of reactions; arrows of them are left out too. */
function hasColumns({ at: held, kind: _kind, name: _name, quantity: _quantity, ...numbers }: Figure, samples: Samples): boolean {
  const used = [...held.flatMap(({ place }) => place ?? []), ...(Object.values(numbers) as Coordinate[][]).flat()];
  return used.every((one) => typeof one === "number" || samples.find(one) !== undefined);
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

export function at({ values, constant }: Track, { index, weights }: Moment): number {
  if (!values) return constant;
  if (weights[1] === 1) return values[index]!;
  const last = values.length - 1;
  let sum = 0;
  for (let k = 0; k < 4; ++k) {
    if (weights[k] !== 0) sum += weights[k]! * values[clamp(index - 1 + k, 0, last)]!;
  }
  return sum;
}

/** Points of bodies are called crank.pin by body and joint: the joint is enough, and crank for crank.center. */
export const shortName = (name: string): string =>
  (name.endsWith(".center") ? name.slice(0, -".center".length) : name.slice(name.lastIndexOf(".") + 1));

export const sampleMoment = (index: number): Moment => ({ index, weights: [0, 1, 0, 0] });

/**
 * Cubic Hermite interpolation with the slope of the parabola through a sample and its neighbours: a mechanism that
 * turns by a radian between two samples still keeps its shape to a few percent.
 */
export function momentAt(time: Float64Array, t: number): Moment {
  const index = indexAt(time, t);
  const h = time[index + 1]! - time[index]!;
  if (index + 1 >= time.length || h === 0) return sampleMoment(index);
  return between(time, index, clamp((t - time[index]!) / h, 0, 1));
}

/** The moment a part of the way from a sample to the next. */
export function between(time: Float64Array, index: number, part: number): Moment {
  if (part === 0 || index + 1 >= time.length) return sampleMoment(index);
  const h = time[index + 1]! - time[index]!;
  const s = part;
  const weights: Moment["weights"] = [0, (1 + 2 * s) * (1 - s) ** 2, s * s * (3 - 2 * s), 0];
  addSlope(weights, time, index, 0, h * s * (1 - s) ** 2);
  addSlope(weights, time, index, 1, -h * s * s * (1 - s));
  return { index, weights };
}

// Adds factor · (slope at sample index + offset), where weights belong to the samples index − 1 … index + 2.
function addSlope(weights: number[], time: Float64Array, index: number, offset: 0 | 1, factor: number): void {
  const i = index + offset;
  const before = i > 0 ? time[i]! - time[i - 1]! : 0;
  const after = i + 1 < time.length ? time[i + 1]! - time[i]! : 0;
  const k = offset + 1;
  if (before !== 0) {
    const part = (factor / before) * (after === 0 ? 1 : after / (before + after));
    weights[k]! += part;
    weights[k - 1]! -= part;
  }
  if (after !== 0) {
    const part = (factor / after) * (before === 0 ? 1 : before / (before + after));
    weights[k + 1]! += part;
    weights[k]! -= part;
  }
}

// A point that moves by round-off alone stands still.
function markFixed(points: ScenePoint[]): void {
  const spans = points.map(({ tracks }) => tracks.map(({ values, constant }) => {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values ?? [constant]) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return { low, high };
  }));
  const all = spans.flat();
  const size = Math.max(...all.map(({ high }) => high)) - Math.min(...all.map(({ low }) => low));
  points.forEach((point, i) => { point.fixed = spans[i]!.every(({ low, high }) => high - low <= 1e-9 * size); });
}

const meshOf = (text: string | undefined): { mesh?: MeshData } => {
  const mesh = decodeMesh(text ?? "");
  return mesh ? { mesh } : {};
};

export function planScene(scene: Scene, samples: Samples, summary?: RunSummary): ScenePlan | undefined {
  const bodies = scene.bodies ?? [];
  const figures = (scene.figures ?? []).filter((figure) => hasColumns(figure, samples));
  if (scene.points.length + bodies.length + figures.length === 0) return undefined;
  const points = scene.points.map(({ name, position }) => {
    const tracks = position.map((coordinate) => track(samples, coordinate));
    return { name, tracks, fixed: false };
  });
  markFixed(points);
  const indexOf = (name: string): number => {
    const index = points.findIndex((point) => point.name === name);
    if (index < 0) throw new Error(`the scene links the point ${name}, which is not there`);
    return index;
  };
  const planBody = (body: Body): SceneBody => ({
    name: body.name,
    position: body.position.map((coordinate) => track(samples, coordinate)),
    turn: (body.quaternion ?? (body.angle === undefined ? [] : [body.angle])).map((c) => track(samples, c)),
    shapes: body.shapes,
  });
  const bodyIndex = (name: string): number => {
    const index = bodies.findIndex((body) => body.name === name);
    if (index < 0) throw new Error(`a figure of the scene is held by the body ${name}, which is not there`);
    return index;
  };
  const tracksOf = (list: Coordinate[]): Track[] => list.map((coordinate) => track(samples, coordinate));
  const planAnchor = ({ point, body, place }: Anchor): PlannedAnchor => ({
    ...(point !== undefined && { point: indexOf(point) }),
    ...(body !== undefined && { body: bodyIndex(body) }),
    place: tracksOf(place ?? []),
  });
  const planFigure = ({ kind, name, quantity, at: held, ...numbers }: Figure): PlannedFigure => ({
    kind, name, quantity: kind === "mesh" ? "" : quantity ?? "", at: held.map(planAnchor), ...(kind === "mesh" && meshOf(quantity)),
    numbers: Object.fromEntries(Object.entries(numbers).map(([key, list]) => [key, tracksOf(list as Coordinate[])])),
  });
  const three = scene.points.some(({ position }) => position.length === 3) ||
    bodies.some(({ position }) => position.length === 3) ||
    figures.some(({ at: held }) => held.some(({ place }) => place?.length === 3));
  const strings = new Set(figures.filter(({ kind }) => kind === "string").map(({ name }) => name));  // which joints of their names are
  const planned = figures.filter(({ kind, name }) => kind !== "bar" || !strings.has(name)).map(planFigure);
  const drawn = bodies.map(planBody);
  return {
    dimension: three ? 3 : 2,
    points,
    links: scene.links.map(([from, to]) => [indexOf(from), indexOf(to)]),
    traces: scene.traces.map(indexOf),
    bodies: three ? standIns(drawn, planned) : drawn,
    figures: planned,
    alerts: alertsOf(summary),
  };
}

/** In which lengths of a scene are shown, where that is known. */
export function lengthUnit(plan: ScenePlan, samples: Samples): ShownUnit {
  const tracks = new Set([...plan.bodies.flatMap(({ position }) => position), ...plan.points.flatMap(({ tracks }) => tracks)]
    .map(({ values }) => values).filter((values) => values !== undefined));
  const known = samples.columns.filter(({ unit }) => unit !== "" && unit !== "1");
  const places = new Set(plan.bodies.map(({ name }) => `${name}.x`));  // perhaps of a body that stays where it is
  return known.find(({ name, values }) => tracks.has(values) || places.has(name)) ?? known.find(({ group }) => group === "view") ?? noUnit;
}

/** Places of a body around which a shape is no thicker than roundOf(). */
export function cornersOf(shape: Shape): Vec[] {
  if (shape.kind === "polygon") return shape.points.map(toVec);
  if (shape.kind === "plate") return shape.corners.map(toVec);
  if (shape.kind === "frame") return [];
  const center = toVec(shape.center ?? []);
  const turn = shape.turn ?? [];
  const [c, s] = [Math.cos(turn[0] ?? 0), Math.sin(turn[0] ?? 0)];
  const place = (v: Vec): Vec => add(center, turn.length === 4 ? turned(turn, v) : turn.length === 1 ? [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]] : v);
  if (shape.kind === "box" || shape.kind === "inertia") {
    const [x, y, z] = times(0.5, toVec(shape.size));
    return [-1, 1].flatMap((i) => [-1, 1].flatMap((j) => [-1, 1].map((k) => place([i * x, j * y, k * z]))));
  }
  if (shape.kind === "cylinder" || shape.kind === "rod") {
    const axis = "xyz".indexOf(shape.axis ?? (shape.kind === "rod" ? "x" : "z"));
    const half: Vec = [0, 0, 0];
    half[axis] = shape.length / 2;
    return [place(half), place(times(-1, half))];
  }
  return [center];
}

export const roundOf = (shape: Shape): number => ("radius" in shape ? shape.radius : 0);

/**
 * How far apart neighbours are at the start: of the distances from each point to the nearest other, the middle one.
 * Points at one place, as the ends of two bodies in a joint, count as one.
 */
export function nearness(plan: ScenePlan): number {
  const start = sampleMoment(0);
  const places = plan.points.map(({ tracks }) => tracks.map((one) => at(one, start)));
  const distances = places.map((place) => places.map((other) =>
    Math.hypot(...other.map((value, axis) => value - place[axis]!))));
  const least = 1e-6 * distances.flat().reduce((a, b) => Math.max(a, b), 0);
  const nearest = distances.map((list) => list.reduce((a, b) => (b > least ? Math.min(a, b) : a), Infinity));
  return nearest.sort((a, b) => a - b)[nearest.length >> 1] ?? Infinity;
}

/** At most `most` indices of samples, the first and the last among them. */
export function spread(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  const indices: number[] = [];
  for (let i = 0; i < count; i += step) indices.push(i);
  if (count > 0 && indices[indices.length - 1] !== count - 1) indices.push(count - 1);
  return indices;
}

/** The moments through which a path is drawn: every sample of a long run, several per sample of a short one. */
export function pathMoments(time: Float64Array, most: number): Moment[] {
  const parts = clamp(Math.floor(most / Math.max(1, time.length)), 1, 8);
  return spread(time.length, most).flatMap((index) =>
    index + 1 < time.length
      ? Array.from({ length: parts }, (_, k) => between(time, index, k / parts))
      : [sampleMoment(index)]);
}
