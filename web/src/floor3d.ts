// The ground of a scene in space: a grid of round lengths, and the shadows that tell heights.
import { Group, LineBasicMaterial, LineSegments, BufferAttribute, BufferGeometry, Mesh, PlaneGeometry, ShadowMaterial } from "three";
import type { Box } from "./extents";
import { roundLength } from "./grid2d";
import { number } from "./format";
import type { Label } from "./labels3d";
import type { PlannedFigure } from "./scene";
import type { Pose } from "./pose";

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

export class Floor3d {
  readonly object = new Group();
  readonly step: number;
  private readonly material = new LineBasicMaterial({ transparent: true });

  constructor(private readonly height: number, size: number) {
    this.step = roundLength(size / 6);
    const reach = lines * this.step;
    const places: number[] = [];
    for (let i = -lines; i <= lines; ++i) {
      places.push(i * this.step, -reach, 0, i * this.step, reach, 0, -reach, i * this.step, 0, reach, i * this.step, 0);
    }
    const grid = new LineSegments(
      new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(places), 3)), this.material);
    const shade = new Mesh(new PlaneGeometry(2 * reach, 2 * reach), new ShadowMaterial({ opacity: 0.22, depthWrite: false }));
    shade.receiveShadow = true;
    shade.position.z = -1e-3 * size;  // below the lines and below what rolls on it
    grid.position.z = -5e-4 * size;
    this.object.add(shade, grid);
  }

  paint(color: string): void {
    this.material.color.set(color);
  }

  /** Lines stay at round places wherever the camera goes. */
  center(x: number, y: number): void {
    this.object.position.set(Math.round(x / this.step) * this.step, Math.round(y / this.step) * this.step, this.height);
  }

  labels(): Label[] {
    const { x, y, z } = this.object.position;
    const list: Label[] = [];
    for (let i = -4; i <= 4; i += 1) {
      list.push({ kind: "tick", text: number(x + i * this.step, 4), place: [x + i * this.step, y - 4 * this.step, z] });
      list.push({ kind: "tick", text: number(y + i * this.step, 4), place: [x + 4 * this.step, y + i * this.step, z] });
    }
    return list;
  }
}
