import { ROOT } from '../core/Nodes.js';
import type { Tree } from '../core/Tree.js';

/**
 * The share of all entries that lie as after a build: in rows in which nothing has changed since they were packed, and
 * which follow in memory those that come before them in the tree. 1 for an empty tree.
 */
export function quality({ nodes, rows }: Tree): number {
  const { first, next, parent, row } = nodes;
  let good = 0;
  let expected = 0;
  for (let node = ROOT; node >= 0; ) {
    const r = row[node];
    if (r >= 0) {
      if (r === expected && rows.stirred[r] === 0) good += rows.sizes[r];
      expected = r + 1;
    }
    if (first[node] >= 0) {
      node = first[node];
      continue;
    }
    while (node >= 0 && next[node] < 0) node = parent[node];
    if (node >= 0) node = next[node];
  }
  return nodes.entries[ROOT] === 0 ? 1 : good / nodes.entries[ROOT];
}
