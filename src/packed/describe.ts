import { NodeRecords } from '../contract/NodeRecords.js';
import { BOX, makeEmpty, unite } from '../core/box.js';
import { ROW } from '../core/rowLayout.js';
import type { PackedItems } from './PackedItems.js';
import type { PackedRows } from './PackedRows.js';

/**
 * Lists the nodes of a packed index with their tight boxes, parents first: one around everything, then the boxes of all
 * levels down to rows, which hold the items. Items outside of the rows belong to the first node.
 */
export function describePacked(rows: PackedRows): NodeRecords {
  const out = new NodeRecords();
  const { count, top, outside, outsideCount } = rows;
  const levels = measureLevels(rows);
  const all = levels[top + 1];
  if (all.sizes[0] + outsideCount === 0) return out;
  const isFlat = count <= 1;
  const own = [...outside.subarray(0, outsideCount)];
  for (const id of own) unite(all.boxes, 0, rows.boxes, BOX * id);
  if (isFlat) own.push(...idsOf(rows, 0));
  out.add(all.boxes, 0, all.boxes, 0, own, all.sizes[0] + outsideCount, isFlat);
  if (isFlat) return out;
  const pending: number[] = [];
  const push = (h: number, first: number): void => {
    for (let n = Math.min(first + 4, levels[h].sizes.length) - 1; n >= first; n--) {
      if (levels[h].sizes[n] > 0) pending.push(h, n);
    }
  };
  push(top, 0);
  while (pending.length > 0) {
    const n = pending.pop() as number;
    const h = pending.pop() as number;
    const { boxes, sizes } = levels[h];
    out.add(boxes, BOX * n, boxes.subarray(BOX * n), top - h + 1, h === 0 ? idsOf(rows, n) : [], sizes[n], h === 0);
    if (h > 0) push(h - 1, 4 * n);
  }
  return out;
}

interface Level {
  boxes: Float64Array;
  /** Items below each box. */
  sizes: Int32Array;
}

/** The tight boxes of all levels, rows first, and of one more, which is a single box. */
function measureLevels(rows: PackedRows): Level[] {
  const levels: Level[] = [];
  for (let h = 0, n = rows.count; h <= rows.top + 1; h++, n = Math.ceil(n / 4)) {
    const level = { boxes: new Float64Array(BOX * Math.max(n, 1)), sizes: new Int32Array(Math.max(n, 1)) };
    for (let o = 0; o < level.boxes.length; o += BOX) makeEmpty(level.boxes, o);
    levels.push(level);
  }
  for (let row = 0; row < rows.count; row++) {
    for (const id of idsOf(rows, row)) unite(levels[0].boxes, BOX * row, rows.boxes, BOX * id);
    levels[0].sizes[row] = rows.sizes[row];
  }
  for (let h = 0; h <= rows.top; h++) {
    const { boxes, sizes } = levels[h];
    for (let n = 0; n < sizes.length; n++) {
      unite(levels[h + 1].boxes, BOX * (n >> 2), boxes, BOX * n);
      levels[h + 1].sizes[n >> 2] += sizes[n];
    }
  }
  return levels;
}

function idsOf({ ids, sizes }: PackedRows, row: number): number[] {
  return Array.from(ids.subarray(ROW * row, ROW * row + (sizes[row] ?? 0)));
}

/** The share of items in the row of their place on the curve; items outside of the rows count as such. */
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
