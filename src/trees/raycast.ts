import { BOX } from '../core/box.js';
import type { Hits } from '../core/Hits.js';
import type { Ray } from '../core/shapes/Ray.js';
import { ROOT } from './Nodes.js';
import { ROW, ROW_BOXES } from './Rows.js';
import type { Tree } from './Tree.js';
import type { Walk } from './Walk.js';

/** Writes all items whose box the ray meets between near and far to `out`, from its start, in no particular order. */
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
