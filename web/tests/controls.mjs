// Every control of a page does what it says: node controls.mjs DALEMBERT CHROMIUM FOLDER
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { changes, close, file, holds, run, seek, visit } from "./browser.mjs";

const scene = "canvas.scene";
const select = (page, label) => page.locator(`select[aria-label="${label}"]`);
const box = (page, text) => page.locator(".extras label", { hasText: text }).locator("input");
const time = (page) => page.evaluate(() => window.dalembert.clock.time);

/** How many pixels of the scene are red as what a singular configuration lights up, or amber as a redundant joint. */
const lit = (page) => page.evaluate((scene) => {
  const canvas = document.querySelector(scene);
  const copy = document.createElement("canvas");
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const pen = copy.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, copy.width, copy.height);
  pen.drawImage(canvas, 0, 0);
  const { data } = pen.getImageData(0, 0, copy.width, copy.height);
  const count = { red: 0, amber: 0 };
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
    if (r > 200 && Math.abs(g - b) < 25 && r - g > 60) ++count.red;
    if (r > 200 && r - b > 60 && g - b > 40 && r - g > 15) ++count.amber;
  }
  return count;
}, scene);

/** As many pixels may be red where the smooth edges of bodies mix their colours; a halo has thousands. */
const mixed = 200;

// Each box of *Show* draws something, and takes it away again.
async function checkBoxes(page, texts) {
  await page.locator(".extras summary").click();
  const labels = await page.locator(".extras label").allTextContents();
  assert.deepEqual(labels.map((label) => label.trim()).sort(), [...texts].sort());
  for (const text of texts) {
    const one = box(page, text);
    const before = await one.isChecked();
    if (text === "names" && (await page.locator(".labels").count()) > 0) {  // letters beside the canvas
      await one.setChecked(!before);
      await holds(page, (shown) => [...document.querySelectorAll(".labels .name")].some((label) => !label.hidden) === shown, !before);
    } else {
      await changes(page, scene, () => one.setChecked(!before));
    }
    await one.setChecked(before);
  }
  await page.locator(".extras summary").click();
}

// What a screen reader says of each control and picture is words, not the number beside it.
async function checkNames(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const controls = nodes.filter(({ ignored, role }) => !ignored && ["button", "combobox", "slider", "checkbox", "image"].includes(role?.value));
  const names = controls.map(({ role, name }) => `${role.value} ${name?.value ?? ""}`);
  assert.deepEqual(names.filter((name) => !/ .*\p{L}/u.test(name)), [], "controls without a name");
  const columns = await page.evaluate(() => window.dalembert.plots[0].plan.columns.map(({ name }) => name));  // of those on the screen
  for (const column of columns) assert.ok(names.includes(`button show ${column}`), `${column} has a button of its name`);
  assert.ok(names.some((name) => /^image phase portrait: .+ over .+/.test(name)), "a portrait says of what");
  assert.equal(await page.locator('[aria-label="time"]').getAttribute("aria-valuetext"), await page.locator(".transport .time").textContent());
}

/** Texts whose contrast to what is behind them is below 4.5. */
const faint = (page) => page.evaluate(() => {
  const channels = (color) => {
    const [r, g, b, alpha = 1] = color.match(/[\d.]+/g).map(Number);
    return color.startsWith("color(") ? [255 * r, 255 * g, 255 * b, alpha] : [r, g, b, alpha];
  };
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    for (; one; one = one.parentElement) if (channels(getComputedStyle(one).backgroundColor)[3] > 0.9) return getComputedStyle(one).backgroundColor;
    return "rgb(255, 255, 255)";
  };
  const list = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement;
    if (texts.currentNode.textContent.trim() === "" || !one.offsetParent || one.closest("script, style, .katex-mathml")) continue;
    const [a, b] = [luminance(getComputedStyle(one).color), luminance(behind(one))];
    if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5) list.add(`${one.tagName}.${one.className}: ${texts.currentNode.textContent.trim().slice(0, 30)}`);
  }
  return [...list];
});

// Two four-bars in a row become parallelograms on a line: all joints are lit, the slider says when.
assert.equal(run("singular", "iftomm_a02", "--duration", "2", "--every", "0.005"), 0);
await visit("singular", async (page) => {
  const times = await page.evaluate(() => window.dalembert.data.summary.singular_times);
  assert.equal(times.length, 2);
  await checkNames(page);
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    await holds(page, (wanted) => document.documentElement.dataset.theme === wanted, colorScheme);
    assert.deepEqual(await faint(page), [], `faint texts in ${colorScheme} colours`);
  }
  await seek(page, 0.1);
  assert.ok((await lit(page)).red < mixed);
  const marks = page.locator(".transport .mark");
  assert.equal(await marks.count(), 2);
  for (const [i, when] of times.entries()) {
    await changes(page, scene, () => marks.nth(i).click());
    assert.equal(await time(page), when);
    assert.ok((await lit(page)).red > 1000, "its joints are lit");
    assert.match(await marks.nth(i).getAttribute("aria-label"), /^singular configuration at t = \d\.\d+/);
    const [mark, thumb] = await page.evaluate((i) => {
      const track = document.querySelector(".transport .track input").getBoundingClientRect();
      const place = document.querySelectorAll(".transport .mark")[i].getBoundingClientRect();
      const { clock } = window.dalembert;
      return [place.left + place.width / 2, track.left + 8 + (track.width - 16) * ((clock.time - clock.first) / (clock.last - clock.first))];
    }, i);
    assert.ok(Math.abs(mark - thumb) < 2, `the mark is at ${mark}, the slider at ${thumb}`);
  }
  await checkBoxes(page, ["names", "velocities", "accelerations", "centres of mass", "frames", "instantaneous axes", "reactions", "redundant and singular"]);
  await box(page, "redundant").evaluate((input) => { input.checked = false; input.dispatchEvent(new Event("change")); });
  assert.ok((await lit(page)).red < mixed, "nothing is lit when nobody asks");
});

