import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  type LineBasicMaterial,
  type LineSegments,
  type Matrix4,
  Vector3,
} from 'three';
import { keepArray } from './objects/drawnAttributes.js';

/** The twelve edges of a box between its corners: bit 1 for the upper end in x, 2 in y, 4 in z. */
export const EDGES: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

type Lines = LineSegments<BufferGeometry, LineBasicMaterial>;

/** A box of six numbers, and the matrix that moves its corners; null for none. */
export interface LineBox {
  readonly box: ArrayLike<number>;
  readonly matrix: Matrix4 | null;
  /** Vertex colour, for a material with `vertexColors`. */
  readonly color: Color | null;
}

/** Draws boxes as line segments, in one draw call. Buffers only grow, by a new geometry, as attributes cannot grow. */
export function drawBoxes(lines: Lines, boxes: readonly LineBox[]): void {
  const drawn = EDGES.length * boxes.length;
  if (drawn > (lines.geometry.index?.count ?? -1)) reserve(lines, Math.max(64, 2 * boxes.length));
  const { geometry } = lines;
  const { position, color } = geometry.attributes as { [name: string]: BufferAttribute };
  for (const [i, { box, matrix, color: shade }] of boxes.entries()) {
    for (let c = 0; c < 8; c++) {
      vertex.set(box[c & 1 ? 3 : 0], box[c & 2 ? 4 : 1], box[c & 4 ? 5 : 2]);
      if (matrix !== null) vertex.applyMatrix4(matrix);
      position.setXYZ(8 * i + c, vertex.x, vertex.y, vertex.z);
      if (shade !== null) color.setXYZ(8 * i + c, shade.r, shade.g, shade.b);
    }
  }
  for (const attribute of [position, color]) {
    attribute?.clearUpdateRanges();
    attribute?.addUpdateRange(0, 24 * boxes.length);
    if (attribute && drawn > 0) attribute.needsUpdate = true;
  }
  geometry.setDrawRange(0, drawn);
}

function reserve(lines: Lines, capacity: number): void {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', keepArray(new BufferAttribute(new Float32Array(24 * capacity), 3)));
  if (lines.material.vertexColors) {
    geometry.setAttribute('color', keepArray(new BufferAttribute(new Uint8Array(24 * capacity), 3, true)));
  }
  const index = new Uint32Array(EDGES.length * capacity);
  for (let i = 0; i < index.length; i++) index[i] = 8 * Math.floor(i / EDGES.length) + EDGES[i % EDGES.length];
  geometry.setIndex(keepArray(new BufferAttribute(index, 1)));
  lines.geometry.dispose();
  lines.geometry = geometry;
}

const vertex = /* @__PURE__ */ new Vector3();
