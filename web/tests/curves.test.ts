import assert from "node:assert/strict";
import { test } from "node:test";
import { planCharts } from "../src/charts";
import { Samples, shown, withUnit, type Column, type Group } from "../src/data";
import { drawnCurves, otherCurves } from "../src/drawn";
import { refined, refinedTime, valueNear } from "../src/smooth";
import { fourier, histogram, spectrum } from "../src/spectrum";

const time = Float64Array.from({ length: 17 }, (_, i) => (i * 2 * Math.PI) / 16);
const column = (name: string, group: Group, value: (t: number) => number, unit = "", scale = 1, times = time): Column =>
  ({ name, group, latex: "", unit, scale, values: times.map(value) });
const turn = new Samples([
  column("t", "time", (t) => t, "s"),
  column("x", "q", Math.cos, "deg", 180 / Math.PI), column("x'", "v", (t) => -Math.sin(t), "deg/s", 180 / Math.PI),
  column("x''", "a", (t) => -Math.cos(t), "deg/s²", 180 / Math.PI), column("y", "q", Math.sin, "m"), column("y'", "v", Math.cos, "m/s"),
]);

test("between sixteen samples of a turn a curve is round", () => {
  const at = refinedTime(time, 8);
  const error = (name: string, exact: (t: number) => number): number =>
    Math.max(...refined(turn, turn.find(name)!, 8).map((value, i) => Math.abs(value - exact(at[i]!))));
  assert.ok(error("x", Math.cos) < 2e-6, `quintic: ${error("x", Math.cos)}`);
  assert.ok(error("x'", (t) => -Math.sin(t)) < 1e-4, `cubic: ${error("x'", (t) => -Math.sin(t))}`);
  assert.ok(Math.abs(valueNear(turn, turn.find("x")!, 0.2) - Math.cos(0.2)) < 2e-6);
  const degrees = refined(turn, shown(turn.find("x")!), 8);
  assert.ok(degrees.every((value, i) => Math.abs(value - (180 / Math.PI) * Math.cos(at[i]!)) < 1e-4), "in the unit that is shown");
});

test("charts have one unit each and show numbers in it", () => {
  const plans = planCharts(turn);
  assert.deepEqual(plans.map(({ unit, columns }) => [unit, ...columns.map(({ name }) => name)]),
    [["deg", "x"], ["m", "y"], ["deg/s", "x'"], ["m/s", "y'"], ["deg/s²", "x''"]]);
  assert.ok(Math.abs(plans[0]!.columns[0]!.values[0]! - 180 / Math.PI) < 1e-12);
  assert.equal(withUnit("x", "deg"), "x [deg]");
  assert.equal(withUnit("x", ""), "x");
});

test("another run is drawn at the times of this one, where it has values", () => {
  const half = Float64Array.from(time.slice(0, 9));
  const other = new Samples([column("t", "time", (t) => t, "s", 1, half), column("y", "q", (t) => 2 * t, "m", 1, half)]);
  const plan = planCharts(turn).find(({ unit }) => unit === "m")!;
  const drawn = drawnCurves(turn, plan);
  const [curve] = otherCurves(drawn, plan, { samples: other, plans: planCharts(other) });
  assert.ok(Math.abs(curve![8]! - 2 * drawn.time[8]!) < 1e-12);
  assert.ok(Number.isNaN(curve![curve!.length - 1]!));
});

test("a spectrum has its peak at the frequency, as high as the amplitude", () => {
  const times = Float64Array.from({ length: 2049 }, (_, i) => i / 128);  // 16 s
  const values = times.map((t) => 7 + 3 * Math.sin(2 * Math.PI * 5 * t));
  const { x, y } = spectrum(times, values, 0, 16);
  const peak = y.reduce((best, value, i) => (value > y[best]! ? i : best), 0);
  assert.ok(Math.abs(x[peak]! - 5) < 0.01 && Math.abs(y[peak]! - 3) < 0.01, `${x[peak]} ${y[peak]}`);
  const [re, im] = [Float64Array.from([1, 2, 3, 4]), new Float64Array(4)];
  fourier(re, im);
  [10, -2, -2, -2].forEach((value, i) => assert.ok(Math.abs(re[i]! - value) < 1e-12));
  [0, 2, 0, -2].forEach((value, i) => assert.ok(Math.abs(im[i]! - value) < 1e-12));
});

test("a histogram tells the part of the time", () => {
  const times = Float64Array.from([0, 1, 1, 4]);
  const { x, y } = histogram(times, Float64Array.from([0, 0, 1, 1]), 0, 4, 0, 1);
  assert.ok(Math.abs(y[1]! - 0.25) < 0.01 && Math.abs(y[y.length - 2]! - 0.75) < 0.01);
  assert.equal(x[0], 0);
  assert.ok(Math.abs(x[x.length - 1]! - 1) < 1e-12);
});
