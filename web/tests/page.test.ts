import assert from "node:assert/strict";
import { test } from "node:test";
import { driftColumns, planCharts, reactions, splitBySize } from "../src/charts";
import { defaultSpeed, speedChoices } from "../src/clock";
import { noUnit, Samples, type Column, type Group, type RunEvent, type RunSummary } from "../src/data";
import { drawnCurves } from "../src/drawn";
import { ContactStates, grouped, groupText } from "../src/events";
import { duration, number, outcomeSentence, qualitySentences } from "../src/format";
import { powersOfTen, powerText, spanOf, ticks } from "../src/ticks";
import { byJoint } from "../src/summary";
import { workPrecision } from "../src/work_precision";

const column = (name: string, group: Group, values: number[]): Column =>
  ({ name, group, latex: "", unit: "", scale: 1, values: Float64Array.from(values) });

test("curves of very different size are drawn apart, in their order", () => {
  const [big, small, medium, none] = [[500, 1], [0.1, 0], [80, 2], [0, 0]].map((values, i) =>
    column("bsmn"[i]!, "output", values));
  const charts = splitBySize([small!, big!, none!, medium!]).map((list) => list.map(({ name }) => name));
  assert.deepEqual(charts, [["s", "n"], ["b", "m"]]);
});

test("drift is the size of the residuals and of the energy's error", () => {
  const samples = new Samples([
    column("t", "time", [0, 1]), column("g(rod)", "g", [-1e-16, 2e-16]),
    column("energy", "energy", [5, 7.5]), column("work", "energy", [0, 2]),
  ]);
  const drift = driftColumns(samples);
  assert.deepEqual(drift.map(({ name, values }) => [name, ...values]),
    [["|g(rod)|", 1e-16, 2e-16], ["|energy − work − start|", 0, 0.5]]);
  const plan = planCharts(samples).find(({ log }) => log)!;
  assert.ok(Number.isNaN(drawnCurves(samples, plan).curves[1]![0]!), "zero has no logarithm");
});

test("forces and moments in joints have charts of their own", () => {
  const outputs = ["pin.force_x", "speed", "pin.force_y", "guide.moment", "pin.moment_1", "drive.force"].map((name) =>
    column(name, "output", [1, 2]));
  assert.deepEqual([...reactions(outputs)].map(([title, columns]) => [title, ...columns.map(({ name }) => name)]), [
    ["Force in pin", "pin.force_x", "pin.force_y"], ["Moment in guide", "guide.moment"], ["Moment in pin", "pin.moment_1"],
    ["Force in drive", "drive.force"]]);
  const titles = planCharts(new Samples([column("t", "time", [0, 1]), ...outputs])).map(({ title }) => title);
  assert.deepEqual(titles, ["Outputs", "Force in pin", "Moment in guide", "Moment in pin", "Force in drive"]);
});

test("a run backwards in time is drawn from left to right", () => {
  const samples = new Samples([column("t", "time", [2, 1, 0]), column("x", "q", [5, 6, 7])]);
  const { time, curves } = drawnCurves(samples, planCharts(samples)[0]!);
  assert.deepEqual([...time], [0, 1, 2]);
  assert.deepEqual([...curves[0]!], [7, 6, 5]);
});

test("a short run is slowed down, a long one sped up, so that it lasts about ten seconds", () => {
  assert.equal(defaultSpeed(10), 1);
  assert.equal(defaultSpeed(0.03), 0.002);
  assert.equal(defaultSpeed(1000), 100);
  assert.ok(speedChoices(0.002).includes(0.002));
});

test("numbers are short and honest", () => {
  assert.equal(number(0.1 + 0.2), "0.3");
  assert.equal(number(-1.5e-7), "−1.5e−7");
  assert.equal(number(1e21), "1e21");
  assert.equal(number(NaN), "–");
  assert.equal(number(null), "–");
  assert.equal(number(-Infinity), "−∞");
  assert.equal(number(123456789, 3), "1.23e8");
  assert.equal(duration(0.0036), "3.6 ms");
});

test("ticks are round, within the range, also for very small numbers", () => {
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(-3e-17, 3e-17, 3), [-2e-17, 0, 2e-17]);
  assert.deepEqual(ticks(1, 1, 5), []);
  assert.deepEqual(powersOfTen(1e-3, 1e2, 10), [1e-3, 1e-2, 0.1, 1, 10, 100]);
  assert.deepEqual(powersOfTen(1e-20, 1, 7).length, 7);
  assert.equal(powerText(1e-12), "10⁻¹²");
});

