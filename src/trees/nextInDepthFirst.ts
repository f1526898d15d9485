import type { Nodes } from './Nodes.js';

/** The node after this one in depth-first order, parents before their children; -1 after the last. */
export function nextInDepthFirst({ first, next, parent }: Nodes, node: number): number {
  if (first[node] >= 0) return first[node];
  let n = node;
  while (n >= 0 && next[n] < 0) n = parent[n];
  return n < 0 ? -1 : next[n];
}
