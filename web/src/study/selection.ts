// What the reader has selected: ranges of columns, the runs within all of them, and the one that is open. All plots
// show the same.
import type { Rows } from "./data";

export class Selection {
  private readonly ranges = new Map<number, [number, number]>();
  private readonly listeners: (() => void)[] = [];
  private chosen: Uint8Array | undefined;
  private opened: number | undefined;

  constructor(private readonly rows: Rows) {}

  listen(listener: () => void): void {
    this.listeners.push(listener);
  }
  /** Undefined: all values. */
  select(...ranges: [column: number, range: [number, number] | undefined][]): void {
    for (const [column, range] of ranges) {
      if (range) this.ranges.set(column, [Math.min(...range), Math.max(...range)]);
      else this.ranges.delete(column);
    }
    this.choose();
  }
  clear(): void {
    this.ranges.clear();
    this.choose();
  }
  get isEmpty(): boolean {
    return this.ranges.size === 0;
  }
  range(column: number): [number, number] | undefined {
    return this.ranges.get(column);
  }
  get columns(): number[] {
    return [...this.ranges.keys()];
  }
  /** Whether a run is within all ranges; with no range each is. */
  has(i: number): boolean {
    return this.chosen === undefined || this.chosen[i] === 1;
  }
  /** Of the runs that were drawn at random. */
  get count(): number {
    let count = 0;
    for (let i = 0; i < this.rows.reached; ++i) if (this.has(i)) ++count;
    return count;
  }
  /** The number of the row that is open. */
  get run(): number | undefined {
    return this.opened;
  }
  open(row: number | undefined): void {
    this.opened = row;
    this.notify();
  }

  private choose(): void {
    const { rows, ranges } = this;
    this.chosen = ranges.size === 0 ? undefined : new Uint8Array(rows.count).fill(1);
    for (const [column, [low, high]] of ranges) {
      const values = rows.columns[column]!;
      for (let i = 0; i < rows.count; ++i) if (!(values[i]! >= low && values[i]! <= high)) this.chosen![i] = 0;
    }
    this.notify();
  }
  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
