// The animation in space, by three.js; drag turns it, the wheel with Ctrl comes nearer. z is up.
import {
  AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, Color, CylinderGeometry, DirectionalLight, GridHelper,
  Group, Line, LineBasicMaterial, Mesh, MeshStandardMaterial, PerspectiveCamera, Quaternion, Scene, SphereGeometry,
  Vector3, WebGLRenderer, type Object3D,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Clock } from "./clock";
import type { Samples, Shape } from "./data";
import { element, onResize } from "./dom";
import { at, boundsOf, momentAt, pathMoments, type Moment, type ScenePlan, type Track } from "./scene";
import { onTheme, seriesColor, theme } from "./theme";

const tracePoints = 20000;

/** In degrees, from bottom to top; a narrow picture shows more in height, so that nothing is cut at its sides. */
const fieldOfView = (aspect: number): number =>
  (360 / Math.PI) * Math.atan(Math.tan(Math.PI / 9) * Math.max(1, 1.5 / aspect));

interface TraceLine {
  whole: Line;
  passed: Line;
}

export class Scene3d {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(40, 1, 0.01, 1000);
  private readonly size: number;
  private readonly pins: Mesh[] = [];
  private readonly rods: Mesh[] = [];
  private readonly bodies: Group[] = [];
  private readonly traces: TraceLine[] = [];
  private readonly path: Moment[];
  private grid: GridHelper | undefined;
  private readonly floor: number;
  private readonly middle: Vector3;

  constructor(private readonly plan: ScenePlan, private readonly samples: Samples, private readonly clock: Clock,
    frame: HTMLElement) {
    const { low, high } = boundsOf(plan);
    this.middle = new Vector3(...low.map((value, i) => (value + high[i]!) / 2));
    this.size = Math.max(...high.map((value, i) => value - low[i]!)) || 1;
    this.floor = low[2]! - 0.05 * this.size;
    this.path = pathMoments(samples.time, tracePoints);
    try {
      this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    } catch (error) {
      frame.append(element("p", { class: "note" }, "This browser has no WebGL, which the animation in space needs."));
      throw error;
    }
    const canvas = this.renderer.domElement;
    canvas.classList.add("scene");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "animation of the motion in space");
    frame.append(canvas);
    this.makeCamera(canvas);
    this.scene.add(new AmbientLight(0xffffff, 1.6));
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(1, -2, 3);
    this.scene.add(sun);
    this.build();
    onResize(frame, (width, height) => {
      this.renderer.setPixelRatio(window.devicePixelRatio || 1);
      this.renderer.setSize(width, height);
      this.camera.aspect = width / height;
      this.camera.fov = fieldOfView(width / height);
      this.camera.updateProjectionMatrix();
      this.draw();
    });
    onTheme(() => { this.paint(); this.draw(); });
    clock.listen(() => this.draw());
  }

  private makeCamera(canvas: HTMLCanvasElement): void {
    this.camera.up.set(0, 0, 1);
    this.camera.near = this.size / 100;
    this.camera.far = this.size * 100;
    this.camera.position.copy(this.middle).add(new Vector3(1.15, -1.35, 0.75).multiplyScalar(this.size));
    const controls = new OrbitControls(this.camera, canvas);
    controls.target.copy(this.middle);
    controls.enableZoom = false;
    controls.update();
    controls.addEventListener("change", () => this.draw());
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const away = this.camera.position.clone().sub(this.middle).multiplyScalar(event.deltaY > 0 ? 1.1 : 0.9);
      this.camera.position.copy(this.middle).add(away);
      this.draw();
    }, { passive: false });
  }

  private build(): void {
    const rod = new CylinderGeometry(0.012 * this.size, 0.012 * this.size, 1, 16);
    const pin = new SphereGeometry((this.plan.bodies.length > 0 ? 0.013 : 0.022) * this.size, 24, 16);
    for (const _ of this.plan.links) this.rods.push(this.add(new Mesh(rod, new MeshStandardMaterial())));
    for (const _ of this.plan.points) this.pins.push(this.add(new Mesh(pin, new MeshStandardMaterial())));
    for (const { shapes } of this.plan.bodies) {
      const group = this.add(new Group());
      for (const shape of shapes) group.add(meshOf(shape, 0.012 * this.size));
      this.bodies.push(group);
    }
    for (const point of this.plan.traces) {
      const places = new Float32Array(3 * this.path.length);
      this.path.forEach((moment, i) => places.set(this.place(point, moment).toArray(), 3 * i));
      const line = (opacity: number): Line => {
        const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(places, 3));
        return this.add(new Line(geometry, new LineBasicMaterial({ transparent: true, opacity })));
      };
      this.traces.push({ whole: line(0.3), passed: line(1) });
    }
    this.paint();
  }

  private add<T extends Object3D>(object: T): T {
    this.scene.add(object);
    return object;
  }

  private paint(): void {
    const colors = theme();
    const set = (object: Object3D, color: string): void => {
      const { material } = object as Mesh<BufferGeometry, MeshStandardMaterial>;
      material.color = new Color(color);
    };
    for (const rod of this.rods) set(rod, colors.accent);
    this.pins.forEach((pin, i) => set(pin, this.plan.points[i]!.fixed ? colors.ink : colors.faint));
    this.bodies.forEach((body, i) => body.children.forEach((mesh) => set(mesh, seriesColor(i))));
    this.traces.forEach(({ whole, passed }, i) => [whole, passed].forEach((line) => set(line, seriesColor(i + 1))));
    if (this.grid) this.scene.remove(this.grid);
    this.grid = this.add(new GridHelper(2 * this.size, 10, colors.grid, colors.grid));
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.set(this.middle.x, this.middle.y, this.floor);
  }

  private vector = (tracks: Track[], moment: Moment): Vector3 =>
    new Vector3(...[0, 1, 2].map((axis) => (tracks[axis] ? at(tracks[axis], moment) : 0)));
  private place = (point: number, moment: Moment): Vector3 => this.vector(this.plan.points[point]!.tracks, moment);

  private draw(): void {
    if (this.samples.count === 0) return;
    const moment = momentAt(this.samples.time, this.clock.time);
    this.pins.forEach((pin, i) => pin.position.copy(this.place(i, moment)));
    this.plan.links.forEach(([from, to], i) => stretch(this.rods[i]!, this.place(from, moment), this.place(to, moment)));
    this.plan.bodies.forEach((body, i) => {
      const group = this.bodies[i]!;
      group.position.copy(this.vector(body.position, moment));
      if (body.turn.length === 4) {
        const [e0, e1, e2, e3] = body.turn.map((one) => at(one, moment)) as [number, number, number, number];
        group.quaternion.set(e1, e2, e3, e0).normalize();
      }
    });
    const passed = this.path.filter(({ index }) => index < moment.index).length;
    for (const trace of this.traces) trace.passed.geometry.setDrawRange(0, passed);
    this.renderer.render(this.scene, this.camera);
  }
}

