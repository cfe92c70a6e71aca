// The animation in space, by three.js. z is up.
import {
  AmbientLight, BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, DirectionalLight, Group, HemisphereLight, Line, LineBasicMaterial,
  Mesh, MeshBasicMaterial, MeshLambertMaterial, PCFShadowMap, Scene, SphereGeometry, Vector3, WebGLRenderer, type Object3D,
} from "three";
import { litPlaces, singularAt, singularText } from "./alerts";
import { touchedPlaces } from "./events";
import { arrowColor, Arrows } from "./arrows";
import { Camera3d } from "./camera3d";
import { Coarseness } from "./coarse";
import type { Clock } from "./clock";
import { timeUnitOf, type Samples, type ShownUnit } from "./data";
import { element, onResize } from "./dom";
import { boxAt, extentsOf, middleOf, type Extents } from "./extents";
import { makeFigures, type Figure3d } from "./figures3d";
import { Floor3d, floorHeight } from "./floor3d";
import { quantity } from "./format";
import { instantAxis } from "./instant";
import { Labels3d, type Label } from "./labels3d";
import { Measures } from "./measures";
import { Options } from "./options";
import { Pose } from "./pose";
import { lengthUnit, momentAt, pathMoments, shortName, type Moment, type ScenePlan } from "./scene";
import { drawsInSoftware, Sharpness } from "./sharpness";
import { part, solidOf, stretch, toVector, up, type Role } from "./solids3d";
import { danger, eventColor, isDark, onTheme, seriesColor, theme, warning } from "./theme";
import { defaultTraces, fade, passedOf, tracePlaces } from "./traces";
import { add, length, times, type Vec } from "./vec";

const tracePoints = 4000;
const mostNames = 40;

interface Arrow3d {
  object: Group;
  shaft: Mesh;
  head: Mesh;
}

export class Scene3d {
  readonly options: Options;
  readonly arrows: Arrows;
  readonly camera: Camera3d;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly sun = new DirectionalLight(0xffffff, 2.2);
  private readonly extents: Extents;
  private readonly mark: number;
  private readonly pins: Mesh[] = [];
  private readonly rods: Mesh[] = [];
  private readonly bodies: Group[] = [];
  private readonly axes: Group[] = [];
  private readonly centers: Mesh[] = [];
  private readonly instants: Mesh[] = [];
  private readonly figures: Figure3d[];
  private readonly drawn: Arrow3d[] = [];
  private readonly halos: Mesh<SphereGeometry, MeshBasicMaterial>[] = [];
  private readonly traces: { line: Line; places: Vec[] }[] = [];
  private readonly path: Moment[];
  private readonly floor: Floor3d;
  private readonly labels: Labels3d;
  private gravityAt: Vec | undefined;
  private readonly unit: ShownUnit;  // of lengths
  private readonly sharpness: Sharpness;
  private readonly coarseness: Coarseness;
  private frames = 0;
  private shaded = "";  // what shadows were drawn of
  private isFilmed = false;
  private width = 1;
  private height = 1;

