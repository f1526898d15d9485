import { ROOT } from './Nodes.js';
import type { Tree } from './Tree.js';

/** The row of a tree that has only one, or -1. */
export function onlyRow({ nodes }: Tree): number {
  const { first, next, row } = nodes;
  let node = first[ROOT];
  while (node >= 0 && next[node] < 0) {
    if (row[node] >= 0) return row[node];
    node = first[node];
  }
  return -1;
}
