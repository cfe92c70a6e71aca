// The view of a scene in space: drag turns it, the wheel with Ctrl and two fingers come nearer, keys do both. z is up.
import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { cross, dot, times, unit, type Vec } from "./vec";
import { middleOf, spanOf, type Extents } from "./extents";
import type { CameraMode } from "./options";
import { toVector } from "./solids3d";

const margin = 1.15;
const oblique: Vec = [0.6, -0.7, 0.39];

/** In degrees, from bottom to top; a narrow picture shows more in height, so that nothing is cut at its sides. */
const fieldOfView = (aspect: number): number =>
  (360 / Math.PI) * Math.atan(Math.tan(Math.PI / 9) * Math.max(1, 1.5 / aspect));

export class Camera3d {
  readonly camera = new PerspectiveCamera(40, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private mode: CameraMode | undefined;
  private touched = false;

  constructor(private readonly extents: Extents, canvas: HTMLCanvasElement, frame: HTMLElement, private readonly changed: () => void) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => { this.touched = true; });
    // without Ctrl the wheel scrolls the page
    frame.addEventListener("wheel", (event) => { if (!event.ctrlKey && !event.metaKey) event.stopPropagation(); }, true);
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / height;
    this.camera.fov = fieldOfView(width / height);
    this.camera.updateProjectionMatrix();
    if (!this.touched) this.mode = undefined;  // fits itself to the new size
  }

  /** Of what it is to show. */
  get span(): Vec {
    return this.mode === "follow" ? this.extents.reach : spanOf(this.extents.all);
  }
  get target(): Vector3 {
    return this.controls.target;
  }

  /** Looks at all of the motion, or goes along with the mechanism at `now`. */
  aim(mode: CameraMode, now: Vec): void {
    if (mode !== this.mode) {
      const first = this.mode === undefined;
      this.mode = mode;
      if (mode !== "fixed") this.place(first ? oblique : this.direction(), now);
    }
    if (mode !== "follow") return;
    const step = toVector(now).sub(this.controls.target);
    this.controls.target.add(step);
    this.camera.position.add(step);
  }

  look(direction: Vec): void {
    this.camera.position.copy(this.controls.target).add(toVector(direction).normalize().multiplyScalar(this.distance(direction)));
    this.controls.update();
    this.changed();
  }

  /** The nearest from which all corners of what is to be seen are in the picture, in a direction. */
  private distance(direction: Vec): number {
    const half = times(0.5, this.span);
    const back = unit(direction);
    const right = unit(cross([0, 0, 1], back));
    const upwards = cross(back, right);
    const tangent = Math.tan((Math.PI / 360) * this.camera.fov) / margin;
    let nearest = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const place: Vec = [corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1], corner & 4 ? half[2] : -half[2]];
      const aside = Math.max(Math.abs(dot(right, place)) / this.camera.aspect, Math.abs(dot(upwards, place)));
      nearest = Math.max(nearest, dot(back, place) + aside / tangent);
    }
    return nearest || 1;
  }
  private direction(): Vec {
    return this.camera.position.clone().sub(this.controls.target).normalize().toArray();
  }
  private place(direction: Vec, now: Vec): void {
    const middle = this.mode === "follow" ? now : middleOf(this.extents.all);
    const distance = this.distance(direction);
    this.camera.near = distance / 40;
    this.camera.far = distance * 20;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(toVector(middle));
    this.camera.position.copy(toVector(middle)).add(toVector(direction).normalize().multiplyScalar(distance));
    this.controls.update();
  }

  private key(event: KeyboardEvent): void {
    const away = this.camera.position.clone().sub(this.controls.target);
    const turn = (axis: Vector3, angle: number): Vector3 => away.applyAxisAngle(axis, angle);
    const right = new Vector3().crossVectors(this.camera.up, away).normalize();
    const moves: Record<string, () => Vector3> = {
      "+": () => away.multiplyScalar(0.8), "-": () => away.multiplyScalar(1.25),
      "0": () => toVector(oblique).normalize().multiplyScalar(this.distance(oblique)),
      ArrowLeft: () => turn(this.camera.up, -0.15), ArrowRight: () => turn(this.camera.up, 0.15),
      ArrowUp: () => turn(right, -0.15), ArrowDown: () => turn(right, 0.15),
    };
    const move = moves[event.key];
    if (!move || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.camera.position.copy(this.controls.target).add(move());
    this.controls.update();
    this.changed();
  }
}
