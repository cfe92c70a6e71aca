// Meshes of fewer triangles, for motions that the processor draws: each triangle costs it as much as ten pixels.
import { BufferAttribute, BufferGeometry, Mesh, type Object3D } from "three";

const worth = 100;    // triangles below which a mesh stays as it is
const aside = 0.41;   // of a cell: where meshes are symmetrical, at zero, vertices that meet are in one cell

/**
 * The vertices in each cell of a grid become one, their mean; triangles whose corners meet are left out. Edges stay where normals
 * or colours differ.
 */
export function coarser(geometry: BufferGeometry, cell: number): BufferGeometry {
  const places = geometry.getAttribute("position");
  const kept = ["normal", "color"].flatMap((name) => (geometry.hasAttribute(name) ? [{ name, values: geometry.getAttribute(name) }] : []));
  const cells = new Numbers();
  const corners = new Numbers();
  const means: number[] = [];   // x, y, z and how many, of each cell
  const beside: number[] = [];  // normal and colour of each corner
  const cellOf: number[] = [];  // of each corner
  const cornerOf = Array.from({ length: places.count }, (_, i) => {
    const place = [places.getX(i), places.getY(i), places.getZ(i)] as const;
    const inside = cells.of(place.map((x) => Math.floor(x / cell + aside)).join());
    place.forEach((x, k) => { means[4 * inside + k] = (means[4 * inside + k] ?? 0) + x; });
    means[4 * inside + 3] = (means[4 * inside + 3] ?? 0) + 1;
    const values = kept.flatMap(({ values: of }) => [of.getX(i), of.getY(i), of.getZ(i)]);
    const corner = corners.of(`${inside};${values.map((x) => Math.round(1.5 * x)).join()}`);
    cellOf[corner] = inside;
    values.forEach((x, k) => { beside[values.length * corner + k] ??= x; });
    return corner;
  });
  const triangles: number[] = [];
  const { index } = geometry;
  const count = index ? index.count : places.count;
  for (let i = 0; i + 2 < count; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => cornerOf[index ? index.getX(i + k) : i + k]!) as [number, number, number];
    const [in1, in2, in3] = [cellOf[a], cellOf[b], cellOf[c]];
    if (in1 !== in2 && in2 !== in3 && in3 !== in1) triangles.push(a, b, c);
  }
  const result = new BufferGeometry().setIndex(triangles);
  const attribute = (name: string, value: (corner: number, k: number) => number): void => {
    result.setAttribute(name, new BufferAttribute(Float32Array.from({ length: 3 * corners.count }, (_, j) => value(Math.floor(j / 3), j % 3)), 3));
  };
  attribute("position", (corner, k) => means[4 * cellOf[corner]! + k]! / means[4 * cellOf[corner]! + 3]!);
  kept.forEach(({ name }, n) => attribute(name, (corner, k) => beside[3 * (kept.length * corner + n) + k]!));
  return result;
}

/** Numbers 0, 1, 2, … of texts, in the order of their coming. */
class Numbers {
  private readonly known = new Map<string, number>();

  of(text: string): number {
    let number = this.known.get(text);
    if (number === undefined) this.known.set(text, (number = this.known.size));
    return number;
  }
  get count(): number {
    return this.known.size;
  }
}

const trianglesOf = ({ index, attributes }: BufferGeometry): number => (index ? index.count : attributes["position"]?.count ?? 0) / 3;

/** The meshes below an object, as they are or coarse. */
export class Coarseness {
  private readonly shapes: { mesh: Mesh; fine: BufferGeometry }[] = [];
  private readonly coarse = new Map<BufferGeometry, BufferGeometry>();
  private cell = 0;
  private isCoarse = false;

  constructor(objects: Object3D[]) {
    for (const object of objects) {
      object.traverse((one) => {
        if (one instanceof Mesh && trianglesOf(one.geometry) >= worth) this.shapes.push({ mesh: one, fine: one.geometry });
      });
    }
  }

  /** With cells of a size, or finely for 0. */
  set(cell: number): void {
    if (cell === 0 ? !this.isCoarse : this.isCoarse && cell < 1.5 * this.cell && this.cell < 1.5 * cell) return;
    this.isCoarse = cell > 0;
    if (cell > 0 && !(cell < 1.5 * this.cell && this.cell < 1.5 * cell)) {
      for (const geometry of this.coarse.values()) geometry.dispose();
      this.coarse.clear();
      this.cell = cell;
    }
    for (const { mesh, fine } of this.shapes) mesh.geometry = this.isCoarse ? this.coarseOf(fine) : fine;
  }

  private coarseOf(fine: BufferGeometry): BufferGeometry {
    let found = this.coarse.get(fine);
    if (!found) this.coarse.set(fine, (found = coarser(fine, this.cell)));
    return found;
  }
}
