// Vectors of three numbers; in the plane the third is zero.

export type Vec = [number, number, number];

export const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (s: number, a: Vec): Vec => [s * a[0], s * a[1], s * a[2]];
export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec, b: Vec): Vec =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a: Vec): number => Math.hypot(a[0], a[1], a[2]);
export const toVec = (list: ArrayLike<number>): Vec => [list[0] ?? 0, list[1] ?? 0, list[2] ?? 0];

export function unit(a: Vec): Vec {
  const size = length(a);
  return size > 0 ? times(1 / size, a) : [1, 0, 0];
}

/** A unit vector at right angles to another. */
export function across(a: Vec): Vec {
  const other: Vec = Math.abs(a[2]) < 0.9 * length(a) ? [0, 0, 1] : [1, 0, 0];
  return unit(cross(other, a));
}

/** v turned by a unit quaternion, scalar first. */
export function turned([e0, e1, e2, e3]: readonly number[], v: Vec): Vec {
  const e: Vec = [e1!, e2!, e3!];
  const c = cross(e, v);
  return add(v, add(times(2 * e0!, c), times(2, cross(e, c))));
}
