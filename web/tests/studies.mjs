// The page of a study: every control does what it says: node studies.mjs DALEMBERT CHROMIUM FOLDER
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { call, changes, close, file, holds, readCsv, visit } from "./browser.mjs";
import { printed } from "./gestures.mjs";

const sweep = (name, ...options) =>
  call("sweep", ...options, "-o", file(`${name}.csv`), "--report", file(`${name}.html`), "--quiet");
const megabytes = (name) => statSync(file(`${name}.html`)).size / 1e6;

/** The rows of a study's file that have these values. */
const rowsWith = (csv, condition) => csv.row.map((_, i) => i).filter(condition);
const selected = (page) => page.evaluate(() => window.dalembert.selection.count);
const opened = (page) => page.evaluate(() => window.dalembert.selection.run);
const status = (page) => page.locator(".selection-bar [role=status]").textContent();
const canvasOf = (section, i = 0) => `#${section} .picture >> nth=${i} >> canvas`;

/** Drags over a canvas, from one part of its width and height to another. */
async function drag(page, selector, [x0, y0], [x1, y1]) {
  const canvas = page.locator(selector);
  await canvas.scrollIntoViewIfNeeded();
  await canvas.evaluate((one) => one.scrollIntoView({ block: "center" }));
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + x0 * box.width, box.y + y0 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + (x0 + x1) / 2 * box.width, box.y + (y0 + y1) / 2 * box.height);
  await page.mouse.move(box.x + x1 * box.width, box.y + y1 * box.height);
  await page.mouse.up();
}
async function click(page, selector, x, y) {
  const canvas = page.locator(selector);
  await canvas.evaluate((one) => one.scrollIntoView({ block: "center" }));
  const box = await canvas.boundingBox();
  await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
}
/** In the page: the colours of a canvas, of a copy that is made to be read. */
const giveColours = () => {
  window.coloursOf = (canvas) => {
    const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    const pen = copy.getContext("2d", { willReadFrequently: true });
    pen.drawImage(canvas, 0, 0);
    return pen.getImageData(0, 0, copy.width, copy.height);
  };
};
async function painted(page) {
  await page.evaluate(giveColours);
  await holds(page, () => [...document.querySelectorAll(".picture canvas")].every((canvas) =>
    canvas.dataset.seen || (canvas.width > 0 && window.coloursOf(canvas).data.some((value) => value !== 0) && (canvas.dataset.seen = "yes"))));
}

/** What is in the open panel. */
const panel = (page) => page.evaluate(() => ({
  title: document.querySelector(".run-panel h3").textContent,
  call: document.querySelector(".run-panel code").textContent,
  values: Object.fromEntries([...document.querySelectorAll(".run-panel dl div")].map((one) =>
    [one.querySelector("dt").textContent, Number(one.querySelector("dd").textContent.replace("−", "-"))])),
}));

