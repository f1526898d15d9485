import { grow } from '../core/arrays.js';
import { BOX, ROW } from '../core/box.js';
import type { Hits } from '../core/Hits.js';
import { type DistanceQuery, NODE_ENTRY } from '../core/shapes/PointDistance.js';
import { ROOT } from './Nodes.js';
import type { TreeQueryState } from './overlap.js';
import type { Rows } from './Rows.js';
import { seatsMet } from './rowTests.js';
import type { Tree } from './Tree.js';

/** A node is sorted past at most this many of its siblings, as a node may have thousands of rows. */
const MOST_SHIFTS = 8;

/** The stack of nodes to visit, nearest on top, and the entry distances of their boxes. */
let waiting = new Int32Array(1024);
let entries = new Float64Array(1024);

/**
 * Fills `out` with the `count` nearest items, in no particular order; at the same distance lower ids count as nearer. A
 * ray with a count of one finds the first hit.
 *
 * Branch and bound (Roussopoulos, Kelley and Vincent, Nearest Neighbor Queries, 1995). Children are visited nearest
 * first, as far as a short insertion sort gets; the order affects only how soon the rest is dropped, never the answer.
 */
export function nearest(tree: Tree, measure: DistanceQuery, count: number, walk: TreeQueryState, out: Hits): void {
  const { first, next, row, box } = tree.nodes;
  const { sizes } = tree.rows;
  const { distances, interval } = measure;
  out.length = 0;
  let nodesVisited = 0;
  let itemsTested = 0;
  waiting[0] = ROOT;
  entries[0] = interval[0];
  let top = 1;
  while (top > 0) {
    top--;
    // A node as far away as the farthest item kept may hold an item with a lower id, which counts as nearer.
    if (entries[top] > interval[1]) continue;
    const node = waiting[top];
    const r = row[node];
    if (r >= 0) {
      itemsTested += sizes[r];
      testRow(tree.rows, r, measure, count, out);
      continue;
    }
    const base = top;
    for (let child = first[node]; child >= 0; child = next[child]) {
      nodesVisited++;
      if (!measure.meets(box, BOX * child)) continue;
      if (top === waiting.length) {
        waiting = grow(waiting, top + 1);
        entries = grow(entries, waiting.length);
      }
      const entry = distances[NODE_ENTRY];
      const lowest = Math.max(base, top - MOST_SHIFTS);
      let i = top++;
      for (; i > lowest && entries[i - 1] < entry; i--) {
        entries[i] = entries[i - 1];
        waiting[i] = waiting[i - 1];
      }
      entries[i] = entry;
      waiting[i] = child;
    }
  }
  walk.nodesVisited = nodesVisited;
  walk.itemsTested = itemsTested;
}

/** Keeps the items of a row that the query meets; with `count` items kept, the interval ends at the farthest item. */
function testRow({ boxes, sizes, ids }: Rows, r: number, measure: DistanceQuery, count: number, out: Hits): void {
  const { distances, interval } = measure;
  for (let bits = seatsMet(measure, boxes, BOX * ROW * r, sizes[r]), k = 0; bits !== 0; bits >>>= 1, k++) {
    const id = ids[ROW * r + k];
    if ((bits & 1) === 0 || id < 0 || distances[k] > interval[1]) continue;
    out.keepNearest(id, distances, k, count);
    if (out.length === count) interval[1] = out.distances[0];
  }
}
