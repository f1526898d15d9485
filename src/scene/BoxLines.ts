import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  type LineBasicMaterial,
  type LineSegments,
  type Matrix4,
  Vector3,
} from 'three';
import { keepArray } from './objects/attributes.js';

/** Corners of a box, bit 1 for the upper end in x, 2 in y, 4 in z, and its twelve edges between them. */
const CORNERS = 8;
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

/** Draws boxes as line segments, in one draw call. Buffers only grow. */
export class BoxLines {
  readonly #lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  /** Boxes put since `begin`. */
  count = 0;
  #capacity = 0;

  /** @param lines Gets a geometry; with `vertexColors` of its material each box has a colour. */
  constructor(lines: LineSegments<BufferGeometry, LineBasicMaterial>) {
    this.#lines = lines;
    this.#reserve(64);
  }

  /** Begins with no boxes, which are drawn once `end` was called. */
  begin(): void {
    this.count = 0;
    this.#lines.geometry.setDrawRange(0, 0);
  }

  /** Adds a box, six numbers, whose corners a matrix moves; null for one that moves nothing. */
  put(box: ArrayLike<number>, matrix: Matrix4 | null, color: Color | null): void {
    if (this.count === this.#capacity) this.#reserve(2 * this.#capacity);
    const { attributes } = this.#lines.geometry;
    const position = attributes.position as BufferAttribute;
    for (let corner = 0; corner < CORNERS; corner++) {
      const at = CORNERS * this.count + corner;
      vertex.set(box[corner & 1 ? 3 : 0], box[corner & 2 ? 4 : 1], box[corner & 4 ? 5 : 2]);
      if (matrix !== null) vertex.applyMatrix4(matrix);
      vertex.toArray(position.array, 3 * at);
      if (color !== null) (attributes.color as BufferAttribute).setXYZ(at, color.r, color.g, color.b);
    }
    this.count++;
  }

  /** Has what was put drawn. */
  end(): void {
    const { geometry } = this.#lines;
    for (const given of Object.values(geometry.attributes)) {
      const attribute = given as BufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, 3 * CORNERS * this.count);
      attribute.needsUpdate = this.count > 0;
    }
    geometry.setDrawRange(0, EDGES.length * this.count);
  }

  /** Makes room for more boxes by a new geometry, as the attributes of one cannot grow. */
  #reserve(capacity: number): void {
    const lines = this.#lines;
    const old = lines.geometry;
    const next = new BufferGeometry();
    const numbers = 3 * CORNERS * capacity;
    next.setAttribute('position', keepArray(new BufferAttribute(new Float32Array(numbers), 3)));
    if (lines.material.vertexColors)
      next.setAttribute('color', keepArray(new BufferAttribute(new Uint8Array(numbers), 3, true)));
    for (const name of this.count > 0 ? Object.keys(next.attributes) : []) {
      (next.attributes[name] as BufferAttribute).array.set(old.attributes[name].array);
    }
    const index = new Uint32Array(EDGES.length * capacity);
    for (let i = 0; i < index.length; i++) index[i] = CORNERS * Math.floor(i / EDGES.length) + EDGES[i % EDGES.length];
    next.setIndex(keepArray(new BufferAttribute(index, 1)));
    next.setDrawRange(0, 0);
    lines.geometry = next;
    this.#capacity = capacity;
    old.dispose();
  }
}

const vertex = /* @__PURE__ */ new Vector3();
