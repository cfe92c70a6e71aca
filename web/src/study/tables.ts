// Tables, made when they are asked for.
import { element } from "../dom";

export type Cell = Node | string;

export function table(head: Cell[], rows: Cell[][], caption?: string): HTMLTableElement {
  return element("table", { class: "numbers" },
    ...(caption === undefined ? [] : [element("caption", {}, caption)]),
    element("thead", {}, element("tr", {}, ...head.map((cell) => element("th", { scope: "col" }, cell)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))))));
}

/** The numbers behind a diagram. */
export function numbersBehind(name: string, head: string[], rows: () => Cell[][]): HTMLElement {
  const box = element("div", { class: "scroll", tabindex: 0 });
  const details = element("details", {
    class: "data screen",
    toggle: () => { if (details.open) box.replaceChildren(table(head, rows())); },
  }, element("summary", { "aria-label": `Numbers: ${name}` }, "Numbers"), box);
  return details;
}
