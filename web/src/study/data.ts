// The data of a study's page, as docs/report.md describes them.
import { decodeDoubles } from "../data";

/** Bin i is from edges[i] to edges[i + 1]; where there are values, each bin stands for one. */
export interface Bins {
  edges: number[];
  values?: number[];
  log?: boolean;
}

export interface StoredHistogram extends Bins {
  /** Runs that reached their end, and those that did not. */
  reached: number[];
  failed: number[];
  /** Out of the axis. */
  below: number;
  above: number;
}

export interface SobolIndex {
  first: number;
  first_error: number;
  total: number;
  total_error: number;
}

export interface StudyColumn {
  name: string;
  kind: "varied" | "collected" | "run";
  unit?: string;
  /** How it varies, as it was asked for. */
  given?: string;
  /** In all runs. */
  from?: number;
  to?: number;
  /** Of a grid. */
  points?: number;
  /** Finite values of runs that reached their end. */
  count?: number;
  mean?: number;
  deviation?: number;
  min?: number;
  max?: number;
  min_row?: number;
  max_row?: number;
  /** By what varies. */
  indices?: SobolIndex[];
  /** What axes show. */
  low?: number;
  high?: number;
  log?: boolean;
  histogram?: StoredHistogram;
}

export interface HeatMapData {
  x: number;
  y: number;
  x_bins: Bins;
  y_bins: Bins;
  /** By cell, [y][x]. */
  rows: number[];
  failed: number[];
  first_row: (number | null)[];
  /** Columns, and the means of each in the cells. */
  of: number[];
  means: (number | null)[][];
}

export interface DensityData {
  x: number;
  y: number;
  x_bins: Bins;
  y_bins: Bins;
  counts: number[];
}

export interface StudyData {
  rows: number;
  all_rows: number;
  seed: number;
  samples: "none" | "random" | "sobol";
  runs: number;
  call: { before: string; behind: string };
  outcomes: Record<string, number>;
  failures: { reason: string; count: number; first_row: number }[];
  columns: StudyColumn[];
  sample: { reached: number; failed: number; others: number; row: string; columns: string[];
    /** By place, of those that have one. */
    reasons: [number, string][] };
  /** Places in the sample. */
  extremes: { column: number; least: number[]; greatest: number[] }[];
  densities: DensityData[];
  maps: HeatMapData[];
}

/** The runs that the page has one by one: first of those that reached their end, then failed ones, then extremes and
 * examples of failures. */
export class Rows {
  readonly numbers: Float64Array;
  readonly columns: Float64Array[];
  private readonly places = new Map<number, number>();

  private readonly reasons: Map<number, string>;

  constructor(private readonly stored: StudyData["sample"], private readonly outcomeColumn: number) {
    this.reasons = new Map(stored.reasons);
    this.numbers = decodeDoubles(stored.row);
    this.columns = stored.columns.map(decodeDoubles);
    this.numbers.forEach((row, i) => this.places.set(row, i));
  }
  get count(): number {
    return this.numbers.length;
  }
  /** Drawn at random of all that reached their end. */
  get reached(): number {
    return this.stored.reached;
  }
  get failed(): number {
    return this.stored.failed;
  }
  /** finished, doubtful, stopped early, interrupted: 0 to 3 */
  outcome(i: number): number {
    return this.value(i, this.outcomeColumn);
  }
  hasFailed(i: number): boolean {
    return this.outcome(i) >= 2;
  }
  reason(i: number): string {
    return this.reasons.get(i) ?? "";
  }
  find(row: number): number | undefined {
    return this.places.get(row);
  }
  value(i: number, column: number): number {
    return this.columns[column]?.[i] ?? NaN;
  }
}

export const isVaried = ({ kind }: StudyColumn): boolean => kind === "varied";

/** All runs that did not reach their end. */
export const failedRuns = (study: StudyData): number => (study.outcomes["stopped early"] ?? 0) + (study.outcomes["interrupted"] ?? 0);

/** Columns of a kind with their numbers. */
export const columnsOf = (study: StudyData, kind: StudyColumn["kind"]): { column: StudyColumn; place: number }[] =>
  study.columns.map((column, place) => ({ column, place })).filter(({ column }) => column.kind === kind);

/** The bin of a value; −1: none. */
export function binOf({ edges }: Bins, value: number): number {
  if (!(value >= edges[0]! && value <= edges[edges.length - 1]!)) return -1;
  let low = 0;
  let high = edges.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (edges[middle]! <= value) low = middle;
    else high = middle;
  }
  return low;
}
