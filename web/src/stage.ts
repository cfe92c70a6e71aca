// The choices beside the animation: camera, views, traces, and what is drawn on request.
import { element } from "./dom";
import { extras, type CameraMode, type Extra, type Options, type TraceMode } from "./options";

function choice<T extends string>(label: string, words: Record<T, string>, now: T, choose: (value: T) => void): HTMLElement {
  const select = element("select", { "aria-label": label, change: () => choose(select.value as T) },
    ...(Object.entries(words) as [T, string][]).map(([value, text]) => element("option", { value, selected: value === now }, text)));
  return element("label", {}, `${label} `, select);
}

/** `views` are directions to look along, by name; `available` are the extras that this scene has. */
export function stageControls(options: Options, available: Extra[], views: Record<string, () => void>, reset: () => void,
  takeaway: HTMLElement[]): HTMLElement {
  const cameras: Record<CameraMode, string> = { follow: "follows", fit: "shows all", fixed: "stays" };
  const traces: Record<TraceMode, string> = { grow: "grow", whole: "whole", off: "off" };
  const set = (change: () => void): void => { change(); options.notify(); };
  const boxes = available.map((extra) => {
    const box = element("input", {
      type: "checkbox", checked: options.shown.has(extra), change: () => options.show(extra, box.checked),
    });
    return element("label", {}, box, ` ${extras[extra]}`);
  });
  return element("div", { class: "stage-controls screen", role: "group", "aria-label": "scene" },
    choice("Camera", cameras, options.camera, (value) => set(() => { options.camera = value; reset(); })),
    choice("Traces", traces, options.traces, (value) => set(() => { options.traces = value; })),
    ...Object.entries(views).map(([name, look]) => element("button", { type: "button", class: "quiet", click: look }, name)),
    ...takeaway,
    element("details", { class: "extras" }, element("summary", {}, "Show"), element("div", {}, ...boxes)));
}
