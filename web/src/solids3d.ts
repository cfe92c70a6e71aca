// Geometry of bodies in space, with marks that show how they turn.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CylinderGeometry, Group, Mesh, MeshLambertMaterial, Quaternion, SphereGeometry,
  TorusGeometry, Vector3, type Object3D,
} from "three";
import type { Shape } from "./data";
import { toVec, type Vec } from "./vec";

/** What a thing is painted like: the colour of a body, or of the theme. */
export type Role = number | "ink" | "faint" | "accent" | "paper" | "metal" | "spring" | "mark";

export function part(geometry: BufferGeometry, role: Role): Mesh<BufferGeometry, MeshLambertMaterial> {
  const mesh = new Mesh(geometry, new MeshLambertMaterial());
  mesh.userData["role"] = role;
  mesh.castShadow = true;
  return mesh;
}

export const toVector = (v: Vec): Vector3 => new Vector3(...v);
export const up = new Vector3(0, 1, 0);

/** A thing of length 1 along y becomes one between two places. */
export function stretch(rod: Object3D, from: Vec, to: Vec, rest = 1): void {
  const along = toVector(to).sub(toVector(from));
  const length = along.length();
  rod.visible = length > 0;
  if (!(length > 0)) return;
  rod.position.set((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2);
  rod.quaternion.copy(new Quaternion().setFromUnitVectors(up, along.multiplyScalar(1 / length)));
  rod.scale.set(1, length / rest, 1);
}

/** A ball of eight parts in two shades. */
export function ballGeometry(radius: number): BufferGeometry {
  const geometry = new SphereGeometry(radius, 48, 24).toNonIndexed();
  const places = geometry.getAttribute("position");
  const colors = new Float32Array(3 * places.count);
  for (let i = 0; i < places.count; i += 3) {
    const middle: Vec = [0, 0, 0];
    for (let k = 0; k < 3; ++k) {
      middle[0] += places.getX(i + k);
      middle[1] += places.getY(i + k);
      middle[2] += places.getZ(i + k);
    }
    const shade = middle[0] * middle[1] * middle[2] > 0 ? 1 : 0.45;
    colors.fill(shade, 3 * i, 3 * i + 9);
  }
  return geometry.setAttribute("color", new BufferAttribute(colors, 3));
}

/** `thin` is the radius of what has none. */
export function solidOf(shape: Shape, thin: number, role: Role): Object3D {
  const group = new Group();
  const center = toVec("center" in shape && shape.center ? shape.center : []);
  group.position.set(...center);
  if (shape.turn?.length === 4) group.quaternion.set(shape.turn[1]!, shape.turn[2]!, shape.turn[3]!, shape.turn[0]!);
  switch (shape.kind) {
    case "inertia":
    case "box": {
      const [x, y, z] = toVec(shape.size).map((edge) => Math.max(edge, 0.5 * thin)) as Vec;
      const box = part(new BoxGeometry(x, y, z), role);
      if (shape.kind === "inertia") makeGlassy(box);
      group.add(box);
      const face = part(new BoxGeometry(0.02 * x, 0.8 * y, 0.8 * z), "mark");  // one face is marked
      face.position.x = x / 2;
      group.add(face);
      break;
    }
    case "cylinder":
    case "rod":
      group.add(turnedCylinder(shape.radius || thin, Math.max(shape.length, 0.5 * thin), shape.axis ?? "z", role, shape.glass ?? false));
      break;
    case "circle":
    case "sphere": {
      const ball = part(ballGeometry(shape.radius), role);
      ball.material.vertexColors = true;
      group.add(ball);
      break;
    }
    case "hoop": {
      const hoop = part(new TorusGeometry(shape.radius, Math.max(thin, 0.05 * shape.radius), 16, 72), role);
      const mark = part(new TorusGeometry(shape.radius, Math.max(thin, 0.055 * shape.radius), 16, 12, 0.25), "mark");
      const ring = new Group();
      ring.add(hoop, mark);
      if (shape.axis === "x") ring.rotation.y = Math.PI / 2;
      if (shape.axis === "y") ring.rotation.x = Math.PI / 2;
      group.add(ring);
      break;
    }
    case "plate":
      addPlate(group, shape.corners.map(toVec), shape.radius || 0.6 * thin, role);
      break;
    case "polygon":
      group.add(part(fanGeometry(shape.points.map(toVec)), role));
      break;
    case "frame":
      break;
  }
  return group;
}

/** Of what only stands for a body, so that nothing hides behind it. */
function makeGlassy(mesh: Mesh<BufferGeometry, MeshLambertMaterial>): void {
  Object.assign(mesh.material, { transparent: true, opacity: 0.4, depthWrite: false });
}

function turnedCylinder(radius: number, length: number, axis: "x" | "y" | "z", role: Role, glass: boolean): Object3D {
  const group = new Group();
  const drum = part(new CylinderGeometry(radius, radius, length, 40), role);
  if (glass) makeGlassy(drum);
  group.add(drum);
  for (const end of [-1, 1]) {  // a line on both ends shows how it turns
    const line = part(new BoxGeometry(0.85 * radius, 0.04 * radius, 0.12 * radius), "mark");
    line.position.set(0.45 * radius, (end * length) / 2, 0);
    group.add(line);
  }
  if (axis === "x") group.rotation.z = -Math.PI / 2;
  if (axis === "z") group.rotation.x = Math.PI / 2;
  return group;
}

function addPlate(group: Group, corners: Vec[], radius: number, role: Role): void {
  for (const corner of corners) {
    const ball = part(new SphereGeometry(radius, 20, 12), role);
    ball.position.set(...corner);
    group.add(ball);
  }
  const edges = corners.length > 2 ? corners.length : corners.length - 1;
  for (let i = 0; i < edges; ++i) {
    const rod = part(new CylinderGeometry(radius, radius, 1, 16), role);
    stretch(rod, corners[i]!, corners[(i + 1) % corners.length]!);
    group.add(rod);
  }
  if (corners.length > 2) group.add(part(fanGeometry(corners), role));
}

export function fanGeometry(corners: Vec[]): BufferGeometry {
  const fan: number[] = [];
  for (let i = 1; i + 1 < corners.length; ++i) {
    for (const k of [0, i, i + 1, 0, i + 1, i]) fan.push(...corners[k]!);  // both sides
  }
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(fan), 3));
  geometry.computeVertexNormals();
  return geometry;
}
