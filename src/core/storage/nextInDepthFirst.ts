import type { Nodes } from './Nodes.js';

/** The node behind this one in depth-first order, children after their parents; -1 behind the last. */
export function nextInDepthFirst({ first, next, parent }: Nodes, node: number): number {
  if (first[node] >= 0) return first[node];
  let n = node;
  while (n >= 0 && next[n] < 0) n = parent[n];
  return n < 0 ? -1 : next[n];
}
