// The page: reads its data and puts the sections together.
import "katex/dist/katex.css";
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { animation, listenToKeys, marksOf, transport } from "./animation";
import { Clock } from "./clock";
import { comparisonSection } from "./compare";
import { decodeSamples, timeUnitOf, type PageData, type Samples, type StoredSamples } from "./data";
import { element, section } from "./dom";
import { drawnCurves, finerCurves, otherCurves } from "./drawn";
import { equationsSection } from "./equations";
import { ContactStates, eventsOf, eventsSection } from "./events";
import { waitWhile } from "./lazy";
import { phasePortrait } from "./phase";
import { planCharts } from "./charts";
import { TimePlot, TimeRange, type ChartCurves } from "./plot";
import { render, renderRequest, type RenderRequest } from "./render";
import { planScene } from "./scene";
import type { Scene2d } from "./scene2d";
import type { Scene3d } from "./scene3d";
import { header, summaryCard } from "./summary";
import type { Rows, StudyData } from "./study/data";
import { showStudy } from "./study/page";
import type { Selection } from "./study/selection";
import { startTheme } from "./theme";

declare global {
  interface Window {
    /** For the browser's console, and for tests. */
    dalembert: { data: PageData; samples?: Samples; clock?: Clock; range?: TimeRange; plots?: TimePlot[]; scene?: Scene2d | Scene3d;
      study?: StudyData; rows?: Rows; selection?: Selection };
  }
}

function curvesSection(data: PageData, samples: Samples, fine: Samples, clock: Clock): HTMLElement {
  const range = new TimeRange(Math.min(clock.first, clock.last), Math.max(clock.first, clock.last));
  const envelope = data.envelope ? decodeSamples(data.envelope) : samples;
  const drawnPlans = new Map(planCharts(envelope).map((plan) => [plan.id, plan]));
  const other = data.other ? decodeSamples(data.other.samples) : undefined;
  const beside = other && { samples: other, plans: planCharts(other) };
  const timeUnit = timeUnitOf(samples);
  const events = eventsOf(data);
  const plots = planCharts(samples).map((plan) => {
    const draw = (): ChartCurves => {
      const curves = fine === samples ? drawnCurves(envelope, drawnPlans.get(plan.id) ?? plan) : finerCurves(samples, fine, plan);
      return { ...curves, others: beside ? otherCurves(curves, plan, beside) : [] };
    };
    return new TimePlot(plan, { clock, range, sampleTime: samples.time, timeUnit, events }, draw);
  });
  Object.assign(window.dalembert, { samples, clock, range, plots });
  const reset = element("button", { type: "button", class: "quiet", hidden: true, click: () => range.reset() }, "Whole time");
  range.listen(() => { reset.hidden = range.whole; });
  return section("curves", "Curves",
    element("p", { class: "hint screen" }, "Drag to zoom, Shift+drag to move, Ctrl+wheel to zoom at the cursor, double-click for " +
      "all. Focused: + − 0 Page↑ Page↓. Names switch curves on and off. ", reset),
    ...(data.other ? [element("p", { class: "hint" }, `Dotted: ${data.other.name}.`)] : []),
    element("div", { class: "charts" }, ...plots.map(({ card }) => card)));
}

function phaseSection(data: PageData, samples: Samples, fine: Samples, clock: Clock): HTMLElement {
  const other = data.other && decodeSamples(data.other.samples);
  const q = samples.group("q");
  const v = samples.group("v");
  const pairs: [string, string][] = [];
  if (q[0] && v[0]) pairs.push([q[0].name, v[0].name]);
  const last = q.length - 1;
  if (last > 0 && v[last]) pairs.push([q[last]!.name, v[last].name]);
  return section("phase", "Phase portraits",
    element("div", { class: "charts" }, ...pairs.map(([x, y]) => phasePortrait(samples, fine, clock, x, y, other))));
}

