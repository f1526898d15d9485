import { NodeRecords } from '../contract/NodeRecords.js';
import { BOX } from '../core/box.js';
import { ROW } from '../core/rowLayout.js';
import type { Layout } from './Layout.js';
import { ROOT } from './Nodes.js';
import type { Tree } from './Tree.js';

/**
 * Lists the inner nodes of a tree, parents first; rows count as contents of their node. The root is left out unless it
 * has rows of its own.
 */
export function describeNodes(layout: Layout): NodeRecords {
  const { nodes, rows } = layout.tree;
  const out = new NodeRecords();
  const cell = new Float64Array(BOX);
  const pending: number[] = nodes.first[ROOT] < 0 ? [] : [ROOT, 0];
  while (pending.length > 0) {
    const depth = pending.pop() as number;
    const node = pending.pop() as number;
    const own: number[] = [];
    const children: number[] = [];
    for (let child = nodes.first[node]; child >= 0; child = nodes.next[child]) {
      const row = nodes.row[child];
      if (row < 0) children.push(child);
      else for (let k = 0; k < rows.sizes[row]; k++) own.push(rows.itemAt(ROW * row + k));
    }
    const shown = node !== ROOT || own.length > 0;
    for (let i = children.length - 1; i >= 0; i--) pending.push(children[i], shown ? depth + 1 : depth);
    if (!shown) continue;
    for (let c = 0; c < BOX; c++) cell[c] = nodes.box[BOX * node + c];
    layout.writeRegion?.(node, cell);
    out.add(nodes.box, BOX * node, cell, depth, own, nodes.entries[node], children.length === 0);
  }
  return out;
}

/** The share of entries that lie as after a build: in unchanged rows that follow the one before them in memory. */
export function quality({ nodes, rows }: Tree): number {
  let good = 0;
  let expected = 0;
  for (let node = ROOT; node >= 0; node = nodes.following(node)) {
    const row = nodes.row[node];
    if (row < 0) continue;
    if (row === expected && rows.dirty[row] === 0) good += rows.sizes[row];
    expected = row + 1;
  }
  return nodes.entries[ROOT] === 0 ? 1 : good / nodes.entries[ROOT];
}
