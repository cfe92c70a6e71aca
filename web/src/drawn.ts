// What a chart draws: curves over a time that increases.
import type { ChartPlan } from "./charts";

export interface DrawnCurves {
  time: Float64Array;
  curves: Float64Array[];
}

/** A run backwards in time is drawn from left to right like any other; zero has no place on a logarithmic axis. */
export function drawnCurves(time: Float64Array, plan: ChartPlan): DrawnCurves {
  const curves = plan.columns.map(({ values }) => (plan.log ? values.map((value) => (value > 0 ? value : NaN)) : values));
  if (time.length < 2 || time[time.length - 1]! > time[0]!) return { time, curves };
  const reversed = (values: Float64Array): Float64Array => values.slice().reverse();
  return { time: reversed(time), curves: curves.map(reversed) };
}
