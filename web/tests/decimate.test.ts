import assert from "node:assert/strict";
import { test } from "node:test";
import { decimate, extremes, lowerBound } from "../src/decimate";

const time = Float64Array.from({ length: 100000 }, (_, i) => i / 1000);

test("no extreme of a long curve is lost and few points are left", () => {
  const curve = time.map((t, i) => Math.sin(40 * t) + (i === 77777 ? 100 : 0) - (i === 31234 ? 100 : 0));
  const { x, y } = decimate(time, [curve], 0, 100, 600);
  assert.equal(x.length, 1200);
  assert.equal(Math.max(...(y[0] as number[])), curve[77777]);
  assert.equal(Math.min(...(y[0] as number[])), curve[31234]);
  assert.ok(x.every((value, i) => i === 0 || value >= x[i - 1]!));
});

test("each column of pixels shows the least and the greatest value of its samples, in their order", () => {
  const curve = Float64Array.from(time, (_, i) => (i * 7919) % 1009);
  const { x, y } = decimate(time, [curve], 0, 100, 50);
  for (let column = 0; column < 50; ++column) {
    const part = [...curve.slice(column * 2000, (column + 1) * 2000)];
    const least = Math.min(...part);
    const greatest = Math.max(...part);
    const ordered = part.indexOf(least) <= part.indexOf(greatest) ? [least, greatest] : [greatest, least];
    assert.deepEqual(y[0]!.slice(2 * column, 2 * column + 2), ordered);
    assert.equal(x[2 * column], time[column * 2000]);
  }
});

test("a short piece is drawn as it is, with a neighbour on either side", () => {
  const curve = time.map((t) => t * t);
  const { x, y } = decimate(time, [curve], 10.0005, 10.0035, 600);
  assert.deepEqual(x, [10, 10.001, 10.002, 10.003, 10.004]);
  assert.equal(y[0]![2], 10.002 * 10.002);
});

test("values that are not finite are gaps", () => {
  assert.deepEqual(extremes([NaN, NaN], 0, 2), [null, null]);
  assert.deepEqual(extremes([NaN, 3, Infinity, 1], 0, 4), [3, 1]);
  assert.deepEqual(decimate([0, 1, 2], [[1, NaN, 3]], 0, 2, 10).y, [[1, null, 3]]);
});

test("the first sample at or after a value is found", () => {
  assert.deepEqual([-1, 0, 0.5, 2, 3].map((value) => lowerBound([0, 1, 2], value)), [0, 0, 1, 2, 3]);
});
