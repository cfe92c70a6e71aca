// The equations of the model; a block that is large stays closed, and is set only when it is opened.
import type { EquationBlock, PageData } from "./data";
import { element, section } from "./dom";
import { displayMath } from "./math";

const large = 1600;  // characters of LaTeX

const environments = (latex: string): string[] => latex.match(/\\begin\{align\*\}[\s\S]*?\\end\{align\*\}/g) ?? [latex];

function blockElement(block: EquationBlock): HTMLElement {
  if (block.latex === "") {
    return element("p", { class: "source" }, element("span", { class: "symbol" }, block.symbol), ` ${block.meaning}`);
  }
  const body = element("div", { class: "scroll", tabindex: 0 });
  const details = element("details", {},
    element("summary", {}, element("span", { class: "symbol" }, block.symbol), ` ${block.meaning}`), body);
  const fill = (): void => {
    if (body.childElementCount === 0) body.append(...environments(block.latex).map(displayMath));
  };
  details.addEventListener("toggle", () => { if (details.open) fill(); });
  window.addEventListener("beforeprint", fill);  // what is opened for paper tells too late
  if (block.latex.length <= large) {
    details.open = true;
    fill();
  }
  return details;
}

export function equationsSection(equations: NonNullable<PageData["equations"]>): HTMLElement {
  return section("equations", "Equations",
    element("div", { class: "card" },
      element("div", { class: "scroll", tabindex: 0 }, ...[equations.laws, equations.unknowns].filter((latex) => latex !== "")
        .flatMap(environments).map(displayMath)),
      ...equations.blocks.map(blockElement)));
}
