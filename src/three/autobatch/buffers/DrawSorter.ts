import { type Camera, Matrix4 } from 'three';
import type { IdList } from '../../../core/lists/IdList.js';
import { sortByKey } from '../../../structures/build/sortByKey.js';
import { DepthOrder } from '../../batches/DepthOrder.js';
import type { DrawSlots } from './DrawSlots.js';

/** Sorts draws as renderers sort opaque meshes: by material, depth, and their number. */
export class DrawSorter {
  readonly #order = new DepthOrder();

  /**
   * @param ids Slots.
   * @param byMaterial Whether they are of several materials.
   */
  sort(ids: IdList, { centers, ranks, materials }: DrawSlots, camera: Camera, byMaterial: boolean): void {
    const e = projection.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
    const slots = ids.ids.subarray(0, ids.length);
    // What is equal keeps its order, so that the number is sorted by first; as a rule they come in its order.
    if (!isAscending(slots, ranks)) slots.sort((a, b) => ranks[a] - ranks[b]);
    const depths = this.#order.reserve(slots.length);
    for (let i = 0; i < slots.length; i++) {
      const c = 3 * slots[i];
      depths[i] = e[2] * centers[c] + e[6] * centers[c + 1] + e[10] * centers[c + 2] + e[14];
    }
    this.#order.sort(ids, false);
    if (byMaterial)
      sortByKey(
        Int32Array.from(slots, (slot) => materials[slot]),
        slots,
      );
  }
}

function isAscending(slots: Int32Array, ranks: Int32Array): boolean {
  for (let i = 1; i < slots.length; i++) if (ranks[slots[i]] < ranks[slots[i - 1]]) return false;
  return true;
}

const projection = new Matrix4();