// A door on two hinges: their reactions are not unique.
assert.equal(run("redundant", "door", "--duration", "1"), 0);
await visit("redundant", async (page) => {
  await seek(page, 0.4);
  assert.ok((await lit(page)).amber > 300, "both hinges have a halo");
  await checkBoxes(page, ["names", "velocities", "accelerations", "centres of mass", "frames", "instantaneous axes", "reactions", "redundant and singular"]);
  assert.equal(await page.locator(".labels .alert").textContent(), "");
});

// The camera follows, shows all, or stays; traces grow, are whole, or off; speeds.
assert.equal(run("modes", "rolling_disk", "--duration", "6"), 0);
await visit("modes", async (page) => {
  await seek(page, 0.5);
  const [camera, traces] = [select(page, "Camera"), select(page, "Traces")];
  const place = () => page.evaluate(() => window.dalembert.scene.camera.camera.position.toArray());
  await camera.selectOption("follow");
  const [first] = [await place(), await seek(page, 0.7)];
  assert.notDeepEqual(await place(), first, "it goes along");
  await camera.selectOption("fixed");
  const [second] = [await place(), await seek(page, 0.3)];
  assert.deepEqual(await place(), second, "it stays");
  await camera.selectOption("fit");
  await holds(page, (second) => window.dalembert.scene.camera.camera.position.toArray().some((x, i) => x !== second[i]), second);
  const drawn = () => page.evaluate(() => window.dalembert.scene.traces.map(({ line }) => (line.visible ? line.geometry.drawRange.count : 0)));
  await traces.selectOption("whole");
  const [whole] = await drawn();
  await traces.selectOption("grow");
  const [grown] = await drawn();
  await seek(page, 0.6);
  const [later] = await drawn();
  assert.ok(grown > 0 && later > 1.5 * grown && whole > later, `${grown}, ${later} of ${whole}`);
  await traces.selectOption("off");
  assert.deepEqual(await drawn(), [0]);
  for (const axis of ["x", "y", "z", "xyz"]) {
    await changes(page, scene, () => page.locator(".stage-controls button", { hasText: new RegExp(`^${axis}$`) }).click());
  }
  await select(page, "speed").selectOption({ index: 3 });
  assert.equal(await page.evaluate(() => window.dalembert.clock.speed), Number(await select(page, "speed").inputValue()));
  const slider = page.locator(".transport input");
  await slider.focus();
  await page.keyboard.press("End");
  assert.equal(await time(page), 6);
  const play = page.locator(".play");
  await play.click();
  await holds(page, () => window.dalembert.clock.time > 0 && window.dalembert.clock.time < 6);
  assert.equal(await play.getAttribute("aria-label"), "pause");
  await play.click();
  assert.equal(await play.getAttribute("aria-label"), "play");
});

// A portrait of any two columns; fast motions are drawn through points of the motion between samples.
assert.equal(run("coarse", "slider_crank", "--every", "0.1"), 0);
await visit("coarse", async (page) => {
  const counts = await page.evaluate(() => [window.dalembert.data.samples.count, window.dalembert.data.curves.count]);
  assert.ok(counts[0] === 101 && counts[1] > 1000, `${counts}`);
  const points = await page.evaluate(() => window.dalembert.plots[0].uplot.data[0].length);
  assert.ok(points > 500, `${points} points of a curve`);
  for (const [portrait, picture] of [[0, 0], [1, 1]]) {
    const card = page.locator(".portrait").nth(portrait);
    await card.scrollIntoViewIfNeeded();
    for (const label of ["horizontal", "vertical"]) {
      const choice = card.locator(`select[aria-label="${label}"]`);
      const canvas = (i) => document.querySelectorAll("canvas.phase")[i].toDataURL();
      const before = await page.evaluate(canvas, picture);
      await choice.selectOption("energy");
      await holds(page, ([i, before]) => document.querySelectorAll("canvas.phase")[i].toDataURL() !== before, [picture, before]);
    }
  }
  const whole = page.locator("#curves button", { hasText: "Whole time" });
  assert.equal(await whole.isVisible(), false);
  await page.locator("#chart-q-1").focus();
  await page.keyboard.press("+");
  await whole.click();
  assert.equal(await page.evaluate(() => window.dalembert.range.whole), true);
  await page.locator("#equations details summary").first().click();
});

