import { CELL, isCell } from '../../core/cells.js';
import { ROOT } from '../../core/storage/Nodes.js';
import type { LayoutCodec } from '../tree/LayoutCodec.js';
import type { CellLayout } from './CellLayout.js';
import { DIVIDED } from './CellNodes.js';

/** No node can have more entries. */
const MOST_ENTRIES = 2 ** 31 - 1;

/** Saves for each node its cell, and the number of entries beyond which it divides. */
export const cellCodec: LayoutCodec<CellLayout> = {
  perNode: CELL + 1,

  saveState: () => [],

  saveNode({ cells }, node) {
    if (node === ROOT) return [0, 0, 0, 0, 0];
    return [...cells.cells.subarray(CELL * node, CELL * node + CELL), cells.limits[node]];
  },

  loadState() {},

  loadNode({ cells, cellOptions }, parent, numbers, o, where) {
    const { capacity, planar } = cellOptions;
    const limit = numbers[o + CELL];
    const isLimit = limit === DIVIDED || (limit >= capacity && limit <= MOST_ENTRIES && Number.isInteger(limit));
    if (!isCell(numbers, o, planar) || !isLimit) throw new RangeError(`${where}: a node has no legal cell`);
    if (parent === ROOT && cells.top >= 0) throw new RangeError(`${where}: the root has two cells`);
    return cells.add(parent, numbers, o, limit);
  },

  finish() {},
};
