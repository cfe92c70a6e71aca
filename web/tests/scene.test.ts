import assert from "node:assert/strict";
import { test } from "node:test";
import { Samples, type Body, type Column, type Figure } from "../src/data";
import { extentsOf } from "../src/extents";
import { at, momentAt, nearness, pathMoments, cornersOf, planScene, roundOf, sampleMoment, shortName, spread } from "../src/scene";
import { gearTrain } from "../src/geartrain";
import { instantAxis } from "../src/instant";
import { decodeMesh } from "../src/meshes";
import { Pose } from "../src/pose";

const time = Float64Array.from({ length: 21 }, (_, i) => 0.1 * i);
const column = (name: string, values: (t: number) => number): Column =>
  ({ name, group: name === "t" ? "time" : "view", latex: "", unit: "", scale: 1, values: time.map(values) });
const samples = new Samples([
  column("t", (t) => t), column("x", (t) => Math.cos(5 * t)), column("y", (t) => Math.sin(5 * t)), column("zero", () => 0),
]);
const scene = {
  points: [{ name: "O", position: ["zero", 0] }, { name: "A", position: ["x", "y"] }],
  links: [["O", "A"]] as [string, string][],
  traces: ["A"],
};

test("points that stay are fixed, links and traces are found by name", () => {
  const plan = planScene(scene, samples)!;
  assert.equal(plan.dimension, 2);
  assert.deepEqual(plan.points.map(({ fixed }) => fixed), [true, false]);
  assert.deepEqual(plan.links, [[0, 1]]);
  assert.deepEqual(plan.traces, [1]);
});

test("a point that moves by round-off alone stands still, and points of bodies are called by their joints", () => {
  const noisy = new Samples([...samples.columns, column("noise", (t) => 0.3 + 1e-16 * Math.sin(50 * t))]);
  const points = [{ name: "crank.bearing", position: ["noise", 0] }, { name: "A", position: ["x", "y"] }];
  assert.deepEqual(planScene({ points, links: [], traces: [] }, noisy)!.points.map(({ fixed }) => fixed), [true, false]);
  assert.deepEqual(["crank.bearing", "bar.center", "A"].map(shortName), ["bearing", "bar", "A"]);
});

test("a scene that names what is not there is refused", () => {
  assert.throws(() => planScene({ ...scene, links: [["O", "B"]] }, samples), /point B/);
  assert.throws(() => planScene({ ...scene, points: [{ name: "O", position: ["nowhere", 0] }] }, samples), /nowhere/);
});

test("a turning point keeps its distance between samples that are half a radian apart", () => {
  const [x, y] = planScene(scene, samples)!.points[1]!.tracks;
  for (let t = 0.2; t < 1.8; t += 0.013) {
    const moment = momentAt(samples.time, t);
    assert.ok(Math.abs(Math.hypot(at(x!, moment), at(y!, moment)) - 1) < 0.002, `at ${t}`);
    assert.ok(Math.abs(at(x!, moment) - Math.cos(5 * t)) < 0.01);
  }
});

test("interpolation is exact for parabolas, also at the ends and with unequal steps", () => {
  const uneven = Float64Array.from([0, 0.5, 0.7, 1.5, 2]);
  const values = uneven.map((t) => 3 * t * t - t + 2);
  for (const t of [0.6, 0.65, 1.2, 1.49]) {
    const value = at({ values, constant: 0 }, momentAt(uneven, t));
    assert.ok(Math.abs(value - (3 * t * t - t + 2)) < 1e-12, `at ${t}: ${value}`);
  }
  assert.equal(at({ values, constant: 0 }, momentAt(uneven, 2)), values[4]);
  assert.equal(at({ values, constant: 0 }, momentAt(uneven, 0)), values[0]);
});

