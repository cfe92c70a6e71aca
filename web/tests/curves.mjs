// Units, curves and pictures that are taken away: node curves.mjs DALEMBERT CHROMIUM FOLDER
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { call, changes, close, file, holds, readCsv, run, seek, visit } from "./browser.mjs";

const hasProgram = (name) => { try { execFileSync("which", [name]); return true; } catch { return false; } };

// A pendulum in units; its bob is at (l sin, -l cos).
const pendulum = (more) => `title = "Pendulum in units"
[parameters]
m = { value = 2, unit = "kg" }
l = { value = 0.5, unit = "m" }
g = { value = 9.81, unit = "m/s^2" }
[coordinates]
theta = { position = 1, velocity = 0, unit = "deg" }
[definitions]
x = "l*sin(theta)"
y = "-l*cos(theta)"
[energy]
kinetic = "m/2*l^2*theta'^2"
potential = "${more ?? "m*g*y"}"
[outputs]
height = { value = "y", unit = "m -> mm" }
pull = "m*g*cos(theta) + m*l*theta'^2"
[view]
points = { O = [0, 0], P = ["x", "y"] }
links = [["O", "P"]]
traces = ["P"]
[solve]
duration = 2
output_step = 0.05
`;
writeFileSync(file("units.toml"), pendulum());
assert.equal(run("units", file("units.toml"), "--plot", file("units.svg")), 0);
assert.match(readFileSync(file("units.csv"), "utf8").split("\n")[1], /^# units: s,rad,rad\/s,rad\/s²,m,N,J,J,J,J$/);
const svg = readFileSync(file("units.svg"), "utf8");
assert.match(svg, />coordinates \[deg\]</);
assert.match(svg, />t \[s\]</);
assert.match(svg, />50</, "numbers of the axis are degrees");
await visit("units", async (page) => {
  const csv = readCsv("units");
  const plots = await page.evaluate(() => window.dalembert.plots.map(({ plan }) => [plan.unit, plan.columns[0].name, plan.columns[0].values[3]]));
  const of = (name) => plots.find(([, column]) => column === name);
  assert.equal(of("theta")[0], "deg");
  assert.ok(Math.abs(of("theta")[2] - (180 / Math.PI) * csv.theta[3]) < 1e-9);
  assert.deepEqual([of("theta'")[0], of("height")[0], of("pull")[0], of("kinetic")[0]], ["deg/s", "mm", "N", "J"]);
  assert.ok(Math.abs(of("height")[2] - 1000 * csv.height[3]) < 1e-9);
  assert.match(await page.locator("#chart-q-1 figcaption").textContent(), /^Coordinates \[deg\]/);
  assert.match(await page.locator("#chart-q-1").getAttribute("aria-label"), /theta from −57\.\d+ to 57\.3/);
  assert.match(await page.locator(".transport .time").textContent(), / s$/);

  // curves between samples follow the motion: 41 samples, eight parts each, and more where the run's polynomials bend
  assert.ok(await page.evaluate(() => window.dalembert.plots[0].uplot.data[0].length) >= 321);

  const card = page.locator("#chart-q-1");
  await changes(page, "#chart-q-1 .plot canvas", () => card.locator("button", { hasText: "extremes" }).click());
  await card.locator("select").selectOption("spectrum");
  await holds(page, () => !document.querySelector("#chart-q-1 .view").hidden && document.querySelector("#chart-q-1 .plot").hidden);
  await changes(page, "#chart-q-1 .view", () => card.locator("select").selectOption("histogram"));
  await card.locator("select").selectOption("time");
  await card.locator("details summary").click();
  await holds(page, () => document.querySelectorAll("#chart-q-1 .data tbody tr").length === 41);
  assert.match(await card.locator(".data thead").textContent(), /t \[s\]theta \[deg\]/);
  await card.locator("details summary").click();

  // on paper nothing is folded away
  const folded = await page.locator("#equations details:not([open])").count();
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator("#equations details:not([open])").count(), 0);
  assert.equal(await page.locator("#equations details .scroll").evaluateAll((all) => all.filter((one) => !one.querySelector(".katex")).length), 0, "and nothing is empty");
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.equal(await page.locator("#equations details:not([open])").count(), folded);

  for (const [button, name] of [["PNG", "pendulum-in-units.png"], ["SVG", "pendulum-in-units.svg"], ["Film", "pendulum-in-units.webm"]]) {
    const [saved] = await Promise.all([page.waitForEvent("download"), page.locator(".takeaway button", { hasText: button }).click()]);
    assert.equal(saved.suggestedFilename(), name);
  }
});

