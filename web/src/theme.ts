// Light and dark: the system's choice, or the reader's.
import { element } from "./dom";

export interface Theme {
  ink: string;
  faint: string;
  grid: string;
  paper: string;
  accent: string;
}

// Distinguishable for colour-blind readers (after Okabe and Ito), adjusted to both backgrounds.
const light = ["#0b6bcb", "#d1570a", "#118a5b", "#b5318f", "#8a6d00", "#5b4fc4", "#0f8b9d", "#a8323a"];
const dark = ["#5aa9ff", "#ff9a4d", "#3fcf94", "#f28bd0", "#e3c341", "#a79bff", "#4fd0e0", "#ff8087"];

/** What is lit up, on either background. */
export const warning = "#f5a524";
export const danger = "#e5484d";

const query = window.matchMedia("(prefers-color-scheme: dark)");
const listeners: (() => void)[] = [];
let chosen: "auto" | "light" | "dark" = "auto";
let printing = false;

export const isDark = (): boolean => !printing && (chosen === "auto" ? query.matches : chosen === "dark");
export const seriesColor = (i: number): string => (isDark() ? dark : light)[i % light.length]!;
/** Of marks at events. */
export const eventColor = (): string => (isDark() ? "#c4a7ff" : "#7a4fd0");
/** Where there are more curves than colours: solid, dashed, dotted. */
export const seriesDash = (i: number): number[] => [[], [8, 4], [2, 4]][Math.floor(i / light.length) % 3]!;

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return { ink: read("--ink"), faint: read("--faint"), grid: read("--grid"), paper: read("--card"), accent: read("--accent") };
}

export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

function apply(): void {
  document.documentElement.dataset["theme"] = isDark() ? "dark" : "light";
  for (const listener of listeners) listener();
}

export function startTheme(): HTMLElement {
  query.addEventListener("change", apply);
  window.addEventListener("beforeprint", () => { printing = true; apply(); });
  window.addEventListener("afterprint", () => { printing = false; apply(); });
  const label = (): string => ({ auto: "Colours: system", light: "Colours: light", dark: "Colours: dark" })[chosen];
  const button = element("button", {
    class: "quiet", type: "button", click: () => {
      chosen = chosen === "auto" ? (query.matches ? "light" : "dark") : chosen === "light" ? "dark" : "light";
      button.textContent = label();
      apply();
    },
  }, label());
  apply();
  return button;
}
