import { ROOT } from '../../../src/trees/Nodes.js';
import type { Tree } from '../../../src/trees/Tree.js';

/** Adds problems with the runs of rows stored for nodes. `order` names all nodes, parents first. */
export function validateRuns(tree: Tree, order: readonly number[], problems: string[]): void {
  const { nodes } = tree;
  const { first, next, row, runs } = nodes;
  for (const node of order) {
    const end = runs[2 * node + 1];
    const up = nodes.parent[node];
    if (end === 0) {
      if (row[node] < 0 && node !== ROOT && runs[2 * up + 1] > 0)
        problems.push(`node ${up} has a run, but ${node} below it has none`);
      continue;
    }
    let expected = runs[2 * node];
    for (let child = first[node]; child >= 0; child = next[child]) {
      const start = row[child] >= 0 ? row[child] : runs[2 * child];
      if (start !== expected)
        problems.push(
          `the run of node ${node} is to go on with row ${expected}, but node ${child} begins with ${start}`,
        );
      expected = row[child] >= 0 ? start + 1 : runs[2 * child + 1];
    }
    if (expected !== end)
      problems.push(`the run of node ${node} ends before row ${end}, but its rows before ${expected}`);
  }
}
