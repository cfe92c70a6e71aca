// The numbers behind a chart, for those who read them, made when they are asked for.
import type { ChartPlan } from "./charts";
import { withUnit, type ShownUnit } from "./data";
import { element } from "./dom";
import { number } from "./format";
import { spread } from "./scene";

const rows = 60;

export function dataTable(plan: ChartPlan, time: Float64Array, timeUnit: ShownUnit): HTMLElement {
  const box = element("div", { class: "scroll" });
  const details = element("details", {
    class: "data screen",
    toggle: () => { if (details.open && box.childElementCount === 0) box.append(table(plan, time, timeUnit)); },
  }, element("summary", {}, "Numbers"), box);
  return details;
}

function table(plan: ChartPlan, time: Float64Array, { unit, scale }: ShownUnit): HTMLElement {
  const head = ["t", ...plan.columns.map(({ name }) => name)];
  const units = [unit, ...plan.columns.map((column) => column.unit)];
  const indices = spread(time.length, rows);
  const caption = indices.length < time.length ? `${indices.length} of ${time.length} samples; dalembert run -o writes all` : `${time.length} samples`;
  return element("table", {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head.map((name, i) => element("th", { scope: "col" }, withUnit(name, units[i]!))))),
    element("tbody", {}, ...indices.map((i) => element("tr", {},
      element("th", { scope: "row" }, number(scale * time[i]!)),
      ...plan.columns.map(({ values }) => element("td", {}, number(values[i]!)))))));
}
