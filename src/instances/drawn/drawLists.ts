import { type Camera, Matrix4 } from 'three';
import { grow, sortByKey } from '../../core/arrays.js';
import { IdList } from '../../core/ids.js';

/** Draws in order: the instance of each draw, and its range of the geometry. */
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

/** Up to this length insertion is faster than a radix sort, which clears and adds up 3 × 1,024 counters. */
const SHORT_SORT = 128;

/**
 * Sorts ids by depth as `Array.sort` does, with ids of equal depth in their original order. Short lists are sorted by
 * insertion. Longer lists are sorted by a radix sort of the depth in single precision, whose rounding keeps the order;
 * then ids with equal rounded depths are sorted by the depth itself.
 */
export class DepthOrder {
  /** The depth of each id; to be written before `sort`. */
  depths: Float64Array = new Float64Array(64);
  #keys = new Int32Array(64);
  #order = new Int32Array(64);
  #otherKeys = new Int32Array(64);
  #otherOrder = new Int32Array(64);
  #ids = new Int32Array(64);

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
   * @returns false, with the list unchanged, when a depth is NaN.
   */
  sort({ ids, length }: IdList, isFarthestFirst: boolean): boolean {
    const { depths } = this;
    for (let i = 0; i < length; i++) if (Number.isNaN(depths[i])) return false;
    const order = this.#order;
    for (let i = 0; i < length; i++) {
      // Zeros of both signs are equal.
      depths[i] = (isFarthestFirst ? -depths[i] : depths[i]) + 0;
      order[i] = i;
    }
    if (length <= SHORT_SORT) this.#insert(0, length);
    else this.#sortByKeys(length);
    const before = this.#ids;
    for (let i = 0; i < length; i++) before[i] = ids[i];
    for (let i = 0; i < length; i++) ids[i] = before[order[i]];
    return true;
  }

  #sortByKeys(length: number): void {
    const keys = this.#keys;
    const order = this.#order;
    const { depths } = this;
    const floats = new Float32Array(keys.buffer);
    for (let i = 0; i < length; i++) {
      floats[i] = depths[i];
      const bits = keys[i];
      // Unsigned keys in the order of the floats, cut to the 30 bits of a key.
      keys[i] = (bits < 0 ? ~bits : bits ^ 0x80000000) >>> 2;
    }
    sortByKey(
      keys.subarray(0, length),
      order.subarray(0, length),
      this.#otherKeys.subarray(0, length),
      this.#otherOrder.subarray(0, length),
    );
    for (let start = 0, end = 0; start < length; start = end) {
      let isSorted = true;
      while (++end < length && keys[end] === keys[start]) isSorted &&= depths[order[end]] >= depths[order[end - 1]];
      if (isSorted) continue;
      if (end - start > SHORT_SORT) order.subarray(start, end).sort((a, b) => depths[a] - depths[b] || a - b);
      else this.#insert(start, end);
    }
  }

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

interface Sortable {
  readonly centers: Float64Array;
  readonly materials: Int32Array;
  readonly ranks: Int32Array;
}

const projection = /* @__PURE__ */ new Matrix4();

/** Coefficients of the depth by which renderers sort: three for the coordinates, and a constant. */
export type DepthCoefficients = readonly [x: number, y: number, z: number, w: number];

export function depthCoefficients(camera: Camera): DepthCoefficients {
  const e = projection.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  return [e[2], e[6], e[10], e[14]];
}

/** Sorts draws as renderers sort opaque meshes: by material, depth and rank. */
export class DrawOrder {
  readonly #order = new DepthOrder();

  /** Sorts stably, so the main criterion comes last; draws mostly are in the order of ranks and materials. */
  sort(ids: IdList, { centers, materials, ranks }: Sortable, [x, y, z, w]: DepthCoefficients): void {
    const listed = ids.ids.subarray(0, ids.length);
    if (!isAscending(listed, ranks)) this.#sortBy(ids, ranks);
    const depths = this.#order.reserve(listed.length);
    for (let i = 0; i < listed.length; i++) {
      const c = 3 * listed[i];
      depths[i] = x * centers[c] + y * centers[c + 1] + z * centers[c + 2] + w;
    }
    this.#order.sort(ids, false);
    if (!isAscending(listed, materials)) this.#sortBy(ids, materials);
  }

  /** True for draws that {@link sort} would leave in the order of its last call. */
  isInOrder({ ids, length }: IdList, { centers, materials, ranks }: Sortable, by: DepthCoefficients): boolean {
    const [x, y, z, w] = by;
    let before = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const last = ids[i === 0 ? 0 : i - 1];
      const c = 3 * id;
      const depth = x * centers[c] + y * centers[c + 1] + z * centers[c + 2] + w;
      if (materials[id] === materials[last]) {
        if (!(depth > before || (depth === before && ranks[id] >= ranks[last]))) return false;
      } else if (materials[id] < materials[last]) return false;
      before = depth;
    }
    return true;
  }

  #sortBy(ids: IdList, keys: Int32Array): void {
    const numbers = this.#order.reserve(ids.length);
    for (let i = 0; i < ids.length; i++) numbers[i] = keys[ids.ids[i]];
    this.#order.sort(ids, false);
  }
}

function isAscending(listed: Int32Array, keys: Int32Array): boolean {
  for (let i = 1; i < listed.length; i++) if (keys[listed[i]] < keys[listed[i - 1]]) return false;
  return true;
}
