// The data of a page, as docs/report.md describes them, and how its numbers are decoded.

import type { StudyData } from "./study/data";

export type Group =
  | "time" | "q" | "v" | "a" | "lambda" | "force" | "output" | "energy" | "g" | "gv" | "view";

/** A column as it stands in the file: base64 of little-endian doubles, or one number for all samples. */
export interface StoredColumn {
  name: string;
  group: Group;
  latex?: string;
  /** In which the number is shown, multiplied by `scale`. */
  unit?: string;
  scale?: number;
  data?: string;
  constant?: number;
}

export interface StoredSamples {
  count: number;
  columns: StoredColumn[];
}

export interface RunSummary {
  method: string;
  outcome: "finished" | "doubtful" | "stopped early" | "interrupted";
  reason: string;
  /** What speaks against the numbers, a sentence each. */
  doubts?: string[];
  start_time: number;
  end_time: number;
  asked_end_time: number;
  steps: number;
  rejected: number;
  samples: number;
  lowest_order: number;
  highest_order: number;
  smallest_step: number;
  largest_step: number;
  seconds: number;
  max_position_residual: number;
  max_velocity_residual: number;
  conservative: boolean;
  /** Null where they are not finite. */
  start_energy: number | null;
  end_energy: number | null;
  work: number | null;
  max_energy_error: number | null;
  energy_scale: number | null;
  /** Estimates; null where there are none. */
  end_error?: number | null;
  error_growth?: number | null;
  trusted_digits?: number | null;
  /** What else there is to say, a line each. */
  notes?: string[];
  /** In the order of time; the first of very many. */
  events?: RunEvent[];
  event_count?: number;
  /** What events and impacts have added to the energy. */
  event_energy?: number | null;
  /** When constraints lost rank and the motion went on. */
  singular_times?: number[];
  /** Reactions and multipliers that the motion does not determine, because constraints are redundant. */
  not_unique?: string[];
}

export interface RunEvent {
  t: number;
  name: string;
  /** rising, falling, touching, time; of contacts impact, rest, opening */
  kind: string;
  energy_change?: number | null;
  impulses?: Record<string, number>;
  note?: string;
}

export interface EquationBlock {
  symbol: string;
  meaning: string;
  latex: string;
}

/** A column's name, or a number. */
export type Coordinate = string | number;

/** Within its body: about a centre, turned by an angle or a unit quaternion. */
interface Placed {
  center?: number[];
  turn?: number[];
}

export type Shape = Placed & (
  | { kind: "polygon"; points: [number, number][] }
  | { kind: "plate"; corners: number[][]; radius: number }
  | { kind: "frame" }
  | { kind: "circle" | "sphere"; radius: number }
  | { kind: "hoop"; radius: number; axis: "x" | "y" | "z" }
  | { kind: "box"; size: number[] }
  | { kind: "inertia"; size: number[] }
  /** Glass: it only stands for a body. */
  | { kind: "cylinder" | "rod"; radius: number; length: number; axis?: "x" | "y" | "z"; glass?: boolean });

export interface Body {
  name: string;
  position: Coordinate[];
  /** 2-D: the angle by which the body is turned; 3-D: a unit quaternion, scalar first. */
  angle?: Coordinate;
  quaternion?: Coordinate[];
  shapes: Shape[];
}

/** What holds a figure: a point, a place of a body, or a place in space. */
export interface Anchor {
  point?: string;
  body?: string;
  place?: Coordinate[];
}

/** A spring, a wheel, an arrow: docs/report.md says what each kind has. */
export interface Figure {
  kind: string;
  name: string;
  at: Anchor[];
  quantity?: string;
  [key: string]: unknown;
}

export interface Scene {
  points: { name: string; position: Coordinate[] }[];
  links: [string, string][];
  traces: string[];
  bodies?: Body[];
  figures?: Figure[];
}

export interface MethodRun {
  tolerance: number;
  seconds: number;
  steps: number;
  error: number;
}

export interface ComparedMethod {
  name: string;
  runs: MethodRun[];
  drift?: { t: number[]; position: number[]; velocity: number[]; energy: number[] };
}

export interface Comparison {
  reference: string;
  /** By an independent method; `check` says by which one, or what contradicts it. */
  confirmed?: boolean;
  check?: string;
  methods: ComparedMethod[];
}

