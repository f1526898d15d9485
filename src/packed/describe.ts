import { NodeRecords } from '../contract/NodeRecords.js';
import { BOX, makeEmpty, unite } from '../core/box.js';
import { ROW } from '../core/rowLayout.js';
import type { PackedItems } from './PackedItems.js';
import type { PackedRows } from './PackedRows.js';

/**
 * Lists the nodes of a packed index with their tight boxes, parents first: one around everything, then the boxes of all
 * levels down to rows, which hold the items. Items outside the rows belong to the first node.
 */
export function describePacked(rows: PackedRows): NodeRecords {
  const out = new NodeRecords();
  const root = nodeOf(rows, rows.top + 1, 0);
  const own = Array.from(rows.outside.subarray(0, rows.outsideCount));
  root.below += own.length;
  for (const id of own) unite(root.box, 0, rows.boxes, BOX * id);
  if (rows.count <= 1) {
    own.push(...root.children.flatMap((row) => row.own));
    root.children = [];
  }
  root.own = own;
  if (root.below > 0) list(root, 0, out);
  return out;
}

interface PackedNode {
  box: Float64Array;
  own: number[];
  /** Items in this node and below. */
  below: number;
  children: PackedNode[];
}

/** Box n of a level, on level 0 row n, with its descendants that are not empty. */
function nodeOf(rows: PackedRows, level: number, n: number): PackedNode {
  const node: PackedNode = { box: new Float64Array(BOX), own: [], below: 0, children: [] };
  makeEmpty(node.box, 0);
  if (level === 0) {
    node.own = Array.from(rows.ids.subarray(ROW * n, ROW * n + rows.sizes[n]));
    for (const id of node.own) unite(node.box, 0, rows.boxes, BOX * id);
    node.below = node.own.length;
    return node;
  }
  const end = Math.min(4 * n + 4, Math.ceil(rows.count / 4 ** (level - 1)));
  for (let i = 4 * n; i < end; i++) {
    const child = nodeOf(rows, level - 1, i);
    if (child.below === 0) continue;
    unite(node.box, 0, child.box, 0);
    node.below += child.below;
    node.children.push(child);
  }
  return node;
}

function list({ box, own, below, children }: PackedNode, depth: number, out: NodeRecords): void {
  out.add(box, 0, box, depth, own, below, children.length === 0);
  for (const child of children) list(child, depth + 1, out);
}

/** The share of items in the row of their place on the curve; items outside the rows count as such. */
export function packedQuality({ rows, curve, ids }: PackedItems): number {
  const { count, firstKeys } = rows;
  let astray = 0;
  for (let row = 0; row < count; row++) {
    for (let slot = ROW * row; slot < ROW * row + rows.sizes[row]; slot++) {
      const key = curve.keyOf(rows.boxes, BOX * rows.ids[slot]);
      if (key < firstKeys[row] || (row + 1 < count && key > firstKeys[row + 1])) astray++;
    }
  }
  return ids.size === 0 ? 1 : 1 - astray / ids.size;
}
