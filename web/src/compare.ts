// Methods side by side: error over time used, drift over simulated time, and the numbers.
import type { ComparedMethod, Comparison } from "./data";
import { element, onResize, section } from "./dom";
import { duration, number, rough } from "./format";
import { onTheme, seriesColor, seriesDash } from "./theme";
import { workPrecision } from "./work_precision";
import { paintXy, type XyPlot } from "./xyplot";

const swatch = (i: number): HTMLElement =>
  element("span", { class: `swatch series-${i % 8} dash-${Math.floor(i / 8) % 3}` });

/** `all` gives a method the same colour in every diagram. */
function diagram(title: string, all: ComparedMethod[], methods: ComparedMethod[], make: (shown: boolean[]) => XyPlot): HTMLElement {
  const canvas = element("canvas", { role: "img", "aria-label": title });
  const box = element("div", { class: "frame" }, canvas);
  const shown = methods.map(() => true);
  let width = 0;
  const draw = (): void => { if (width > 0) paintXy(canvas, width, make(shown)); };
  onResize(box, (now) => { width = now; draw(); });
  onTheme(draw);
  const legend = element("div", { class: "legend" }, ...methods.map(({ name }, i) => {
    const button = element("button", {
      type: "button", "aria-pressed": "true",
      click: () => {
        shown[i] = !shown[i];
        button.setAttribute("aria-pressed", String(shown[i]));
        draw();
      },
    }, swatch(all.indexOf(methods[i]!)), name);
    return button;
  }));
  return element("figure", { class: "card portrait" }, element("figcaption", {}, title), box, legend);
}

type Quantity = "position" | "velocity" | "energy";
const driftTitles: [Quantity, string][] = [
  ["position", "Drift: largest |g|"],
  ["velocity", "Drift: largest |C v + c|"],
  ["energy", "Energy error"],
];

function runsTable(methods: ComparedMethod[]): HTMLElement {
  const head = ["method", "tolerance or step", "steps", "time used", "error"];
  const rows = methods.flatMap(({ name, runs }) => runs.map((run) =>
    [name, number(run.tolerance, 3), String(run.steps), duration(run.seconds), rough(run.error)]));
  return element("div", { class: "card scroll" }, element("table", { class: "runs" },
    element("thead", {}, element("tr", {}, ...head.map((word) => element("th", { scope: "col" }, word)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell)))))));
}

export function comparisonSection(comparison: Comparison): HTMLElement {
  const { methods } = comparison;
  const drifting = methods.filter(({ drift }) => drift !== undefined);
  const driftDiagrams = drifting.length === 0 ? [] : driftTitles
    .filter(([quantity]) => drifting.some(({ drift }) => drift![quantity].some((value) => value > 0)))
    .map(([quantity, title]) => diagram(title, methods, drifting, (shown) => ({
      log: { x: false, y: true },
      labels: { x: "simulated time", y: title },
      series: drifting.map((method) => ({
        color: seriesColor(methods.indexOf(method)), dash: seriesDash(methods.indexOf(method)), x: method.drift!.t, y: method.drift![quantity],
        indices: method.drift!.t.map((_, i) => i).filter((i) => method.drift![quantity][i]! > 0),  // zero has no logarithm
      })).filter((_, i) => shown[i]),
    })));
  return section("comparison", "Methods side by side",
    element("p", { class: "hint" }, `Errors against ${comparison.reference}${comparison.confirmed && comparison.check ? `, ${comparison.check}` : ""}.`),
    ...(comparison.confirmed === false ? [element("p", { class: "doubt" }, `The reference is ${comparison.check ?? "not confirmed"}.`)] : []),
    element("div", { class: "charts" },
      diagram("Work and precision", methods, methods, (shown) => workPrecision(methods, shown, seriesColor, seriesDash)), ...driftDiagrams),
    runsTable(methods));
}
