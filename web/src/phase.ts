// Phase portraits: any column over any other.
import type { Clock } from "./clock";
import type { Column, Samples } from "./data";
import { element, onResize } from "./dom";
import { at, momentAt, spread } from "./scene";
import { onTheme, seriesColor } from "./theme";
import { paintXy } from "./xyplot";

const most = 20000;

export function phasePortrait(samples: Samples, clock: Clock, first: string, second: string): HTMLElement {
  const columns = samples.columns.filter(({ group }) => group !== "view");
  const choice = (selected: string, label: string): HTMLSelectElement => element("select",
    { "aria-label": label, change: () => draw() },
    ...columns.map(({ name }) => element("option", { value: name, selected: name === selected }, name)));
  const across = choice(first, "horizontal");
  const upwards = choice(second, "vertical");
  const canvas = element("canvas", { class: "phase", role: "img", "aria-label": "phase portrait" });
  const box = element("div", { class: "frame" }, canvas);
  const indices = spread(samples.count, most);
  let width = 0;

  let painted = false;  // once at least: a page may be printed before anybody has looked at all of it
  const draw = (): void => {
    const x = samples.find(across.value);
    const y = samples.find(upwards.value);
    if (!x || !y || width === 0 || (painted && !near(box))) return;
    painted = true;
    const moment = momentAt(samples.time, clock.time);
    const now = (column: Column): number => at({ values: column.values, constant: 0 }, moment);
    paintXy(canvas, width, {
      log: { x: false, y: false },
      series: [{ color: seriesColor(0), x: x.values, y: y.values, indices }],
      now: { x: now(x), y: now(y), color: seriesColor(1) },
    });
  };
  const drawAnew = (): void => { painted = false; draw(); };
  onResize(box, (now) => { width = now; drawAnew(); });
  onTheme(drawAnew);
  clock.listen(draw);
  new IntersectionObserver(draw).observe(box);
  return element("figure", { class: "card portrait" },
    element("figcaption", {}, upwards, element("span", { class: "over" }, "over"), across), box);
}

/** On the screen, or nearly: what is far away is drawn when it comes near. */
function near(box: HTMLElement): boolean {
  const place = box.getBoundingClientRect();
  return place.bottom > -200 && place.top < window.innerHeight + 200;
}