// One grid: a curve, and everything that can be selected.
assert.equal(sweep("one", "pendulum", "--vary", "theta=0.1:3:60", "--collect", "max(theta'), argmax(theta')"), 0);
await visit("one", async (page) => {
  await painted(page);
  const csv = readCsv("one");
  assert.match(await page.locator(".summary .outcome").textContent(), /^All 60 runs finished\.$/);
  assert.equal(await page.locator("#histograms figure").count(), 2);
  assert.equal(await page.locator("#scatter figure").count(), 2);
  assert.equal(await page.locator("#maps").count(), 0);
  for (const label of await page.locator(".picture canvas").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))) {
    assert.match(label, /max\(theta'\)|argmax/);
  }

  // a selection in a histogram is seen everywhere, and counts what the file has
  for (const [section, i] of [["histograms", 0], ["histograms", 1], ["scatter", 0], ["scatter", 1], ["explorer", 0]]) {
    const target = page.locator(`#${section} canvas`).nth(i);
    await target.scrollIntoViewIfNeeded();
    const before = await target.evaluate((one) => one.toDataURL());
    await page.evaluate(() => window.dalembert.selection.select([1, [2, 4]]));
    await target.evaluate((one) => one.scrollIntoView({ block: "center" }));
    await page.waitForFunction(([section, i, before]) => document.querySelectorAll(`#${section} canvas`)[i].toDataURL() !== before, [section, i, before]);
    await page.evaluate(() => window.dalembert.selection.clear());
  }
  await drag(page, canvasOf("histograms"), [0.3, 0.5], [0.6, 0.5]);
  const range = await page.evaluate(() => window.dalembert.selection.range(1));
  const inside = rowsWith(csv, (i) => csv["max(theta')"][i] >= range[0] && csv["max(theta')"][i] <= range[1]);
  assert.ok(inside.length > 3 && inside.length < 57);
  assert.equal(await selected(page), inside.length);
  assert.match(await status(page), new RegExp(`^max\\(theta'\\) .* to .*: ${inside.length} of 60 runs$`));
  assert.equal(await page.locator("#runs tbody tr").count(), Math.min(40, inside.length));
  await page.locator(".selection-bar button", { hasText: "All runs" }).click();
  assert.equal(await selected(page), 60);
  assert.equal(await status(page), "60 runs, none selected");

  // keys move a selection by whole bins
  await page.locator(canvasOf("histograms")).focus();
  const edges = await page.evaluate(() => window.dalembert.study.columns[1].histogram.edges);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await page.evaluate(() => window.dalembert.selection.range(1)), [edges[0], edges[1]]);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  assert.deepEqual(await page.evaluate(() => window.dalembert.selection.range(1)), [edges[1], edges[3]]);
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await page.evaluate(() => window.dalembert.selection.range(1)), [edges[0], edges[2]]);
  await page.keyboard.press("Escape");
  assert.equal(await selected(page), 60);

  // numbers select, too
  await page.locator("select[aria-label='select by']").selectOption({ label: "theta" });
  await page.locator("input[aria-label=from]").fill("1");
  await page.locator("input[aria-label=to]").fill("2");
  await page.locator(".selection-bar button", { hasText: "Select" }).click();
  assert.equal(await selected(page), rowsWith(csv, (i) => csv.theta[i] >= 1 && csv.theta[i] <= 2).length);
  await page.locator("input[aria-label=from]").fill("two");
  await page.locator(".selection-bar button", { hasText: "Select" }).click();
  assert.equal(await selected(page), rowsWith(csv, (i) => csv.theta[i] >= 1 && csv.theta[i] <= 2).length, "what is no number selects nothing else");
  await page.evaluate(() => window.dalembert.selection.clear());

  // a rectangle over points; a click on a point opens its run; on empty ground it ends the selection
  await drag(page, canvasOf("scatter"), [0.2, 0.1], [0.7, 0.8]);
  assert.equal((await page.evaluate(() => window.dalembert.selection.columns)).length, 2);
  assert.ok((await selected(page)) < 60);
  await click(page, canvasOf("scatter"), 0.9, 0.75);
  assert.equal(await selected(page), 60);
  const spot = await page.evaluate(() => {
    // the last point of the curve, from the pixels of its colour nearest to the right
    const { data, width, height } = window.coloursOf(document.querySelector("#scatter canvas"));
    for (let x = width - 12; x > 0; --x) {
      for (let y = 0; y < height; ++y) {
        const [r, g, b, a] = data.slice(4 * (y * width + x), 4 * (y * width + x) + 4);
        if (a > 150 && b > 150 && r < 90) return [x / width, y / height];
      }
    }
  });
  await click(page, canvasOf("scatter"), ...spot);
  assert.equal(await opened(page), 59);
  const open = await panel(page);
  assert.equal(open.title, "Run 59");
  assert.equal(open.call, `dalembert run pendulum --row ${file("one.csv")}:59`);
  assert.ok(Math.abs(open.values["max(theta')"] - csv["max(theta')"][59]) < 1e-9);
  assert.ok(Math.abs(open.values.theta - 3) < 1e-12);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator(".run-panel button", { hasText: "Copy" }).click();
  await holds(page, () => document.querySelector(".command button").textContent === "Copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), open.call);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".run-panel").isVisible(), false);

  // tables: extremes, runs in the order of a column, numbers behind diagrams
  await page.locator("#extremes button").first().click();
  assert.equal((await panel(page)).title, "Run 59");
  await page.locator(".run-panel button[aria-label=Close]").click();
  assert.equal(await opened(page), undefined);
  const order = async () => (await page.locator("#runs tbody td:first-child").allTextContents()).map(Number);
  assert.deepEqual((await order()).slice(0, 3), [0, 1, 2]);
  await page.locator("#runs thead button").nth(2).click();
  await page.locator("#runs thead button").nth(2).click();
  assert.deepEqual((await order()).slice(0, 3), [59, 58, 57]);
  await page.locator("#histograms details summary").first().click();
  await page.locator("#histograms tbody tr").first().waitFor();
  const bins = (await page.locator("#histograms tbody").first().locator("td:nth-child(3)").allTextContents()).map(Number);
  assert.equal(bins.reduce((sum, count) => sum + count), 60);

  // the motion of an extreme run, over the page
  await page.locator("#extremes button").first().click();
  await page.locator(".run-panel button", { hasText: "Show its motion" }).click();
  await page.locator("dialog.motion").waitFor();
  assert.equal(await page.locator("dialog h1").textContent(), "Run 59");
  await changes(page, "dialog canvas.scene", () => page.evaluate(() => window.dalembert.clock.seek(2)));
  assert.ok(Math.abs(await page.evaluate(() => window.dalembert.samples.find("theta").values[0]) - 3) < 1e-12);
  await page.locator("dialog button", { hasText: "Back to the study" }).click();
  await page.locator("dialog").waitFor({ state: "detached" });  // the event of closing comes a moment later
  await page.evaluate(() => {  // one that is no extreme
    const shown = new Set(window.dalembert.data.motions.map(({ row }) => row));
    window.dalembert.selection.open([...Array(60).keys()].find((row) => !shown.has(row)));
  });
  assert.equal(await page.locator(".run-panel button", { hasText: "Show its motion" }).count(), 0);
  await page.keyboard.press("Escape");

  // the explorer's axes and colours
  for (const [label, option] of [["horizontal", "max(theta')"], ["vertical", "argmax(theta')"], ["colour", "argmax(theta')"]]) {
    await page.locator(`select[aria-label=${label}]`).evaluate((one) => one.scrollIntoView({ block: "start" }));
    const select = page.locator(`select[aria-label=${label}]`);
    const texts = await select.locator("option").allTextContents();
    const wanted = texts.findIndex((text) => text.startsWith(option.split(" ")[0]));
    const now = await select.evaluate((one) => one.selectedIndex);
    await changes(page, "#explorer canvas", () => select.selectOption({ index: wanted === now ? (wanted + 1) % texts.length : wanted }));
  }
  // a hand over a point is told which it is
  await page.locator(canvasOf("scatter")).evaluate((one) => one.scrollIntoView({ block: "center" }));
  const box = await page.locator(canvasOf("scatter")).boundingBox();
  await page.mouse.move(box.x + spot[0] * box.width, box.y + spot[1] * box.height);
  assert.match(await page.locator("#scatter .tip").first().textContent(), /^run 59: theta = 3, max\(theta'\) = 6\.2/);
  await page.pdf({ path: file("one.pdf") });
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width: 400, height });
  await holds(page, () => document.documentElement.scrollWidth === 400);
  await page.setViewportSize({ width, height });
});

