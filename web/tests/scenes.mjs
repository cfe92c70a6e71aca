// Measures pictures of scenes in Chromium, by pixels: node scenes.mjs DALEMBERT CHROMIUM FOLDER
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { call, changes, close, file, holds, run, seek, visit } from "./browser.mjs";

/** The box around all pixels of a colour, in CSS pixels of the scene, and their centre of gravity. */
const find = (page, color) => page.evaluate((color) => {
  const canvas = document.querySelector("canvas.scene");
  const copy = document.createElement("canvas");
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const probe = copy.getContext("2d", { willReadFrequently: true });
  probe.fillStyle = color;
  probe.fillRect(0, 0, 1, 1);
  const wanted = probe.getImageData(0, 0, 1, 1).data;
  probe.clearRect(0, 0, 1, 1);
  probe.drawImage(canvas, 0, 0);
  const { data, width, height } = probe.getImageData(0, 0, canvas.width, canvas.height);
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity, x: 0, y: 0, count: 0 };
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const at = 4 * (y * width + x);
      if ([0, 1, 2].some((k) => Math.abs(data[at + k] - wanted[k]) > 6) || data[at + 3] < 200) continue;
      Object.assign(box, { left: Math.min(box.left, x), right: Math.max(box.right, x), top: Math.min(box.top, y), bottom: Math.max(box.bottom, y) });
      box.x += x;
      box.y += y;
      ++box.count;
    }
  }
  return { ...box, x: box.x / box.count, y: box.y / box.count };
}, color);

const [green, red] = ["#118a5b", "#a8323a"];  // of springs and of forces in the light theme
const pixels = (page, x, y) => page.evaluate(([x, y]) => {
  const { camera } = window.dalembert.scene;
  return [camera.x(x), camera.y(y), camera.scale];
}, [x, y]);

// A mass on a spring, pulled by a force that turns.
writeFileSync(file("spring.toml"), `title = "Mass on a spring"
space = "plane"
[[body]]
name = "mass"
shape = "box"
size = [0.2, 0.2]
mass = 1
position = [1.4, 0]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "mass"]
point = [1.4, 0]
axis = [1, 0]
[[force]]
name = "coil"
type = "spring"
bodies = ["ground", "mass"]
points = [[0, 0], [-0.1, 0]]
stiffness = 40
length = 1
[[force]]
name = "push"
type = "force"
body = "mass"
force = ["3*cos(t)", "3*sin(t)"]
[solve]
duration = 6.2
output_step = 0.01
`);
assert.equal(run("spring", file("spring.toml")), 0);
await visit("spring", async (page) => {
  await page.evaluate(() => { window.dalembert.scene.options.show("names", false); });
  const lengths = [];
  for (const part of [0, 0.11, 0.3, 0.62]) {
    await seek(page, part);
    const seen = await find(page, green);
    const end = await page.evaluate(() => {
      const { samples, clock, scene } = window.dalembert;
      const x = samples.find("mass.x").values;
      return scene.camera.x(x[Math.round((clock.time / 6.2) * (x.length - 1))] - 0.1);
    });
    const [start] = await pixels(page, 0, 0);
    // the coil begins and ends a tenth of the length from the ends, which are straight; a block covers the last pixels
    assert.ok(Math.abs(seen.left - start) < 3, `the spring begins at ${seen.left}, not ${start}`);
    assert.ok(seen.right <= end + 3 && seen.right > start + 0.8 * (end - start), `it ends at ${seen.right} of ${end}`);
    lengths.push(seen.right - seen.left);
  }
  assert.ok(Math.max(...lengths) > 1.2 * Math.min(...lengths), `it stretches: ${lengths}`);
  for (const part of [0, 0.25, 0.5, 0.75]) {  // the arrow points where the force does
    await seek(page, part);
    const seen = await find(page, red);
    const angle = 6.2 * part;
    const [x, y] = await page.evaluate(() => {
      const { samples, clock, scene } = window.dalembert;
      const values = samples.find("mass.x").values;
      return [scene.camera.x(values[Math.round((clock.time / 6.2) * (values.length - 1))]), scene.camera.y(0)];
    });
    const drawn = Math.atan2(y - seen.y, seen.x - x);
    assert.ok(Math.abs(Math.sin((drawn - angle) / 2)) < 0.06, `at ${angle} the arrow points to ${drawn}`);
  }
  await page.locator(".extras summary").click();
  await page.locator(".extras label", { hasText: "forces" }).locator("input").uncheck();
  assert.equal((await find(page, red)).count, 0, "forces are hidden");
  await changes(page, ".scene", () => page.locator(".extras label", { hasText: "reactions" }).locator("input").check());
  await changes(page, ".scene", () => page.locator(".extras label", { hasText: "velocities" }).locator("input").check());
  await page.locator(".extras summary").click();
});

