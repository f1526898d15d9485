import { BOX } from '../../core/box.js';
import type { Hits } from '../../core/lists/Hits.js';
import type { PackedRows } from '../../core/packed/PackedRows.js';
import { RoughPoint } from '../../core/packed/RoughPoint.js';
import { NODE_ENTRY } from '../../core/shapes/DistanceQuery.js';
import type { PointDistance } from '../../core/shapes/PointDistance.js';
import { GROUP_BOXES, placeOf, ROW } from '../../core/storage/Rows.js';
import type { PackedWalk } from './PackedWalk.js';
import { Waiting } from './Waiting.js';

/** Most waiting boxes that a box is sorted past; bounds the work where thousands wait. */
const SHIFTS = 16;

/**
 * Writes the `count` items nearest to a point to `out`, from its start; at the same distance lower ids come first.
 * Branch and bound as in `nearest`; boxes of rows and levels give a distance that no item in them falls below.
 */
export function packedNearest(
  rows: PackedRows,
  point: PointDistance,
  count: number,
  walk: PackedWalk,
  out: Hits,
): void {
  walk.begin();
  rough.set(point, rows.frame, rows.reach());
  if (!walk.kernel?.nearest(rows, point, rough, count, walk, out)) {
    out.length = 0;
    walkRows(rows, point, count, walk, out);
  }
  walk.itemsTested += rows.outsideCount;
  for (let i = 0; i < rows.outsideCount; i++) testItem(rows, rows.outside[i], point, count, out);
  out.sort();
}

const rough = /* @__PURE__ */ new RoughPoint();
const square = new Float32Array(1);
const waiting = /* @__PURE__ */ new Waiting();

function walkRows(rows: PackedRows, point: PointDistance, count: number, walk: PackedWalk, out: Hits): void {
  if (rows.count <= 1) {
    walk.nodesVisited = 1;
    if (rows.count === 1) testRow(rows, 0, point, count, walk, out);
    return;
  }
  waiting.top = 0;
  openGroup(rows, rows.top, 0, walk);
  while (waiting.top > 0) {
    const top = --waiting.top;
    if (waiting.entries[top] > rough.numbers[6]) continue;
    const h = waiting.levels[top];
    const node = waiting.nodes[top];
    if (h > 0) openGroup(rows, h - 1, node, walk);
    else if (node < rows.count) testRow(rows, node, point, count, walk, out);
  }
}

/** Tests the boxes of a group; those near enough wait. */
function openGroup(rows: PackedRows, h: number, group: number, walk: PackedWalk): void {
  const at = rows.starts[h] + GROUP_BOXES * group;
  walk.nodesVisited += 4;
  for (let lane = 0; lane < 4; lane++) {
    if (!rough.reaches(rows.levels, at + lane, square)) continue;
    waiting.push(h, 4 * group + lane, square[0], Math.max(0, waiting.top - SHIFTS));
  }
}

function testRow(
  rows: PackedRows,
  row: number,
  point: PointDistance,
  count: number,
  walk: PackedWalk,
  out: Hits,
): void {
  const end = ROW * row + rows.sizes[row];
  walk.itemsTested += rows.sizes[row];
  for (let slot = ROW * row; slot < end; slot++) {
    if (rough.reaches(rows.rows, placeOf(slot), square)) testItem(rows, rows.ids[slot], point, count, out);
  }
}

/** Tests an item exactly. */
function testItem(rows: PackedRows, id: number, point: PointDistance, count: number, out: Hits): void {
  if (!point.meets(rows.boxes, BOX * id)) return;
  out.keepNearest(id, point.distances, NODE_ENTRY, count);
  if (out.length < count) return;
  point.interval[1] = out.distances[0];
  rough.limit(out.distances[0]);
}
