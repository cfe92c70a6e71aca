import assert from "node:assert/strict";
import { test } from "node:test";
import { Samples, type Column } from "../src/data";
import { extentsOf } from "../src/extents";
import { at, momentAt, nearness, pathMoments, planScene, reach, shortName, spread } from "../src/scene";

const time = Float64Array.from({ length: 21 }, (_, i) => 0.1 * i);
const column = (name: string, values: (t: number) => number): Column =>
  ({ name, group: name === "t" ? "time" : "view", latex: "", values: time.map(values) });
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
  assert.equal(reach({ kind: "box", size: [6, 8] }), 5);
  assert.equal(reach({ kind: "polygon", points: [[0, 0], [3, 4]] }), 5);
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
