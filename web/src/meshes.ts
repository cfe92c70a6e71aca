// Triangles that a model carries as text: what its bodies look like.
import { toVec, type Vec } from "./vec";

export interface MeshData {
  vertices: Float32Array;
  triangles: Uint16Array;
  low: Vec;
  high: Vec;
}

/** Least corner and step (float), counts (32 bits), vertices in steps and triangles (16 bits), little-endian, in base64. */
export function decodeMesh(text: string): MeshData | undefined {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  if (bytes.length < 24) return undefined;
  const view = new DataView(bytes.buffer);
  const low = toVec([0, 4, 8].map((at) => view.getFloat32(at, true)));
  const step = view.getFloat32(12, true);
  const [count, faces] = [view.getUint32(16, true), view.getUint32(20, true)];
  if (24 + 6 * (count + faces) > bytes.length) return undefined;
  const vertices = new Float32Array(3 * count);
  for (let i = 0; i < 3 * count; ++i) vertices[i] = low[i % 3]! + step * view.getUint16(24 + 2 * i, true);
  const triangles = new Uint16Array(3 * faces);
  for (let i = 0; i < 3 * faces; ++i) triangles[i] = Math.min(count - 1, view.getUint16(24 + 6 * count + 2 * i, true));
  const high = vertices.reduce((most, value, i) => { most[i % 3] = Math.max(most[i % 3]!, value); return most; }, [...low]);
  return { vertices, triangles, low, high: toVec(high) };
}