// Two grids: each cell is a run.
assert.equal(sweep("two", "pendulum", "--vary", "theta=0.1:3:40", "--vary", "l=log(0.2,5,30)", "--collect", "max(theta'), end(theta)"), 0);
await visit("two", async (page) => {
  await painted(page);
  assert.equal(await page.locator("main > section").first().getAttribute("id"), "maps");
  const csv = readCsv("two");
  const cells = await page.evaluate(() => window.dalembert.study.maps[0]);
  assert.equal(cells.means[0].length, 1200);
  cells.first_row.forEach((row, i) => assert.ok(Math.abs(cells.means[0][i] - csv["max(theta')"][row]) <= 1e-5 * Math.abs(cells.means[0][i])));
  await click(page, canvasOf("maps"), 0.5, 0.5);
  const run = await opened(page);
  const { values } = await panel(page);
  assert.ok(Math.abs(values.theta - csv.theta[run]) < 1e-9 && Math.abs(values.l - csv.l[run]) < 1e-9);
  assert.ok(values.theta > 0.9 && values.theta < 2.2, `theta = ${values.theta} in the middle`);
  await page.keyboard.press("Escape");
  await drag(page, canvasOf("maps", 1), [0.3, 0.3], [0.5, 0.6]);
  const [theta, l] = await page.evaluate(() => [0, 1].map((column) => window.dalembert.selection.range(column)));
  assert.equal(await selected(page), rowsWith(csv, (i) => csv.theta[i] >= theta[0] && csv.theta[i] <= theta[1] && csv.l[i] >= l[0] && csv.l[i] <= l[1]).length);
  assert.ok((await selected(page)) > 10);
}, { colorScheme: "dark" });

