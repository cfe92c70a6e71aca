// Opens real reports from disk in Chromium: node pages.mjs DALEMBERT CHROMIUM FOLDER
// Screenshots stay in FOLDER for people to look at.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { call, changes, close, file, forbidWebGL, holds, readCsv, run, seek, visit } from "./browser.mjs";
import { checkPixels, compareCurves, cursorMovesTheAnimation, playAndScrub, portraits, printed, turnScene, zoomPanAndToggle } from "./gestures.mjs";

assert.equal(run("pendulum", "pendulum"), 0);
await visit("pendulum", async (page) => {
  await compareCurves(page, "pendulum");
  await checkPixels(page, 0);
  await zoomPanAndToggle(page);
  await cursorMovesTheAnimation(page, "pendulum");
  await portraits(page);
  await playAndScrub(page, ".scene");
  await page.locator("header button").click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await printed(page);
  await page.pdf({ path: file("pendulum.pdf") });
  assert.match(await page.locator(".outcome").textContent(), /^The run finished: from t = 0 to t = 10\.$/);
});

assert.equal(run("slider_crank", "slider_crank"), 0);
await visit("slider_crank", async (page) => {
  // a page may be printed before anybody has scrolled
  await holds(page, () => [...document.querySelectorAll(".phase")].every((canvas) =>
    canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value !== 0)));
  await compareCurves(page, "slider_crank");
  assert.ok(await page.locator("#equations .katex").count() > 5, "equations are set");
  assert.equal(await page.locator(".katex-error").count(), 0);
  assert.match(await page.locator("#model pre").textContent(), /slider_on_axis = "l1\*sin\(theta1\)/);
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width: 400, height });
  await holds(page, () => document.documentElement.scrollWidth === 400);  // nothing sticks out on a telephone
  await page.setViewportSize({ width, height });
  await seek(page, 0.13);
});

assert.equal(run("andrews", "andrews"), 0);
await visit("andrews", async (page) => {
  await compareCurves(page, "andrews");
  await page.locator("details:not([open]) summary").first().click();
  assert.equal(await page.locator(".katex-error").count(), 0);
  await playAndScrub(page, ".scene");
  await seek(page, 0.4);
}, { colorScheme: "dark" });

assert.equal(run("door", "door"), 0);
await visit("door", async (page) => {
  assert.match(await page.locator(".summary").textContent(), /not unique.*least norm/);
});

assert.equal(run("heavy_top", "heavy_top"), 0);
await visit("heavy_top", async (page) => {
  await compareCurves(page, "heavy_top");
  await page.evaluate(() => window.scrollTo(0, 0));
  await playAndScrub(page, ".scene");
  await turnScene(page);
  await seek(page, 0.3);
});

// Bodies with shapes are drawn as solids without a [view]: every kind of shape, hanging on each other.
const chain = (space, bodies, joint) => `title = "Shapes in ${space === "plane" ? "the plane" : "space"}"
space = "${space}"
${bodies.map(([name, shape, x]) => `[[body]]
name = "${name}"
density = 1
${shape}
position = ${joint([x, 0])}
`).join("")}${bodies.map(([name, , , left], i) => `[[joint]]
name = "pin${i + 1}"
type = "${space === "plane" ? "revolute" : "spherical"}"
bodies = ["${i === 0 ? "ground" : bodies[i - 1][0]}", "${name}"]
point = ${joint([left, 0])}
`).join("")}[[force]]
type = "gravity"
[solve]
duration = 3
output_step = 0.01
`;
const solids = (wide) => [
  ["beam", `shape = "box"\nsize = [1, 0.3${wide ? ", 0.2" : ""}]`, 0.5, 0],
  ["wheel", `shape = "cylinder"\nradius = 0.3${wide ? "\nlength = 0.2" : ""}`, 1.3, 1],
  ["tube", `shape = "cylinder"\nradius = 0.1\nlength = 0.8\nalong = "x"`, 2, 1.6],
  ["ball", `shape = "sphere"\nradius = 0.2`, 2.6, 2.4],
  ["stick", `shape = "rod"\nlength = 1${wide ? "\nradius = 0.05" : ""}`, 3.3, 2.8],
];
for (const [space, joint] of [["plane", (at) => JSON.stringify(at)], ["space", (at) => JSON.stringify([...at, 0])]]) {
  const name = `shapes_in_${space}`;
  writeFileSync(file(`${name}.toml`), chain(space, solids(space === "space"), joint));
  assert.equal(run(name, file(`${name}.toml`)), 0);
  await visit(name, async (page) => {
    await compareCurves(page, name);
    const bodies = await page.evaluate(() => window.dalembert.data.scene.bodies);
    assert.deepEqual(bodies.map(({ shapes }) => shapes[0].kind), ["box", space === "plane" ? "circle" : "cylinder", "cylinder",
      space === "plane" ? "circle" : "sphere", "rod"]);
    assert.deepEqual(bodies[0].position, ["beam.x", "beam.y", "beam.z"].slice(0, space === "plane" ? 2 : 3));
    await page.evaluate(() => window.scrollTo(0, 0));
    await playAndScrub(page, ".scene");
    assert.match(await page.locator("#chart-joint-1 figcaption").textContent(), /Force in pin1/);
    await seek(page, 0.08);
  });
}

