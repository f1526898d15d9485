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
  /** The instance of each draw. */
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

/** Writes draws to the lists of a batch. */
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
  if (format === 'merged') writeMerged(mesh, draws, size, multiplier);
  else writeMulti(mesh, draws, size, multiplier);
}

function writeMulti(mesh: DrawLists, draws: Draws, size: number, multiplier: number): void {
  const { _multiDrawStarts: starts, _multiDrawCounts: counts } = mesh;
  const { ids, length } = draws.ids;
  for (let i = 0; i < length; i++) {
    starts[i] = draws.starts[i] * size * multiplier;
    counts[i] = draws.counts[i] * multiplier;
  }
  finish(mesh, ids, length, 0, size);
}

/** Writes one draw for neighbours that have the same range. */
function writeMerged(mesh: DrawLists, draws: Draws, size: number, multiplier: number): void {
  const { _mergedDrawStarts: starts, _mergedDrawCounts: counts, _mergedDrawInstanceCounts: instanceCounts } = mesh;
  const { ids, length } = draws.ids;
  let merged = 0;
  for (let i = 0; i < length; i++) {
    const start = draws.starts[i] * size * multiplier;
    const count = draws.counts[i] * multiplier;
    if (merged > 0 && starts[merged - 1] === start && counts[merged - 1] === count) instanceCounts[merged - 1]++;
    else {
      starts[merged] = start;
      counts[merged] = count;
      instanceCounts[merged++] = 1;
    }
  }
  finish(mesh, ids, length, merged, size);
}

function finish(mesh: DrawLists, ids: Int32Array, count: number, merged: number, size: number): void {
  const { data } = mesh._indirectTexture.image;
  // A user's sort function may have added to the list.
  data.set(ids.subarray(0, Math.min(count, data.length)));
  mesh._indirectTexture.needsUpdate = true;
  mesh._multiDrawCount = count;
  if (mesh._mergedDrawCount !== undefined) mesh._mergedDrawCount = merged;
  mesh._multiDrawBytesPerElement = size;
}
