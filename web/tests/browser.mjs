// What page tests share: reports made by the program, opened from disk in Chromium. Nothing here waits for a time;
// everything waits for what a reader would see.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const [dalembert, browserPath, folder] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(folder, { recursive: true });
export const file = (name) => join(folder, name);

/** The exit status of the program; no news is good news. */
export function call(...options) {
  try {
    execFileSync(dalembert, options, { stdio: ["ignore", "ignore", "pipe"] });
    return 0;
  } catch (error) {
    return error.status;
  }
}

/** Runs a model to NAME.csv and NAME.html. */
export const run = (name, ...options) =>
  call("run", ...options, "--output", file(`${name}.csv`), "--report", file(`${name}.html`), "--quiet");

/** The columns of a CSV file by name. */
export function readCsv(name) {
  const [head, ...rows] = readFileSync(file(`${name}.csv`), "utf8").trim().split("\n").filter((line) => !line.startsWith("#"));
  const table = rows.map((row) => row.split(","));
  const parse = (text) => (text === "" || Number.isNaN(Number(text)) ? text : Number(text));
  return Object.fromEntries(head.split(",").map((column, i) => [column, table.map((row) => parse(row[i]))]));
}

// WebGL needs the software renderer; everything else is quicker without it.
const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing",
    "--disable-gpu-rasterization", "--disable-accelerated-2d-canvas"],
});
export const close = () => browser.close();

// One tab for all reports: a new one for each costs more than most of them.
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
page.setDefaultTimeout(300_000);  // never reached but by a mistake, however busy the machine is
const requests = [];
const errors = [];
page.on("request", (request) => requests.push(request.url()));
page.on("console", (message) => { if (["error", "warning"].includes(message.type())) errors.push(message.text()); });
page.on("pageerror", (error) => errors.push(error.message));
// what never reaches the console, such as a loop of resizing
await page.addInitScript(() => window.addEventListener("error", ({ message }) => console.error(message)));
page.on("dialog", (dialog) => { errors.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });

/** From here on pages find no WebGL, as on a remote desktop. */
export const forbidWebGL = () => page.addInitScript(() => {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...rest);
  };
});

const system = await browser.newBrowserCDPSession();
const metrics = await page.context().newCDPSession(page);
await metrics.send("Performance.enable", { timeDomain: "threadTicks" });

/** What all processes of the browser have used so far, in seconds. */
export async function processorTime() {
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** What the page's own thread has used since it was opened, in seconds. */
async function pageTime() {
  const { metrics: list } = await metrics.send("Performance.getMetrics");
  return list.find(({ name }) => name === "TaskDuration").value;
}

/** Opens a report, hands it to `check`, and insists on silence: no request, no message of an error. Returns how much of a
 * processor the page needed until it was loaded. */
export async function visit(name, check, { colorScheme = "light" } = {}) {
  const begin = Date.now();
  requests.length = errors.length = 0;
  await page.emulateMedia({ colorScheme });
  const sofar = await pageTime();
  await page.goto(`file://${file(`${name}.html`)}`);
  const now = await pageTime();
  const opened = now < sofar ? now : now - sofar;  // a new process begins at zero
  await holds(page, () => window.dalembert && (window.dalembert.plots ?? []).every(({ uplot }) => uplot));
  await page.evaluate(() => document.fonts.ready);
  await check(page);
  await photograph(name);
  // software rendering is slow at reading back pixels and says so
  const real = errors.filter((text) => !text.includes("GPU stall due to ReadPixels") && !text.includes("software WebGL"));
  assert.deepEqual(real, [], `${name} logs errors`);
  assert.deepEqual(requests.filter((url) => !url.startsWith("file://") && !/^(data|blob):/.test(url)), [], `${name} asks the network`);
  assert.equal(requests.filter((url) => url.startsWith("file://")).length, 1, `${name} reads other files`);
  console.log(`ok ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
  return { opened };
}

/** The top of the page as a picture for people to look at. */
async function photograph(name) {
  await page.evaluate(() => {
    window.scrollTo(0, 0);
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  await page.screenshot({ path: file(`${name}.png`) });
}

export const seek = (page, part) => page.evaluate((part) => {
  const { clock } = window.dalembert;
  clock.pause();
  clock.seek(clock.first + part * (clock.last - clock.first));
}, part);

export const picture = (page, selector) =>
  page.evaluate((selector) => document.querySelector(selector).toDataURL(), selector);

/** Waits until a condition holds in the page; not by frames, which come late on a busy machine. */
export const holds = (page, condition, argument) => page.waitForFunction(condition, argument, { polling: 20 });

/** Does something to the page and insists that a canvas then shows something else. */
export async function changes(page, selector, act) {
  const before = await picture(page, selector);
  await act();
  await page.waitForFunction(([selector, before]) => document.querySelector(selector).toDataURL() !== before,
    [selector, before], { polling: 100, timeout: 60_000 });
}
