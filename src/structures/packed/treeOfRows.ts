import { BOX, unite } from '../../core/box.js';
import type { PackedRows } from '../../core/packed/PackedRows.js';
import { ROOT } from '../../core/storage/Nodes.js';
import { ROW } from '../../core/storage/Rows.js';
import { Tree } from '../../core/storage/Tree.js';

/** A copy of packed rows as a tree of nodes, for walks that know no other. */
export function treeOfRows(packed: PackedRows): Tree {
  const tree = new Tree(false);
  const { nodes, rows } = tree;
  const { boxes, ids, sizes, slots, count } = packed;
  tree.reset(ROW * count);
  rows.firstSlot = new Int32Array(Math.max(slots.length, 1)).fill(-1);
  rows.nextSlot.fill(-1);
  // From the top level down; of a box without items there is no node.
  let parents: number[] = [ROOT];
  for (let h = packed.top; h >= 0; h--) {
    const level: number[] = [];
    for (let n = 0; n << (2 * h) < count; n++) {
      const from = n << (2 * h);
      const to = Math.min((n + 1) << (2 * h), count);
      const parent = parents[n >> 2] ?? ROOT;
      let isEmpty = true;
      for (let row = from; row < to && isEmpty; row++) isEmpty = sizes[row] === 0;
      if (isEmpty) level.push(ROOT);
      else level.push(h > 0 ? tree.addNode(parent) : tree.addRow(parent, false));
    }
    parents = level;
  }
  for (let row = 0; row < count; row++) {
    const size = sizes[row];
    if (size === 0) continue;
    const node = parents[row];
    const target = nodes.row[node];
    rows.sizes[target] = nodes.entries[node] = size;
    for (let k = 0; k < size; k++) {
      const id = ids[ROW * row + k];
      const slot = ROW * target + k;
      rows.ids[slot] = id;
      rows.firstSlot[id] = slot;
      rows.write(slot, boxes, BOX * id);
      unite(nodes.box, BOX * node, boxes, BOX * id);
    }
  }
  // Parents have lower numbers than their children.
  for (let node = nodes.count - 1; node > ROOT; node--) {
    const parent = nodes.parent[node];
    nodes.entries[parent] += nodes.entries[node];
    unite(nodes.box, BOX * parent, nodes.box, BOX * node);
  }
  for (let i = 0; i < packed.outsideCount; i++) {
    tree.insert(ROOT, packed.outside[i], boxes, BOX * packed.outside[i]);
  }
  tree.changes = 0;
  return tree;
}