export interface PageData {
  format: "dalembert-report";
  version: number;
  generator: string;
  title: string;
  source: string;
  file: string;
  text: string;
  settings?: string[];
  options?: Record<string, string>;
  summary?: RunSummary;
  equations?: { laws: string; unknowns: string; blocks: EquationBlock[] };
  /** Groups of columns that would have made the page too large, in words. */
  left_out?: string[];
  thinned?: { every: number; of: number };
  samples?: StoredSamples;
  envelope?: StoredSamples;
  /** The samples and points of the motion between them, where curves through the samples alone would miss it. */
  curves?: StoredSamples;
  /** Another run to draw over this one. */
  other?: { name: string; samples: StoredSamples };
  scene?: Scene;
  /** Names of unilateral constraints. */
  contacts?: string[];
  comparison?: Comparison;
  study?: StudyData;
  /** Runs of a study whose motion is there. */
  motions?: { row: number; page: PageData }[];
}

export interface Column {
  name: string;
  group: Group;
  latex: string;
  unit: string;
  /** Charts show scale · value; scenes use the values as they are. */
  scale: number;
  values: Float64Array;
}

/** The column in the unit in which it is shown. */
export const shown = (column: Column): Column =>
  (column.scale === 1 ? column : { ...column, scale: 1, values: column.values.map((value) => column.scale * value) });

/** "theta1 [deg]"; pure numbers have none. */
export const withUnit = (text: string, unit: string): string => (unit === "" || unit === "1" ? text : `${text} [${unit}]`);

/** In which times or lengths are shown: `scale` times the number of the model. */
export interface ShownUnit {
  unit: string;
  scale: number;
}

export const noUnit: ShownUnit = { unit: "", scale: 1 };

export function timeUnitOf(samples: Samples): ShownUnit {
  const column = samples.find("t");
  return column ? { unit: column.unit, scale: column.scale } : noUnit;
}

export class Samples {
  readonly columns: Column[];
  readonly time: Float64Array;
  private readonly byName = new Map<string, Column>();

  constructor(columns: Column[]) {
    this.columns = columns;
    for (const column of columns) if (!this.byName.has(column.name)) this.byName.set(column.name, column);
    this.time = columns.find((column) => column.group === "time")?.values ?? new Float64Array(0);
  }

  get count(): number {
    return this.time.length;
  }
  group(...groups: Group[]): Column[] {
    return this.columns.filter((column) => groups.includes(column.group));
  }
  find(name: string): Column | undefined {
    return this.byName.get(name);
  }
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

export function decodeDoubles(base64: string): Float64Array {
  const text = atob(base64);
  const values = new Float64Array(text.length >> 3);
  const bytes = new Uint8Array(values.buffer);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  if (isLittleEndian) return values;
  const view = new DataView(bytes.slice().buffer);
  return values.map((_, i) => view.getFloat64(8 * i, true));
}

export function decodeSamples(stored: StoredSamples): Samples {
  return new Samples(stored.columns.map((column) => ({
    name: column.name,
    group: column.group,
    latex: column.latex ?? "",
    unit: column.unit ?? "",
    scale: column.scale ?? 1,
    values: column.data !== undefined
      ? decodeDoubles(column.data)
      : new Float64Array(stored.count).fill(column.constant ?? NaN),
  })));
}

/** The index i with time[i] ≤ t < time[i + 1], within the samples; times may run backwards. */
export function indexAt(time: ArrayLike<number>, t: number): number {
  const last = time.length - 1;
  if (last < 1) return 0;
  const sign = time[last]! < time[0]! ? -1 : 1;
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sign * time[middle]! <= sign * t) low = middle;
    else high = middle;
  }
  return sign * time[high]! <= sign * t ? high : low;
}

/** The value at time t, linear between samples. */
export function valueAt(time: ArrayLike<number>, values: ArrayLike<number>, t: number): number {
  const i = indexAt(time, t);
  if (i + 1 >= time.length) return values[i] ?? NaN;
  const step = time[i + 1]! - time[i]!;
  const part = step === 0 ? 0 : Math.min(1, Math.max(0, (t - time[i]!) / step));
  return values[i]! + part * (values[i + 1]! - values[i]!);
}
