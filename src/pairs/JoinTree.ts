import { BOX, makeEmpty, unite } from '../core/box.js';
import { placeOf, ROW, ROW_BOXES } from '../core/rowLayout.js';
import type { PackedRows } from '../packed/PackedRows.js';
import type { Nodes } from '../trees/Nodes.js';
import type { Rows } from '../trees/Rows.js';

/** What joins read of a tree: its nodes from the root on, and their rows. A `Tree` is one. */
export interface JoinTree {
  readonly nodes: Pick<Nodes, 'count' | 'box' | 'first' | 'next' | 'row'>;
  readonly rows: JoinRows;
}

export type JoinRows = Pick<Rows, 'boxes' | 'ids' | 'sizes'>;

/** True when the box of entry `slot` of `rows` touches that of entry `other` of `others`. */
export function entriesTouch(rows: JoinRows, slot: number, others: JoinRows, other: number): boolean {
  const a = rows.boxes;
  const b = others.boxes;
  const i = placeOf(slot);
  const j = placeOf(other);
  // biome-ignore format: aligned lines show the symmetry
  return a[i] <= b[j + 12] && b[j] <= a[i + 12]
      && a[i + 8] <= b[j + 20] && b[j + 8] <= a[i + 20]
      && a[i + 4] <= b[j + 16] && b[j + 4] <= a[i + 16];
}

/** Packed rows as a tree of nodes with boxes in double precision, as joins need it. */
export function treeOfRows(packed: PackedRows): JoinTree {
  const { count, outsideCount } = packed;
  const rowCount = count + Math.ceil(outsideCount / ROW);
  const nodes = nodesOver(count, packed.top, rowCount);
  const firstRow = nodes.count - rowCount;
  const rows = {
    boxes: new Float64Array(ROW_BOXES * rowCount),
    ids: new Int32Array(ROW * rowCount),
    sizes: new Uint8Array(rowCount),
  };
  for (let node = 0; node < firstRow; node++) makeEmpty(nodes.box, BOX * node);
  for (let row = 0; row < rowCount; row++) {
    const isOutside = row >= count;
    const items = isOutside ? packed.outside : packed.ids;
    const from = ROW * (isOutside ? row - count : row);
    const size = isOutside ? Math.min(outsideCount - from, ROW) : packed.sizes[row];
    nodes.row[firstRow + row] = row;
    rows.sizes[row] = size;
    for (let k = 0; k < size; k++) rows.ids[ROW * row + k] = items[from + k];
    copyRow(packed.boxes, rows.ids, rows.boxes, ROW * row, size, nodes.box, BOX * (firstRow + row));
  }
  // Children have higher numbers than their parents.
  for (let node = firstRow - 1; node >= 0; node--) {
    for (let child = nodes.first[node]; child >= 0; child = nodes.next[child]) {
      unite(nodes.box, BOX * node, nodes.box, BOX * child);
    }
  }
  return { nodes, rows };
}

/**
 * Nodes over rows, without boxes: the root, then the nodes of each level from the top down, then one for each row.
 * @param count Rows on the curve; rows of items outside them follow.
 */
function nodesOver(count: number, top: number, rowCount: number): JoinTree['nodes'] {
  const counts: number[] = [];
  for (let h = top; h > 0; h--) counts.push(Math.ceil(count / 4 ** h));
  const nodeCount = counts.reduce((sum, n) => sum + n, 1) + rowCount;
  const nodes = {
    count: nodeCount,
    box: new Float64Array(BOX * nodeCount),
    first: new Int32Array(nodeCount).fill(-1),
    next: new Int32Array(nodeCount).fill(-1),
    row: new Int32Array(nodeCount).fill(-1),
  };
  const firstRow = nodeCount - rowCount;
  let parents = 0;
  let start = 1;
  for (const n of [...counts, rowCount]) {
    const isTop = parents === 0;
    for (let i = 0; i < n; i++) {
      const isLast = i + 1 === n || (!isTop && (i & 3) === 3 && i < count);
      // Rows of outside items follow the top level, as children of the root.
      nodes.next[start + i] = isLast ? -1 : start + i + 1;
      if (!isTop && (i & 3) === 0 && i < count) nodes.first[parents + (i >> 2)] = start + i;
    }
    if (isTop) nodes.first[0] = n > 0 ? start : -1;
    parents = start;
    start += n;
  }
  if (counts.length > 0 && rowCount > count) {
    nodes.next[counts[0]] = firstRow + count;
    nodes.next[firstRow + count - 1] = -1;
  }
  return nodes;
}

/**
 * Copies the boxes of a row's items to their slots, and the box around all of them to a node. Written out, as it takes a
 * fifth of the time of a small join.
 */
function copyRow(
  boxes: Float64Array,
  ids: Int32Array,
  to: Float64Array,
  first: number,
  size: number,
  nodes: Float64Array,
  node: number,
): void {
  let lowX = Number.POSITIVE_INFINITY;
  let lowY = Number.POSITIVE_INFINITY;
  let lowZ = Number.POSITIVE_INFINITY;
  let highX = Number.NEGATIVE_INFINITY;
  let highY = Number.NEGATIVE_INFINITY;
  let highZ = Number.NEGATIVE_INFINITY;
  for (let slot = first; slot < first + size; slot++) {
    const o = BOX * ids[slot];
    const p = placeOf(slot);
    const minX = boxes[o];
    const minY = boxes[o + 1];
    const minZ = boxes[o + 2];
    const maxX = boxes[o + 3];
    const maxY = boxes[o + 4];
    const maxZ = boxes[o + 5];
    to[p] = minX;
    to[p + 4] = minY;
    to[p + 8] = minZ;
    to[p + 12] = maxX;
    to[p + 16] = maxY;
    to[p + 20] = maxZ;
    if (minX < lowX) lowX = minX;
    if (minY < lowY) lowY = minY;
    if (minZ < lowZ) lowZ = minZ;
    if (maxX > highX) highX = maxX;
    if (maxY > highY) highY = maxY;
    if (maxZ > highZ) highZ = maxZ;
  }
  nodes[node] = lowX;
  nodes[node + 1] = lowY;
  nodes[node + 2] = lowZ;
  nodes[node + 3] = highX;
  nodes[node + 4] = highY;
  nodes[node + 5] = highZ;
}