test("bounds hold every point at every time and every shape of every body", () => {
  const { all } = extentsOf(planScene({
    ...scene, bodies: [{ name: "wheel", position: [3, 0], angle: "x", shapes: [{ kind: "circle", radius: 0.5 }] }],
  }, samples)!, samples.count);
  assert.deepEqual(all.high.slice(0, 2).map((value) => Number(value.toFixed(2))), [3.5, 1]);
  assert.ok(all.low[0] < -0.98);
  assert.deepEqual(cornersOf({ kind: "box", size: [6, 8] })[0], [-3, -4, 0]);
  assert.deepEqual(cornersOf({ kind: "polygon", points: [[0, 0], [3, 4]] }), [[0, 0, 0], [3, 4, 0]]);
  const [end] = cornersOf({ kind: "rod", radius: 0.1, length: 4, center: [1, 0], turn: [Math.PI / 2] });
  assert.deepEqual(end!.map((value) => Number(value.toFixed(9))), [1, 2, 0]);
  assert.equal(roundOf({ kind: "rod", radius: 0.1, length: 4 }), 0.1);
});

test("points are as near as most are to their neighbours, those at one place left out", () => {
  const at = (...list: number[][]): number => nearness(planScene({
    points: list.map((position, i) => ({ name: String(i), position })), links: [], traces: [],
  }, samples)!);
  assert.equal(at([0, 0], [3, 4]), 5);
  assert.equal(at([0, 0], [0, 1e-16], [1, 0], [2, 0], [9, 0]), 1);
  assert.equal(at([1, 2]), Infinity);
});

test("a scene with three coordinates is one in space", () => {
  const plan = planScene({ points: [{ name: "P", position: ["x", "y", "zero"] }], links: [], traces: [] }, samples)!;
  assert.equal(plan.dimension, 3);
  assert.equal(planScene({ points: [], links: [], traces: [] }, samples), undefined);
});

test("paths of short runs are refined, of long ones thinned, and end where the run ends", () => {
  assert.equal(pathMoments(time, 8000).length, 20 * 8 + 1);
  const many = spread(100000, 1000);
  assert.ok(many.length <= 1002);
  assert.equal(many[many.length - 1], 99999);
});

test("a thin square of inertia with a joint on its rim is a hoop; a body that figures show has no box", () => {
  const size = Math.sqrt(6) * 0.2;  // of a hoop of radius 0.2
  const body = (name: string): Body => ({ name, position: [0, 0, 0], quaternion: [1, 0, 0, 0], shapes: [{ kind: "inertia", size: [size, size, 0] }] });
  const plan = planScene({
    points: [], links: [], traces: [], bodies: [body("gimbal"), body("flywheel"), body("frame")],
    figures: [
      { kind: "pin", name: "trunnion", at: [{ body: "gimbal", place: [0.21, 0, 0] }, { body: "flywheel", place: [0, 0, 0] }] },
      { kind: "bar", name: "tube", at: [{ body: "frame", place: [0, 0, 0] }, { body: "frame", place: [1, 0, 0] }] },
    ],
  }, samples)!;
  assert.deepEqual(plan.bodies.map(({ shapes }) => shapes.map(({ kind }) => kind)), [["hoop"], ["cylinder"], []]);
  assert.deepEqual(plan.bodies[0]!.shapes[0], { kind: "hoop", radius: 0.21, axis: "z" });
});