  constructor(private readonly plan: ScenePlan, private readonly samples: Samples, private readonly clock: Clock,
    frame: HTMLElement, private readonly forPicture = false) {
    this.extents = extentsOf(plan, samples.count);
    const { size } = this.extents;
    const measures = new Measures(plan, samples.count);
    this.unit = lengthUnit(plan, samples);
    this.mark = 0.01 * size;
    this.options = new Options(this.extents.travels);
    this.options.shown.delete("names");
    this.options.traces = defaultTraces(plan);
    this.arrows = new Arrows(plan, samples, measures, size);
    this.path = pathMoments(samples.time, tracePoints);
    const found = makeContext(forPicture);
    if (!found) {
      frame.append(element("p", { class: "note" }, "This browser has no WebGL, which the animation in space needs."));
      throw new Error("no WebGL");
    }
    const { canvas, context, software } = found;
    this.sharpness = new Sharpness(software);
    this.renderer = new WebGLRenderer({ canvas, context });
    this.renderer.debug.checkShaderErrors = false;  // would wait until they are compiled
    this.renderer.shadowMap.autoUpdate = false;
    canvas.classList.add("scene");
    for (const [name, value] of [["role", "img"], ["tabindex", "0"], ["aria-label", "animation of the motion in space"]] as const) {
      canvas.setAttribute(name, value);
    }
    frame.append(canvas);
    this.labels = new Labels3d(frame);
    this.floor = new Floor3d(floorHeight(plan.figures, measures.start, this.extents.all, size), size, this.unit);
    this.figures = makeFigures(plan.figures, { mark: this.mark, size, measures });
    this.camera = new Camera3d(this.extents, canvas, frame, () => this.draw());
    this.light(software && !forPicture ? 512 : 1024);
    this.build();
    this.coarseness = new Coarseness([...this.bodies, ...this.figures.map(({ object }) => object)]);
    onResize(frame, (width, height) => this.resize(width, height));
    this.options.listen(() => { this.shaded = ""; this.draw(); });
    onTheme(() => { this.paint(); this.draw(); });
    clock.listen(() => this.draw());
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  resize(width: number, height: number): void {
    [this.width, this.height] = [width, height];
    this.renderer.setSize(width, height);
    this.camera.resize(width, height);
    this.draw();
  }

  /** The labels, which are no part of the canvas. */
  paintLabels(pen: CanvasRenderingContext2D): void {
    pen.save();
    pen.scale(this.canvas.width / this.width, this.canvas.height / this.height);
    this.labels.paint(pen, this.width, this.height);
    pen.restore();
  }

  /** For a film of the canvas, whose size must not change. */
  set filmed(filmed: boolean) {
    this.isFilmed = filmed;
    this.draw();
  }

  private sharpen(): void {
    const screen = this.forPicture ? 1 : window.devicePixelRatio || 1;
    const moves = this.clock.playing && !this.isFilmed && !this.forPicture;
    const still = { ratio: screen, shadowsEvery: 1, cell: 0 };
    const { ratio, shadowsEvery, cell } = moves ? this.sharpness.next(performance.now(), screen)
      : this.isFilmed || this.forPicture ? still : this.sharpness.still(screen);
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    this.coarseness.set(cell / this.pixelsOf(1));
    this.shade(cell, shadowsEvery);
  }

  // Shadows are those of before where nothing but the camera moved.
  private shade(cell: number, every: number): void {
    const state = `${this.clock.time} ${cell}`;
    this.renderer.shadowMap.needsUpdate = this.frames++ % every === 0 && state !== this.shaded;
    if (this.renderer.shadowMap.needsUpdate) this.shaded = state;
  }

  /** Directions to look along, by the names of buttons. */
  views(): Record<string, () => void> {
    const look = (direction: Vec) => (): void => this.camera.look(direction);
    return { "x": look([1, 0, 1e-3]), "y": look([0, -1, 1e-3]), "z": look([0, -1e-3, 1]), "xyz": look([0.6, -0.7, 0.39]) };
  }

  private light(pixels: number): void {
    const { size } = this.extents;
    this.scene.add(new AmbientLight(0xffffff, 0.9), new HemisphereLight(0xffffff, 0x999999, 1.1));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(pixels, pixels);
    this.sun.shadow.radius = pixels / 256;
    const reach = 1.6 * size;
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * size, far: 12 * size });
    this.sun.shadow.normalBias = 0.01 * size;
    this.scene.add(this.sun, this.sun.target);
  }

  private build(): void {
    const { mark } = this;
    const rod = new CylinderGeometry(1.2 * mark, 1.2 * mark, 1, 16);
    const pin = new SphereGeometry((this.plan.bodies.length > 0 ? 1.3 : 2.2) * mark, 24, 16);
    for (const _ of this.plan.links) this.rods.push(this.add(part(rod, "accent")));
    for (const { fixed } of this.plan.points) this.pins.push(this.add(part(pin, fixed ? "ink" : "faint")));
    this.plan.bodies.forEach(({ shapes }, i) => {
      const group = this.add(new Group());
      for (const shape of shapes) group.add(solidOf(shape, 1.2 * mark, i));
      this.bodies.push(group);
      this.axes.push(this.add(axesGroup(12 * mark, 0.5 * mark)));
      this.instants.push(this.add(part(new CylinderGeometry(0.3 * mark, 0.3 * mark, 1, 8), i)));
      this.centers.push(this.add(part(new SphereGeometry(1.6 * mark, 16, 12), "mark")));
      for (const asked of [this.axes, this.instants, this.centers]) bringToFront(asked[i]!);
    });
    for (const { object } of this.figures) this.add(object);
    this.add(this.floor.object);
    this.paint();
  }

  // When they are first drawn.
  private makeTraces(): void {
    tracePlaces(this.plan, this.path).forEach((places, i) => {
      const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(places.flat()), 3));
      geometry.setAttribute("color", new BufferAttribute(new Float32Array(4 * places.length).fill(1), 4));
      const line = this.add(new Line(geometry, new LineBasicMaterial({ transparent: true, vertexColors: true })));
      line.frustumCulled = false;
      line.userData["trace"] = this.plan.traces.length > 0 ? i + 1 : i;
      this.traces.push({ line, places });
    });
    this.paint();
  }

  private add<T extends Object3D>(object: T): T {
    this.scene.add(object);
    return object;
  }

  private paint(): void {
    const colors = theme();
    const colorOf = (role: Role): string => {
      if (typeof role === "number") return seriesColor(role);
      const named: Partial<Record<Role, string>> = {
        metal: isDark() ? "#aab4c0" : "#8a939e", spring: seriesColor(2), mark: seriesColor(1),
        ink: colors.ink, faint: colors.faint, accent: colors.accent, paper: colors.paper,
      };
      return named[role]!;
    };
    this.scene.traverse((object) => {
      const role = object.userData["role"] as Role | undefined;
      if (role !== undefined) ((object as Mesh).material as MeshLambertMaterial).color = new Color(colorOf(role));
    });
    for (const { line } of this.traces) (line.material as LineBasicMaterial).color.set(seriesColor(line.userData["trace"] as number));
    this.floor.paint(colors.grid);
  }

  private draw(): void {
    if (this.samples.count === 0 || !this.camera) return;
    const { options } = this;
    const moment = momentAt(this.samples.time, this.clock.time);
    const pose = new Pose(this.plan, moment);
    this.pins.forEach((pin, i) => pin.position.set(...pose.point(i)));
    this.plan.links.forEach(([from, to], i) => stretch(this.rods[i]!, pose.point(from), pose.point(to)));
    this.plan.bodies.forEach(({ shapes }, i) => this.place(i, pose, shapes.some(({ kind }) => kind === "frame")));
    for (const figure of this.figures) figure.update(pose);
    if (options.traces !== "off" && this.traces.length === 0) this.makeTraces();
    this.traces.forEach((_, i) => this.drawTrace(i, moment));
    this.drawArrows(pose);
    this.drawAlerts(pose);
    const now = middleOf(boxAt(this.plan, moment));
    this.camera.aim(options.camera, now);
    const { target } = this.camera;
    this.floor.fit(target.x, target.y, this.height / this.pixelsOf(1));
    this.sun.position.set(now[0], now[1], now[2]).add(new Vector3(1, -1.6, 4).multiplyScalar(this.extents.size));
    this.sun.target.position.set(...now);
    this.sharpen();
    this.renderer.render(this.scene, this.camera.camera);
    const gravity: Label[] = this.gravityAt ? [{ kind: "tick", text: "g", place: this.gravityAt }] : [];
    this.labels.showScale(quantity(this.floor.step, this.unit), this.pixelsOf(this.floor.step));
    this.labels.draw([...gravity, ...this.names(pose), ...this.floor.labels(this.camera.span)], this.camera.camera, this.width, this.height);
  }

  /** How long a length at what the camera looks at is in the picture. */
  private pixelsOf(size: number): number {
    const { camera, target } = this.camera;
    return (size * this.height) / (2 * camera.position.distanceTo(target) * Math.tan((Math.PI / 360) * camera.fov));
  }

  private place(i: number, pose: Pose, framed: boolean): void {
    const turn = pose.turn(i);
    for (const object of [this.bodies[i]!, this.axes[i]!, this.centers[i]!]) {
      object.position.set(...pose.position(i));
      if (turn.length === 4) object.quaternion.set(turn[1]!, turn[2]!, turn[3]!, turn[0]!);
    }
    this.axes[i]!.visible = framed || this.options.shown.has("frames");
    this.centers[i]!.visible = this.options.shown.has("centers");
    this.placeInstant(i);
  }

  private placeInstant(i: number): void {
    const line = this.instants[i]!;
    const { size } = this.extents;
    const axis = this.options.shown.has("instant") ? instantAxis(this.plan, this.samples.time, this.clock.time, i, size) : undefined;
    line.visible = axis !== undefined;
    if (!axis) return;
    const half = times((0.6 * size) / length(axis.omega), axis.omega);
    stretch(line, add(axis.place, times(-1, half)), add(axis.place, half));
  }

  // A trace grows with time and fades with age.
  private drawTrace(i: number, moment: Moment): void {
    const { line, places } = this.traces[i]!;
    const { traces } = this.options;
    line.visible = traces !== "off";
    if (!line.visible) return;
    const passed = passedOf(this.path, moment);
    line.geometry.setDrawRange(0, traces === "whole" ? places.length : passed);
    const colors = line.geometry.getAttribute("color") as BufferAttribute;
    for (let k = 0; k < places.length; ++k) colors.setW(k, k > passed ? 0.25 : fade((passed - k) / places.length));
    colors.needsUpdate = true;
  }

  private drawArrows(pose: Pose): void {
    const list = this.arrows.at(pose, this.clock.time, this.options);
    const gravity = this.plan.figures.find(({ kind }) => kind === "gravity");
    const { low, high } = this.extents.all;
    if (gravity) {
      const vector = pose.vector(gravity.numbers["vector"]!);
      if (length(vector) > 0) {
        const along = times((0.15 * this.extents.size) / length(vector), vector);
        const corner: Vec = this.options.camera === "follow" ? add(middleOf(boxAt(this.plan, pose.moment)), times(0.5 * this.extents.size, [-1, 0.2, 0.8])) : [low[0], high[1], high[2]];
        this.gravityAt = corner;
        list.push({ quantity: "gravity", from: corner, along, value: length(vector), unit: "" });
      }
    }
    while (this.drawn.length < list.length) this.drawn.push(this.makeArrow());
    this.drawn.forEach(({ object, shaft, head }, i) => {
      const arrow = list[i];
      object.visible = arrow !== undefined;
      if (!arrow) return;
      const color = arrow.quantity === "gravity" ? theme().faint : seriesColor(arrowColor(arrow.quantity));
      const size = Math.min(5 * this.mark, 0.5 * length(arrow.along));
      const neck = add(arrow.from, times(1 - size / length(arrow.along), arrow.along));
      stretch(shaft, arrow.from, neck);
      head.position.set(...add(neck, times(0.5 * size / length(arrow.along), arrow.along)));
      head.quaternion.setFromUnitVectors(up, toVector(arrow.along).normalize());
      head.scale.setScalar(size);
      for (const mesh of [shaft, head]) (mesh.material as MeshLambertMaterial).color.set(color);
    });
  }

  private drawAlerts(pose: Pose): void {
    const { plan, clock, halos } = this;
    const shown = this.options.shown.has("alerts");
    const singular = shown ? singularAt(plan.alerts, clock.time, clock.last - clock.first) : undefined;
    const touched = this.options.shown.has("contacts") ? touchedPlaces(plan, pose, clock.time) : [];
    const lit = [...touched, ...(shown ? litPlaces(plan, pose, singular !== undefined).map(({ place }) => place) : [])];
    while (halos.length < lit.length) {
      const material = new MeshBasicMaterial({ transparent: true, opacity: 0.45, depthWrite: false });
      halos.push(this.add(new Mesh(new SphereGeometry(4.2 * this.mark, 24, 16), material)));
    }
    halos.forEach((halo, i) => {
      halo.visible = lit[i] !== undefined;
      if (lit[i]) halo.position.set(...lit[i]!);
      halo.material.color.set(i < touched.length ? eventColor() : singular === undefined ? warning : danger);
    });
    this.labels.showAlert(singular === undefined ? "" : singularText(singular, timeUnitOf(this.samples)));
  }

  private makeArrow(): Arrow3d {
    const object = this.add(new Group());
    const shaft = new Mesh(new CylinderGeometry(0.7 * this.mark, 0.7 * this.mark, 1, 12), new MeshLambertMaterial());
    const head = new Mesh(new ConeGeometry(0.4, 1, 20), new MeshLambertMaterial());
    object.add(shaft, head);
    bringToFront(object);
    return { object, shaft, head };
  }

  private names(pose: Pose): Label[] {
    if (!this.options.shown.has("names")) return [];
    const of = (text: string, place: Vec): Label => ({ kind: "name", text, place });
    const joints = this.plan.figures.filter(({ kind, at }) => at.length === 2 && kind !== "ground" && kind !== "motor");
    return [
      ...this.plan.bodies.map(({ name }, i) => of(name, pose.position(i))),
      ...this.plan.points.map(({ name }, i) => of(shortName(name), pose.point(i))),
      ...joints.map(({ name, at }) => of(name, pose.place(at[1]!))),
    ].slice(0, mostNames);
  }
}

