// What is selected, in words, at the head of the page; ranges by numbers.
import { element } from "../dom";
import { number } from "../format";
import { label } from "./axis";
import type { StudyParts } from "./page";
import { counted, plainNumber } from "./words";

export class SelectionBar {
  readonly box: HTMLElement;
  private readonly words = element("span", { role: "status" });
  private readonly clear: HTMLElement;

  constructor(private readonly parts: StudyParts) {
    const { study, selection } = parts;
    const column = element("select", { "aria-label": "select by" },
      ...study.columns.map((one, place) => ({ one, place })).filter(({ one }) => one.kind !== "run")
        .map(({ one, place }) => element("option", { value: place }, label(one))));
    const bound = (name: string): HTMLInputElement => element("input", { type: "text", inputmode: "decimal", "aria-label": name, placeholder: name, size: 7 });
    const [from, to] = [bound("from"), bound("to")];
    this.clear = element("button", { type: "button", class: "quiet", hidden: true, click: () => selection.clear() }, "All runs");
    const form = element("form", {
      submit: (event) => {
        event.preventDefault();
        const end = (text: string, none: number): number => (text.trim() === "" ? none : Number(text.replace("−", "-")));
        const range: [number, number] = [end(from.value, -Infinity), end(to.value, Infinity)];
        if (range.some(Number.isNaN)) return;
        selection.select([Number(column.value), range]);
      },
    }, column, from, to, element("button", { type: "submit", class: "quiet" }, "Select"));
    this.box = element("div", { class: "selection-bar screen" }, this.words, this.clear, element("span", { class: "stretch" }), form);
    selection.listen(() => this.show());
    this.show();
  }

  private show(): void {
    const { study, rows, selection } = this.parts;
    this.clear.hidden = selection.isEmpty;
    const all = rows.reached;
    const ranges = selection.columns.map((column) => {
      const [low, high] = selection.range(column)!;
      return `${study.columns[column]!.name} ${number(low, 4)} to ${number(high, 4)}`;
    });
    const share = rows.reached + rows.failed < study.rows ? ` (about ${number((100 * selection.count) / Math.max(1, all), 3)} % of all)` : "";
    this.words.textContent = selection.isEmpty ? `${counted(study.rows, "run")}, none selected`
      : `${ranges.join("; ")}: ${plainNumber(selection.count)} of ${counted(all, "run")}${share}`;
  }
}
