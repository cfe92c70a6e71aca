// Phase portraits: any column over any other.
import { withoutNoise } from "./charts";
import type { Clock } from "./clock";
import { shown, withUnit, type Column, type Samples } from "./data";
import { element, onResize } from "./dom";
import { Nearness, soon } from "./lazy";
import { spread } from "./scene";
import { refinement, refined, valueNear } from "./smooth";
import { onTheme, seriesColor } from "./theme";
import { paintXy, type XySeries } from "./xyplot";

const most = 20000;

/** `fine` has more points of the curves than the samples, if there is need. */
export function phasePortrait(samples: Samples, fine: Samples, clock: Clock, first: string, second: string, other?: Samples): HTMLElement {
  const columns = samples.columns.filter(({ group }) => group !== "view");
  const choice = (selected: string, label: string): HTMLSelectElement => {
    const option = (name: string): HTMLElement => element("option", { value: name, selected: name === selected }, name);
    const select = element("select", { "aria-label": label, change: () => draw() }, option(selected));
    soon(() => {  // thousands of names, of a robot
      const at = columns.findIndex(({ name }) => name === selected);
      select.prepend(...columns.slice(0, at).map(({ name }) => option(name)));
      select.append(...columns.slice(at + 1).map(({ name }) => option(name)));
    });
    return select;
  };
  const across = choice(first, "horizontal");
  const upwards = choice(second, "vertical");
  const canvas = element("canvas", { class: "phase", role: "img", "aria-label": "phase portrait" });
  const box = element("div", { class: "frame" }, canvas);
  const runs = (): { run: Samples; parts: number }[] => {
    const own = fine.find(across.value) && fine.find(upwards.value) ? fine : samples;
    return [own, ...(other ? [other] : [])].map((run) => ({ run, parts: refinement(run.count) }));
  };
  const curve = (run: Samples, parts: number, x: Column, y: Column, color: string, dash?: number[]): XySeries[] => {
    const [across, upwards] = [x, y].map(({ name }) => run.find(name));
    if (!across || !upwards) return [];
    const indices = spread((run.count - 1) * parts + 1, most);
    const values = (column: Column, { values: own }: Column): Float64Array => (own.some((value) => value !== 0)
      ? refined(run, shown(column), parts) : new Float64Array((run.count - 1) * parts + 1));
    return [{ color, ...(dash && { dash }), x: values(across, x), y: values(upwards, y), indices }];
  };
  const chosen = new Map<string, Column | undefined>();
  const find = (name: string): Column | undefined => {
    const column = samples.find(name);
    if (!chosen.has(name)) chosen.set(name, column && withoutNoise(column, columns));
    return chosen.get(name);
  };
  let width = 0;

  let painted = false;  // once at least: a page may be printed before anybody has looked at all of it
  const draw = (): void => {
    const [x, y] = [find(across.value), find(upwards.value)];
    if (!x || !y || width === 0 || (painted && !near.now)) return;
    painted = true;
    canvas.setAttribute("aria-label", `phase portrait: ${y.name} over ${x.name}`);
    const now = (column: Column): number => column.scale * valueNear(samples, column, clock.time);
    paintXy(canvas, width, {
      log: { x: false, y: false },
      labels: { x: withUnit(x.name, x.unit), y: withUnit(y.name, y.unit) },
      series: runs().flatMap(({ run, parts }, i) => curve(run, parts, x, y, seriesColor(i === 0 ? 0 : 2), i === 0 ? undefined : [6, 4])),
      now: { x: now(x), y: now(y), color: seriesColor(1) },
    });
  };
  const drawAnew = (): void => { painted = false; draw(); };
  const near = new Nearness(box, draw);
  onResize(box, (now) => { width = now; soon(drawAnew); });
  onTheme(drawAnew);
  clock.listenCalmly(draw);
  return element("figure", { class: "card portrait" },
    element("figcaption", {}, upwards, element("span", { class: "over" }, "over"), across), box);
}
