// The runs that are selected, one by one, in the order of any column.
import { element } from "../dom";
import { number } from "../format";
import { label } from "./axis";
import type { Rows, StudyData } from "./data";
import { runButton } from "./run_panel";
import type { Selection } from "./selection";
import { table } from "./tables";
import { counted, plainNumber } from "./words";

const most = 40;

export class RunsTable {
  readonly card = element("div", { class: "card scroll", tabindex: 0 });
  private by = -1;  // the number of the row
  private falling = false;

  constructor(private readonly study: StudyData, private readonly rows: Rows, private readonly selection: Selection) {
    let columns = "";
    selection.listen(() => {
      const now = selection.columns.map((column) => [column, selection.range(column)]).join();
      if (now !== columns) this.fill();
      columns = now;
    });
    this.fill();
  }

  private fill(): void {
    const { rows, study, selection } = this;
    const shown = study.columns.map((column, place) => ({ column, place })).filter(({ column }) => column.kind !== "run");
    const chosen = Array.from({ length: rows.reached + rows.failed }, (_, i) => i).filter((i) => selection.has(i));
    const key = (i: number): number => (this.by < 0 ? rows.numbers[i]! : rows.value(i, this.by));
    const sign = this.falling ? -1 : 1;
    chosen.sort((a, b) => (Number.isNaN(key(a)) ? 1 : Number.isNaN(key(b)) ? -1 : sign * (key(a) - key(b))));
    const head = (text: string, place: number): HTMLElement => element("button", {
      type: "button", class: "link",
      click: () => {
        this.falling = this.by === place && !this.falling;
        this.by = place;
        this.fill();
      },
    }, text + (this.by === place ? (this.falling ? " ↓" : " ↑") : ""));
    const body = chosen.slice(0, most).map((i) => [
      runButton(selection, rows.numbers[i]!, String(rows.numbers[i]!)),
      ...shown.map(({ place }) => number(rows.value(i, place))),
      rows.hasFailed(i) ? "did not finish" : ""]);
    const all = chosen.length > most ? `The first ${most} of ${plainNumber(chosen.length)} runs` : counted(chosen.length, "run");
    this.card.replaceChildren(table([head("row", -1), ...shown.map(({ column, place }) => head(label(column), place)), ""], body, all));
  }
}
