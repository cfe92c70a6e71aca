// What happened at instants: marks in curves and on the slider, a table, and which contacts are closed.
import { indexAt, withUnit, type PageData, type RunEvent, type Samples, type ShownUnit } from "./data";
import type { Clock } from "./clock";
import { element, section } from "./dom";
import { number, quantity } from "./format";
import type { Pose } from "./pose";
import { shortName, type ScenePlan } from "./scene";
import type { Vec } from "./vec";

export const eventsOf = (data: PageData): RunEvent[] => data.summary?.events ?? [];

/** "floor (impact)" */
export const eventName = ({ name, kind }: RunEvent): string => `${name} (${kind})`;

const changes = ({ kind }: RunEvent): boolean => ["impact", "rest", "opening"].includes(kind);

/** "floor (impact), energy −2.45, impulse floor 6.64" */
export function eventText(event: RunEvent): string {
  const parts = [eventName(event)];
  if (event.energy_change !== undefined && event.energy_change !== null && event.energy_change !== 0) parts.push(`energy ${number(event.energy_change, 4)}`);
  for (const [name, impulse] of Object.entries(event.impulses ?? {})) parts.push(`impulse ${name} ${number(impulse, 4)}`);
  if (event.note) parts.push(event.note);
  return parts.join(", ");
}

/** Events by times that are at least so far apart that each can be seen, or pointed at. */
export function grouped(events: RunEvent[], apart: number): RunEvent[][] {
  const groups: RunEvent[][] = [];
  for (const event of events) {
    const group = groups[groups.length - 1];
    if (group && event.t - group[0]!.t < apart) group.push(event);
    else groups.push([event]);
  }
  return groups;
}

/** Of one event all that is known, of several how many of which kind. */
export function groupText(group: RunEvent[], timeUnit: ShownUnit): string {
  const at = (t: number): string => quantity(t, timeUnit, 7);
  if (group.length === 1) return `t = ${at(group[0]!.t)}: ${eventText(group[0]!)}`;
  const counts = countByName(group).map(({ name, list }) => (list.length > 1 ? `${list.length} × ${name}` : name));
  return `t = ${at(group[0]!.t)} to ${at(group[group.length - 1]!.t)}: ${counts.join(", ")}`;
}

function countByName(events: RunEvent[]): { name: string; list: RunEvent[] }[] {
  const lists = new Map<string, RunEvent[]>();
  for (const event of events) {
    const name = eventName(event);
    const list = lists.get(name);
    if (list) list.push(event);
    else lists.set(name, [event]);
  }
  return [...lists].map(([name, list]) => ({ name, list }));
}

const roundOff = 1e-12;  // of the energy's scale

function changed(list: RunEvent[], scale: number): string {
  const energies = list.flatMap(({ energy_change }) => energy_change ?? []);
  const sum = energies.reduce((a, b) => a + b, 0);
  return energies.length === 0 ? "" : number(Math.abs(sum) > roundOff * scale ? sum : 0, 5);
}

const mostRows = 200;

export function eventsSection(data: PageData, clock: Clock, { unit, scale }: ShownUnit): HTMLElement {
  const events = eventsOf(data);
  const count = data.summary?.event_count ?? events.length;
  const seek = (t: number): HTMLElement => element("button", {
    type: "button", class: "quiet time", title: "show this moment", click: () => { clock.pause(); clock.seek(t); },
  }, number(scale * t, 9));
  const head = (...names: string[]): HTMLElement => element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));
  const kinds = element("table", { class: "events" }, head("event", "times", withUnit("first", unit), withUnit("last", unit), "energy changed by"),
    element("tbody", {}, ...countByName(events).map(({ name, list }) => element("tr", {},
      element("th", { scope: "row" }, name), element("td", {}, String(list.length)),
      element("td", {}, seek(list[0]!.t)), element("td", {}, seek(list[list.length - 1]!.t)), element("td", {}, changed(list, data.summary?.energy_scale ?? 0))))));
  const shown = events.slice(0, mostRows);
  const all = element("table", { class: "events" }, head(withUnit("t", unit), "event"),
    element("tbody", {}, ...shown.map((event) => element("tr", {}, element("td", {}, seek(event.t)), element("td", {}, eventText(event))))));
  const text = shown.length < count ? `The first ${shown.length} of ${count}` : `All ${count}`;
  const details = element("details", {}, element("summary", {}, text), element("div", { class: "scroll" }, all));
  details.open = count <= 12;
  return section("events", "Events", element("div", { class: "card" }, element("div", { class: "scroll" }, kinds), details));
}

/** Marks over a chart: where motion or forces jump a whole line, else a dashed one. */
export function drawMarks(pen: CanvasRenderingContext2D, events: RunEvent[], place: (t: number) => number,
  box: { left: number; top: number; width: number; height: number }, color: string): void {
  pen.save();
  pen.beginPath();
  pen.rect(box.left, box.top, box.width, box.height);
  pen.clip();
  const ratio = window.devicePixelRatio || 1;
  pen.strokeStyle = color;
  pen.lineWidth = ratio;
  let last = -Infinity;
  for (const event of events) {
    const x = place(event.t);
    if (x - last < 3 * ratio) continue;
    last = x;
    pen.setLineDash(changes(event) ? [] : [3 * ratio, 3 * ratio]);
    pen.globalAlpha = 0.6;
    pen.beginPath();
    pen.moveTo(x, box.top);
    pen.lineTo(x, box.top + box.height);
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    pen.fillStyle = color;
    pen.fillRect(x - 1.5 * ratio, box.top + box.height - 6 * ratio, 3 * ratio, 6 * ratio);
  }
  pen.restore();
}

const nearby = 0.012;  // of the run: so long an impact is shown

const touching = 1e-7;  // of the widest gap

/** Contacts whose gap stays closed, and those that were struck just now. */
export class ContactStates {
  private readonly gaps: { name: string; values: Float64Array; least: number }[];
  private readonly impacts: RunEvent[];
  private readonly flash: number;

  constructor(names: string[], private readonly samples: Samples, events: RunEvent[], span: number) {
    this.flash = nearby * span;
    this.gaps = names.flatMap((name) => {
      const values = samples.find(`gap(${name})`)?.values;
      return values ? [{ name, values, least: touching * values.reduce((a, b) => Math.max(a, Math.abs(b) || 0), 0) }] : [];
    });
    this.impacts = events.filter(({ kind }) => kind === "impact" || kind === "rest");
  }

  closed(t: number): Set<string> {
    const i = indexAt(this.samples.time, t);
    const isClosed = (values: Float64Array, least: number): boolean => values[i]! <= least && values[Math.min(i + 1, values.length - 1)]! <= least;
    return new Set(this.gaps.filter(({ values, least }) => isClosed(values, least)).map(({ name }) => name));
  }

  struck(t: number): Set<string> {
    return new Set(this.impacts.filter((one) => one.t <= t && t - one.t < this.flash).map(({ name }) => name));
  }
}

/** Where figures and points of the scene are that are called like a contact that is closed or struck. */
export function touchedPlaces(plan: ScenePlan, pose: Pose, t: number): Vec[] {
  const { contacts } = plan;
  if (!contacts) return [];
  const lit = new Set([...contacts.closed(t), ...contacts.struck(t)]);
  if (lit.size === 0) return [];
  return [
    ...plan.figures.filter(({ name, at }) => lit.has(name) && at.length > 0).map(({ at }) => pose.place(at[at.length - 1]!)),
    ...plan.points.flatMap(({ name }, i) => (lit.has(shortName(name)) ? [pose.point(i)] : [])),
  ];
}
