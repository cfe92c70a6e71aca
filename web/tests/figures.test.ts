import assert from "node:assert/strict";
import { test } from "node:test";
import { splitBySize, withoutNoise } from "../src/charts";
import { Camera2d } from "../src/camera2d";
import { noUnit, Samples, type Body, type Column, type Figure } from "../src/data";
import { boxAt, extentsOf, middleOf } from "../src/extents";
import { pitchOf, type Pitch } from "../src/gearpitch";
import { gearTrain, rackOutline } from "../src/geartrain";
import { Measures, ratesOf } from "../src/measures";
import { Pose } from "../src/pose";
import { momentAt, planScene, sampleMoment } from "../src/scene";
import { toothOutline } from "../src/teeth";
import { Floor3d } from "../src/floor3d";
import { around, logRange, tickTexts } from "../src/ticks";
import { fade } from "../src/traces";
import { add, cross, length, sub, times, type Vec } from "../src/vec";

const time = Float64Array.from({ length: 101 }, (_, i) => 0.05 * i);
const column = (name: string, values: (t: number) => number): Column =>
  ({ name, group: name === "t" ? "time" : "view", latex: "", unit: "", scale: 1, values: time.map(values) });
const samples = new Samples([
  column("t", (t) => t), column("x", (t) => 10 * t), column("turn", (t) => 2 * t), column("swing", (t) => 0.3 * Math.sin(t)),
  column("far", (t) => 4 * Math.exp(-20 * t)),
]);
const car = { name: "car", position: ["x", 0], angle: "turn", shapes: [{ kind: "box" as const, size: [1, 1] }] };
const plan = (figures: Figure[], bodies: Body[] = [car]) =>
  planScene({ points: [], links: [], traces: [], bodies, figures }, samples)!;

test("what a body holds goes and turns with it", () => {
  const spring: Figure = { kind: "spring", name: "s", at: [{ place: [0, 0] }, { body: "car", place: [2, 0] }] };
  const scene = plan([spring]);
  const pose = new Pose(scene, momentAt(time, 1));
  const [x, y] = pose.place(scene.figures[0]!.at[1]!);
  assert.ok(Math.abs(x - (10 + 2 * Math.cos(2))) < 1e-9 && Math.abs(y - 2 * Math.sin(2)) < 1e-9);
  assert.throws(() => plan([{ ...spring, at: [{ body: "cart", place: [0, 0] }] }]), /body cart/);
});

test("a figure of a column that a page left out is left out too", () => {
  const arrow: Figure = { kind: "arrow", name: "a", at: [{ body: "car", place: [0, 0] }], vector: ["pin.force_x", 0] };
  assert.deepEqual(plan([arrow, { ...arrow, name: "b", vector: ["x", 0] }]).figures.map(({ name }) => name), ["b"]);
});

test("the lengths of a spring are those of the whole run", () => {
  const scene = plan([{ kind: "spring", name: "s", at: [{ place: [-1, 0] }, { body: "car", place: [0, 0] }] }]);
  const { low, high } = new Measures(scene, time.length).lengths(scene.figures[0]!);
  assert.deepEqual([low, high].map((value) => Number(value.toFixed(6))), [1, 51]);
});

const close = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);
const startOf = (figures: Figure[]) => {
  const scene = plan(figures);
  return { figures: scene.figures, pose: new Pose(scene, sampleMoment(0)) };
};
const pitchOfGear = (gear: Partial<Figure>): Pitch => {
  const { figures, pose } = startOf([{ kind: "gear", name: "g", at: [{ place: [0, 0, 0] }, { place: [3, 0, 0] }], ...gear }]);
  return pitchOf(figures[0]!, pose, 3)!;
};

test("wheels of a gear fill the distance of their axes, outside or inside each other", () => {
  const outside = pitchOfGear({ ratio: [-2] }).wheels;
  close(outside[0].radius + outside[1]!.radius, 3);
  close(outside[0].radius, 2 * outside[1]!.radius);
  assert.deepEqual(outside.map(({ ring }) => ring), [false, false]);
  const inside = pitchOfGear({ ratio: [0.25] }).wheels;
  assert.deepEqual(inside.map(({ ring }) => ring), [false, true]);
  close(inside[1]!.radius - inside[0].radius, 3);
  close(inside[0].radius, 0.25 * inside[1]!.radius);
  assert.equal(pitchOfGear({ ratio: [1] }).belt, true, "equal wheels that turn alike have a belt");
  const against = pitchOfGear({ ratio: [2], axis2: [0, 0, -1] }).wheels;
  close(against[0].radius + against[1]!.radius, 3);
});