// A model of bodies without shapes: links between its joints; redundant constraints are named, reactions drawn.
assert.equal(run("redundant", "spatial_four_bar", "--duration", "1"), 0);
await visit("redundant", async (page) => {
  await compareCurves(page, "redundant");
  const notes = (await page.locator(".notes li").allTextContents()).join("\n");
  assert.match(notes, /constraint 'pivot\.z' is redundant: it depends on bearing\.z/);
  const charts = await page.locator(".chart figcaption .title").allTextContents();
  for (const joint of ["bearing", "crank_pin", "rocker_pin", "pivot"]) {
    assert.ok(charts.includes(`Force in ${joint}`) && charts.includes(`Moment in ${joint}`), joint);
  }
  await seek(page, 0.5);
});

// Numbers beyond everyday: axes have their labels, and what is not finite is said.
writeFileSync(file("huge.toml"), `title = "Huge"
[coordinates]
x = { position = 1e250, velocity = 1e200 }
[energy]
kinetic = "x'^2/2"
[solve]
duration = 1e60
`);
assert.equal(run("huge", file("huge.toml")), 0);
await visit("huge", async (page) => {
  const labels = await page.evaluate(() => window.dalembert.plots.map(({ uplot }) => uplot.axes[1]._values?.length ?? 0));
  assert.ok(labels.length > 2 && labels[0] > 1, `labels of the axes: ${labels}`);
  assert.match(await page.locator(".summary").textContent(), /energy is beyond what numbers can hold/);
});

assert.equal(run("failed", "slider_crank", "--max-steps", "20"), 2);
await visit("failed", async (page) => {
  assert.equal(await page.locator(".chip").textContent(), "stopped early");
  assert.match(await page.locator(".outcome").textContent(), /stopped early at t = .* of 10: the limit of 20 steps is reached/);
});

// A kinematic system has neither forces nor energies.
assert.equal(run("ellipse", "ellipse"), 0);
await visit("ellipse", async (page) => {
  await compareCurves(page, "ellipse");
  await checkPixels(page, 0);
  await playAndScrub(page, ".scene");
  assert.doesNotMatch(await page.locator(".summary").textContent(), /energy/);
  await seek(page, 0.15);
});

const compared = ["slider_crank", "--methods", "adomian,bdf,rk4", "--tolerances", "1e-4,1e-8", "--steps", "1e-2", "--duration", "1"];
assert.equal(call("compare", ...compared, "--output", file("compare.csv"), "--report", file("compare.html")), 0);
await visit("compare", async (page) => {
  const csv = readCsv("compare");
  assert.deepEqual(csv.method, ["adomian", "adomian", "bdf", "bdf", "rk4"]);
  const runs = await page.evaluate(() => window.dalembert.data.comparison.methods.flatMap(({ name, runs }) =>
    runs.map((run) => ({ name, ...run }))));
  assert.deepEqual(runs.map(({ name }) => name), csv.method);
  assert.deepEqual(runs.map(({ tolerance }) => tolerance), csv.setting);
  assert.deepEqual(runs.map(({ seconds }) => seconds), csv.seconds);
  assert.deepEqual(runs.map(({ error }) => error), csv.error_q.map((error, i) => Math.max(error, csv.error_v[i])));
  assert.equal(await page.locator("#comparison canvas").count(), 4);
  assert.equal(await page.locator("#comparison tbody tr").count(), csv.method.length);
  assert.deepEqual(await page.locator("#comparison tbody td:nth-child(3)").allTextContents(), csv.steps.map(String));
  const button = page.locator("#comparison .legend button").nth(1);
  await changes(page, "#comparison canvas", () => button.click());
  await button.click();
});

// Nothing that a model says is taken for HTML, and no script runs but the page's own.
const evil = `</script><script>window.evil=1</script><img src=x onerror="window.evil=2"><b id=bold>`;
writeFileSync(file("hostile.toml"), `title = '''${evil}'''
source = '''${evil}'''
# ${evil} <!--
[coordinates]
x = 1
[energy]
kinetic = "x'^2/2"
potential = "x^2/2"
[solve]
duration = 1
`);
assert.equal(run("hostile", file("hostile.toml")), 0);
await visit("hostile", async (page) => {
  assert.equal(await page.locator("h1").textContent(), evil);
  assert.equal(await page.locator("img, #bold").count(), 0);
  const policy = await page.evaluate(() => document.querySelector("meta[http-equiv]").content);
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'; font-src data:/);
  assert.doesNotMatch(policy, /unsafe|https?:/);
  assert.equal(await page.evaluate(() => window.evil), undefined);
});

// 100,000 samples stay fluid.
assert.equal(run("long", "pendulum", "--every", "1e-4"), 0);
await visit("long", async (page) => {
  const { of, count, times, points } = await page.evaluate(() => {
    const { range, samples, plots, clock, data } = window.dalembert;
    const times = [];
    for (let i = 0; i < 15; ++i) {
      const begin = performance.now();
      range.zoom(0.8);
      clock.nudge(0.01);
      times.push(performance.now() - begin);
    }
    return { of: data.thinned.of, count: samples.count, times: times.sort((a, b) => a - b), points: plots[0].uplot.data[0].length };
  });
  assert.equal(of, 100001);
  assert.ok(count > 5000 && count < of, `${count} samples are kept`);
  assert.ok(points <= 2 * 1280, `${points} points are drawn`);
  assert.ok(times[7] < 300, `a zoom takes ${times[7]} ms`);
  console.log(`   ${of} samples: a zoom takes ${times[7].toFixed(0)} ms`);
});

// A browser without WebGL shows everything else.
await forbidWebGL();
await visit("heavy_top", async (page) => {
  assert.match(await page.locator(".stage").textContent(), /no WebGL/);
  await compareCurves(page, "heavy_top");
});

await close();
