import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeDoubles, decodeSamples, indexAt, valueAt } from "../src/data";

test("doubles are decoded bit by bit", () => {
  const values = [0, -0, 1, -2.5, Math.PI, 5e-324, 1.7976931348623157e308, Infinity, NaN];
  const base64 = Buffer.from(new Float64Array(values).buffer).toString("base64");
  assert.deepEqual([...decodeDoubles(base64)], values);
});

test("a constant column has its value at every sample", () => {
  const samples = decodeSamples({
    count: 3,
    columns: [
      { name: "t", group: "time", data: Buffer.from(new Float64Array([0, 1, 2]).buffer).toString("base64") },
      { name: "x", group: "q", constant: 7 },
    ],
  });
  assert.equal(samples.count, 3);
  assert.deepEqual([...samples.find("x")!.values], [7, 7, 7]);
});

test("the sample before a time is found, forwards and backwards", () => {
  const time = [0, 1, 2, 4];
  assert.deepEqual([-1, 0, 0.5, 1, 3.9, 4, 9].map((t) => indexAt(time, t)), [0, 0, 0, 1, 2, 3, 3]);
  const back = [4, 2, 1, 0];
  assert.deepEqual([9, 4, 3, 2, 0.5, 0, -1].map((t) => indexAt(back, t)), [0, 0, 0, 1, 2, 3, 3]);
  assert.equal(indexAt([5], 3), 0);
});

test("values between samples lie on the straight line", () => {
  assert.equal(valueAt([0, 2], [10, 20], 0.5), 12.5);
  assert.equal(valueAt([2, 0], [20, 10], 0.5), 12.5);
  assert.equal(valueAt([0, 2], [10, 20], 5), 20);
});