test("wheels of a planetary gear are drawn once each, with whole teeth that stand in gaps", () => {
  const disk = (name: string, x: number, y: number): Body => ({ name, position: [x, y], angle: 0, shapes: [] });
  const gear = (first: string, second: string, place: number[], ratio: number): Figure =>
    ({ kind: "gear", name: `${first}-${second}`, at: [{ body: first, place: [0, 0] }, { body: second, place: [0, 0] }], ratio: [ratio], place });
  const plan = planScene({
    points: [], links: [], traces: [],
    bodies: [disk("sun", 0, 0), disk("p1", 0.21, 0), disk("p2", -0.105, 0.105 * Math.sqrt(3)), disk("ring", 0, 0)],
    figures: [gear("sun", "p1", [], -4 / 3), gear("sun", "p2", [], -4 / 3), gear("ring", "p1", [], 10 / 3)],
  }, samples)!;
  const pose = new Pose(plan, sampleMoment(0));
  const { wheels } = gearTrain(plan.figures, pose, 0.6);
  assert.deepEqual(wheels.map(({ teeth, ring }) => [teeth, ring]), [[16, false], [12, false], [12, false], [40, true]]);
  // at the contact of the sun with p1, in direction 0, a tooth of one meets a gap of the other
  const part = (value: number): number => value - Math.floor(value);
  const pitches = (wheel: number, direction: number): number =>
    ((direction - Math.atan2(wheels[wheel]!.first[1], wheels[wheel]!.first[0])) * wheels[wheel]!.teeth) / (2 * Math.PI);
  assert.ok(Math.abs(part(pitches(0, 0) + pitches(1, Math.PI)) - 0.5) < 1e-9);
  assert.ok(Math.abs(part(pitches(3, 0) - pitches(1, 0)) - 0.5) < 1e-9);
});

test("the instantaneous axis of a wheel that rolls is where it touches the ground", () => {
  const radius = 0.5;
  const rolls = new Samples([column("t", (t) => t), column("s", (t) => 3 * t), column("turn", (t) => -6 * t),
    column("e0", (t) => Math.cos(3 * t)), column("e2", (t) => Math.sin(3 * t))]);
  const flat = planScene({ points: [], links: [], traces: [], bodies: [{ name: "wheel", position: ["s", radius], angle: "turn", shapes: [] }] }, rolls)!;
  const pole = instantAxis(flat, rolls.time, 1.03, 0, 1)!;
  assert.ok(Math.abs(pole.place[0] - 3.09) < 1e-3 && Math.abs(pole.place[1]) < 1e-3, `${pole.place}`);
  const space = planScene({ points: [], links: [], traces: [], bodies: [{ name: "wheel", position: ["s", 0, radius], quaternion: ["e0", 0, "e2", 0], shapes: [] }] }, rolls)!;
  const axis = instantAxis(space, rolls.time, 1.03, 0, 1)!;
  assert.ok(Math.abs(axis.place[2]) < 5e-3 && Math.abs(axis.omega[1] - 6) < 0.05 && Math.abs(axis.omega[0]) < 1e-9, `${axis.place} ${axis.omega}`);
});

test("a mesh is read from its text, and is the body that it shows", () => {
  const bytes = new DataView(new ArrayBuffer(24 + 6 * 3 + 6));
  [-1, 0, 2, 0.001].forEach((value, i) => bytes.setFloat32(4 * i, value, true));
  [3, 1].forEach((value, i) => bytes.setUint32(16 + 4 * i, value, true));
  [0, 0, 0, 1000, 0, 0, 0, 500, 0, 0, 1, 2].forEach((value, i) => bytes.setUint16(24 + 2 * i, value, true));
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes.buffer)));
  const mesh = decodeMesh(text)!;
  assert.deepEqual([...mesh.triangles], [0, 1, 2]);
  assert.ok(Math.abs(mesh.vertices[3]!) < 1e-6 && Math.abs(mesh.high[1] - 0.5) < 1e-6 && mesh.low[2] === 2);
  assert.equal(decodeMesh(text.slice(0, 40)), undefined);
  const plan = planScene({
    points: [], links: [], traces: [], bodies: [{ name: "link", position: [0, 0, 0], quaternion: [1, 0, 0, 0], shapes: [{ kind: "inertia", size: [1, 1, 1] }] }],
    figures: [{ kind: "mesh", name: "link", at: [{ body: "link", place: [0, 0, 0] }], quantity: text }],
  }, samples)!;
  assert.deepEqual(plan.bodies[0]!.shapes, []);
  const { all } = extentsOf(plan, samples.count);
  assert.ok(Math.abs(all.low[0] + 1) < 1e-6 && Math.abs(all.high[1] - 0.5) < 1e-6);
});
