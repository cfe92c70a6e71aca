import type { ComparedMethod } from "./data";
import type { XyPlot } from "./xyplot";

/** Error over time used: further left is quicker, further down is better. */
export function workPrecision(methods: ComparedMethod[], shown: boolean[], color: (i: number) => string,
  dash: (i: number) => number[] = () => []): XyPlot {
  return {
    log: { x: true, y: true },
    labels: { x: "time used in s", y: "error" },
    series: methods.map(({ runs }, i) => {
      const sorted = [...runs].sort((a, b) => a.error - b.error);
      return { color: color(i), dash: dash(i), marks: true, x: sorted.map(({ seconds }) => seconds), y: sorted.map(({ error }) => error) };
    }).filter((_, i) => shown[i]),
  };
}