// The curves of any method go through the motion between its samples.
assert.equal(run("by_steps", "slider_crank", "--every", "0.1", "--method", "dop853"), 0);
await visit("by_steps", async (page) => {
  const worst = await page.evaluate(() => {
    const { plots, data } = window.dalembert;
    const of = (name) => plots.flatMap(({ plan, drawn }) => plan.columns.flatMap((column, i) => (column.name === name ? [drawn.curves[i]] : [])))[0];
    const [theta1, theta2] = [of("theta1"), of("theta2")];
    if (data.curves.count < 1000) return Infinity;
    return theta1.reduce((most, angle, i) => Math.max(most, Math.abs(0.2 * Math.sin(angle) - Math.sin(theta2[i]))), 0);
  });
  assert.ok(worst < 2e-3, `between samples the slider leaves its line by ${worst}`);
});

// What happens at instants: velocities jump, marks in curves and on the slider tell what it was, a table lists all.
assert.equal(run("bounces", "bouncing_ball"), 0);
await visit("bounces", async (page) => {
  const first = Math.sqrt(2 / 9.81);
  const jump = await page.evaluate((first) => {
    const [t, v] = window.dalembert.plots.find(({ plan }) => plan.columns[0].name === "y'").uplot.data;
    return t.flatMap((one, i) => (Math.abs(one - first) < 1e-9 ? [v[i]] : []));
  }, first);
  assert.ok(Math.abs(jump[0] + 9.81 * first) < 1e-9 && Math.abs(jump.at(-1) - 4.905 * first) < 1e-9, `the velocity goes from ${jump}`);
  const marks = page.locator(".transport .mark.event");
  const texts = await marks.evaluateAll((list) => list.map((mark) => mark.getAttribute("aria-label")));
  assert.match(texts[0], /^t = 0\.45152\d*: floor \(impact\), energy −7\.357, impulse floor 6\.64/);
  assert.match(texts.at(-1), /\d+ × floor \(impact\), floor \(rest\)$/);
  assert.ok(texts.length > 5 && texts.length < 15, `${texts.length} marks for all events`);
  await marks.nth(1).click();
  assert.ok(Math.abs(await time(page) - 2 * first) < 1e-12);
  const chips = page.locator(".contacts span");
  assert.deepEqual(await chips.allTextContents(), ["floor: impact"]);
  await seek(page, 0.9);
  assert.deepEqual(await chips.allTextContents(), ["floor: closed"]);
  await changes(page, scene, () => box(page, "contacts").evaluate((input) => { input.checked = false; input.dispatchEvent(new Event("change")); }));
  assert.equal(await chips.count(), 0);
  const over = page.locator("#chart-v-1 .u-over");
  await over.scrollIntoViewIfNeeded();
  const { x, y, width } = await over.boundingBox();
  await page.mouse.move(x + (width * first) / 2, y + 30);
  await holds(page, () => document.querySelector("#chart-v-1 .event-tip").textContent.includes("floor (impact)"));
  await page.mouse.move(x + 0.1 * width, y + 30);
  await holds(page, () => document.querySelector("#chart-v-1 .event-tip").hidden);
  const kinds = page.locator("#events tbody").first().locator("tr");
  assert.deepEqual(await kinds.locator("th").allTextContents(), ["floor (impact)", "floor (rest)"]);
  const impacts = Number(await kinds.first().locator("td").first().textContent());
  assert.ok(impacts > 20 && impacts < 30, `${impacts} impacts before the rest`);
  await page.locator("#events summary").click();
  await page.locator("#events details tbody tr").nth(2).locator("button").click();
  assert.ok(Math.abs(await time(page) - 2.5 * first) < 1e-9);
});

// Gears in space turn together, wheel by wheel, and each has a figure; a camera sees them.
writeFileSync(file("bevel.toml"), `title = "Bevel gears"
space = "space"
[[body]]
name = "driver"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [0, 0, 0.6]
angular_velocity = [0, 0, 3]
[[body]]
name = "driven"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [0.4, 0, 1]
[[joint]]
name = "upright"
type = "revolute"
bodies = ["ground", "driver"]
point = [0, 0, 0.75]
axis = [0, 0, 1]
[[joint]]
name = "level"
type = "revolute"
bodies = ["ground", "driven"]
point = [0.4, 0, 1]
axis = [1, 0, 0]
[[joint]]
name = "bevel"
type = "gear"
joints = ["upright", "level"]
ratio = -0.6
[solve]
duration = 2
`);
assert.equal(run("bevel", file("bevel.toml")), 0);
await visit("bevel", async (page) => {
  const figure = await page.evaluate(() => window.dalembert.data.scene.figures.find(({ kind }) => kind === "gear"));
  assert.deepEqual([figure.axis, figure.axis2], [[0, 0, 1], [1, 0, 0]]);
  await seek(page, 0.2);
  await changes(page, scene, () => seek(page, 0.23));
});

await close();
