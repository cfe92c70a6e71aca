import assert from "node:assert/strict";
import { test } from "node:test";
import { Samples, type Column } from "../src/data";
import { Measures } from "../src/measures";
import { Pose } from "../src/pose";
import { hanging, stringPoints } from "../src/rope";
import { planScene, sampleMoment } from "../src/scene";
import { length, sub, type Vec } from "../src/vec";

const near = (a: number, b: number, within: number): void => assert.ok(Math.abs(a - b) < within, `${a} is not ${b}`);
const along = (points: Vec[]): number => points.slice(1).reduce((sum, p, i) => sum + length(sub(p, points[i]!)), 0);

test("a slack string is as long as it is, and hangs as a catenary between its ends", () => {
  for (const to of [[1, 0, 0], [1, 0, 0.7], [0.6, -0.8, -0.5], [0.01, 0, 0.3]] as Vec[]) {
    const points = hanging([0, 0, 0], to, 2, [0, 0, -9.81]);
    assert.deepEqual([points[0], points[points.length - 1]], [[0, 0, 0], to]);
    near(along(points), 2, 2 / 32);  // a chord of 32 at the most is lost where it turns
    assert.ok(along(points) < 2);
  }
  // between supports of one height: sag = a (cosh(w/(2 a)) − 1), with 2 a sinh(w/(2 a)) = L; here a = 1/2
  const wide = 1;
  const long = Math.sinh(1);
  const points = hanging([0, 0, 0], [wide, 0, 0], long, [0, -1, 0]);
  near(Math.min(...points.map((p) => p[1])), -0.5 * (Math.cosh(1) - 1), 1e-12);
  near(points[16]![0], 0.5, 1e-12);
  near(points[8]![1], 0.5 * (Math.cosh((points[8]![0] - 0.5) / 0.5) - Math.cosh(1)), 1e-12);
});

test("a tight string is straight, and one whose ends meet hangs double", () => {
  assert.deepEqual(hanging([0, 0, 0], [3, 4, 0], 5, [0, -1, 0]), [[0, 0, 0], [3, 4, 0]]);
  assert.deepEqual(hanging([0, 0, 0], [3, 4, 0], 4.99, [0, -1, 0]), [[0, 0, 0], [3, 4, 0]]);  // stretched a little
  assert.deepEqual(hanging([0, 0, 0], [3, 4, 0], 4, [0, -2, 0]), [[0, 0, 0], [0, -4, 0]]);  // let go
  const [, lowest] = hanging([0, 0, 0], [0, 1, 0], 3, [0, -1, 0]);
  near(lowest![1], -1, 1e-12);
  assert.equal(hanging([0, 0, 0], [1e-9, 0, 0], 1, [0, 0, 0]).length, 2);  // without gravity nothing hangs
});

test("a string takes the place of the joint of its name, and hangs where gravity pulls", () => {
  const column = (name: string, values: number[]): Column => ({ name, group: name === "t" ? "time" : "view", latex: "", unit: "", scale: 1, values: Float64Array.from(values) });
  const samples = new Samples([column("t", [0, 1]), column("x", [2, 1])]);
  const ends = [{ place: [0, 0] }, { place: ["x", 0] }];
  const plan = planScene({
    points: [], links: [], traces: [], bodies: [], figures: [
      { kind: "bar", name: "sling", at: ends }, { kind: "bar", name: "other", at: ends }, { kind: "string", name: "sling", at: ends },
      { kind: "gravity", name: "weight", at: [], vector: [0, 3] },
    ],
  }, samples)!;
  assert.deepEqual(plan.figures.map(({ kind, name }) => `${kind} ${name}`), ["bar other", "string sling", "gravity weight"]);
  const points = stringPoints(plan.figures[1]!, new Pose(plan, sampleMoment(1)), new Measures(plan, 2));
  near(along(points), 2, 0.02);  // the longest that it is
  assert.ok(points[16]![1] > 0.5);
});