// Samples with Sobol's indices: bars with their intervals.
assert.equal(sweep("sobol", "pendulum", "--sample", "theta=uniform(0.1,2.5)", "--sample", "l=normal(1,0.1)", "--sample", "m=lognormal(0,1)",
  "--runs", "300", "--sobol", "--sobol-indices", "--collect", "max(theta'), end(energy)"), 0);
await visit("sobol", async (page) => {
  await painted(page);
  assert.equal(await page.locator("#sensitivity figure").count(), 2);
  assert.match(await page.locator("#sensitivity canvas").first().getAttribute("aria-label"), /^Shares of the variance of max\(theta'\): theta [01]\.\d\d, l 0\.\d\d, m -?0\.00$/);
  await page.locator("#sensitivity details summary").first().click();
  await page.locator("#sensitivity tbody tr").first().waitFor();
  assert.equal(await page.locator("#sensitivity tbody").first().locator("tr").count(), 3);
  assert.match(await page.locator(".study-top").textContent(), /300, drawn by Sobol's sequence/);
  assert.equal(await page.locator(".matrix canvas").count(), 6);
  const screen = page.viewportSize();
  await page.setViewportSize({ width: 800, height: screen.height });  // columns shrink before they scroll
  await holds(page, () => document.querySelector(".matrix").parentElement.scrollWidth <= document.querySelector(".matrix").parentElement.clientWidth);
  await page.setViewportSize(screen);
  const before = await page.locator("#maps canvas").first().evaluate((one) => one.getAttribute("aria-label"));
  await page.locator("#maps select").selectOption({ index: 2 });
  assert.notEqual(await page.locator("#maps canvas").first().evaluate((one) => one.getAttribute("aria-label")), before);
  await page.locator("header button").click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");

  // paper is light, all of it, even what is far from the screen; behind it the page is dark as before
  const ink = () => page.evaluate(() => [...document.querySelectorAll(".picture canvas")].map((canvas) => {
    const { data } = window.coloursOf(canvas);
    let [light, count] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {  // grey and opaque: letters and lines
      if (data[i + 3] < 250 || Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 40) continue;
      light += data[i];
      ++count;
    }
    return light / Math.max(1, count);
  }));
  const dark = await ink();
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  const paper = await ink();
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.equal(paper.length, dark.length);
  assert.deepEqual(await ink(), dark);
  paper.forEach((_, i) => assert.notEqual(paper[i], dark[i], `picture ${i} has other colours on paper`));
  const { width, height } = page.viewportSize();
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 720, height });
  await printed(page);
  await page.emulateMedia({ media: "print" });
  const [inside, box] = await page.evaluate(() => [document.querySelector(".matrix").scrollWidth, document.querySelector(".matrix").parentElement.clientWidth]);
  assert.ok(inside <= box, `the matrix is ${inside} wide in ${box}`);
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize({ width, height });
});

// Runs that fail are counted, seen and said why.
writeFileSync(file("fails.toml"), `title = "A wire that ends <script>alert(1)</script>"
[parameters]
k = 1
c = 0.1
[coordinates]
x = { position = 1, unit = "m" }
[energy]
kinetic = "x'^2/2"
potential = "k*x^2/2 + c*sqrt(x + 1.2)"
[solve]
duration = 5
`);
assert.equal(sweep("fails", file("fails.toml"), "--sample", "x=uniform(0.5,1.5)", "--vary", "k=0.5:2:5", "--runs", "80", "--collect", "max(x), min(x)"), 0);
await visit("fails", async (page) => {
  await painted(page);
  const csv = readCsv("fails");
  const failed = rowsWith(csv, (i) => csv.outcome[i] === "stopped early");
  assert.ok(failed.length > 20);
  assert.equal(await page.locator("header .chip").textContent(), `${failed.length} of 400 did not finish`);
  const counts = (await page.locator("#failures td:first-child").allTextContents()).map(Number);
  assert.equal(counts.reduce((sum, count) => sum + count), failed.length);
  await page.locator("#failures button").first().click();
  const run = await opened(page);
  assert.equal(csv.outcome[run], "stopped early");
  assert.equal(await page.locator(".run-panel .chip").textContent(), "stopped early");
  assert.ok((await page.locator(".run-panel .doubt").textContent()).length > 10);
  assert.equal(await page.locator("#maps canvas").count(), 3);  // two results, and the share of failures
  const red = await page.evaluate(() => {
    const { data } = window.coloursOf(document.querySelector("#scatter canvas"));
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 100 && data[i] > 150 && data[i + 1] < 80 && data[i + 2] < 80) ++count;
    return count;
  });
  assert.ok(red > 30, `${red} pixels are red`);
  assert.match(await page.locator("#histograms figcaption").first().textContent(), /^max\(x\) \[m\]$/);
});

