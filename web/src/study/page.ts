// The page of a study: its sections.
import type { PageData } from "../data";
import { element, section } from "../dom";
import { number, stem } from "../format";
import { label } from "./axis";
import { columnsOf, failedRuns, isVaried, Rows, type StudyData } from "./data";
import { HeatMap } from "./heatmap";
import { Histogram } from "./histogram";
import { runButton, RunPanel } from "./run_panel";
import { RunsTable } from "./runs_table";
import { Scatter } from "./scatter";
import { Selection } from "./selection";
import { SelectionBar } from "./selection_bar";
import { sensitivityCards } from "./sensitivity";
import { studySummary } from "./summary";
import { table } from "./tables";
import { plainNumber } from "./words";

const most = 8;  // columns of the matrix

export interface StudyParts {
  study: StudyData;
  rows: Rows;
  selection: Selection;
}

function header(data: PageData, study: StudyData, themeButton: HTMLElement): HTMLElement {
  const failed = failedRuns(study);
  const [state, word] = study.rows < study.all_rows ? ["warn", `${plainNumber(study.rows)} of ${plainNumber(study.all_rows)} runs`]
    : failed > 0 ? ["warn", `${plainNumber(failed)} of ${plainNumber(study.rows)} did not finish`]
      : ["good", `${plainNumber(study.rows)} runs finished`];
  return element("header", {},
    element("div", { class: "headline" }, element("h1", {}, data.title || stem(data.file)),
      element("span", { class: `chip ${state}` }, word!), element("span", { class: "stretch" }), themeButton),
    ...(data.source === "" ? [] : [element("p", { class: "source" }, data.source)]));
}

function histogramSection({ study, rows, selection }: StudyParts): HTMLElement {
  const kept = columnsOf(study, "collected").filter(({ column }) => (column.count ?? 0) > 0);
  const drawn = columnsOf(study, "varied").filter(({ column }) => column.points === undefined);
  return section("histograms", "How results are spread",
    element("p", { class: "hint screen" }, "Drag across a histogram or a rectangle over points: all diagrams show those runs in orange. A click " +
      "opens the nearest run; on empty ground it ends the selection. Focused histograms: ← →, Shift+→, Esc."),
    element("div", { class: "charts histograms" },
      ...[...kept, ...drawn].map(({ column, place }) => new Histogram(column, place, rows, selection).card)));
}

function matrixSection({ study, rows, selection }: StudyParts): HTMLElement {
  const across = columnsOf(study, "varied").slice(0, most);
  const upwards = columnsOf(study, "collected").slice(0, most);
  const few = across.length <= 2;
  const cells = upwards.flatMap((y) => across.map((x) => {
    const scatter = new Scatter(study, rows, selection, { x: x.place, y: y.place }, !few, () => (few ? 300 : 170));
    if (few) return [element("figure", { class: "card" }, element("figcaption", {}, label(y.column), element("span", { class: "over" }, "over"), label(x.column)), scatter.picture.box)];
    return [scatter.picture.box];
  }));
  const grid = few ? element("div", { class: "charts" }, ...cells.flat())
    : matrixGrid(across.map(({ column }) => label(column)), upwards.map(({ column }) => label(column)), cells.flat());
  const sampled = study.densities.length > 0 ? `Shades show where runs are, all of them; what is selected is shown by ${plainNumber(rows.reached)} runs that were drawn at random. ` : "";
  const failed = rows.failed > 0 ? "× at the bottom: did not finish." : "";
  return section("scatter", "Results over what varies",
    ...(sampled + failed === "" ? [] : [element("p", { class: "hint" }, sampled + failed)]), grid);
}

function matrixGrid(across: string[], upwards: string[], cells: HTMLElement[]): HTMLElement {
  const box = element("div", { class: "matrix" });
  box.style.setProperty("--columns", String(across.length));
  box.append(element("span"), ...across.map((name) => element("span", { class: "column" }, name)));
  upwards.forEach((name, j) => {
    box.append(element("span", { class: "row" }, element("span", {}, name)), ...cells.slice(j * across.length, (j + 1) * across.length));
  });
  return element("div", { class: "card scroll", tabindex: 0 }, box);
}

/** Any two columns, as large as the page. */
function explorer({ study, rows, selection }: StudyParts): HTMLElement {
  const shown = study.columns.map((column, place) => ({ column, place })).filter(({ column }) => column.name !== "outcome");
  const choice = (name: string, chosen: number, none?: string): HTMLSelectElement => element("select", { "aria-label": name, change: () => show() },
    ...(none === undefined ? [] : [element("option", { value: "" }, none)]),
    ...shown.map(({ column, place }) => element("option", { value: place, selected: place === chosen }, label(column))));
  const collected = columnsOf(study, "collected").map(({ place }) => place);
  const x = choice("horizontal", collected[1] ?? 0);
  const y = choice("vertical", collected[0] ?? study.columns.length - 1);  // else the steps
  const color = choice("colour", -1, "one colour");
  const chosen = (): { x: number; y: number; color?: number } =>
    ({ x: Number(x.value), y: Number(y.value), ...(color.value === "" ? {} : { color: Number(color.value) }) });
  const scatter = new Scatter(study, rows, selection, chosen(), false, () => 460);
  const show = (): void => scatter.choose(chosen());
  return section("explorer", "Any two columns", element("figure", { class: "card" },
    element("figcaption", {}, y, element("span", { class: "over" }, "over"), x, element("span", { class: "over" }, "coloured by"), color), scatter.picture.box));
}

