import { BOX } from '../core/box.js';
import type { PlacementRule } from './PlacementRule.js';

/** The number of the group of items that stay in the cell itself, after those of its eight octants. */
export const STAY = 8;

/** The items of a cell, group by group. */
export interface Groups {
  order: Int32Array;
  /** Where each group begins in `order`, and one more: where the last ends. */
  starts: Int32Array;
}

/** The octants of each item in the last grouping. */
let targets = new Uint8Array(1024);

/**
 * Groups the items order[from] to order[to - 1] by the octants of a cell they go to; null where a division would not
 * help.
 */
export function groupByOctant(
  rule: PlacementRule,
  cells: Float64Array,
  o: number,
  boxes: Float64Array,
  order: Int32Array,
  from: number,
  to: number,
): Groups | null {
  const count = to - from;
  if (targets.length < count) targets = new Uint8Array(count);
  const sizes = new Int32Array(STAY + 1);
  for (let i = 0; i < count; i++) {
    const octants = rule.octants(cells, o, boxes, BOX * order[from + i]);
    targets[i] = octants;
    if (octants === 0) sizes[STAY]++;
    for (let left = octants; left !== 0; left &= left - 1) sizes[31 - Math.clz32(left & -left)]++;
  }
  const starts = new Int32Array(STAY + 2);
  for (let g = 0; g <= STAY; g++) starts[g + 1] = starts[g] + sizes[g];
  const total = starts[STAY + 1];
  // Division does not help if no item goes to an octant, or if most items would go to several octants.
  if (starts[STAY] === 0 || total > 2 * count) return null;
  const grouped = new Int32Array(total);
  const next = starts.slice();
  for (let i = 0; i < count; i++) {
    if (targets[i] === 0) grouped[next[STAY]++] = order[from + i];
    for (let left = targets[i]; left !== 0; left &= left - 1) {
      grouped[next[31 - Math.clz32(left & -left)]++] = order[from + i];
    }
  }
  return { order: grouped, starts };
}