/** Animation, curves and events in `page`, the clock's controls in `footing`. */
function showRun(data: PageData, stored: StoredSamples, page: HTMLElement, footing: HTMLElement): Clock {
  const samples = decodeSamples(stored);
  const fine = data.curves ? decodeSamples(data.curves) : samples;
  const clock = new Clock(samples.time);
  waitWhile(() => clock.playing);
  const scene = data.scene && samples.count > 0 ? planScene(data.scene, fine, data.summary) : undefined;
  const top = element("div", { class: scene ? "top" : "top single" });
  page.append(top);
  if (scene && data.contacts?.length) scene.contacts = new ContactStates(data.contacts, fine, eventsOf(data), Math.abs(clock.last - clock.first));
  if (scene) top.append(animation(scene, fine, clock, data.title || data.file));
  if (data.summary) top.append(summaryCard(data, data.summary, samples));
  if (samples.count > 1) {
    page.append(curvesSection(data, samples, fine, clock), phaseSection(data, samples, fine, clock));
    const timeUnit = timeUnitOf(samples);
    if (eventsOf(data).length > 0) page.append(eventsSection(data, clock, timeUnit));
    footing.append(transport(clock, timeUnit, marksOf(data, clock, timeUnit)));
    listenToKeys(clock, footing);
  }
  return clock;
}

/** Opens the motion of a run of a study; nothing where the page has it not. */
function motionButton(data: PageData, run: number): HTMLElement | undefined {
  const motion = data.motions?.find(({ row }) => row === run);
  if (!motion?.page.samples) return undefined;
  const stored = motion.page.samples;
  return element("button", {
    type: "button", class: "quiet",
    click: () => {
      const body = element("div", { class: "motion-body" });
      const close = element("button", { type: "button", class: "quiet", click: () => dialog.close() }, "Back to the study");
      const title = element("h1", {}, `Run ${run}`);
      const dialog = element("dialog", { class: "motion", "aria-label": `the motion of run ${run}` },
        element("div", { class: "headline" }, title, element("span", { class: "stretch" }), close), body);
      document.body.append(dialog);
      dialog.showModal();
      const clock = showRun(motion.page, stored, body, dialog);
      dialog.addEventListener("close", () => {
        clock.pause();
        dialog.remove();
      });
    },
  }, "Show its motion");
}

function show(data: PageData, page: HTMLElement): void {
  window.dalembert = { data };
  document.title = data.title === "" ? "Dalembert report" : `${data.title} – Dalembert`;
  if (data.study) Object.assign(window.dalembert, showStudy(data, data.study, page, startTheme(), (run) => motionButton(data, run)));
  else page.append(header(data, startTheme()));
  if (data.samples) showRun(data, data.samples, page, document.body);
  if (data.comparison) page.append(comparisonSection(data.comparison));
  if (data.equations) page.append(equationsSection(data.equations));
  if (data.text !== "") {
    page.append(section("model", "The model as written",
      element("div", { class: "card" }, ...(data.file === "" ? [] : [element("p", { class: "source" }, data.file.replace(/^.*[/\\]/, ""))]),
        element("pre", { tabindex: 0 }, withoutMeshes(data.text)))));
  }
  page.append(element("footer", {}, `Made by ${data.generator}. The equations read M a = f − Cᵀ λ; the generalized ` +
    "constraint force is −Cᵀ λ. This page is complete: it loads nothing."));
}

/** Triangles are no text for readers. */
const withoutMeshes = (text: string): string =>
  text.replace(/(data = ")([A-Za-z0-9+/=]{200,})"/g, (_, head: string, bytes: string) => `${head}… ${Math.round(bytes.length / 1024)} kB"`);

/** Leaves nothing but pictures, a line each: the program that asked for them reads it. */
function showPictures(request: RenderRequest, data: PageData): void {
  const leave = (id: string, text: string): void => document.documentElement.replaceChildren(element("body", {}, element("pre", { id }, text)));
  try {
    const samples = decodeSamples(data.curves ?? data.samples!);
    const plan = data.scene && planScene(data.scene, samples, data.summary);
    if (!plan) throw new Error("the model has no scene: it has neither bodies nor a [view]");
    const lines = render(request, data.title, plan, samples, new Clock(samples.time));
    leave("pictures", lines.map((text) => (request.kind === "svg" ? base64(text) : text)).join("\n"));
  } catch (error) {
    leave("failure", String(error));
  }
}

const base64 = (text: string): string => btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));

/** What is folded away is read on paper too. */
function unfoldForPaper(): void {
  const opened: HTMLDetailsElement[] = [];
  window.addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open]):not(.screen):not(.extras)")) {
      opened.push(details as HTMLDetailsElement);
      (details as HTMLDetailsElement).open = true;
    }
  });
  window.addEventListener("afterprint", () => { for (const details of opened.splice(0)) details.open = false; });
}

const page = document.getElementById("report")!;
page.textContent = "";
const data = JSON.parse(document.getElementById("data")!.textContent!) as PageData;
const request = renderRequest();
if (request) showPictures(request, data);
else show(data, page);
unfoldForPaper();
