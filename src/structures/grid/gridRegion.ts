import { ROOT } from '../../core/storage/Nodes.js';
import type { GridCells } from './GridCells.js';

/** Writes the region of a cell over a box; a column reaches as far as the box says, and the root has none. */
export function gridRegion({ hash, edges, planar }: GridCells, node: number, out: Float64Array): void {
  if (node === ROOT) return;
  const { places, levels } = hash;
  const edge = edges[levels[node]];
  for (let c = 0; c < 3; c++) {
    if (c === 1 && planar) continue;
    out[c] = places[3 * node + c] * edge;
    out[c + 3] = (places[3 * node + c] + 1) * edge;
  }
}
