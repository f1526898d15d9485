import { ROOT } from '../Nodes.js';
import type { GridCells } from './GridCells.js';

/** Replaces the box in `out` by the region of a cell. A column keeps the heights of the box; the root has no region. */
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
