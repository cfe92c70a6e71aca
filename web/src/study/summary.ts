// What was studied: what varied, what was kept, how the runs ended.
import type { PageData } from "../data";
import { element } from "../dom";
import { number } from "../format";
import { label } from "./axis";
import { columnsOf, type StudyColumn, type StudyData } from "./data";
import { runButton } from "./run_panel";
import type { Selection } from "./selection";
import { table } from "./tables";
import { counted, plainNumber } from "./words";

function sentence(study: StudyData): string {
  const ends = Object.entries(study.outcomes).filter(([, count]) => count > 0);
  const all = ends.length === 1 && study.rows === study.all_rows ? `All ${counted(study.rows, "run")} ${ends[0]![0]}.`
    : `Of ${counted(study.rows, "run")} ${ends.map(([word, count]) => `${plainNumber(count)} ${word}`).join(", ")}.`;
  return study.rows < study.all_rows ? `${all} The study is not complete: it has ${counted(study.all_rows, "run")}.` : all;
}

const samplingWords = { none: undefined, random: "drawn at random", sobol: "drawn by Sobol's sequence" };

function facts(data: PageData, study: StudyData): [string, string][] {
  const how = samplingWords[study.samples];
  return [
    ["model", data.file.replace(/^.*[/\\]/, "")],
    ...(how === undefined ? [] : [["samples", `${plainNumber(study.runs)}, ${how}`], ["seed", String(study.seed)]] as [string, string][]),
    ["made by", data.generator],
    ...Object.entries(data.options ?? {}),
    ...(data.settings ?? []).map((setting): [string, string] => ["changed", setting]),
  ];
}

const given = ({ given = "", points }: StudyColumn): string => (points === undefined ? given : `${given} (${counted(points, "point")})`);

export function studySummary(data: PageData, study: StudyData, selection: Selection): HTMLElement {
  const numbers = (column: StudyColumn): (Node | string)[] => (column.count ? [
    number(column.mean!, 6), number(column.deviation!, 3), number(column.min!, 6), runButton(selection, column.min_row!, String(column.min_row!)),
    number(column.max!, 6), runButton(selection, column.max_row!, String(column.max_row!)), plainNumber(column.count)]
    : ["–", "–", "–", "–", "–", "–", "0"]);
  const varied = table(["varies", "as", "from", "to"],
    columnsOf(study, "varied").map(({ column }) => [label(column), given(column), number(column.from ?? NaN), number(column.to ?? NaN)]));
  const kept = table(["kept of each run", "mean", "deviation", "least", "run", "greatest", "run", "values"],
    columnsOf(study, "collected").map(({ column }) => [label(column), ...numbers(column)]));
  return element("div", { class: "top study-top" },
    element("div", { class: "card summary" }, element("p", { class: "outcome" }, sentence(study)),
      element("div", { class: "scroll", tabindex: 0 }, varied),
      ...(columnsOf(study, "collected").length === 0 ? [] : [element("div", { class: "scroll", tabindex: 0 }, kept)])),
    element("div", { class: "card summary" }, element("table", {}, ...facts(data, study).map(([name, value]) =>
      element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value))))));
}
