// The animation with its controls, and the keys that work everywhere.
import { speedChoices, type Clock } from "./clock";
import { Camera2d } from "./camera2d";
import type { Samples } from "./data";
import { element } from "./dom";
import { number } from "./format";
import type { Extra } from "./options";
import type { ScenePlan } from "./scene";
import { Scene2d } from "./scene2d";
import { Scene3d } from "./scene3d";
import { stageControls } from "./stage";
import { takeawayButtons } from "./takeaway";

// Nothing where the browser cannot draw in space: the frame says so, and the rest of the page is as useful as ever.
function makeScene(plan: ScenePlan, samples: Samples, clock: Clock, frame: HTMLElement): Scene2d | Scene3d | undefined {
  if (plan.dimension !== 3) return new Scene2d(plan, samples, clock, frame);
  try {
    return new Scene3d(plan, samples, clock, frame);
  } catch (error) {
    if (frame.childElementCount === 0) throw error;
    return undefined;
  }
}

export function animation(plan: ScenePlan, samples: Samples, clock: Clock, title: string): HTMLElement {
  const frame = element("div", { class: "frame stage" });
  const scene = makeScene(plan, samples, clock, frame);
  if (!scene) return element("div", { class: "card animation" }, frame);
  window.dalembert.scene = scene;
  const available: Extra[] = ["names", "velocity", "acceleration"];
  if (plan.bodies.length > 0) available.push("centers", "frames", "instant");
  for (const quantity of ["force", "reaction"] as const) if (scene.arrows.has(quantity)) available.push(quantity);
  if (plan.alerts.redundant.size + plan.alerts.singular.length > 0) available.push("alerts");
  const views = scene instanceof Scene3d ? scene.views() : {};
  return element("div", { class: "card animation" }, frame,
    stageControls(scene.options, available, views, () => scene.camera instanceof Camera2d && scene.camera.reset(),
      takeawayButtons(scene, clock, title)));
}

/** `marks`: times to be seen on the slider. */
export function transport(clock: Clock, unit: string, marks: number[]): HTMLElement {
  const button = element("button", { type: "button", class: "play", click: () => clock.toggle() });
  const slider = element("input", {
    type: "range", min: 0, max: 1000, step: "any", "aria-label": "time",
    input: () => {
      const wanted = clock.first + (Number(slider.value) / 1000) * (clock.last - clock.first);
      clock.pause();
      clock.seek(wanted);
    },
  });
  const time = element("output", { class: "time" });
  const speed = element("select", { "aria-label": "speed", change: () => { clock.speed = Number(speed.value); } },
    ...speedChoices(clock.speed).map((choice) =>
      element("option", { value: choice, selected: choice === clock.speed }, `${number(choice)}×`)));
  const mark = (when: number): HTMLElement => {
    const text = `singular configuration at t = ${number(when, 5)}`;
    const line = element("button", { type: "button", class: "mark", title: text, "aria-label": text, click: () => { clock.pause(); clock.seek(when); } });
    line.style.setProperty("--part", String((when - clock.first) / (clock.last - clock.first || 1)));
    return line;
  };
  const show = (): void => {
    button.textContent = clock.playing ? "❚❚" : "▶";
    button.setAttribute("aria-label", clock.playing ? "pause" : "play");
    const span = clock.last - clock.first;
    slider.value = String(span === 0 ? 0 : (1000 * (clock.time - clock.first)) / span);
    time.textContent = `t = ${number(clock.time, 5)}${unit === "" ? "" : ` ${unit}`}`;
  };
  clock.listen(show);
  show();
  return element("div", { class: "transport", role: "group", "aria-label": "playback" },
    button, element("div", { class: "track" }, slider, ...marks.map(mark)), time, speed);
}

/** Space plays and pauses, arrows step, Home and End jump: wherever no control of its own has the focus. */
export function listenToKeys(clock: Clock): void {
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.closest("button, input, select, summary, a, pre")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions: Record<string, () => void> = {
      " ": () => clock.toggle(),
      ArrowLeft: () => { clock.pause(); clock.nudge(event.shiftKey ? -0.05 : -0.005); },
      ArrowRight: () => { clock.pause(); clock.nudge(event.shiftKey ? 0.05 : 0.005); },
      Home: () => clock.seek(clock.first),
      End: () => clock.seek(clock.last),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
