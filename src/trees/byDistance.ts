import { grow } from '../core/arrays.js';
import { BOX } from '../core/box.js';
import type { Hits } from '../core/Hits.js';
import { ROW, ROW_BOXES } from '../core/rowLayout.js';
import { type DistanceQuery, NODE_ENTRY } from '../core/shapes/PointDistance.js';
import type { Ray } from '../core/shapes/Ray.js';
import { ROOT } from './Nodes.js';
import { onlyRow, type Walk } from './overlap.js';
import type { Tree } from './Tree.js';

/** Most siblings that a node is sorted past, which bounds the work at a node with thousands of rows. */
const MOST_SHIFTS = 8;

/** Nodes that wait to be visited, nearest on top, and their distances. */
let waiting = new Int32Array(1024);
let entries = new Float64Array(1024);

/** Fills `out` with all items that the ray meets between near and far, in no particular order. */
export function raycast(tree: Tree, ray: Ray, walk: Walk, out: Hits): void {
  const { first, next, row, box } = tree.nodes;
  const { boxes, sizes, ids } = tree.rows;
  const { stack } = walk;
  const { distances } = ray;
  out.length = 0;
  walk.nodesVisited = walk.itemsTested = 0;
  let top = 0;
  let node = ROOT;
  for (;;) {
    const after = next[node];
    walk.nodesVisited++;
    if (ray.meets(box, BOX * node)) {
      let child = first[node];
      while (child >= 0 && next[child] < 0) {
        node = child;
        child = first[node];
      }
      const r = row[node];
      if (r >= 0) {
        walk.itemsTested += sizes[r];
        out.reserve(ROW);
        let n = out.length;
        for (let bits = ray.row(boxes, ROW_BOXES * r, sizes[r]), k = 0; bits !== 0; bits >>>= 1, k++) {
          const id = ids[ROW * r + k];
          if ((bits & 1) === 0 || id < 0) continue;
          out.ids[n] = id;
          out.distances[n++] = distances[k];
        }
        out.length = n;
      } else if (child >= 0) {
        stack[top++] = after;
        node = child;
        continue;
      }
    }
    node = after;
    while (node < 0 && top > 0) node = stack[--top];
    if (node < 0) return;
  }
}

/**
 * Fills `out` with the `count` nearest items; at the same distance lower ids come first. With a ray and a count of one
 * this is the first hit.
 *
 * Branch and bound (Roussopoulos, Kelley and Vincent, Nearest Neighbor Queries, 1995). Children are visited nearest
 * first, as far as a short insertion sort gets; the order affects only how soon the rest is dropped, never the answer.
 */
export function nearest(tree: Tree, measure: DistanceQuery, count: number, walk: Walk, out: Hits): void {
  const { first, next, row, box } = tree.nodes;
  const { boxes, sizes, ids } = tree.rows;
  const { distances, interval } = measure;
  out.length = 0;
  let nodesVisited = 0;
  let itemsTested = 0;
  const only = onlyRow(tree);
  waiting[0] = only < 0 ? ROOT : tree.rows.nodes[only];
  entries[0] = interval[0];
  let top = 1;
  while (top > 0) {
    top--;
    // A node exactly at the end of the interval, the distance of the last item found, may still hold a lower id.
    if (entries[top] > interval[1]) continue;
    const node = waiting[top];
    const r = row[node];
    if (r >= 0) {
      itemsTested += sizes[r];
      for (let bits = measure.row(boxes, ROW_BOXES * r, sizes[r]), k = 0; bits !== 0; bits >>>= 1, k++) {
        const id = ids[ROW * r + k];
        if ((bits & 1) === 0 || id < 0 || distances[k] > interval[1]) continue;
        out.keepNearest(id, distances, k, count);
        if (out.length === count) interval[1] = out.distances[0];
      }
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
  out.sort();
  walk.nodesVisited = nodesVisited;
  walk.itemsTested = itemsTested;
}
