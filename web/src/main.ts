// The page: reads its data and puts the sections together.
import "katex/dist/katex.css";
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { animation, listenToKeys, transport } from "./animation";
import { Clock } from "./clock";
import { comparisonSection } from "./compare";
import { decodeSamples, type PageData, type Samples } from "./data";
import { element, section } from "./dom";
import { drawnCurves } from "./drawn";
import { equationsSection } from "./equations";
import { phasePortrait } from "./phase";
import { planCharts } from "./charts";
import { TimePlot, TimeRange } from "./plot";
import { planScene } from "./scene";
import type { Scene2d } from "./scene2d";
import type { Scene3d } from "./scene3d";
import { header, summaryCard } from "./summary";
import { startTheme } from "./theme";

declare global {
  interface Window {
    /** For the browser's console, and for tests. */
    dalembert: { data: PageData; samples?: Samples; clock?: Clock; range?: TimeRange; plots?: TimePlot[]; scene?: Scene2d | Scene3d };
  }
}

function curvesSection(data: PageData, samples: Samples, clock: Clock): HTMLElement {
  const range = new TimeRange(Math.min(clock.first, clock.last), Math.max(clock.first, clock.last));
  const envelope = data.envelope ? decodeSamples(data.envelope) : samples;
  const drawnPlans = new Map(planCharts(envelope).map((plan) => [plan.id, plan]));
  const plots = planCharts(samples).map((plan) =>
    new TimePlot(plan, clock, range, samples.time, drawnCurves(envelope.time, drawnPlans.get(plan.id) ?? plan)));
  Object.assign(window.dalembert, { samples, clock, range, plots });
  const reset = element("button", { type: "button", class: "quiet", hidden: true, click: () => range.reset() }, "Whole time");
  range.listen(() => { reset.hidden = range.whole; });
  return section("curves", "Curves",
    element("p", { class: "hint screen" }, "Drag to zoom, Shift+drag to move, Ctrl+wheel to zoom at the cursor, double-click for " +
      "all. Focused: + − 0 Page↑ Page↓. Names switch curves on and off. ", reset),
    element("div", { class: "charts" }, ...plots.map(({ card }) => card)));
}

function phaseSection(samples: Samples, clock: Clock): HTMLElement {
  const q = samples.group("q");
  const v = samples.group("v");
  const pairs: [string, string][] = [];
  if (q[0] && v[0]) pairs.push([q[0].name, v[0].name]);
  const last = q.length - 1;
  if (last > 0 && v[last]) pairs.push([q[last]!.name, v[last].name]);
  return section("phase", "Phase portraits",
    element("div", { class: "charts" }, ...pairs.map(([x, y]) => phasePortrait(samples, clock, x, y))));
}

function show(data: PageData, page: HTMLElement): void {
  window.dalembert = { data };
  document.title = data.title === "" ? "Dalembert report" : `${data.title} – Dalembert`;
  page.append(header(data, startTheme()));
  if (data.samples) {
    const samples = decodeSamples(data.samples);
    const clock = new Clock(samples.time);
    const scene = data.scene && samples.count > 0 ? planScene(data.scene, samples) : undefined;
    const top = element("div", { class: scene ? "top" : "top single" });
    page.append(top);
    if (scene) top.append(animation(scene, samples, clock));
    if (data.summary) top.append(summaryCard(data, data.summary, samples));
    if (samples.count > 1) {
      page.append(curvesSection(data, samples, clock), phaseSection(samples, clock));
      document.body.append(transport(clock));
      listenToKeys(clock);
    }
  }
  if (data.comparison) page.append(comparisonSection(data.comparison));
  if (data.equations) page.append(equationsSection(data.equations));
  if (data.text !== "") {
    page.append(section("model", "The model as written",
      element("div", { class: "card" }, ...(data.file === "" ? [] : [element("p", { class: "source" }, data.file.replace(/^.*[/\\]/, ""))]),
        element("pre", { tabindex: 0 }, data.text))));
  }
  page.append(element("footer", {}, `Made by ${data.generator}. The equations read M a = f − Cᵀ λ; the generalized ` +
    "constraint force is −Cᵀ λ. This page is complete: it loads nothing."));
}

const page = document.getElementById("report")!;
page.textContent = "";
show(JSON.parse(document.getElementById("data")!.textContent!) as PageData, page);
