import { CELL } from '../../core/cells.js';
import { ROOT } from '../../core/storage/Nodes.js';
import { type LayoutUpkeep, plainUpkeep } from '../tree/LayoutUpkeep.js';
import type { CellLayout } from './CellLayout.js';

export const cellUpkeep: LayoutUpkeep<CellLayout> = {
  ...plainUpkeep,
  isMisplaced({ tree, rule, cells }, node, box) {
    // Items with a single entry of several that they might have are never kept anywhere else.
    return node !== ROOT && !tree.multiple && !rule.fits(cells.cells, CELL * node, box, null);
  },
};
