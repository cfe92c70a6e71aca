// The animation with its controls, and the keys that work everywhere.
import { speedChoices, type Clock } from "./clock";
import { Camera2d } from "./camera2d";
import type { PageData, Samples, ShownUnit } from "./data";
import { element } from "./dom";
import { eventsOf, type ContactStates, grouped, groupText } from "./events";
import { number, quantity } from "./format";
import type { Extra, Options } from "./options";
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
  if (plan.contacts) {
    available.push("contacts");
    frame.append(contactNames(plan.contacts, scene.options, clock));
  }
  const views = scene instanceof Scene3d ? scene.views() : {};
  return element("div", { class: "card animation" }, frame,
    stageControls(scene.options, available, views, () => scene.camera instanceof Camera2d && scene.camera.reset(),
      takeawayButtons(scene, clock, title)));
}

/** Which contacts are closed, by their names. */
function contactNames(contacts: ContactStates, options: Options, clock: Clock): HTMLElement {
  const box = element("div", { class: "contacts", "aria-hidden": "true" });
  let before = "";
  const show = (): void => {
    const [closed, struck] = [contacts.closed(clock.time), contacts.struck(clock.time)];
    const names = options.shown.has("contacts") ? [...new Set([...closed, ...struck])] : [];
    const text = names.map((name) => (struck.has(name) ? `${name}: impact` : `${name}: closed`)).join("\n");
    if (text === before) return;
    before = text;
    box.replaceChildren(...text.split("\n").filter((line) => line !== "").map((line) => element("span", {}, line)));
  };
  clock.listenCalmly(show);
  options.listen(show);
  show();
  return box;
}

/** A time to be seen on the slider. */
export interface Mark {
  when: number;
  text: string;
  kind: "singular" | "event";
}

const apart = 0.006;  // of the slider: events nearer than this share a mark

export function marksOf(data: PageData, clock: Clock, timeUnit: ShownUnit): Mark[] {
  const groups = grouped(eventsOf(data), apart * Math.abs(clock.last - clock.first));
  return [
    ...groups.map((group): Mark => ({ when: group[0]!.t, text: groupText(group, timeUnit), kind: "event" })),
    ...(data.summary?.singular_times ?? []).map((when): Mark => ({ when, text: `singular configuration at t = ${quantity(when, timeUnit, 5)}`, kind: "singular" })),
  ];
}

export function transport(clock: Clock, timeUnit: ShownUnit, marks: Mark[]): HTMLElement {
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
  const mark = ({ when, text, kind }: Mark): HTMLElement => {
    const line = element("button", { type: "button", class: `mark ${kind}`, title: text, "aria-label": text, click: () => { clock.pause(); clock.seek(when); } });
    line.style.setProperty("--part", String((when - clock.first) / (clock.last - clock.first || 1)));
    return line;
  };
  const show = (): void => {
    button.textContent = clock.playing ? "❚❚" : "▶";
    button.setAttribute("aria-label", clock.playing ? "pause" : "play");
    const span = clock.last - clock.first;
    slider.value = String(span === 0 ? 0 : (1000 * (clock.time - clock.first)) / span);
    time.textContent = `t = ${quantity(clock.time, timeUnit, 5)}`;
    slider.setAttribute("aria-valuetext", time.textContent);
  };
  clock.listenCalmly(show);
  show();
  return element("div", { class: "transport", role: "group", "aria-label": "playback" },
    button, element("div", { class: "track" }, slider, ...marks.map(mark)), time, speed);
}

/** Space plays and pauses, arrows step, Home and End jump: wherever no control of its own has the focus. */
export function listenToKeys(clock: Clock, place: HTMLElement): void {
  place.addEventListener("keydown", (event) => {
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
