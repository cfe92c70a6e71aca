// What a chart draws: curves over a time that increases.
import { shown, valueAt, type Column, type Samples } from "./data";
import type { ChartPlan } from "./charts";
import { bends, refined, refinedTime, refinement } from "./smooth";

export interface DrawnCurves {
  time: Float64Array;
  curves: Float64Array[];
}

/**
 * A run backwards in time is drawn from left to right like any other; zero has no place on a logarithmic axis. Short
 * runs are drawn through points between their samples.
 */
export function drawnCurves(samples: Samples, plan: ChartPlan): DrawnCurves {
  const parts = plan.columns.some((column) => bends(samples, column)) ? refinement(samples.count) : 1;
  const time = refinedTime(samples.time, parts);
  const curves = plan.columns.map((column) => (plan.log
    ? column.values.map((value) => (value > 0 ? value : NaN))
    : refined(samples, column, parts)));
  if (time.length < 2 || time[time.length - 1]! > time[0]!) return { time, curves };
  const reversed = (values: Float64Array): Float64Array => values.slice().reverse();
  return { time: reversed(time), curves: curves.map(reversed) };
}

/** The same through more points of the motion than the samples; what these do not have is linear between the samples. */
export function finerCurves(samples: Samples, fine: Samples, plan: ChartPlan): DrawnCurves {
  const columns = plan.columns.map(({ name }) => fine.find(name));
  if (plan.log || columns.every((column) => column === undefined)) return drawnCurves(samples, plan);
  const linear = (column: Column): Column =>
    ({ ...column, values: fine.time.map((t) => valueAt(samples.time, column.values, t)) });
  return drawnCurves(fine, { ...plan, columns: columns.map((column, i) => (column ? shown(column) : linear(plan.columns[i]!))) });
}

/** The columns of another run that a chart shows as well, at the times at which it draws; NaN where they are not. */
export function otherCurves(drawn: DrawnCurves, plan: ChartPlan, other: { samples: Samples; plans: ChartPlan[] }): Float64Array[] {
  const { time } = other.samples;
  const [first, last] = [time[0] ?? NaN, time[time.length - 1] ?? NaN].sort((a, b) => a - b) as [number, number];
  const found = new Map(other.plans.filter(({ log }) => log === plan.log).flatMap(({ columns }) => columns.map((column) => [column.name, column])));
  return plan.columns.map(({ name }) => {
    const values = found.get(name)?.values;
    return drawn.time.map((t) => {
      const value = values && t >= first && t <= last ? valueAt(time, values, t) : NaN;
      return plan.log && !(value > 0) ? NaN : value;
    });
  });
}
