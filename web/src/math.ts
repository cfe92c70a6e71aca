// Mathematics by KaTeX, built as nodes: no HTML text, and commands that load or link are not trusted.
import katex from "katex";
import { element } from "./dom";

const options = { throwOnError: false, trust: false, strict: "ignore", output: "html", maxExpand: 100000 } as const;

export function displayMath(latex: string): HTMLElement {
  const box = element("div", { class: "math" });
  try {
    katex.render(latex, box, { ...options, displayMode: true });
  } catch {
    box.textContent = latex;
  }
  return box;
}

/** The formula, or plain text where there is none. */
export function inlineMath(latex: string, text: string): HTMLElement {
  const span = element("span", { class: "name" });
  if (latex === "") {
    span.textContent = text;
    return span;
  }
  span.title = text;
  try {
    katex.render(latex, span, options);
  } catch {
    span.textContent = text;
  }
  return span;
}
