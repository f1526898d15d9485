import { type BatchedMesh, BufferAttribute, BufferGeometry } from 'three';
import type { BufferRange } from './KnownBuffer.js';
import type { KnownGeometry } from './KnownGeometry.js';
import { makeAttribute } from './vertexData.js';

/** The arrays of a batch: an attribute of each kind of its layout, in the order of their names, and an index. */
export class BatchBuffers {
  attributes: readonly BufferAttribute[] = [];
  index: BufferAttribute | null = null;
  /** Vertices, and numbers of the index, that there is room for. */
  vertices = 0;
  indices = 0;
  bytes = 0;
  readonly #mesh: BatchedMesh;
  readonly #isShared: () => boolean;

  /** @param isShared Whether several renderers have drawn the batch. */
  constructor(mesh: BatchedMesh, isShared: () => boolean) {
    this.#mesh = mesh;
    this.#isShared = isShared;
  }

  /**
   * Has arrays made anew, of another size: graphics cards' buffers keep theirs.
   * @param like One of the geometries that are to lie in them.
   */
  resize(like: KnownGeometry, vertices: number, indices: number): void {
    const geometry = new BufferGeometry();
    this.attributes = like.attributes.map((attribute) => makeAttribute(attribute, vertices));
    for (const [i, name] of like.names.entries()) geometry.setAttribute(name, this.attributes[i]);
    if (like.indexBuffer !== null) {
      this.index = new BufferAttribute(new (isWide(vertices) ? Uint32Array : Uint16Array)(indices), 1);
      geometry.setIndex(this.index);
    }
    this.vertices = vertices;
    this.indices = indices;
    this.bytes = bytesFor(like, vertices, indices);
    this.#mesh.geometry.dispose();
    this.#mesh.geometry = geometry;
  }

  /** Has renderers upload a range; of several one would take the ranges from the others: they get all. */
  upload(attribute: BufferAttribute, { start, count }: BufferRange): void {
    if (count === 0) return;
    attribute.needsUpdate = true;
    const last = attribute.updateRanges.at(-1);
    if (this.#isShared()) attribute.clearUpdateRanges();
    else if (last !== undefined && last.start + last.count === start) last.count += count;
    else attribute.addUpdateRange(start, count);
  }

  /** Has renderers upload all. */
  uploadAll(): void {
    for (const attribute of [...this.attributes, this.index]) {
      // As a range, to which others may be added before it is uploaded.
      if (attribute !== null) this.upload(attribute, { start: 0, count: attribute.array.length });
    }
  }
}

/** Bytes of buffers for so many vertices of the kind of a geometry, and numbers of an index. */
export function bytesFor({ attributes, indexBuffer }: KnownGeometry, vertices: number, indices: number): number {
  let bytes = indexBuffer === null ? 0 : indices * (isWide(vertices) ? 4 : 2);
  for (const { itemSize, array } of attributes) bytes += vertices * itemSize * array.BYTES_PER_ELEMENT;
  return bytes;
}

/** True for more vertices than numbers of two bytes can tell apart; the last of these begins a new strip. */
function isWide(vertices: number): boolean {
  return vertices > 65535;
}