// A force where an energy should be is a warning with its place.
writeFileSync(file("mixed.toml"), pendulum("m*g*y + m*g"));
assert.equal(run("mixed", file("mixed.toml"), "-o", file("mixed.json")), 0);
const notes = JSON.parse(readFileSync(file("mixed.json"), "utf8")).summary.notes.join("\n");
assert.match(notes, /mixed\.toml:13:14: units of potential energy: .* is in (J|N), but .* is in (J|N): they cannot be added/);

// Definitions and expressions are columns.
assert.equal(call("run", file("units.toml"), "-o", file("columns.csv"), "--columns", "x, hypot(x', y')", "--quiet"), 0);
const columns = readCsv("columns");
const theta = readCsv("units");
assert.deepEqual(Object.keys(columns).slice(0, 2), ["t", "x"]);
const speed = Object.values(columns)[2] ?? [];
const head = readFileSync(file("columns.csv"), "utf8").split("\n")[0];
assert.equal(head, `t,x,"hypot(x', y')"`);
assert.ok(columns.x.every((value, i) => Math.abs(value - 0.5 * Math.sin(theta.theta[i])) < 1e-12));
void speed;
assert.equal(call("run", file("units.toml"), "-o", "none", "--columns", "thta"), 1);

// Times and lengths are shown in their units everywhere: microseconds and micrometres.
writeFileSync(file("small.toml"), `title = "Resonator"
[parameters]
a = { value = 2e-6, unit = "m" }
[coordinates]
x = { position = 3e-7, unit = "m -> um" }
[energy]
kinetic = "2.5e-12*x'^2"
potential = "100*x^2"
[units]
t = "s -> us"
[[event]]
name = "middle"
when = "x"
[view]
points = { L = ["-2*a", 0], A = ["x", 0] }
springs = [["L", "A"]]
[solve]
duration = 2e-6
`);
assert.equal(run("small", file("small.toml"), "--scene", "t=0", file("small.svg")), 0);
assert.match(readFileSync(file("small.svg"), "utf8"), />0.5 um</, "the bar of the scale");
await visit("small", async (page) => {
  assert.match(await page.locator(".outcome").textContent(), /from t = 0 to t = 2 us/);
  await seek(page, 0.5);
  await holds(page, () => document.querySelector(".transport .time").textContent === "t = 1 us");
  assert.match(await page.locator(".mark").first().getAttribute("title"), /^t = 0\.24836\d* us: middle/);
  assert.match(await page.locator("#events thead").first().textContent(), /first \[us\]/);
  assert.match(await page.locator("#events tbody button").first().textContent(), /^0\.24836/);
  const axis = await page.evaluate(() => {
    const { uplot } = window.dalembert.plots[0];
    const { splits, values, label } = uplot.axes[0];
    return { label, texts: values(uplot, splits(uplot, 0, 0, 2e-6)), splits: splits(uplot, 0, 0, 2e-6) };
  });
  assert.equal(axis.label, "t [us]");
  assert.equal(axis.texts[axis.texts.length - 1], "2");
  assert.ok(Math.abs(axis.splits[axis.splits.length - 1] - 2e-6) < 1e-18, "the line is where the run ends");
  const card = page.locator("#chart-q-1");
  await card.locator("details summary").click();
  await holds(page, () => document.querySelectorAll("#chart-q-1 .data tbody tr").length > 10);
  assert.equal(await card.locator(".data tbody tr:last-child th").textContent(), "2");
});

// Two runs over each other.
assert.equal(call("run", file("units.toml"), "--set", "l=0.6", "-o", file("longer.npz"), "--quiet"), 0);
assert.equal(run("both", file("units.toml"), "--with", file("longer.npz")), 0);
await visit("both", async (page) => {
  assert.match(await page.locator("#curves").textContent(), /Dotted: longer\.npz/);
  const [own, other] = await page.evaluate(() => window.dalembert.plots[0].uplot.data.slice(1).map((values) => [values[0], values[200]]));
  assert.ok(Math.abs(own[0] - other[0]) < 1e-9 && Math.abs(own[1] - other[1]) > 1, `${own} and ${other}`);
});

