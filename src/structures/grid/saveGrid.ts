import { BOUNDED } from '../../core/box.js';
import { ROOT } from '../../core/storage/Nodes.js';
import type { LayoutCodec } from '../tree/LayoutCodec.js';
import { LEVELS } from './GridCells.js';
import type { GridLayout } from './GridLayout.js';

/** Saves the smallest edge and the top level, and for each node its level and its place. */
export const gridCodec: LayoutCodec<GridLayout> = {
  perNode: 4,

  saveState: ({ cells }) => [cells.edges[0], cells.top],

  saveNode({ cells }, node) {
    const { levels, places } = cells.hash;
    return node === ROOT ? [0, 0, 0, 0] : [levels[node], ...places.subarray(3 * node, 3 * node + 3)];
  },

  loadState({ cells, cellSize }, [edge, top], where) {
    const isEdge = edge > 0 && edge <= BOUNDED && (cellSize === 0 || edge === cellSize);
    if (!isEdge || !isLevel(top)) throw new RangeError(`${where}: no grid has cells of ${edge} up to level ${top}`);
    cells.setEdge(edge);
    cells.top = top;
  },

  loadNode({ cells }, parent, numbers, o, where) {
    const [level, x, y, z] = numbers.subarray(o, o + 4);
    const isPlace = [x, y, z].every(Number.isSafeInteger) && !(cells.planar && y !== 0);
    if (!isLevel(level) || !isPlace || cells.hash.find(level, x, y, z) > 0) {
      throw new RangeError(`${where}: no grid has a cell at ${x} ${y} ${z} of level ${level}, or there are two`);
    }
    return cells.add(parent, level, x, y, z);
  },

  finish: (layout, items) => layout.noteItems(items),
};

function isLevel(level: number): boolean {
  return Number.isInteger(level) && level >= 0 && level < LEVELS;
}
