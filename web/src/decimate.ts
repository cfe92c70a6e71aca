// Fewer points for drawing, with the extremes kept.

export interface Drawn {
  x: number[];
  y: (number | null)[][];
}

/** First index with x ≥ value, in increasing x. */
export function lowerBound(x: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const drawable = (value: number): number | null => (Number.isFinite(value) ? value : null);

/**
 * The curves between x = from and x = to, with one more sample on either side. With more than two samples for each of
 * `columns` columns of pixels, a column keeps the least and the greatest value of each curve, in the order they came.
 */
export function decimate(
  x: ArrayLike<number>, curves: ArrayLike<number>[], from: number, to: number, columns: number,
): Drawn {
  const first = Math.max(0, lowerBound(x, from) - 1);
  const last = Math.min(x.length - 1, lowerBound(x, to));
  const count = last - first + 1;
  const drawn: Drawn = { x: [], y: curves.map(() => []) };
  if (count <= 2 * columns) {
    for (let i = first; i <= last; ++i) {
      drawn.x.push(x[i]!);
      curves.forEach((curve, k) => drawn.y[k]!.push(drawable(curve[i]!)));
    }
    return drawn;
  }
  for (let column = 0; column < columns; ++column) {
    const begin = first + Math.floor((column * count) / columns);
    const end = first + Math.floor(((column + 1) * count) / columns);
    drawn.x.push(x[begin]!, x[end - 1]!);
    curves.forEach((curve, k) => drawn.y[k]!.push(...extremes(curve, begin, end)));
  }
  return drawn;
}

/** Least and greatest of curve[begin..end), the earlier one first; null where there is no finite value. */
export function extremes(curve: ArrayLike<number>, begin: number, end: number): [number | null, number | null] {
  let least = -1;
  let greatest = -1;
  for (let i = begin; i < end; ++i) {
    const value = curve[i]!;
    if (!Number.isFinite(value)) continue;
    if (least < 0 || value < curve[least]!) least = i;
    if (greatest < 0 || value > curve[greatest]!) greatest = i;
  }
  if (least < 0) return [null, null];
  return least <= greatest ? [curve[least]!, curve[greatest]!] : [curve[greatest]!, curve[least]!];
}
