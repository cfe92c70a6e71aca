// What stands for a body without a shape: its box of equal inertia, a cylinder where that is square, a hoop where its
// inertia and its joints are those of one, or nothing where figures are fixed to it that show it. A cylinder that is a
// wheel gets a tyre.
import type { Shape } from "./data";
import type { PlannedFigure, SceneBody } from "./scene";
import { add, dot, length, sub, times, toVec, turned, type Vec } from "./vec";

const solidKinds = new Set(["bar", "ball", "circle", "polygon", "wheel", "mesh"]);
const thin = 0.1;  // of a hoop's box: thickness to edge
const alike = 0.1;
const near = 0.12;  // of the radius: where joints of a hoop are, and those at the edges of a plate are not

/** Whether figures of the view draw the body: bars, balls, circles that it alone holds. */
const isCovered = (figures: PlannedFigure[], body: number): boolean =>
  figures.some(({ kind, at }) => solidKinds.has(kind) && at.length > 0 && at.every((anchor) => anchor.body === body));

/** A thin hoop m r² = m a²/6 has the inertia of a thin square plate of edge a. */
function hoopOf(shape: Shape, places: Vec[]): Shape | undefined {
  if (shape.kind !== "inertia" || shape.size.length !== 3) return undefined;
  const order = [0, 1, 2].sort((a, b) => shape.size[a]! - shape.size[b]!);
  const [least, middle, most] = order.map((i) => shape.size[i]!) as Vec;
  if (!(least < thin * most) || middle < (1 - alike) * most) return undefined;
  const axis = "xyz"[order[0]!] as "x" | "y" | "z";
  const normal = toVec([0, 1, 2].map((i) => (i === order[0] ? 1 : 0)));
  const across = shape.turn?.length === 4 ? turned(shape.turn, normal) : normal;
  const radius = most / Math.sqrt(6);
  const radii = places.map((place) => {
    const from = sub(place, toVec(shape.center ?? []));
    return length(add(from, times(-dot(from, across), across)));
  }).filter((one) => Math.abs(one - radius) < near * radius);
  if (radii.length === 0) return undefined;
  return { kind: "hoop", radius: Math.max(...radii), axis, ...(shape.center && { center: shape.center }), ...(shape.turn && { turn: shape.turn }) };
}

/** A box of edges e, e, h has the inertia of a cylinder of radius e/√3 and length h. */
function drumOf(shape: Shape): Shape {
  if (shape.kind !== "inertia" || shape.size.length !== 3) return shape;
  const square = [0, 1, 2].filter((i) => Math.abs(shape.size[(i + 1) % 3]! / shape.size[(i + 2) % 3]! - 1) < 1e-6);
  if (square.length !== 1) return shape;
  const [along] = square as [number];
  const { center, turn } = shape;
  return {
    kind: "cylinder", glass: true, radius: shape.size[(along + 1) % 3]! / Math.sqrt(3), length: shape.size[along]!, axis: "xyz"[along] as "x" | "y" | "z",
    ...(center && { center }), ...(turn && { turn }),
  };
}

const axisAlike = 0.999;

/** A wheel is as wide as the cylinder that it stands for, which is not drawn. */
function tyreOf(body: SceneBody, wheel: PlannedFigure): SceneBody {
  const radius = wheel.numbers["radius"]?.[0]?.constant ?? 0;
  const axis = toVec((wheel.numbers["axis"] ?? []).map(({ constant }) => constant));
  const drum = body.shapes.find((shape) => shape.kind === "cylinder" && !shape.turn && Math.abs(shape.radius / radius - 1) < near &&
    Math.abs(axis["xyz".indexOf(shape.axis ?? "z")]!) > axisAlike * length(axis));
  if (drum?.kind !== "cylinder") return body;
  wheel.numbers["width"] ??= [{ values: undefined, constant: drum.length }];
  return { ...body, shapes: body.shapes.filter((shape) => shape !== drum) };
}

export function standIns(bodies: SceneBody[], figures: PlannedFigure[]): SceneBody[] {
  return bodies.map((body, i) => {
    const wheel = figures.find(({ kind, at }) => kind === "wheel" && at[0]!.body === i);
    if (wheel) body = tyreOf(body, wheel);
    const box = body.shapes.find(({ kind }) => kind === "inertia");
    if (!box) return body;
    if (isCovered(figures, i)) return { ...body, shapes: body.shapes.filter(({ kind }) => kind !== "inertia" && kind !== "plate") };
    const places = figures.flatMap(({ at }) => at).filter((anchor) => anchor.body === i && anchor.place.every(({ values }) => values === undefined))
      .map(({ place }) => toVec(place.map(({ constant }) => constant)));
    const hoop = hoopOf(box, places);
    if (hoop) return { ...body, shapes: [hoop, ...body.shapes.filter(({ kind }) => kind === "frame")] };
    return { ...body, shapes: body.shapes.map(drumOf) };
  });
}
