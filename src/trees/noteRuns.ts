import { ROOT } from './Nodes.js';
import type { Tree } from './Tree.js';

/** Stores the runs of rows of all nodes of a tree whose rows were made in depth-first order. */
export function noteRuns({ nodes }: Tree): void {
  const { first, next, parent, row } = nodes;
  let node = ROOT;
  for (;;) {
    while (row[node] < 0 && first[node] >= 0) node = first[node];
    while (node !== ROOT && next[node] < 0) {
      node = parent[node];
      nodes.joinRuns(node);
    }
    if (node === ROOT) return;
    node = next[node];
  }
}
