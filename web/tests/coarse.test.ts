import assert from "node:assert/strict";
import { test } from "node:test";
import { BoxGeometry, Group, Mesh, SphereGeometry, Vector3, type BufferGeometry } from "three";
import { coarser, Coarseness } from "../src/coarse";
import { ballGeometry } from "../src/solids3d";

const triangles = (geometry: BufferGeometry): Vector3[][] => {
  const [places, index] = [geometry.getAttribute("position"), geometry.index!];
  return Array.from({ length: index.count / 3 }, (_, i) => [0, 1, 2].map((k) => new Vector3().fromBufferAttribute(places, index.getX(3 * i + k))));
};
/** By the divergence theorem, outwards positive. */
const volume = (geometry: BufferGeometry): number =>
  triangles(geometry).reduce((sum, [a, b, c]) => sum + a!.dot(b!.clone().cross(c!)) / 6, 0);
const values = (geometry: BufferGeometry, name: string): number[] => [...geometry.getAttribute(name).array];

test("a coarse ball has few triangles and nearly the volume of the fine one", () => {
  const fine = new SphereGeometry(1, 48, 24);
  const coarse = coarser(fine, 0.3);
  assert.ok(triangles(coarse).length < triangles(fine).length / 4, `${triangles(coarse).length}`);
  assert.ok(volume(coarse) > 0.85 * volume(fine) && volume(coarse) < volume(fine), `${volume(coarse)}`);
});

test("a coarse surface is closed where the fine one is", () => {
  const edges = new Map<string, number>();
  const name = (v: Vector3): string => v.toArray().map((x) => x.toFixed(5)).join();
  for (const corners of triangles(coarser(new SphereGeometry(1, 48, 24), 0.3))) {
    corners.forEach((a, i) => {
      const [from, to] = [name(a), name(corners[(i + 1) % 3]!)];
      edges.set(`${from} ${to}`, (edges.get(`${from} ${to}`) ?? 0) + 1);
      edges.set(`${to} ${from}`, (edges.get(`${to} ${from}`) ?? 0) - 1);
    });
  }
  assert.ok(edges.size > 100 && [...edges.values()].every((count) => count === 0));
});

test("faces of a box stay flat, and a ball keeps its two shades", () => {
  const box = coarser(new BoxGeometry(1, 1, 1, 8, 8, 8), 0.3);
  assert.ok(values(box, "normal").every((x) => [-1, 0, 1].includes(x)) && values(box, "normal").includes(-1));
  assert.deepEqual([...new Set(values(coarser(ballGeometry(1), 0.3), "color").map((x) => x.toFixed(2)))].sort(), ["0.45", "1.00"]);
});

test("meshes are coarse while that is asked for, and as before afterwards", () => {
  const [ball, box] = [new Mesh(new SphereGeometry(1, 48, 24)), new Mesh(new BoxGeometry(1, 1, 1))];
  const [fine, few] = [ball.geometry, box.geometry];
  const shown = new Coarseness([new Group().add(ball, box)]);
  shown.set(0.4);
  const coarse = ball.geometry;
  assert.ok(coarse !== fine as BufferGeometry && box.geometry === few);
  shown.set(0.42);
  assert.equal(ball.geometry, coarse);
  shown.set(0.1);
  assert.ok(ball.geometry !== coarse && triangles(ball.geometry).length > triangles(coarse).length);
  shown.set(0);
  assert.equal(ball.geometry, fine);
});