const run: RunSummary = {
  method: "adomian", outcome: "finished", reason: "", start_time: 0, end_time: 10, asked_end_time: 10, steps: 5, rejected: 0,
  samples: 11, lowest_order: 19, highest_order: 31, smallest_step: 1, largest_step: 2, seconds: 0.01,
  max_position_residual: 1e-16, max_velocity_residual: 2e-15, conservative: true, start_energy: 2, end_energy: 2, work: 0,
  max_energy_error: 1e-15, energy_scale: 4, notes: [],
};

test("the outcome is told in words", () => {
  assert.equal(outcomeSentence(run), "The run finished: from t = 0 to t = 10.");
  assert.equal(outcomeSentence(run, { unit: "min", scale: 1 / 60 }), "The run finished: from t = 0 to t = 0.166667 min.");
  const stopped = { ...run, outcome: "stopped early", reason: "the step shrank to nothing", end_time: 1.5 } as const;
  assert.equal(outcomeSentence(stopped), "The run stopped early at t = 1.5 of 10: the step shrank to nothing.");
  assert.match(outcomeSentence({ ...run, outcome: "interrupted", end_time: 2 }), /interrupted at t = 2 of 10/);
  assert.equal(qualitySentences(run, { g: true, gv: true, energy: true })[0],
    "The constraints hold: positions to 1e−16 (largest |g|), velocities to 2e−15 (largest |C v + c|).");
  assert.equal(qualitySentences(run, { g: false, gv: false, energy: true }).length, 1);
  assert.deepEqual(qualitySentences(run, { g: false, gv: true, energy: false }), [], "a kinematic run has nothing to say of energies");
});

test("energy that impacts take is told apart from an error", () => {
  const bounced = { ...run, end_energy: 0.5, work: -1.5, event_energy: -1.5 };
  assert.equal(qualitySentences(bounced, { g: false, gv: false, energy: true })[0],
    "The energy goes from 2 to 0.5; events and impacts change it by −1.5. The two agree to 1e−15, 2.5e−16 of the energy's scale.");
});

const bounce = (t: number, kind = "impact"): RunEvent => ({ t, name: "floor", kind, energy_change: -1, impulses: { floor: 2 } });

test("events that are too near to be told apart share a mark, which counts them", () => {
  const events = [bounce(0.5), bounce(1), bounce(1.05), bounce(1.08, "rest")];
  const groups = grouped(events, 0.1);
  assert.deepEqual(groups.map((group) => group.map(({ t }) => t)), [[0.5], [1, 1.05, 1.08]]);
  assert.equal(groupText(groups[0]!, { unit: "s", scale: 1 }), "t = 0.5 s: floor (impact), energy −1, impulse floor 2");
  assert.equal(groupText(groups[1]!, noUnit), "t = 1 to 1.08: 2 × floor (impact), floor (rest)");
  assert.equal(groupText(groups[0]!, { unit: "ms", scale: 1000 }), "t = 500 ms: floor (impact), energy −1, impulse floor 2");
});

test("a contact is closed while its gap stays so, and struck for a moment after an impact", () => {
  const samples = new Samples([column("t", "time", [0, 1, 1, 2]), column("gap(floor)", "view", [3, 0, 0, 1e-12])]);
  const states = new ContactStates(["floor", "wall"], samples, [bounce(0.5)], 2);
  assert.deepEqual([0.4, 0.51, 0.9, 1.5].map((t) => [[...states.closed(t)], [...states.struck(t)]]),
    [[[], []], [[], ["floor"]], [[], []], [["floor"], []]]);
});

test("reactions that are not unique stand together by their joints", () => {
  assert.deepEqual(byJoint(["pin.force_x", "pin.force_y", "rail.moment", "lambda"]), ["pin (force_x, force_y)", "rail.moment", "lambda"]);
});

test("a work-precision diagram sorts runs by error and leaves hidden methods out", () => {
  const methods = [
    { name: "one", runs: [{ tolerance: 1e-3, seconds: 1, steps: 10, error: 1e-2 }, { tolerance: 1e-6, seconds: 2, steps: 20, error: 1e-5 }] },
    { name: "two", runs: [{ tolerance: 1e-3, seconds: 3, steps: 10, error: 1e-4 }] },
  ];
  const plot = workPrecision(methods, [true, false], String);
  assert.equal(plot.series.length, 1);
  assert.deepEqual([...plot.series[0]!.x as number[]], [2, 1]);
  assert.deepEqual(spanOf([[0, 1e-3, 1, NaN]], true).map((value) => Number(value.toPrecision(3))), [6.25e-4, 1.6]);
});
