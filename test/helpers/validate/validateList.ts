import { ROOT } from '../../../src/trees/Nodes.js';
import type { Tree } from '../../../src/trees/Tree.js';

/** Problems with a list, in words: any node that is not a row. */
export function validateList({ nodes }: Tree): string[] {
  const { count, parent, row } = nodes;
  const problems: string[] = [];
  for (let node = ROOT + 1; node < count; node++) {
    if (parent[node] >= 0 && row[node] < 0) problems.push(`node ${node} of the list is no row`);
  }
  return problems;
}
