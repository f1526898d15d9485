import type { BufferGeometry, Material } from 'three';
import { grow, sortByKey } from '../../core/arrays.js';
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

/** Numbers of the index that are drawn for each of the geometry: wireframes have twice as many. */
export function multiplierOf({ wireframe }: Material & { wireframe?: boolean }): number {
  return wireframe ? 2 : 1;
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

/**
 * Writes each draw.
 * @param size Result of {@link sizeOf}.
 * @param multiplier Result of {@link multiplierOf}.
 */
export function writeMulti(mesh: DrawLists, draws: Draws, size: number, multiplier: number): void {
  const { _multiDrawStarts: starts, _multiDrawCounts: counts } = mesh;
  const { ids, length } = draws.ids;
  for (let i = 0; i < length; i++) {
    starts[i] = draws.starts[i] * size * multiplier;
    counts[i] = draws.counts[i] * multiplier;
  }
  finish(mesh, ids, length, 0, size);
}

/** Writes one draw for neighbours that have the same range. */
export function writeMerged(mesh: DrawLists, draws: Draws, size: number, multiplier: number): void {
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

/** Up to this length insertion is faster than a radix sort, which clears and adds up 3 × 1,024 counters. */
const SHORT = 64;

/**
 * Sorts ids by depth as `Array.sort` does, ids of equal depth in the order they came: short lists by insertion, others
 * by a radix sort of the depth in single precision, whose rounding keeps the order, then by the depth itself within what
 * that makes equal.
 */
export class DepthOrder {
  /** The depth of each id; write them before `sort`. */
  depths: Float64Array = new Float64Array(64);
  #keys = new Int32Array(64);
  #order = new Int32Array(64);
  #otherKeys = new Int32Array(64);
  #otherOrder = new Int32Array(64);
  #ids = new Int32Array(64);

  /** Makes room for so many depths. */
  reserve(count: number): Float64Array {
    if (count <= this.depths.length) return this.depths;
    this.depths = grow(this.depths, count);
    const capacity = this.depths.length;
    this.#keys = new Int32Array(capacity);
    this.#order = new Int32Array(capacity);
    this.#otherKeys = new Int32Array(capacity);
    this.#otherOrder = new Int32Array(capacity);
    this.#ids = new Int32Array(capacity);
    return this.depths;
  }

  /**
   * Sorts a list by `depths`, which lie in the order of the list, nearest first or farthest first.
   * @returns false, with the list as it was, when a depth is NaN.
   */
  sort({ ids, length }: IdList, isFarthestFirst: boolean): boolean {
    for (let i = 0; i < length; i++) if (Number.isNaN(this.depths[i])) return false;
    this.#makeKeys(length, isFarthestFirst);
    if (length <= SHORT) this.#insert(0, length);
    else this.#sortByKeys(length);
    const order = this.#order;
    const before = this.#ids;
    for (let i = 0; i < length; i++) before[i] = ids[i];
    for (let i = 0; i < length; i++) ids[i] = before[order[i]];
    return true;
  }

  /** Writes keys in the wanted order, and places; depths are negated for the farthest first. */
  #makeKeys(length: number, isFarthestFirst: boolean): void {
    const { depths } = this;
    const keys = this.#keys;
    const floats = new Float32Array(keys.buffer);
    for (let i = 0; i < length; i++) {
      // Zeros of both signs are equal.
      const depth = (isFarthestFirst ? -depths[i] : depths[i]) + 0;
      depths[i] = depth;
      floats[i] = depth;
      const bits = keys[i];
      // In the order of the floats, without a sign, and of the 30 bits that a key has.
      keys[i] = (bits < 0 ? ~bits : bits ^ 0x80000000) >>> 2;
      this.#order[i] = i;
    }
  }

  #sortByKeys(length: number): void {
    const keys = this.#keys;
    const order = this.#order;
    const { depths } = this;
    sortByKey(
      keys.subarray(0, length),
      order.subarray(0, length),
      this.#otherKeys.subarray(0, length),
      this.#otherOrder.subarray(0, length),
    );
    for (let start = 0; start < length; ) {
      let end = start + 1;
      while (end < length && keys[end] === keys[start]) end++;
      if (end - start > SHORT) order.subarray(start, end).sort((a, b) => depths[a] - depths[b] || a - b);
      else this.#insert(start, end);
      start = end;
    }
  }

  /** Sorts a range of places by insertion. */
  #insert(start: number, end: number): void {
    const order = this.#order;
    const { depths } = this;
    for (let i = start + 1; i < end; i++) {
      const moving = order[i];
      let to = i;
      for (; to > start && depths[order[to - 1]] > depths[moving]; to--) order[to] = order[to - 1];
      order[to] = moving;
    }
  }
}
