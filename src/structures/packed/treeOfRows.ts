import { BOX } from '../../core/box.js';
import type { PackedRows } from '../../core/packed/PackedRows.js';
import { ROOT } from '../../core/storage/Nodes.js';
import { ROW } from '../../core/storage/Rows.js';
import { Tree } from '../../core/storage/Tree.js';

/** A copy of rows as a tree of nodes, for walks that know no other. */
export function treeOfRows(rows: PackedRows): Tree {
  const tree = new Tree(false);
  const { nodes } = tree;
  tree.reset(rows.slots.length);
  // Nodes of a level, from the highest down to that above the rows.
  let parents = [ROOT];
  for (let h = rows.top; h > 0; h--) {
    const count = Math.ceil(rows.count / 4 ** h);
    const level: number[] = [];
    for (let n = 0; n < count; n++) level.push(tree.addNode(parents[n >> 2] ?? ROOT));
    parents = level;
  }
  for (let row = 0; row < rows.count; row++) {
    if (rows.sizes[row] === 0) continue;
    const child = tree.addRow(rows.top > 0 ? parents[row >> 2] : ROOT, false);
    for (let k = 0; k < rows.sizes[row]; k++)
      tree.insertAt(child, rows.ids[ROW * row + k], rows.boxes, BOX * rows.ids[ROW * row + k]);
  }
  for (let i = 0; i < rows.outsideCount; i++) tree.insert(ROOT, rows.outside[i], rows.boxes, BOX * rows.outside[i]);
  // Of a node without items there is no box to test.
  for (let node = nodes.count - 1; node > ROOT; node--) {
    if (nodes.row[node] >= 0 || nodes.first[node] >= 0) continue;
    nodes.unlink(node);
    nodes.free(node);
  }
  tree.changes = 0;
  return tree;
}
