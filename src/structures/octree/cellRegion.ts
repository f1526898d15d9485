import { CELL } from '../../core/cells.js';
import { ROOT } from '../../core/storage/Nodes.js';
import type { CellNodes } from './CellNodes.js';

/** Writes the region of a cell over a box; a column reaches as far as the box says, and the root has none. */
export function cellRegion({ cells, isPlanar }: CellNodes, node: number, out: Float64Array): void {
  if (node === ROOT) return;
  const o = CELL * node;
  for (let c = 0; c < 3; c++) {
    if (c === 1 && isPlanar) continue;
    out[c] = cells[o + c] - cells[o + 3];
    out[c + 3] = cells[o + c] + cells[o + 3];
  }
}
