import { ROOT } from './Nodes.js';
import { nextInDepthFirst } from './nextInDepthFirst.js';
import type { Tree } from './Tree.js';

/**
 * The share of all entries that lie as after a build: in rows in which nothing has changed since they were packed, and
 * which in memory directly follow the row before them in the tree. 1 for an empty tree.
 */
export function quality({ nodes, rows }: Tree): number {
  let good = 0;
  let expected = 0;
  for (let node = ROOT; node >= 0; node = nextInDepthFirst(nodes, node)) {
    const row = nodes.row[node];
    if (row < 0) continue;
    if (row === expected && rows.dirty[row] === 0) good += rows.sizes[row];
    expected = row + 1;
  }
  return nodes.entries[ROOT] === 0 ? 1 : good / nodes.entries[ROOT];
}
