// What a reader does with a report, and what must come of it.
import assert from "node:assert/strict";
import { changes, holds, readCsv, seek } from "./browser.mjs";

/** What the charts draw is what the file says, at every sample; between samples there may be more points. */
export async function compareCurves(page, name) {
  const csv = readCsv(name);
  const drawn = await page.evaluate(() => window.dalembert.plots.flatMap(({ plan, drawn: { time, curves } }) =>
    plan.columns.map(({ name }, i) => ({ label: name, x: [...time], y: [...curves[i]] }))));
  const compared = drawn.filter(({ label }) => label in csv);
  const curves = Object.keys(csv).filter((label) => label !== "t" && !/^gv?\(/.test(label));  // |g| is drawn in their place
  assert.deepEqual(compared.map(({ label }) => label).sort(), curves.sort());
  for (const { label, x, y } of compared) {
    let next = 0;
    const samples = x.flatMap((t, i) => (t === csv.t[next] ? (++next, [i]) : []));
    const atSamples = (values) => samples.map((i) => values[i]);
    assert.deepEqual(atSamples(x), csv.t, label);
    const unsigned = (values) => values.map((value) => value + 0);  // a column of zeros of either sign is stored as one zero
    assert.deepEqual(unsigned(atSamples(y)), unsigned(csv[label]), label);
  }
}

/** The colour of a chart's first curve stands at the pixel of its value, for a sample in the middle. */
export async function checkPixels(page, chart) {
  await page.evaluate((chart) => window.dalembert.plots[chart].card.scrollIntoView(), chart);
  await holds(page, (chart) => {
    const { uplot } = window.dalembert.plots[chart];
    const i = uplot.data[0].length >> 1;
    const [x, y] = [uplot.valToPos(uplot.data[0][i], "x", true), uplot.valToPos(uplot.data[1][i], "y", true)];
    const color = uplot.series[1].stroke().match(/\w\w/g).map((digits) => parseInt(digits, 16));
    const { data } = uplot.ctx.getImageData(Math.round(x) - 2, Math.round(y) - 2, 5, 5);
    for (let k = 0; k < data.length; k += 4) {
      if (color.every((value, channel) => Math.abs(value - data[k + channel]) < 60)) return true;
    }
    return false;
  }, chart);
}

export async function playAndScrub(page, canvas) {
  await page.evaluate(() => document.activeElement.blur());
  await seek(page, 0);
  await page.evaluate(() => {  // so slowly that it does not end while this test looks at it
    const { clock } = window.dalembert;
    clock.speed = Math.abs(clock.last - clock.first) / 300;
  });
  await changes(page, canvas, async () => {
    await page.keyboard.press("Space");
    await holds(page, () => {
      const { clock } = window.dalembert;
      return clock.playing && Math.abs(clock.time - clock.first) > 0.002 * Math.abs(clock.last - clock.first);
    });
    await page.keyboard.press("Space");
    await holds(page, () => !window.dalembert.clock.playing);
  });
  assert.ok(await page.evaluate(() => window.dalembert.clock.time !== window.dalembert.clock.last), "it was stopped");
  await page.locator(".transport input").focus();
  await page.keyboard.press("End");
  await holds(page, () => window.dalembert.clock.time === window.dalembert.clock.last);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Home");
  await holds(page, () => document.querySelector(".transport .time").textContent === "t = 0");
}

export async function zoomPanAndToggle(page) {
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
  // waits for a range of the time axis, in parts of the whole
  const ranges = (from, to) => holds(page, ([from, to]) => {
    const range = window.dalembert.range;
    const part = (time) => (time - range.first) / (range.last - range.first);
    return Math.abs(part(range.from) - from) < 0.02 && Math.abs(part(range.to) - to) < 0.02;
  }, [from, to]);
  await drag(0.25, 0.5);
  await ranges(0.25, 0.5);
  const shared = await page.evaluate(() => window.dalembert.plots.slice(0, 2).map(({ uplot }) => uplot.scales.x.min));
  assert.equal(shared[0], shared[1], "charts share their time axis");
  await page.keyboard.down("Shift");
  await drag(0.5, 0.25);
  await page.keyboard.up("Shift");
  await ranges(0.25 + 0.0625, 0.5 + 0.0625);  // a quarter of what is seen
  await over.dblclick();
  await holds(page, () => window.dalembert.range.whole);
  const button = page.locator("#chart-q-1 .legend button").first();
  await changes(page, "#chart-q-1 canvas", () => button.click());
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  await button.click();
}

/** The legend tells the value at the time under the cursor, which is the animation's. */
export async function cursorMovesTheAnimation(page, name) {
  const csv = readCsv(name);
  const over = page.locator("#chart-q-1 .u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  const middle = (csv.t[0] + csv.t.at(-1)) / 2;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await holds(page, ([middle, span]) => Math.abs(window.dalembert.clock.time - middle) < 0.01 * span,
    [middle, csv.t.at(-1) - csv.t[0]]);
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

export async function portraits(page) {
  await page.locator("#phase").scrollIntoViewIfNeeded();
  await holds(page, () => document.querySelector("#phase canvas").width > 300);
  await changes(page, "#phase canvas", () => page.locator("#phase select").first().selectOption("energy"));
}

/** On paper, narrower than the screen that the pictures were made for, every picture is as wide as its place. */
export async function printed(page) {
  await page.emulateMedia({ media: "print" });
  const wrong = await page.evaluate(() => {
    const main = document.querySelector("main");
    main.style.width = "700px";
    // read at once: nobody tells the page that it is printed narrower
    const list = [...document.querySelectorAll("canvas:not([hidden])")].map((canvas) => {
      const [inner, outer] = [canvas, canvas.closest(".card")].map((box) => box.getBoundingClientRect());
      return { width: inner.width, right: inner.right - outer.right, shape: inner.width / inner.height - canvas.width / canvas.height };
    }).filter(({ width, right, shape }) => !(width > 100 && right <= 0 && Math.abs(shape) < 0.05));
    main.style.width = "";
    return list;
  });
  assert.deepEqual(wrong, []);
  await page.emulateMedia({ media: null });
}

export async function turnScene(page) {
  await page.evaluate(() => window.scrollTo(0, 0));
  const box = await page.locator(".scene").boundingBox();
  await changes(page, ".scene", async () => {
    await page.mouse.move(box.x + 200, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 220, { steps: 3 });
    await page.mouse.up();
  });
}
