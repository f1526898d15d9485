import { CELL } from '../../core/cells.js';
import { ROOT } from '../../core/storage/Nodes.js';
import { type LayoutMaintenance, plainMaintenance } from '../tree/LayoutMaintenance.js';
import type { CellLayout } from './CellLayout.js';

export const cellMaintenance: LayoutMaintenance<CellLayout> = {
  ...plainMaintenance,
  isMisplaced({ tree, rule, cells }, node, box) {
    // Where items may have several entries, one with a single entry stays only in a cell that encloses it, where a
    // build would put it as well.
    return node !== ROOT && !tree.multiple && !rule.fits(cells.cells, CELL * node, box, null);
  },
};
