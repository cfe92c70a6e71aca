// The run that is open: what was varied, what came out, and how to have it again.
import { element } from "../dom";
import { number } from "../format";
import { label } from "./axis";
import { columnsOf, type Rows, type StudyData } from "./data";
import type { Selection } from "./selection";

/** Where the page has no clipboard, as in a frame of a notebook, the text is selected instead. */
async function copy(text: string, from: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    window.getSelection()?.selectAllChildren(from);
    return document.execCommand("copy");
  }
}

export const callOf = (study: StudyData, run: number): string => `${study.call.before}${run}${study.call.behind}`;

/** A button that opens a run. */
export const runButton = (selection: Selection, run: number, text = `Run ${run}`): HTMLElement =>
  element("button", { type: "button", class: "link", click: () => selection.open(run) }, text);

export class RunPanel {
  readonly box = element("aside", { class: "run-panel", "aria-label": "the run that is open", "aria-live": "polite", hidden: true });

  constructor(private readonly study: StudyData, private readonly rows: Rows, private readonly selection: Selection,
    private readonly motion: (run: number) => Node | undefined) {
    selection.listen(() => this.show(selection.run));
    document.addEventListener("keydown", ({ key }) => { if (key === "Escape" && selection.run !== undefined) selection.open(undefined); });
  }

  private shown: number | undefined;

  private show(run: number | undefined): void {
    if (run === this.shown) return;
    this.shown = run;
    this.box.hidden = run === undefined;
    document.body.classList.toggle("has-run", run !== undefined);
    if (run === undefined) return;
    const place = this.rows.find(run);
    const motion = this.motion(run);
    this.box.replaceChildren(
      element("div", { class: "headline" }, element("h3", {}, `Run ${run}`), ...this.outcome(place), element("span", { class: "stretch" }),
        ...(motion ? [motion] : []),
        element("button", { type: "button", class: "quiet", "aria-label": "Close", click: () => this.selection.open(undefined) }, "✕")),
      ...this.reason(place),
      ...(place === undefined ? [element("p", { class: "hint" }, "The page has this run's numbers in no list; the call below computes them.")]
        : [this.values(place)]),
      this.command(run));
  }

  private outcome(place: number | undefined): Node[] {
    if (place === undefined) return [];
    const word = Object.keys(this.study.outcomes)[this.rows.outcome(place)] ?? "";
    return [element("span", { class: `chip ${word === "finished" ? "good" : "bad"}` }, word)];
  }
  private reason(place: number | undefined): Node[] {
    const reason = place === undefined ? "" : this.rows.reason(place);
    return reason === "" ? [] : [element("p", { class: "doubt" }, reason)];
  }
  private values(place: number): HTMLElement {
    const list = (kind: "varied" | "collected" | "run"): HTMLElement[] => columnsOf(this.study, kind)
      .filter(({ column }) => column.name !== "outcome").map((one) =>
        element("div", { class: kind }, element("dt", {}, label(one.column)), element("dd", {}, number(this.rows.value(place, one.place), 12))));
    return element("dl", {}, ...list("varied"), ...list("collected"), ...list("run"));
  }
  private command(run: number): HTMLElement {
    const text = callOf(this.study, run);
    const code = element("code", { tabindex: 0 }, text);
    const button = element("button", {
      type: "button", class: "quiet",
      click: () => { void copy(text, code).then((done) => { button.textContent = done ? "Copied" : "Copy"; }); },
    }, "Copy");
    return element("p", { class: "command" }, code, button);
  }
}
