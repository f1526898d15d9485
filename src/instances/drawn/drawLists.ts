import type { BufferGeometry, Material } from 'three';
import { grow } from '../../core/arrays.js';
import { IdList } from '../../core/ids.js';

/** A draw for each instance, or one for neighbours of one geometry (WebGPU). */
export type DrawFormat = 'multiDraw' | 'merged';

/** The lists that a `BatchedMesh` has for renderers, private parts of three. */
export interface DrawLists {
  /** Where the vertices of each draw begin, in bytes with an index, else in vertices; and how many there are. */
  readonly _multiDrawStarts: Int32Array;
  readonly _multiDrawCounts: Int32Array;
  _multiDrawCount: number;
  _multiDrawBytesPerElement: number;
  /** The same for neighbours of one geometry; since r187. */
  readonly _mergedDrawStarts: Int32Array;
  readonly _mergedDrawCounts: Int32Array;
  readonly _mergedDrawInstanceCounts: Int32Array;
  _mergedDrawCount?: number;
  readonly _indirectTexture: { readonly image: { readonly data: Uint32Array }; needsUpdate: boolean };
}

/** Bytes of a number of the index that a renderer draws from, for wireframes its own; 1 without an index. */
export function sizeOf(geometry: BufferGeometry, material: Material & { wireframe?: boolean }): number {
  if (material.wireframe) return geometry.attributes.position.count > 65535 ? 4 : 2;
  return geometry.getIndex()?.array.BYTES_PER_ELEMENT ?? 1;
}

/** Draws in order: the instance of each, and its range of the geometry. */
export class Draws {
  readonly ids: IdList = new IdList();
  starts: Float64Array = new Float64Array(16);
  counts: Float64Array = new Float64Array(16);

  reserve(length: number): void {
    if (length <= this.starts.length) return;
    this.starts = grow(this.starts, length);
    this.counts = grow(this.counts, this.starts.length);
  }
}

/** Writes draws to the lists of a batch: one for each, or one for neighbours that have the same range. */
export function writeDraws(
  mesh: DrawLists,
  draws: Draws,
  geometry: BufferGeometry,
  material: Material,
  format: DrawFormat,
): void {
  const size = sizeOf(geometry, material);
  // Numbers of the index that are drawn for each of the geometry: wireframes have twice as many.
  const multiplier = (material as { wireframe?: boolean }).wireframe ? 2 : 1;
  const merges = format === 'merged';
  const starts = merges ? mesh._mergedDrawStarts : mesh._multiDrawStarts;
  const counts = merges ? mesh._mergedDrawCounts : mesh._multiDrawCounts;
  const { ids, length } = draws.ids;
  let n = 0;
  for (let i = 0; i < length; i++) {
    const start = draws.starts[i] * size * multiplier;
    const count = draws.counts[i] * multiplier;
    if (merges && n > 0 && starts[n - 1] === start && counts[n - 1] === count) mesh._mergedDrawInstanceCounts[n - 1]++;
    else {
      if (merges) mesh._mergedDrawInstanceCounts[n] = 1;
      starts[n] = start;
      counts[n++] = count;
    }
  }
  const { data } = mesh._indirectTexture.image;
  // A user's sort function may have added to the list.
  data.set(ids.subarray(0, Math.min(length, data.length)));
  mesh._indirectTexture.needsUpdate = true;
  mesh._multiDrawCount = length;
  if (mesh._mergedDrawCount !== undefined) mesh._mergedDrawCount = merges ? n : 0;
  mesh._multiDrawBytesPerElement = size;
}
