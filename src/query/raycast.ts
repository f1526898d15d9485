import { BOX } from '../core/box.js';
import { grow } from '../core/grow.js';
import type { Hits } from '../core/Hits.js';
import { ROOT } from '../core/Nodes.js';
import { NODE_ENTRY, type Ray } from '../core/Ray.js';
import { ROW, ROW_BOXES } from '../core/Rows.js';
import type { Tree } from '../core/Tree.js';
import type { Walk } from './Walk.js';

/** All items whose box the ray meets between near and far, nearest first, into `out` from its start. */
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
    if (node < 0) break;
  }
  out.sort();
}

/** How far a node may sink among its waiting siblings; bounds the work at a node with thousands of rows. */
const SHIFTS = 8;

/** Nodes that wait to be visited, nearest on top, and the distances at which the ray enters them. */
let waiting = new Int32Array(1024);
let entries = new Float64Array(1024);

/**
 * The item whose box the ray meets first, of several at the same distance the one with the lowest id, into `out`.
 *
 * Children are visited nearest first, as far as a short insertion sort brings them into order; the order decides only
 * how soon the rest can be dropped, never the answer.
 */
export function raycastFirst(tree: Tree, ray: Ray, walk: Walk, out: Hits): void {
  const { first, next, row, box } = tree.nodes;
  const { boxes, sizes, ids } = tree.rows;
  const { distances, interval } = ray;
  out.length = 0;
  let bestId = -1;
  let nodesVisited = 1;
  let itemsTested = 0;
  let top = 0;
  if (ray.meets(box, BOX * ROOT)) {
    waiting[top] = ROOT;
    entries[top++] = distances[NODE_ENTRY];
  }
  while (top > 0) {
    top--;
    // A node as far as the best hit, which is where the interval ends, may still hold a lower id at that distance.
    if (entries[top] > interval[1]) continue;
    const node = waiting[top];
    const r = row[node];
    if (r >= 0) {
      itemsTested += sizes[r];
      for (let bits = ray.row(boxes, ROW_BOXES * r, sizes[r]), k = 0; bits !== 0; bits >>>= 1, k++) {
        const id = ids[ROW * r + k];
        if ((bits & 1) === 0 || id < 0 || distances[k] > interval[1]) continue;
        if (bestId < 0 || distances[k] < interval[1] || id < bestId) bestId = id;
        interval[1] = distances[k];
      }
      continue;
    }
    const base = top;
    for (let child = first[node]; child >= 0; child = next[child]) {
      nodesVisited++;
      if (!ray.meets(box, BOX * child)) continue;
      if (top === waiting.length) {
        waiting = grow(waiting, top + 1);
        entries = grow(entries, top + 1);
      }
      const entry = distances[NODE_ENTRY];
      const lowest = Math.max(base, top - SHIFTS);
      let i = top++;
      for (; i > lowest && entries[i - 1] < entry; i--) {
        entries[i] = entries[i - 1];
        waiting[i] = waiting[i - 1];
      }
      entries[i] = entry;
      waiting[i] = child;
    }
  }
  if (bestId >= 0) {
    out.reserve(1);
    out.ids[0] = bestId;
    out.distances[0] = interval[1];
    out.length = 1;
  }
  walk.nodesVisited = nodesVisited;
  walk.itemsTested = itemsTested;
}
