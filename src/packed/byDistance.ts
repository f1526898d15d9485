import { grow } from '../core/arrays.js';
import { BOX, offsetOf, QUAD_BOXES, ROW } from '../core/box.js';
import type { Hits } from '../core/Hits.js';
import { type DistanceQuery, NODE_ENTRY, type PointDistance } from '../core/shapes/PointDistance.js';
import type { Ray } from '../core/shapes/Ray.js';
import { FEW_ROWS } from './overlap.js';
import type { PackedQueryState } from './PackedQueryState.js';
import { type RoughDistance, RoughPoint, RoughRay } from './RoughRay.js';

/** A box that goes on the stack is sorted past at most this many boxes, as the stack may hold thousands. */
const SHIFTS = 16;

/** Writes the items whose box the ray meets to `out`: all of them, or with a count of 1 the item met first. */
export function packedRaycast(ray: Ray, count: number, state: PackedQueryState, out: Hits): void {
  const { rows } = state;
  state.beginQuery();
  out.length = 0;
  if (rows.count > FEW_ROWS) {
    roughRay.set(ray, rows.frame, rows.maxAbsCoordinate());
    if (!state.kernel?.raycast(ray, roughRay, count === 1, out)) {
      walkByDistance(ray, roughRay, count, state, out);
    }
  }
  testRest(ray, roughRay, count, state, out);
}

/** Writes the `count` items nearest to a point to `out`, sorted: by branch and bound, as in trees. */
export function packedNearest(point: PointDistance, count: number, state: PackedQueryState, out: Hits): void {
  const { rows } = state;
  state.beginQuery();
  out.length = 0;
  if (rows.count > FEW_ROWS) {
    roughPoint.set(point, rows.frame, rows.maxAbsCoordinate());
    if (!state.kernel?.nearest(point, roughPoint, count, out)) {
      walkByDistance(point, roughPoint, count, state, out);
    }
  }
  testRest(point, roughPoint, count, state, out);
  out.sort();
}

const roughRay = /* @__PURE__ */ new RoughRay();
const roughPoint = /* @__PURE__ */ new RoughPoint();

/** The stack of boxes to visit: tier, number within the tier, and `RoughDistance.entry`; the least is on top. */
const waiting = {
  top: 0,
  tiers: new Int32Array(64),
  nodes: new Int32Array(64),
  entries: new Float32Array(64),
};

/** Visits boxes nearest first, so that a search for the nearest items can drop the rest. */
function walkByDistance(
  query: DistanceQuery,
  rough: RoughDistance,
  count: number,
  state: PackedQueryState,
  out: Hits,
): void {
  const { rows } = state;
  waiting.top = 0;
  openNearest(rows.top, 0, rough, state);
  while (waiting.top > 0) {
    const top = --waiting.top;
    if (rough.excludes(waiting.entries[top])) continue;
    const h = waiting.tiers[top];
    const node = waiting.nodes[top];
    if (h > 0) openNearest(h - 1, node, rough, state);
    else if (node < rows.count) {
      const end = ROW * node + rows.sizes[node];
      state.itemsTested += rows.sizes[node];
      for (let seat = ROW * node; seat < end; seat++) {
        if (rough.meets(rows.rows, offsetOf(seat))) keepNearestItem(rows.ids[seat], query, rough, count, state, out);
      }
    }
  }
}

/** Tests the boxes of a quad; boxes that may be met go on the stack. */
function openNearest(h: number, quad: number, rough: RoughDistance, state: PackedQueryState): void {
  const { starts, tiers } = state.rows;
  const at = starts[h] + QUAD_BOXES * quad;
  const start = rough.isSortedByQuad ? waiting.top : 0;
  state.nodesVisited += 4;
  for (let lane = 0; lane < 4; lane++) {
    if (rough.meets(tiers, at + lane)) {
      enqueue(h, 4 * quad + lane, rough.entry[0], Math.max(start, waiting.top - SHIFTS));
    }
  }
}

/** Puts box n of a tier on the stack, below boxes with a lesser `entry`; the stack below `lowest` stays as it is. */
function enqueue(tier: number, n: number, entry: number, lowest: number): void {
  if (waiting.top === waiting.nodes.length) {
    waiting.tiers = grow(waiting.tiers, waiting.top + 1);
    waiting.nodes = grow(waiting.nodes, waiting.top + 1);
    waiting.entries = grow(waiting.entries, waiting.top + 1);
  }
  const { tiers, nodes, entries } = waiting;
  let i = waiting.top++;
  for (; i > lowest && entries[i - 1] < entry; i--) {
    entries[i] = entries[i - 1];
    nodes[i] = nodes[i - 1];
    tiers[i] = tiers[i - 1];
  }
  tiers[i] = tier;
  nodes[i] = n;
  entries[i] = entry;
}

/** Tests items outside the rows, and all items if rows are few. */
function testRest(query: DistanceQuery, rough: RoughDistance, count: number, state: PackedQueryState, out: Hits): void {
  const { ids, sizes, outside, outsideCount, count: rows } = state.rows;
  if (rows <= FEW_ROWS) {
    state.nodesVisited = 1;
    for (let row = 0; row < rows; row++) {
      state.itemsTested += sizes[row];
      for (let k = 0; k < sizes[row]; k++) keepNearestItem(ids[ROW * row + k], query, rough, count, state, out);
    }
  }
  state.itemsTested += outsideCount;
  for (let i = 0; i < outsideCount; i++) keepNearestItem(outside[i], query, rough, count, state, out);
}

/** Keeps an item if the query meets its box; with `count` items kept, the interval ends at the farthest of them. */
function keepNearestItem(
  id: number,
  query: DistanceQuery,
  rough: RoughDistance,
  count: number,
  { rows }: PackedQueryState,
  out: Hits,
): void {
  if (!query.meets(rows.boxes, BOX * id)) return;
  out.keepNearest(id, query.distances, NODE_ENTRY, count);
  if (out.length < count) return;
  query.interval[1] = out.distances[0];
  rough.limit(out.distances[0]);
}