test("bevel gears are cones that roll on each other: the same velocity where they touch", () => {
  for (const [ratio, axis2] of [[-2, [1, 0, 0]], [0.5, [1, 0, 0]], [3, [0.6, 0, 0.8]]] as [number, [number, number, number]][]) {
    const { wheels: [one, two], contact } = pitchOfGear({ at: [{ place: [0, 0, 0.4] }, { place: axis2.map((x) => 0.7 * x) }], ratio: [ratio], axis2 });
    const speeds = [one.axis, two!.axis.map((x) => ratio * x) as Vec].map((omega, k) => cross(omega, sub(contact, [one, two!][k]!.center)));
    for (const i of [0, 1, 2]) close(speeds[0]![i]!, speeds[1]![i]!);
    for (const wheel of [one, two!]) close(length(sub(contact, wheel.center)), wheel.radius);
    for (const wheel of [one, two!]) close(length(add(wheel.center, times(wheel.apex!, wheel.axis))), 0);
  }
});

test("a rack has a gap where its pinion has a tooth, and moves as the pinion's rim does", () => {
  for (const ratio of [0.5, -0.5]) {
    const { contact, wheels: [pinion] } = pitchOfGear({ ratio: [ratio], rack: [1, 0, 0] });
    assert.deepEqual(sub(contact, pinion.center), [0, -ratio, 0]);  // v = ω × r
    const { figures, pose } = startOf([{ kind: "gear", name: "g", at: [{ place: [0, 0] }, { place: [3, 0] }], ratio: [ratio], rack: [1, 0] }]);
    const { wheels: [wheel], racks: [rack] } = gearTrain(figures, pose, 3);
    const pitch = Math.PI * rack!.module;
    const towards = (pose.place(rack!.anchor)[0] / pitch) % 1;  // the contact is at x = 0
    const angle = Math.atan2(-ratio, 0) - Math.atan2(wheel!.first[1], wheel!.first[0]);
    const passed = ((angle * wheel!.teeth) / (2 * Math.PI)) % 1;
    close(Math.abs(Math.cos(Math.PI * (towards + passed * Math.sign(ratio) - 0.5))), 1);
    assert.ok(Math.max(...rackOutline(rack!, { first: 0, last: 3 }).map(([, y]) => y)) === rack!.module);
  }
});

test("a tooth of one wheel is as high as the other's gap is deep, and narrower", () => {
  const [tip, root] = [Math.max, Math.min].map((pick) => pick(...toothOutline(20, 20).map(([x, y]) => Math.hypot(x, y))));
  assert.ok(Math.abs(tip! - 22) < 1e-9 && Math.abs(root! - 17.6) < 1e-9);
  const ring = toothOutline(20, 20, true).map(([x, y]) => Math.hypot(x, y));
  assert.ok(Math.min(...ring) < 20 && Math.max(...ring) > 20);
});

test("a camera goes along with what travels, and stays with what swings", () => {
  const travelling = extentsOf(plan([]), time.length);
  assert.ok(travelling.travels);
  assert.ok(travelling.size > 1 && travelling.size < Math.SQRT2, "of a square that turns");
  assert.ok(Math.abs(travelling.reach[0] - Math.SQRT2) < 1e-3);
  const swinging = extentsOf(plan([], [{ ...car, position: ["swing", 0] }]), time.length);
  assert.equal(swinging.travels, false);
  const camera = new Camera2d(travelling);
  camera.resize(400, 300);
  for (const t of [0, 1.3, 4]) {
    const now = middleOf(boxAt(plan([]), momentAt(time, t)));
    camera.aim("follow", now);
    assert.ok(Math.abs(camera.x(10 * t) - 200) < 1e-6, "it is in the middle");
    assert.ok(camera.scale > 100, "and large");
  }
  camera.aim("fit", [0, 0, 0]);
  assert.ok(camera.x(0) > 0 && camera.x(50) < 400);
});

const isSeen = (camera: Camera2d, { low, high }: { low: Vec; high: Vec }): boolean =>
  camera.x(low[0]) >= 0 && camera.x(high[0]) <= 400 && camera.y(high[1]) >= 0 && camera.y(low[1]) <= 300;

test("a camera that goes along shows all bodies whole, also where they are farther apart than at most times", () => {
  const scene = plan([], [car, { ...car, name: "late", position: ["x", "far"], angle: 0 as never }]);
  const extents = extentsOf(scene, time.length);
  assert.ok(extents.travels && extents.reach[1] > 2 * extents.size);
  const camera = new Camera2d(extents);
  camera.resize(400, 300);
  for (const t of [0, 0.1, 2.5, 5]) {
    const box = boxAt(scene, momentAt(time, t));
    camera.aim("follow", middleOf(box));
    assert.ok(isSeen(camera, box), `at t = ${t}`);
  }
});

test("positions that are drawn over each other have one camera: each is where it is", () => {
  const scene = plan([]);
  const camera = new Camera2d(extentsOf(scene, time.length));
  camera.resize(400, 300);
  const boxes = [0, 0.2, 0.5].map((t) => boxAt(scene, momentAt(time, t)));
  camera.hold("follow", boxes.map(middleOf));
  const centers = boxes.map((box) => {
    camera.aim("follow", middleOf(box));
    assert.ok(isSeen(camera, box));
    return camera.x(middleOf(box)[0]);
  });
  close((centers[1]! - centers[0]!) / camera.scale, 2);  // 10 t
  close((centers[2]! - centers[0]!) / camera.scale, 5);
  assert.ok(camera.scale > 30, "larger than the whole motion");
  camera.hold("follow", undefined);
  camera.aim("follow", middleOf(boxes[2]!));
  close(camera.x(5), 200);
});