function mapSection({ study, selection }: StudyParts): HTMLElement {
  const first = study.maps[0]!;
  const shown = [...first.of, ...(failedRuns(study) > 0 ? ["failed" as const] : [])];
  const maps = shown.map((one) => new HeatMap(study, selection, first, one));
  const names = study.maps.map(({ x, y }) => `${study.columns[y]!.name} over ${study.columns[x]!.name}`);
  const select = element("select", { "aria-label": "axes of the heat maps", change: () => { for (const map of maps) map.choose(study.maps[select.selectedIndex]!); } },
    ...names.map((name) => element("option", {}, name)));
  const varied = study.columns.filter(isVaried).length;
  const others = varied > 2 ? "Means over all runs of a cell, whatever else varies. " : "";
  return section("maps", "Over two of what varies",
    element("p", { class: "hint" }, others, ...(names.length > 1 ? ["Axes: ", select, " "] : []),
      element("span", { class: "screen" }, "A click on a cell opens its run, or selects its runs; dragging selects cells.")),
    element("div", { class: "charts" }, ...maps.map(({ card }) => card)));
}

function extremesSection({ study, rows, selection }: StudyParts): HTMLElement {
  const varied = columnsOf(study, "varied").slice(0, most);
  const cards = study.extremes.filter(({ least }) => least.length > 0).map(({ column, least, greatest }) => {
    const of = study.columns[column]!;
    const line = (kind: string) => (i: number, k: number): (Node | string)[] => [
      k === 0 ? kind : "", runButton(selection, rows.numbers[i]!), number(rows.value(i, column), 8),
      ...varied.map(({ place }) => number(rows.value(i, place), 5))];
    return element("div", { class: "card scroll", tabindex: 0 }, table(
      ["", "run", label(of), ...varied.map(({ column: one }) => label(one))],
      [...greatest.map(line("greatest")), ...least.map(line("least"))], `Extremes of ${of.name}`));
  });
  return section("extremes", "Extremes", element("div", { class: "charts" }, ...cards));
}

function failuresSection({ study, selection }: StudyParts): HTMLElement {
  return section("failures", "Runs that did not finish, and doubtful ones", element("div", { class: "card scroll", tabindex: 0 }, table(["runs", "reason", "for instance"],
    study.failures.map(({ reason, count, first_row }) => [plainNumber(count), reason, runButton(selection, first_row)]))));
}

export function showStudy(data: PageData, study: StudyData, page: HTMLElement, themeButton: HTMLElement,
  motion: (run: number) => Node | undefined): StudyParts {
  const rows = new Rows(study.sample, columnsOf(study, "run")[0]!.place);
  const selection = new Selection(rows);
  const parts = { study, rows, selection };
  const varied = study.columns.filter(isVaried).length;
  const isMap = study.maps.length > 0 && study.columns.filter(isVaried).every(({ points }) => points !== undefined) && varied === 2;
  page.append(header(data, study, themeButton), studySummary(data, study, selection));
  if (study.failures.length > 0) page.append(failuresSection(parts));
  const hasResults = columnsOf(study, "collected").length > 0;
  if (isMap) page.append(mapSection(parts));
  const isCurve = varied === 1 && study.columns[0]!.points !== undefined;
  if (isCurve && hasResults) page.append(matrixSection(parts));
  if (hasResults || columnsOf(study, "varied").some(({ column }) => column.points === undefined)) page.append(histogramSection(parts));
  if (hasResults && !isCurve) page.append(matrixSection(parts));
  if (study.maps.length > 0 && !isMap) page.append(mapSection(parts));
  if (study.columns.some(({ indices }) => indices)) {
    page.append(section("sensitivity", "Which quantity matters",
      element("p", { class: "hint" }, "Shares of the variance of each result (Sobol's indices), with intervals of 95 %. What all shares alone " +
        "leave to 1 comes from quantities that act together."),
      element("div", { class: "charts" }, ...sensitivityCards(study))));
  }
  if (hasResults) page.append(extremesSection(parts));
  page.append(explorer(parts), section("runs", "Runs one by one", new RunsTable(study, rows, selection).card));
  document.body.append(new RunPanel(study, rows, selection, motion).box, new SelectionBar(parts).box);
  return parts;
}