/** Edges are smooth where a graphics card makes them so, and in pictures that are saved. */
function makeContext(forPicture: boolean): { canvas: HTMLCanvasElement; context: WebGL2RenderingContext; software: boolean } | undefined {
  const make = (antialias: boolean): { canvas: HTMLCanvasElement; context: WebGL2RenderingContext | null } => {
    const canvas = document.createElement("canvas");
    return { canvas, context: canvas.getContext("webgl2", { alpha: true, antialias, preserveDrawingBuffer: true }) };
  };
  const plain = make(forPicture);
  if (!plain.context) return undefined;
  const software = drawsInSoftware(plain.context);
  const { canvas, context } = software || forPicture ? plain : make(true);
  return context ? { canvas, context, software } : undefined;
}

/** What was asked for is seen through bodies. */
function bringToFront(object: Object3D): void {
  object.traverse((one) => {
    if (!(one instanceof Mesh)) return;
    one.renderOrder = 1;
    Object.assign(one.material as MeshLambertMaterial, { depthTest: false, transparent: true });
  });
}

/** x, y and z of a frame: red, green, blue. */
function axesGroup(size: number, radius: number): Group {
  const group = new Group();
  const directions: [Vec, Role][] = [[[size, 0, 0], 7], [[0, size, 0], 2], [[0, 0, size], 0]];
  for (const [to, role] of directions) {
    const rod = part(new CylinderGeometry(radius, radius, 1, 10), role);
    stretch(rod, [0, 0, 0], to);
    group.add(rod);
  }
  return group;
}