// A disk that rolls far: the camera goes along, and shows all when asked.
writeFileSync(file("roller.toml"), `title = "Rolling far"
space = "plane"
[[body]]
name = "disk"
shape = "cylinder"
radius = 0.5
mass = 1
position = [0, 0.5]
velocity = [5, 0]
angular_velocity = -10
[[joint]]
name = "road"
type = "rolling"
bodies = ["ground", "disk"]
point = [0, 0]
axis = [1, 0]
radius = 0.5
[[force]]
type = "gravity"
[solve]
duration = 4
output_step = 0.01
`);
assert.equal(run("roller", file("roller.toml")), 0);
await visit("roller", async (page) => {
  for (const part of [0.05, 0.5, 0.95]) {
    await seek(page, part);
    const [x, y, scale] = await pixels(page, 20 * part, 0.5);
    const { width, height } = await page.locator("canvas.scene").boundingBox();
    assert.ok(Math.abs(x - width / 2) < 0.1 * width && Math.abs(y - height / 2) < 0.3 * height, `at ${part} it is at ${x}, ${y}`);
    assert.ok(scale > 0.5 * height, `${scale} pixels for its diameter`);
  }
  await page.locator(".stage-controls select").first().selectOption("fit");
  const { width } = await page.locator("canvas.scene").boundingBox();
  const [first] = await pixels(page, 0, 0.5);
  const [last] = await pixels(page, 20, 0.5);
  assert.ok(first > 0 && last < width && last - first > 0.7 * width, `all from ${first} to ${last} of ${width}`);
  const scene = page.locator("canvas.scene");
  await changes(page, ".scene", () => scene.press("+"));
  await changes(page, ".scene", () => scene.press("ArrowLeft"));
  await changes(page, ".scene", () => scene.press("0"));
  assert.deepEqual(await pixels(page, 20, 0.5).then(([x]) => Math.round(x)), Math.round(last));
  await changes(page, ".scene", () => page.locator(".stage-controls select").nth(1).selectOption("whole"));
  await page.locator(".stage-controls select").first().selectOption("follow");
  const legends = await page.$$eval(".chart .legend", (all) => all.filter((one) => one.clientHeight > 0)
    .map((one) => ({ names: one.querySelectorAll("button").length, below: one.scrollHeight - one.clientHeight })));
  assert.ok(legends.some(({ names }) => names === 1), "a chart of one name");
  for (const { names, below } of legends) assert.ok(below <= 0, `a legend of ${names} names has a scroll bar`);
});

// Every kind of figure in space, and the views along the axes.
assert.equal(run("rolling_disk", "rolling_disk"), 0);
await visit("rolling_disk", async (page) => {
  await seek(page, 0.4);
  for (const axis of ["x", "y", "z"]) await changes(page, ".scene", () => page.locator(".stage-controls button", { hasText: new RegExp(`^${axis}$`) }).click());
  await page.locator(".extras summary").click();
  await page.locator(".extras label", { hasText: "names" }).locator("input").check();
  await holds(page, () => [...document.querySelectorAll(".labels .name")].some((label) => !label.hidden && label.textContent === "disk"));
  await page.locator(".extras summary").click();
}, { colorScheme: "dark" });

// A robot looks as its meshes do, without boxes of inertia.
const models = new URL("../../docs/gallery/models/", import.meta.url).pathname;
if (call("import", `${models}arm.urdf`, "--set", "lift=0.6", "-o", file("arm.toml")) === 0) {  // where there is urdfdom
  assert.equal(run("arm", file("arm.toml")), 0);
  await visit("arm", async (page) => {
    await seek(page, 0.2);
    const drawn = await page.evaluate(() => window.dalembert.data.scene.figures.filter(({ kind }) => kind === "mesh").map(({ name }) => name));
    assert.deepEqual(drawn, ["shoulder", "upper_arm", "forearm", "hand", "ground"]);
    const boxes = await page.evaluate(() => window.dalembert.scene.plan.bodies.flatMap(({ shapes }) => shapes).length);
    assert.equal(boxes, 0);
    const colours = await page.evaluate(() => {
      const canvas = document.querySelector("canvas.scene");
      const copy = document.createElement("canvas");
      Object.assign(copy, { width: canvas.width, height: canvas.height });
      const pen = copy.getContext("2d");
      pen.drawImage(canvas, 0, 0);
      const { data } = pen.getImageData(0, 0, copy.width, copy.height);
      let [blue, orange] = [0, 0];
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 2] > data[i] + 60 && data[i + 3] > 200) ++blue;
        if (data[i] > data[i + 2] + 60 && data[i + 3] > 200) ++orange;
      }
      return { blue, orange };
    });
    assert.ok(colours.blue > 100 && colours.orange > 1000, `shoulder and upper arm are seen: ${JSON.stringify(colours)}`);
    assert.match(await page.locator("#model pre").textContent(), /data = "… \d+ kB"/);
  });
}

// A plate of one corner is a disc around it.
writeFileSync(file("disc.toml"), `title = "Discs"
[coordinates]
x = { position = 0, velocity = 1 }
[energy]
kinetic = "x'^2/2"
[view.solids]
disc = { shape = "plate", size = [0.2], corners = [[0.3, 0]], position = ["x", 0], rotation = [0] }
[solve]
duration = 1
`);
assert.equal(run("disc", file("disc.toml")), 0);
await visit("disc", async (page) => {
  await seek(page, 0.5);
  const [x, y, scale] = await pixels(page, 0.8, 0);
  const rim = await find(page, "#0b6bcb");
  assert.ok(Math.abs(rim.x - x) < 2 && Math.abs(rim.y - y) < 2, `the disc is at ${rim.x}, ${rim.y}, not at ${x}, ${y}`);
  assert.ok(Math.abs((rim.right - rim.left) / scale - 0.4) < 0.02, "as wide as it is");
});

await close();
