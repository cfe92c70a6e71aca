// The ground of a scene in space: a grid of round lengths, and the shadows that tell heights.
import { Group, LineBasicMaterial, LineSegments, BufferAttribute, BufferGeometry, Mesh, PlaneGeometry, ShadowMaterial } from "three";
import type { ShownUnit } from "./data";
import type { Box } from "./extents";
import type { Label } from "./labels3d";
import type { PlannedFigure } from "./scene";
import type { Pose } from "./pose";
import { roundLength, tickTexts } from "./ticks";
import type { Vec } from "./vec";

/** On a floor that a model has, else a little below everything. */
export function floorHeight(figures: PlannedFigure[], start: Pose, all: Box, size: number): number {
  for (const { kind, at, numbers } of figures) {
    if (kind !== "ground" || at[0]!.body !== undefined) continue;
    const normal = start.vector(numbers["axis"]!);
    if (normal[2] > 1 - 1e-9) return start.place(at[0]!)[2];
  }
  return all.low[2] - 0.05 * size;
}

const lines = 12;  // to each side
const across = 12;  // steps in the height of the picture, at most

/** Lines of a grid with the step 1; pieces, since some drivers drop lines that begin behind the camera. */
function gridLines(): Float32Array {
  const places: number[] = [];
  for (let i = -lines; i <= lines; ++i) {
    for (let k = -lines; k < lines; ++k) places.push(i, k, 0, i, k + 1, 0, k, i, 0, k + 1, i, 0);
  }
  return new Float32Array(places);
}

export class Floor3d {
  readonly object = new Group();
  /** In the model's numbers; round in the unit that is shown. */
  step = 1;
  private readonly flat = new Group();
  private readonly material = new LineBasicMaterial({ transparent: true });

  constructor(private readonly height: number, size: number, private readonly unit: ShownUnit) {
    const grid = new LineSegments(new BufferGeometry().setAttribute("position", new BufferAttribute(gridLines(), 3)), this.material);
    const shade = new Mesh(new PlaneGeometry(2 * lines, 2 * lines), new ShadowMaterial({ opacity: 0.22, depthWrite: false }));
    shade.receiveShadow = true;
    shade.position.z = -1e-3 * size;  // below the lines and below what rolls on it
    grid.position.z = -5e-4 * size;
    this.flat.add(shade, grid);
    this.object.add(this.flat);
  }

  paint(color: string): void {
    this.material.color.set(color);
  }

  /** Under what the camera looks at, with lines at round places; `seen` is the height of the picture there. */
  fit(x: number, y: number, seen: number): void {
    this.step = roundLength((this.unit.scale * seen) / across) / this.unit.scale;
    this.flat.scale.set(this.step, this.step, 1);
    this.object.position.set(Math.round(x / this.step) * this.step, Math.round(y / this.step) * this.step, this.height);
  }

  /** Numbers along two sides of what stands on the floor, `span` wide. */
  labels(span: Vec): Label[] {
    const { x, y, z } = this.object.position;
    const reach = [0, 1].map((axis) => Math.min(across / 2, Math.max(2, Math.ceil((0.5 * span[axis]!) / this.step))));
    const [alongX, alongY] = [x, y].map((middle, axis) => {
      const places = Array.from({ length: 2 * reach[axis]! + 1 }, (_, i) => middle + (i - reach[axis]!) * this.step);
      const texts = tickTexts(places.map((place) => Number((this.unit.scale * place).toPrecision(12))), reach[axis]!);
      return places.map((place, i) => ({ place, text: texts[i]! }));
    });
    return [
      ...alongX!.map(({ place, text }): Label => ({ kind: "tick", text, place: [place, y - reach[1]! * this.step, z] })),
      ...alongY!.map(({ place, text }): Label => ({ kind: "tick", text, place: [x + reach[0]! * this.step, place, z] })),
    ];
  }
}
