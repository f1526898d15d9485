import { grow } from '../core/arrays.js';
import { BOX, GROUP_BOXES, placeOf, ROW } from '../core/box.js';
import type { Hits } from '../core/Hits.js';
import { type DistanceQuery, NODE_ENTRY, type PointDistance } from '../core/shapes/PointDistance.js';
import type { Ray } from '../core/shapes/Ray.js';
import { FEW_ROWS } from './overlap.js';
import type { PackedQueryState } from './PackedQueryState.js';
import type { PackedRows } from './PackedRows.js';
import { type RoughDistance, RoughPoint, RoughRay } from './RoughRay.js';

/** As a count: all items, in no particular order. */
const ALL = Number.POSITIVE_INFINITY;
/** Most waiting boxes that a box is sorted past; bounds the work where thousands wait. */
const SHIFTS = 16;

/** Writes all items whose box the ray meets to `out`, from its start, in no particular order. */
export function packedRaycast(rows: PackedRows, ray: Ray, state: PackedQueryState, out: Hits): void {
  if (areFew(rows, state, out)) testAll(rows, ray, roughRay, ALL, state, out);
  else {
    roughRay.set(ray, rows.frame, rows.maxAbsCoordinate());
    if (!state.kernel?.raycast(rows, ray, roughRay, state, out)) walkRows(rows, ray, roughRay, ALL, state, out);
  }
  testOutside(rows, ray, roughRay, ALL, state, out);
}

/** Writes the item whose box the ray enters first to `out`; at the same distance the lowest id wins. */
export function packedRaycastFirst(rows: PackedRows, ray: Ray, state: PackedQueryState, out: Hits): void {
  if (areFew(rows, state, out)) testAll(rows, ray, roughRay, 1, state, out);
  else {
    roughRay.set(ray, rows.frame, rows.maxAbsCoordinate());
    if (!state.kernel?.raycastFirst(rows, ray, roughRay, state, out)) walkRows(rows, ray, roughRay, 1, state, out);
  }
  testOutside(rows, ray, roughRay, 1, state, out);
}

/**
 * Writes the `count` items nearest to a point to `out`, sorted; at the same distance lower ids come first. Branch and
 * bound as in trees: a box gives a distance that no item in it falls below.
 */
export function packedNearest(
  rows: PackedRows,
  point: PointDistance,
  count: number,
  state: PackedQueryState,
  out: Hits,
): void {
  if (areFew(rows, state, out)) testAll(rows, point, roughPoint, count, state, out);
  else {
    roughPoint.set(point, rows.frame, rows.maxAbsCoordinate());
    const isDone = state.kernel?.nearest(rows, point, roughPoint, count, state, out);
    if (!isDone) walkRows(rows, point, roughPoint, count, state, out);
  }
  testOutside(rows, point, roughPoint, count, state, out);
  out.sort();
}

const roughRay = /* @__PURE__ */ new RoughRay();
const roughPoint = /* @__PURE__ */ new RoughPoint();

/** Begins a query; true if items are in so few rows that all are tested. */
function areFew(rows: PackedRows, state: PackedQueryState, out: Hits): boolean {
  state.begin();
  out.length = 0;
  return rows.count <= FEW_ROWS;
}

function testAll(
  rows: PackedRows,
  query: DistanceQuery,
  rough: RoughDistance,
  count: number,
  state: PackedQueryState,
  out: Hits,
): void {
  state.nodesVisited = 1;
  for (let row = 0; row < rows.count; row++) {
    testItems(rows.ids, ROW * row, rows.sizes[row], rows, query, rough, count, state, out);
  }
}

function testOutside(
  rows: PackedRows,
  query: DistanceQuery,
  rough: RoughDistance,
  count: number,
  state: PackedQueryState,
  out: Hits,
): void {
  testItems(rows.outside, 0, rows.outsideCount, rows, query, rough, count, state, out);
}