const up = new Vector3(0, 1, 0);

/** A cylinder of length 1 along y becomes the rod between two places. */
function stretch(rod: Mesh, from: Vector3, to: Vector3): void {
  const along = to.clone().sub(from);
  const length = along.length();
  rod.visible = length > 0;
  if (length === 0) return;
  rod.position.copy(from).add(to).multiplyScalar(0.5);
  rod.quaternion.copy(new Quaternion().setFromUnitVectors(up, along.multiplyScalar(1 / length)));
  rod.scale.set(1, length, 1);
}

/** `thin` is the radius of a rod that has none. */
function meshOf(shape: Shape, thin: number): Mesh {
  const mesh = new Mesh(geometryOf(shape, thin), new MeshStandardMaterial());
  if (shape.kind !== "polygon") mesh.position.set(shape.center?.[0] ?? 0, shape.center?.[1] ?? 0, shape.center?.[2] ?? 0);
  if (shape.kind === "cylinder" || shape.kind === "rod") {  // three.js makes them along y
    const axis = shape.axis ?? "z";
    if (axis === "x") mesh.rotation.z = -Math.PI / 2;
    if (axis === "z") mesh.rotation.x = Math.PI / 2;
  }
  return mesh;
}

function geometryOf(shape: Shape, thin: number): BufferGeometry {
  switch (shape.kind) {
    case "box":
      return new BoxGeometry(...(shape.size as [number, number, number]));
    case "cylinder":
    case "rod":
      return new CylinderGeometry(shape.radius || thin, shape.radius || thin, shape.length, 32);
    case "circle":
    case "sphere":
      return new SphereGeometry(shape.radius, 32, 20);
    case "polygon": {
      const geometry = new BufferGeometry();
      const fan: number[] = [];
      for (let i = 1; i + 1 < shape.points.length; ++i) {
        for (const k of [0, i, i + 1]) fan.push(shape.points[k]![0], shape.points[k]![1], 0);
      }
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(fan), 3));
      geometry.computeVertexNormals();
      return geometry;
    }
  }
}