// A hundred thousand runs: a small page that opens at once.
assert.equal(sweep("large", "pendulum", "--sample", "theta=normal(1,0.2)", "--sample", "l=uniform(0.5,1.5)", "--runs", "100000", "--duration", "1",
  "--collect", "max(theta'), end(theta)"), 0);
const { opened: seconds } = await visit("large", async (page) => {
  await painted(page);
  assert.ok(megabytes("large") < 5, `${megabytes("large")} MB`);
  const counts = await page.evaluate(() => window.dalembert.study.columns[2].histogram);
  assert.equal([...counts.reached, counts.below, counts.above].reduce((sum, count) => sum + count), 100000);
  await drag(page, canvasOf("histograms"), [0.4, 0.5], [0.6, 0.5]);
  assert.match(await status(page), /of 4,000 runs \(about [\d.]+ % of all\)$/);
  // the share that the sample estimates is that of all
  const [share, all] = await page.evaluate(() => {
    const { selection, study } = window.dalembert;
    const [low, high] = selection.range(2);
    const { edges, reached } = study.columns[2].histogram;
    return [selection.count / 4000, reached.filter((_, i) => edges[i] >= low && edges[i + 1] <= high).reduce((sum, count) => sum + count) / 100000];
  });
  assert.ok(Math.abs(share - all) < 5 * Math.sqrt(all * (1 - all) / 4000), `${share} of the sample, ${all} of all`);
});
assert.ok(seconds < 2, `opened in ${seconds} s of a processor`);

await close();