// Still pictures: the link is where the run says, in a drawing of lines.
assert.equal(call("run", file("units.toml"), "--scene", "t=0,0.5,1", file("still.svg"), "--quiet"), 0);
assert.equal(call("run", file("units.toml"), "-o", "none", "--scene", "t=0", file("one.svg"), "--scene", "t=0.5", file("two.png"), "--quiet"), 0);
assert.match(readFileSync(file("one.svg"), "utf8"), /^<svg /);
assert.equal(readFileSync(file("two.png")).readUInt32BE(16), 960);
const still = readFileSync(file("still.svg"), "utf8");
assert.match(still, /^<svg [^>]*width="960"/);
assert.equal(still.match(/<g opacity="0.35">/g).length, 2, "two positions below the last one");
assert.match(still, />0.1 m</, "the scale bar has its unit");

// A ball that travels far, and a floor: positions over each other have one camera, so each is where the run says.
writeFileSync(file("sliding.toml"), `title = "Ball that slides"
space = "plane"
[[body]]
name = "a"
shape = "cylinder"
radius = 0.2
mass = 1
velocity = [3, 0]
[[force]]
type = "gravity"
[[contact]]
name = "floor"
between = ["ground", "a"]
normal = [0, 1]
points = [[0, -0.2], [0, 0]]
radius = 0.2
[solve]
duration = 3
`);
assert.equal(call("run", file("sliding.toml"), "-o", "none", "--scene", "t=0,0.2,0.6", file("sliding.svg"), "--quiet"), 0);
const edges = [...readFileSync(file("sliding.svg"), "utf8").matchAll(/d="M([\d.]+) [\d.]+A([\d.]+) [^"]*" fill="none"/g)];
const [right, radius] = [1, 2].map((k) => edges.map((found) => Number(found[k])));
assert.equal(right.length, 3, "three balls");
const passed = right.map((x) => (0.2 * (x - right[0])) / radius[0]);
[0, 0.6, 1.8].forEach((x, i) => assert.ok(Math.abs(passed[i] - x) < 1e-3, `the ball ${i} is ${passed[i]} from the first`));
assert.ok(right[0] - 2 * radius[0] > 0 && right[2] < 960, "and in the picture");

assert.equal(call("run", "heavy_top", "--scene", "t=0.5", file("top.png"), "--duration", "1", "--quiet"), 0);
assert.equal(readFileSync(file("top.png")).readUInt32BE(16), 960);
assert.equal(call("run", file("units.toml"), "--scene", "soon", file("still.svg"), "--quiet"), 1);
assert.equal(call("run", file("units.toml"), "--animation", file("film.avi"), "--quiet"), 1);

// Films.
assert.equal(call("run", file("units.toml"), "--animation", file("frames.png"), "--quiet"), 0);
assert.ok(existsSync(file("frames-0001.png")) && existsSync(file("frames-0061.png")) && !existsSync(file("frames-0062.png")));
if (hasProgram("ffmpeg")) {
  for (const [name, mark] of [["film.mp4", "ftyp"], ["film.webm", "webm"], ["film.gif", "GIF89a"]]) {
    assert.equal(call("run", file("units.toml"), "--animation", file(name), "--duration", "2", "--size", "320x200", "--quiet"), 0);
    assert.ok(readFileSync(file(name)).subarray(0, 64).includes(mark), name);
  }
  assert.equal(readFileSync(file("film.gif")).readUInt16LE(6), 320, "a GIF has the size that was asked for");
} else {
  console.log("   no FFmpeg: films are not tested");
}

// Attitude and speed of a body.
writeFileSync(file("plane.toml"), `title = "A plane"
space = "space"
[units]
system = "SI"
yaw = "deg"
[[body]]
name = "plane"
shape = "box"
size = [1, 0.6, 0.2]
mass = 1
position = [0, 0, 5]
rotation = { rpy = [0.1, -0.2, 0.3] }
velocity = [3, 4, 0]
angular_velocity = [0, 0, 1]
[outputs]
yaw = "plane.yaw"
pitch = "plane.pitch"
roll = "plane.roll"
[solve]
duration = 0.1
`);
assert.equal(run("plane", file("plane.toml"), "--columns", "yaw,pitch,roll,plane.speed,plane.x"), 0);
const plane = readCsv("plane");
for (const [name, value] of [["yaw", 0.3], ["pitch", -0.2], ["roll", 0.1], ["plane.speed", 5]]) assert.ok(Math.abs(plane[name][0] - value) < 1e-12, name);
assert.match(readFileSync(file("plane.csv"), "utf8").split("\n")[1], /^# units: s,m,rad,/);
await visit("plane", async (page) => { await seek(page, 0.5); });

await close();
