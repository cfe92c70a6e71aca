// Which columns share a chart.
import { shown, type Column, type Group, type Samples } from "./data";

export interface ChartPlan {
  id: string;
  title: string;
  columns: Column[];
  log: boolean;
  unit: string;
}

const titles: [Group, string][] = [
  ["q", "Coordinates"],
  ["v", "Velocities"],
  ["output", "Outputs"],
  ["lambda", "Multipliers λ"],
  ["force", "Constraint forces −Cᵀλ"],
  ["energy", "Energies"],
  ["a", "Accelerations"],
];

/** Curves whose sizes differ by more than this are drawn apart. */
const widest = 12;

export function largest(values: ArrayLike<number>): number {
  let size = 0;
  for (let i = 0; i < values.length; ++i) {
    const value = Math.abs(values[i]!);
    if (value > size && value < Infinity) size = value;
  }
  return size;
}

/** Beside larger curves one that is smaller by this factor is round-off, and drawn as the zero that it means. */
export const roundOff = 1e-12;

/** The column, or where it is nothing but round-off beside those of its group and unit the zero that it means. */
export function withoutNoise(column: Column, all: Column[]): Column {
  const alike = all.filter(({ group, unit }) => group === column.group && unit === column.unit);
  const noise = roundOff * Math.max(0, ...alike.map(({ values }) => largest(values)));
  return largest(column.values) > noise ? column : { ...column, values: new Float64Array(column.values.length) };
}

/** One axis has one unit. */
function splitByUnit(columns: Column[]): Column[][] {
  const lists = new Map<string, Column[]>();
  for (const column of columns) lists.set(column.unit, [...(lists.get(column.unit) ?? []), column]);
  return [...lists.values()];
}

/** Columns in as few charts as their sizes allow; each chart keeps the given order. */
export function splitBySize(columns: Column[]): Column[][] {
  const sized = columns.map((column) => ({ column, size: largest(column.values) }));
  const top = Math.max(0, ...sized.map(({ size }) => size));
  const noise = sized.filter(({ size }) => size > 0 && size <= roundOff * top).map(({ column }) => column);
  const sorted = sized.filter(({ size }) => size > roundOff * top).sort((a, b) => b.size - a.size);
  const charts: { top: number; members: Set<Column> }[] = [];
  for (const { column, size } of sorted) {
    const chart = charts[charts.length - 1];
    if (chart && chart.top <= widest * size) chart.members.add(column);
    else charts.push({ top: size, members: new Set([column]) });
  }
  const zero = sized.filter(({ size }) => size === 0).map(({ column }) => column);
  for (const column of noise) charts[0]!.members.add(column);
  const lists = charts.map(({ members }) => columns.filter((column) => members.has(column)));
  if (zero.length > 0) {
    if (lists.length > 0) lists[lists.length - 1]!.push(...zero);
    else lists.push(zero);
  }
  return lists.sort((a, b) => columns.indexOf(a[0]!) - columns.indexOf(b[0]!));
}

const absolute = (column: Column, name: string, zero = 0): Column =>
  ({ ...column, name, latex: "", values: column.values.map((value) => Math.abs(value - zero)) });

/** |g| and |C v + c| of each constraint, and the error of the energy. */
export function driftColumns(samples: Samples): Column[] {
  const columns = samples.group("g", "gv").map((column) => absolute(column, `|${column.name}|`));
  const energy = samples.group("energy").find(({ name }) => name === "energy");
  const work = samples.group("energy").find(({ name }) => name === "work");
  if (energy && work) {
    const error = energy.values.map((value, i) => value - work.values[i]!);
    columns.push(absolute({ ...energy, values: error }, "|energy − work − start|", error[0]));
  }
  return columns;
}

/** The outputs that are forces and moments in joints, bearing.force_x, by joint and kind. */
export function reactions(outputs: Column[]): Map<string, Column[]> {
  const charts = new Map<string, Column[]>();
  for (const column of outputs) {
    const [, joint, kind] = column.name.match(/^(.+)\.(force|moment)(?:_[xyz123])?$/) ?? [];
    if (!joint) continue;
    const title = `${kind === "force" ? "Force" : "Moment"} in ${joint}`;
    charts.set(title, [...(charts.get(title) ?? []), column]);
  }
  return charts;
}

export function planCharts(samples: Samples): ChartPlan[] {
  const plans: ChartPlan[] = [];
  const inJoints = reactions(samples.group("output").map(shown));
  const apart = new Set([...inJoints.values()].flat().map(({ name }) => name));
  for (const [group, title] of titles) {
    const lists = splitByUnit(samples.group(group).filter(({ name }) => !apart.has(name)).map(shown)).flatMap(splitBySize);
    lists.forEach((columns, i) => plans.push({
      id: `chart-${group}-${i + 1}`,
      title: lists.length > 1 ? `${title} (${i + 1} of ${lists.length})` : title,
      columns,
      log: false,
      unit: columns[0]!.unit,
    }));
    if (group !== "output") continue;
    let number = 0;
    inJoints.forEach((columns, joint) => plans.push({
      id: `chart-joint-${++number}`, title: joint, columns, log: false, unit: columns[0]!.unit,
    }));
  }
  const drift = driftColumns(samples);
  if (drift.some(({ values }) => largest(values) > 0)) {
    plans.push({ id: "chart-drift", title: "Drift: residuals and energy error", columns: drift, log: true, unit: "" });
  }
  return plans;
}
