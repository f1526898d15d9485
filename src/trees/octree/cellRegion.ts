import { CELL } from '../cells.js';
import { ROOT } from '../Nodes.js';
import type { CellNodes } from './CellNodes.js';

/** Replaces the box in `out` by the region of a cell. A column keeps the heights of the box; the root has no region. */
export function cellRegion({ cells, isPlanar }: CellNodes, node: number, out: Float64Array): void {
  if (node === ROOT) return;
  const o = CELL * node;
  for (let c = 0; c < 3; c++) {
    if (c === 1 && isPlanar) continue;
    out[c] = cells[o + c] - cells[o + 3];
    out[c + 3] = cells[o + c] + cells[o + 3];
  }
}