/** Boxes that wait to be visited: level, place in it, and entry; the least entry is on top. */
const waiting = {
  top: 0,
  levels: new Int32Array(64),
  nodes: new Int32Array(64),
  entries: new Float32Array(64),
};

/** Visits boxes nearest first, so that a search for the nearest items can drop the rest. */
function walkRows(
  rows: PackedRows,
  query: DistanceQuery,
  rough: RoughDistance,
  count: number,
  state: PackedQueryState,
  out: Hits,
): void {
  out.length = 0;
  waiting.top = 0;
  openGroup(rows, rows.top, 0, rough, state);
  while (waiting.top > 0) {
    const top = --waiting.top;
    if (rough.excludes(waiting.entries[top])) continue;
    const h = waiting.levels[top];
    const node = waiting.nodes[top];
    if (h > 0) openGroup(rows, h - 1, node, rough, state);
    else if (node < rows.count) testRow(rows, node, query, rough, count, state, out);
  }
}

/** Tests the boxes of a group; those that may be met wait. */
function openGroup(rows: PackedRows, h: number, group: number, rough: RoughDistance, state: PackedQueryState): void {
  const at = rows.starts[h] + GROUP_BOXES * group;
  const start = rough.isSortedByGroup ? waiting.top : 0;
  state.nodesVisited += 4;
  for (let lane = 0; lane < 4; lane++) {
    if (rough.meets(rows.levels, at + lane)) {
      push(h, 4 * group + lane, rough.entry[0], Math.max(start, waiting.top - SHIFTS));
    }
  }
}

/** Puts box n of a level below those with a lesser entry; what waits below `lowest` stays as it is. */
function push(level: number, n: number, entry: number, lowest: number): void {
  if (waiting.top === waiting.nodes.length) {
    waiting.levels = grow(waiting.levels, waiting.top + 1);
    waiting.nodes = grow(waiting.nodes, waiting.top + 1);
    waiting.entries = grow(waiting.entries, waiting.top + 1);
  }
  const { levels, nodes, entries } = waiting;
  let i = waiting.top++;
  for (; i > lowest && entries[i - 1] < entry; i--) {
    entries[i] = entries[i - 1];
    nodes[i] = nodes[i - 1];
    levels[i] = levels[i - 1];
  }
  levels[i] = level;
  nodes[i] = n;
  entries[i] = entry;
}

function testRow(
  rows: PackedRows,
  row: number,
  query: DistanceQuery,
  rough: RoughDistance,
  count: number,
  state: PackedQueryState,
  out: Hits,
): void {
  const end = ROW * row + rows.sizes[row];
  state.itemsTested += rows.sizes[row];
  for (let slot = ROW * row; slot < end; slot++) {
    if (rough.meets(rows.rows, placeOf(slot))) testItem(rows, rows.ids[slot], query, rough, count, out);
  }
}

/** Tests some of a list of items exactly. */
function testItems(
  ids: Int32Array,
  from: number,
  size: number,
  rows: PackedRows,
  query: DistanceQuery,
  rough: RoughDistance,
  count: number,
  state: PackedQueryState,
  out: Hits,
): void {
  state.itemsTested += size;
  for (let i = from; i < from + size; i++) testItem(rows, ids[i], query, rough, count, out);
}

/** Keeps an item if it is met; once there are `count`, the interval ends at the farthest of them. */
function testItem(
  rows: PackedRows,
  id: number,
  query: DistanceQuery,
  rough: RoughDistance,
  count: number,
  out: Hits,
): void {
  if (!query.meets(rows.boxes, BOX * id)) return;
  if (count === ALL) {
    out.reserve(1);
    out.ids[out.length] = id;
    out.distances[out.length++] = query.distances[NODE_ENTRY];
    return;
  }
  out.keepNearest(id, query.distances, NODE_ENTRY, count);
  if (out.length < count) return;
  query.interval[1] = out.distances[0];
  rough.limit(out.distances[0]);
}
