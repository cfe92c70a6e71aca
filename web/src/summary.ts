// What a reader sees first: how the run ended and how good it is.
import { timeUnitOf, type PageData, type RunSummary, type Samples } from "./data";
import { element } from "./dom";
import { duration, number, outcomeSentence, qualitySentences, quantity, rough, stem, trustSentence } from "./format";

export function header(data: PageData, themeButton: HTMLElement): HTMLElement {
  const run = data.summary;
  const state = run === undefined ? "" : { finished: "good", doubtful: "bad", "stopped early": "bad", interrupted: "warn" }[run.outcome];
  return element("header", {},
    element("div", { class: "headline" },
      element("h1", {}, data.title || stem(data.file)),
      ...(run ? [element("span", { class: `chip ${state}` }, run.outcome)] : []),
      element("span", { class: "stretch" }), themeButton),
    ...(data.source === "" ? [] : [element("p", { class: "source" }, data.source)]));
}

const said = ["method", "start", "duration"];  // by the sentence and the first row

/** A kinematic system has no energies, and measures its velocities at no constraint. */
const present = (samples: Samples): { g: boolean; gv: boolean; energy: boolean } => ({
  g: samples.group("g").length > 0,
  gv: samples.group("gv").length > 0,
  energy: samples.group("energy").length > 0,
});

/** "pin (force_x, force_y)" for the reactions of a joint. */
export function byJoint(names: string[]): string[] {
  const joints = new Map<string, string[]>();
  for (const name of names) {
    const [, joint, what] = /^(.+)\.([^.]+)$/.exec(name) ?? [undefined, name, undefined];
    joints.set(joint!, [...(joints.get(joint!) ?? []), ...(what === undefined ? [] : [what])]);
  }
  return [...joints].map(([joint, list]) => (list.length === 0 ? joint : list.length === 1 ? `${joint}.${list[0]}` : `${joint} (${list.join(", ")})`));
}

function rows(run: RunSummary, samples: Samples): [string, string][] {
  const order = run.highest_order > 0
    ? `, order ${run.lowest_order === run.highest_order ? run.highest_order : `${run.lowest_order} to ${run.highest_order}`}` : "";
  const timeUnit = timeUnitOf(samples);
  const list: [string, string][] = [
    ["method", `${run.method}${order}`],
    ["steps", `${run.steps}, ${run.rejected} rejected`],
    ["step size", `${number(timeUnit.scale * run.smallest_step, 3)} to ${quantity(run.largest_step, timeUnit, 3)}`],
    ["samples", String(run.samples)],
    ...(run.seconds > 0 ? [["time used", duration(run.seconds)] as [string, string]] : []),
  ];
  const has = present(samples);
  if (has.g) list.push(["max |g|", rough(run.max_position_residual)]);
  if (has.gv && has.energy) list.push(["max |C v + c|", rough(run.max_velocity_residual)]);
  const shared = run.not_unique ?? [];
  if (shared.length > 0) list.push(["not unique", `${byJoint(shared).join(", ")}: those of least norm`]);
  if (has.energy) list.push([run.conservative ? "energy error" : "energy − work", rough(run.max_energy_error)]);
  return list;
}

export function summaryCard(data: PageData, run: RunSummary, samples: Samples): HTMLElement {
  const table = element("table", {});
  const pairs: [string, string][] = [
    ...rows(run, samples),
    ...Object.entries(data.options ?? {}).filter(([name]) => !said.includes(name)),
    ...(data.settings ?? []).map((setting): [string, string] => ["changed", setting]),
  ];
  for (const [name, value] of pairs) {
    table.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)));
  }
  const notes = (run.notes ?? []).map(String);
  if (data.thinned) {
    notes.push(`The run has ${data.thinned.of} samples. Curves show the least and the greatest of every ` +
      `${data.thinned.every}; animation, phase portraits and values at the cursor use every ${data.thinned.every}th sample.`);
  }
  if (data.left_out) {
    notes.push(`To stay readable this page leaves out: ${data.left_out.join(", ")}. A file holds all columns: ` +
      "dalembert run MODEL -o motion.csv.");
  }
  return element("div", { class: "card summary" },
    element("p", { class: "outcome" }, outcomeSentence(run, timeUnitOf(samples))),
    ...(run.doubts ?? []).map((doubt) => element("p", { class: "doubt" }, doubt)),
    ...[...qualitySentences(run, present(samples)), trustSentence(run)]
      .filter((sentence) => sentence !== undefined).map((sentence) => element("p", {}, sentence)),
    table,
    ...(notes.length === 0 ? [] : [element("ul", { class: "notes" }, ...notes.map((note) => element("li", {}, note)))]));
}
