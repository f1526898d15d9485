import { type Camera, Matrix4 } from 'three';
import { grow } from '../core/grow.js';
import type { IdList } from '../core/IdList.js';
import { DepthOrder } from '../instances/drawn/DepthOrder.js';
import type { DrawSlots } from './DrawSlots.js';

/** Sorts draws as renderers sort opaque meshes: by material, depth, and their number. */
export class DrawSorter {
  readonly #order = new DepthOrder();
  #scratch = new Int32Array(64);

  /** @param ids Slots. */
  sort(ids: IdList, slots: DrawSlots, camera: Camera): void {
    const { centers, ranks } = slots;
    const e = projection.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
    const listed = ids.ids.subarray(0, ids.length);
    // What is equal keeps its order, so that the number is sorted by first; as a rule they come in its order.
    if (!isAscending(listed, ranks)) listed.sort((a, b) => ranks[a] - ranks[b]);
    const depths = this.#order.reserve(listed.length);
    for (let i = 0; i < listed.length; i++) {
      const c = 3 * listed[i];
      depths[i] = e[2] * centers[c] + e[6] * centers[c + 1] + e[10] * centers[c + 2] + e[14];
    }
    this.#order.sort(ids, false);
    if (slots.materialIds.length > 1) this.#sortByMaterial(listed, slots);
  }

  /** A counting sort, as there are few materials. */
  #sortByMaterial(listed: Int32Array, { materials, materialIds }: DrawSlots): void {
    if (this.#scratch.length < listed.length) this.#scratch = grow(this.#scratch, listed.length);
    const sorted = this.#scratch;
    const starts = new Int32Array(materialIds.length);
    for (let i = 0; i < listed.length; i++) starts[materials[listed[i]]]++;
    const inOrder = [...materialIds.keys()].sort((a, b) => materialIds[a] - materialIds[b]);
    let start = 0;
    for (const material of inOrder) {
      const count = starts[material];
      starts[material] = start;
      start += count;
    }
    for (let i = 0; i < listed.length; i++) sorted[starts[materials[listed[i]]]++] = listed[i];
    for (let i = 0; i < listed.length; i++) listed[i] = sorted[i];
  }
}

function isAscending(slots: Int32Array, ranks: Int32Array): boolean {
  for (let i = 1; i < slots.length; i++) if (ranks[slots[i]] < ranks[slots[i - 1]]) return false;
  return true;
}

const projection = new Matrix4();
