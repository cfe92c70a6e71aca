// Opens real reports from disk in Chromium: node pages.mjs DALEMBERT MAKE_COMPARE_PAGE CHROMIUM FOLDER
// Screenshots stay in FOLDER for people to look at.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const [dalembert, makeComparePage, browserPath, folder] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(folder, { recursive: true });
const file = (name) => join(folder, name);

function run(name, ...options) {
  const files = ["--output", file(`${name}.csv`), "--report", file(`${name}.html`), "--quiet"];
  try {
    execFileSync(dalembert, ["run", ...options, ...files], { stdio: ["ignore", "ignore", "ignore"] });
    return 0;
  } catch (error) {
    return error.status;
  }
}

// The columns of a CSV file by name.
function readCsv(path) {
  const [head, ...rows] = readFileSync(path, "utf8").trim().split("\n").filter((line) => !line.startsWith("#"));
  const table = rows.map((row) => row.split(",").map(Number));
  return Object.fromEntries(head.split(",").map((name, i) => [name, table.map((row) => row[i])]));
}

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

// Opens a report, hands it to `check`, and insists on silence: no request, no message of an error.
async function visit(name, check, { colorScheme = "light" } = {}) {
  const begin = Date.now();
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme });
  page.setDefaultTimeout(60000);
  const requests = [];
  const errors = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) errors.push(message.text()); });
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("dialog", (dialog) => { errors.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(`file://${file(`${name}.html`)}`);
  await page.waitForFunction(() => window.dalembert !== undefined);
  await check(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: file(`${name}.png`) });
  // software rendering is slow at reading back pixels and says so
  const real = errors.filter((text) => !text.includes("GPU stall due to ReadPixels") && !text.includes("software WebGL"));
  assert.deepEqual(real, [], `${name} logs errors`);
  assert.deepEqual(requests.filter((url) => !url.startsWith("file://") && !/^(data|blob):/.test(url)), [], `${name} asks the network`);
  assert.equal(requests.filter((url) => url.startsWith("file://")).length, 1, `${name} reads other files`);
  await page.close();
  console.log(`ok ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
}

const seek = (page, part) => page.evaluate((part) => {
  const { clock } = window.dalembert;
  clock.pause();
  clock.seek(clock.first + part * (clock.last - clock.first));
}, part);
const picture = (page, selector) => page.evaluate((selector) => document.querySelector(selector).toDataURL(), selector);

// What the charts draw is what the file says, at every sample; the legend tells the value at the time of the cursor.
async function compareCurves(page, name) {
  const csv = readCsv(file(`${name}.csv`));
  const drawn = await page.evaluate(async () => {
    for (const { card } of window.dalembert.plots) {
      card.scrollIntoView();
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
    return window.dalembert.plots.flatMap(({ uplot }) =>
      uplot.series.slice(1).map(({ label }, i) => ({ label, x: [...uplot.data[0]], y: [...uplot.data[i + 1]] })));
  });
  const compared = drawn.filter(({ label }) => label in csv);
  assert.ok(compared.length >= 3);
  for (const { label, x, y } of compared) {
    assert.deepEqual(x, csv.t, label);
    assert.deepEqual(y, csv[label], label);
  }
}

async function checkPixels(page, chart) {
  // the colour of the first curve stands at the pixel of its value, for a sample in the middle
  const found = await page.evaluate((chart) => {
    const { card, uplot } = window.dalembert.plots[chart];
    card.scrollIntoView();
    const i = uplot.data[0].length >> 1;
    const [x, y] = [uplot.valToPos(uplot.data[0][i], "x", true), uplot.valToPos(uplot.data[1][i], "y", true)];
    const color = uplot.series[1].stroke().match(/\w\w/g).map((digits) => parseInt(digits, 16));
    const { data } = uplot.ctx.getImageData(Math.round(x) - 2, Math.round(y) - 2, 5, 5);
    for (let k = 0; k < data.length; k += 4) {
      if (color.every((value, channel) => Math.abs(value - data[k + channel]) < 60)) return true;
    }
    return false;
  }, chart);
  assert.ok(found, "the curve is where its numbers say");
}

async function playAndScrub(page, canvas) {
  await page.evaluate(() => document.activeElement.blur());
  await seek(page, 0);
  const before = await picture(page, canvas);
  await page.evaluate(() => { window.dalembert.clock.speed *= 5; });
  await page.keyboard.press("Space");
  await page.waitForFunction(([canvas, before]) => document.querySelector(canvas).toDataURL() !== before, [canvas, before]);
  assert.ok(await page.evaluate(() => window.dalembert.clock.time > window.dalembert.clock.first));
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => window.dalembert.clock.playing), false);
  await page.locator(".transport input").focus();
  await page.keyboard.press("End");
  assert.equal(await page.evaluate(() => window.dalembert.clock.time === window.dalembert.clock.last), true);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Home");
  assert.equal(await page.locator(".transport .time").textContent(), "t = 0");
}

async function zoomPanAndToggle(page) {
  const over = page.locator("#chart-q-1 .u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  const y = box.y + box.height / 2;
  const drag = async (from, to) => {
    await page.mouse.move(box.x + from * box.width, y);
    await page.mouse.down();
    await page.mouse.move(box.x + to * box.width, y, { steps: 3 });
    await page.mouse.up();
  };
  const range = () => page.evaluate(() => {
    const { from, to, first, last } = window.dalembert.range;
    return [(from - first) / (last - first), (to - first) / (last - first)];
  });
  await drag(0.25, 0.5);
  const zoomed = await range();
  assert.ok(Math.abs(zoomed[0] - 0.25) < 0.02 && Math.abs(zoomed[1] - 0.5) < 0.02, `zoomed to ${zoomed}`);
  const shared = await page.evaluate(() => window.dalembert.plots.slice(0, 2).map(({ uplot }) => uplot.scales.x.min));
  assert.equal(shared[0], shared[1], "charts share their time axis");
  await page.keyboard.down("Shift");
  await drag(0.5, 0.25);
  await page.keyboard.up("Shift");
  const panned = await range();
  assert.ok(panned[0] > zoomed[0] + 0.03 && Math.abs(panned[1] - panned[0] - 0.25) < 0.02, `moved to ${panned}`);
  await over.dblclick();
  assert.deepEqual(await range(), [0, 1]);
  const before = await picture(page, "#chart-q-1 canvas");
  const button = page.locator("#chart-q-1 .legend button").first();
  await button.click();
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  await page.waitForFunction((before) => document.querySelector("#chart-q-1 canvas").toDataURL() !== before, before);
  await button.click();
}

async function cursorMovesTheAnimation(page, name) {
  const csv = readCsv(file(`${name}.csv`));
  const over = page.locator("#chart-q-1 .u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const { time, shown, label } = await page.evaluate(() => ({
    time: window.dalembert.clock.time,
    shown: document.querySelector("#chart-q-1 .legend .value").textContent,
    label: window.dalembert.plots[0].uplot.series[1].label,
  }));
  const i = csv.t.findIndex((t) => t > time);
  const part = (time - csv.t[i - 1]) / (csv.t[i] - csv.t[i - 1]);
  const value = csv[label][i - 1] + part * (csv[label][i] - csv[label][i - 1]);
  assert.ok(Math.abs(Number(shown.replaceAll("−", "-")) - value) <= 1e-4 * Math.abs(value), `${shown} for ${value}`);
}

async function portraits(page) {
  await page.locator("#phase").scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector("#phase canvas").width > 300);
  const before = await picture(page, "#phase canvas");
  await page.locator("#phase select").first().selectOption("energy");
  assert.ok(await picture(page, "#phase canvas") !== before, "another column, another portrait");
}

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
  await page.pdf({ path: file("pendulum.pdf") });
  assert.match(await page.locator(".outcome").textContent(), /^The run finished: from t = 0 to t = 10\.$/);
});

assert.equal(run("slider_crank", "slider_crank"), 0);
await visit("slider_crank", async (page) => {
  await compareCurves(page, "slider_crank");
  assert.ok(await page.locator("#equations .katex").count() > 5, "equations are set");
  assert.equal(await page.locator(".katex-error").count(), 0);
  assert.match(await page.locator("#model pre").textContent(), /slider_on_axis = "l1\*sin\(theta1\)/);
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

assert.equal(run("heavy_top", "heavy_top"), 0);
await visit("heavy_top", async (page) => {
  await compareCurves(page, "heavy_top");
  await page.evaluate(() => window.scrollTo(0, 0));
  await playAndScrub(page, ".scene");
  const before = await picture(page, ".scene");
  const box = await page.locator(".scene").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 220, { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction((before) => document.querySelector(".scene").toDataURL() !== before, before);
  await seek(page, 0.3);
});

assert.equal(run("failed", "slider_crank", "--max-steps", "20"), 2);
await visit("failed", async (page) => {
  assert.equal(await page.locator(".chip").textContent(), "stopped early");
  assert.match(await page.locator(".outcome").textContent(), /stopped early at t = .* of 10: the limit of 20 steps is reached/);
});

execFileSync(makeComparePage, [file("compare.html")]);
await visit("compare", async (page) => {
  assert.equal(await page.locator("#comparison canvas").count(), 4);
  assert.equal(await page.locator("#comparison tbody tr").count(), 8);
  const before = await picture(page, "#comparison canvas");
  await page.locator("#comparison .legend button").nth(1).click();
  assert.ok(await picture(page, "#comparison canvas") !== before, "a method is hidden");
  await page.locator("#comparison .legend button").nth(1).click();
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
  const { count, longest, points } = await page.evaluate(() => {
    const { range, samples, plots, clock } = window.dalembert;
    let longest = 0;
    for (let i = 0; i < 10; ++i) {
      const begin = performance.now();
      range.zoom(0.8);
      clock.nudge(0.01);
      longest = Math.max(longest, performance.now() - begin);
    }
    return { count: samples.count, longest, points: plots[0].uplot.data[0].length };
  });
  assert.equal(count, 100001);
  assert.ok(points <= 2 * 1280, `${points} points are drawn`);
  assert.ok(longest < 1000, `a zoom takes ${longest} ms`);
  console.log(`   ${count} samples: the slowest of ten zooms takes ${longest.toFixed(0)} ms`);
});

await browser.close();
