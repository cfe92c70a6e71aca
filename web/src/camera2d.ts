// The part of the plane that a canvas shows: all of the motion, or the mechanism wherever it is; moved and zoomed by the
// reader with mouse, fingers and keys.
import type { Box, Extents } from "./extents";
import { boxAround, middleOf, spanOf } from "./extents";
import type { CameraMode } from "./options";
import { add, sub, type Vec } from "./vec";

const margin = 46;  // pixels around what is shown
const closest = 200;
const farthest = 0.02;

export class Camera2d {
  scale = 1;  // pixels per unit
  private center: Vec = [0, 0, 0];
  private width = 1;
  private height = 1;
  private zoom = 1;
  private shift: [number, number] = [0, 0];  // of the picture, in pixels
  private box: Box | undefined;  // that it goes to, whatever its mode

  constructor(private readonly extents: Extents) {}

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
  }

  /** How high a picture of this width is around what the camera shows. */
  heightFor(width: number): number {
    const [spanX, spanY] = spanOf(this.box ?? this.extents.all);
    const wanted = (width - 2 * margin) * (spanY / (spanX || 1)) + 2 * margin;
    return Math.min(1.2 * width, Math.max(0.4 * width, wanted));
  }

  /** What a camera that goes along with the mechanism shows around `now`: the mechanism is whole at any time, and a line is not the whole picture. */
  private followed(now: Vec): Box {
    const { size, reach } = this.extents;
    const half = reach.map((along) => Math.max(0.2 * size, 0.575 * along)) as Vec;
    return { low: sub(now, half), high: add(now, half) };
  }

  /** One view for several places of the mechanism, which are drawn over each other; `undefined` ends it. */
  hold(mode: CameraMode, places: Vec[] | undefined): void {
    this.box = places && mode === "follow" ? boxAround(places.map((now) => this.followed(now))) : undefined;
  }

  /** Looks at the whole motion, at the place `now` of the mechanism, or where it looked before. */
  aim(mode: CameraMode, now: Vec): void {
    if (mode === "fixed") return;
    const box = this.box ?? (mode === "follow" ? this.followed(now) : this.extents.all);
    const [spanX, spanY] = spanOf(box);
    const least = 1e-3 * (Math.max(spanX, spanY) || 1);
    const fitted = Math.min((this.width - 2 * margin) / Math.max(spanX, least), (this.height - 2 * margin) / Math.max(spanY, least));
    this.scale = this.zoom * fitted;
    this.center = middleOf(box);
  }

  x = (value: number): number => this.width / 2 + this.shift[0] + this.scale * (value - this.center[0]);
  y = (value: number): number => this.height / 2 + this.shift[1] - this.scale * (value - this.center[1]);
  /** The place under a pixel. */
  at = (x: number, y: number): [number, number] => [
    this.center[0] + (x - this.width / 2 - this.shift[0]) / this.scale,
    this.center[1] - (y - this.height / 2 - this.shift[1]) / this.scale,
  ];

  /** Of the picture, in pixels. */
  get middle(): [number, number] {
    return [this.width / 2, this.height / 2];
  }
  get untouched(): boolean {
    return this.zoom === 1 && this.shift[0] === 0 && this.shift[1] === 0;
  }
  reset(): void {
    this.scale /= this.zoom;
    this.zoom = 1;
    this.shift = [0, 0];
  }
  move(dx: number, dy: number): void {
    this.shift = [this.shift[0] + dx, this.shift[1] + dy];
  }
  /** What is under the pixel stays there. */
  magnify(factor: number, x = this.width / 2, y = this.height / 2): void {
    const zoom = Math.min(closest, Math.max(farthest, this.zoom * factor));
    const real = zoom / this.zoom;
    this.zoom = zoom;
    this.scale *= real;
    const [dx, dy] = [x - this.width / 2 - this.shift[0], y - this.height / 2 - this.shift[1]];
    this.move(dx * (1 - real), dy * (1 - real));
  }

  /** Listens to the canvas; `changed` draws it again. */
  listen(canvas: HTMLCanvasElement, changed: () => void): void {
    const fingers = new Map<number, [number, number]>();
    const spread = (): { x: number; y: number; apart: number } => {
      const [a, b = a!] = [...fingers.values()];
      return { x: (a![0] + b[0]) / 2, y: (a![1] + b[1]) / 2, apart: Math.hypot(a![0] - b[0], a![1] - b[1]) };
    };
    canvas.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      const before = spread();
      fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
      const after = spread();
      this.move(after.x - before.x, after.y - before.y);
      if (before.apart > 0 && after.apart > 0) this.magnify(after.apart / before.apart, after.x, after.y);
      changed();
    });
    for (const type of ["pointerup", "pointercancel"] as const) {
      canvas.addEventListener(type, (event) => { fingers.delete(event.pointerId); });
    }
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.magnify(event.deltaY > 0 ? 1 / 1.15 : 1.15, event.offsetX, event.offsetY);
      changed();
    }, { passive: false });
    canvas.addEventListener("dblclick", () => { this.reset(); changed(); });
    canvas.addEventListener("keydown", (event) => {
      const actions: Record<string, () => void> = {
        "+": () => this.magnify(1.25), "-": () => this.magnify(0.8), "0": () => this.reset(),
        ArrowLeft: () => this.move(40, 0), ArrowRight: () => this.move(-40, 0),
        ArrowUp: () => this.move(0, 40), ArrowDown: () => this.move(0, -40),
      };
      const action = actions[event.key];
      if (!action || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      action();
      changed();
    });
  }
}