test("what is under the pointer stays there while one zooms", () => {
  const camera = new Camera2d(extentsOf(plan([]), time.length));
  camera.resize(400, 300);
  camera.aim("fit", [0, 0, 0]);
  const place = camera.at(120, 80);
  camera.magnify(2.5, 120, 80);
  assert.ok(Math.hypot(camera.x(place[0]) - 120, camera.y(place[1]) - 80) < 1e-9);
  camera.reset();
  assert.ok(camera.untouched);
});

test("velocities and accelerations are those of the motion", () => {
  const scene = plan([], [{ ...car, position: ["swing", 0] }]);
  const { velocity, acceleration } = ratesOf(scene, time, 2, (pose) => pose.position(0));
  assert.ok(Math.abs(velocity[0] - 0.3 * Math.cos(2)) < 1e-3);
  assert.ok(Math.abs(acceleration[0] + 0.3 * Math.sin(2)) < 1e-3);
});

test("a constant is drawn flat with its value, and ticks have at most six digits", () => {
  assert.deepEqual(around(9.81, 9.81 + 1e-14, 0.05).map((value) => Number(value.toFixed(3))), [8.829, 10.791]);
  assert.deepEqual(around(0, 0, 0.05), [-1, 1]);
  assert.deepEqual(around(1, 3, 0.05), [0.9, 3.1]);
  assert.deepEqual(tickTexts([9.81, 9.8100002, 9.8100004]), ["9.81", "+2e−7", "+4e−7"]);
  assert.deepEqual(tickTexts([0, 0.5, 1]), ["0", "0.5", "1"]);
  assert.deepEqual(tickTexts([1805232, 1805234, 1805236]), ["1.805232e6", "+2", "+4"]);
  assert.deepEqual(tickTexts([1805232, 1805234, 1805236], 1), ["−2", "1.805234e6", "+2"]);
});

test("round-off beside real curves is no chart of its own", () => {
  const curve = (name: string, size: number): Column => ({ name, group: "output", latex: "", unit: "", scale: 1, values: Float64Array.from([0, size]) });
  assert.deepEqual(splitBySize([curve("force", 40), curve("noise", 1e-15), curve("zero", 0)]).map((list) => list.map(({ name }) => name)),
    [["force", "noise", "zero"]]);
});

test("a trace fades with its age", () => {
  assert.equal(fade(0), 1);
  assert.ok(fade(0.1) > fade(0.2) && fade(0.9) > 0);
});

test("numbers on the floor are round in the unit that is shown, and told apart far from zero", () => {
  const floor = new Floor3d(0, 3, { unit: "mm", scale: 1000 });
  floor.fit(0.5, 0, 3);
  assert.ok(Math.abs(floor.step - 0.5) < 1e-12, "metres between two lines");
  const near = floor.labels([2, 1, 1]);
  assert.ok(near.some(({ text, place }) => text === "1000" && Math.abs(place[0] - 1) < 1e-9 && place[1] === -1));
  const far = new Floor3d(0, 3, noUnit);
  far.fit(6614878, 1805184, 12);
  const texts = far.labels([6, 6, 1]).map(({ text }) => text);
  assert.equal(new Set(texts.filter((_, i) => i < texts.length / 2)).size, texts.length / 2);
  assert.ok(texts.includes("6.614878e6") && texts.includes("+2"), texts.join(" "));
});

test("a camera that follows a long flat mechanism shows it as wide as the picture", () => {
  const long = { ...car, angle: 0, shapes: [{ kind: "box" as const, size: [4, 0.4] }] };
  const scene = plan([], [long]);
  const extents = extentsOf(scene, time.length);
  const camera = new Camera2d(extents);
  camera.resize(800, 400);
  camera.aim("follow", [0, 0, 0]);
  assert.ok(4 * camera.scale > 0.6 * 800 && 4 * camera.scale < 800, `${4 * camera.scale} pixels`);
});

test("a logarithmic axis has sixteen powers of ten at most, whatever the least residual is", () => {
  assert.deepEqual(logRange(1e-18, 2e-15), [1e-18, 1e-14]);
  const [low, high] = logRange(5e-324, 7e-16);
  assert.ok(low > 0 && Math.abs(Math.log10(high / low) - 16) < 1e-9, `${low} to ${high}`);
});

test("a column that is round-off beside its group is the zero that it means, in portraits too", () => {
  const of = (name: string, size: number, group: "v" | "q" = "v"): Column => ({ name, group, latex: "", unit: "", scale: 1, values: Float64Array.from([size, -size]) });
  const all = [of("x'", 2), of("y'", 3e-17), of("y", 4e-17, "q")];
  assert.deepEqual([...withoutNoise(all[1]!, all).values], [0, 0]);
  assert.equal(withoutNoise(all[0]!, all), all[0]);
  assert.equal(withoutNoise(all[2]!, all), all[2], "alone in its group it is what it is");
});
