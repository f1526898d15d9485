import { BOX, makeEmpty, unite } from '../../core/box.js';
import type { PackedRows } from '../../core/packed/PackedRows.js';
import { placeOf, ROW, ROW_BOXES } from '../../core/storage/Rows.js';
import type { JoinTree } from '../../query/join/JoinTree.js';

/** Packed rows as a tree of nodes with boxes in double precision, as joins need it. */
export function treeOfRows(packed: PackedRows): JoinTree {
  const { count, outsideCount } = packed;
  const rowCount = count + Math.ceil(outsideCount / ROW);
  // The root, then the nodes of each level from the top down, then one for each row.
  const counts: number[] = [];
  for (let h = packed.top; h > 0; h--) counts.push(Math.ceil(count / 4 ** h));
  const nodeCount = counts.reduce((sum, n) => sum + n, 1) + rowCount;
  const nodes = {
    count: nodeCount,
    box: new Float64Array(BOX * nodeCount),
    first: new Int32Array(nodeCount).fill(-1),
    next: new Int32Array(nodeCount).fill(-1),
    row: new Int32Array(nodeCount).fill(-1),
    entries: Int32Array.of(0),
  };
  const firstRow = nodeCount - rowCount;
  let parents = 0;
  let start = 1;
  for (const n of [...counts, rowCount]) {
    const isTop = parents === 0;
    for (let i = 0; i < n; i++) {
      const isLast = i + 1 === n || (!isTop && (i & 3) === 3 && i < count);
      // Rows of items that are outside of the others follow the top level, below the root.
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
  const rows = {
    count: rowCount,
    boxes: new Float64Array(ROW_BOXES * rowCount),
    ids: new Int32Array(ROW * rowCount),
    sizes: new Uint8Array(rowCount),
  };
  for (let o = 0; o < nodes.box.length; o += BOX) makeEmpty(nodes.box, o);
  for (let row = 0; row < rowCount; row++) {
    const isOutside = row >= count;
    const size = isOutside ? Math.min(outsideCount - ROW * (row - count), ROW) : packed.sizes[row];
    nodes.row[firstRow + row] = row;
    rows.sizes[row] = size;
    nodes.entries[0] += size;
    for (let k = 0; k < size; k++) {
      const id = isOutside ? packed.outside[ROW * (row - count) + k] : packed.ids[ROW * row + k];
      copyItem(packed.boxes, BOX * id, rows.boxes, placeOf(ROW * row + k), nodes.box, BOX * (firstRow + row));
      rows.ids[ROW * row + k] = id;
    }
  }
  // Children have higher numbers than their parents.
  for (let node = firstRow - 1; node >= 0; node--) {
    for (let child = nodes.first[node]; child >= 0; child = nodes.next[child]) {
      unite(nodes.box, BOX * node, nodes.box, BOX * child);
    }
  }
  return { nodes, rows, changes: 0 };
}

/** Copies the box of an item to its slot, and widens that of the row. */
function copyItem(from: Float64Array, o: number, to: Float64Array, p: number, row: Float64Array, r: number): void {
  for (let c = 0; c < 3; c++) {
    const low = from[o + c];
    const high = from[o + c + 3];
    to[p + 4 * c] = low;
    to[p + 4 * c + 12] = high;
    if (low < row[r + c]) row[r + c] = low;
    if (high > row[r + c + 3]) row[r + c + 3] = high;
  }
}
