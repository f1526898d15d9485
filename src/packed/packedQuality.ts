import { BOX } from '../core/box.js';
import { ROW } from '../trees/Rows.js';
import type { PackedItems } from './PackedItems.js';

/** The share of the items that are in the row in which the curve has them; items outside of rows count as such. */
export function packedQuality({ rows, curve, ids }: PackedItems): number {
  const { count, firstKeys } = rows;
  let astray = 0;
  for (let row = 0; row < count; row++) {
    for (let slot = ROW * row; slot < ROW * row + rows.sizes[row]; slot++) {
      const key = curve.keyOf(rows.boxes, BOX * rows.ids[slot]);
      if (key < firstKeys[row] || (row + 1 < count && key > firstKeys[row + 1])) astray++;
    }
  }
  return ids.size === 0 ? 1 : 1 - astray / ids.size;
}
