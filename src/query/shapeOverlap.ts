import { BOX, isBounded } from '../core/box.js';
import { Hits } from '../core/lists/Hits.js';
import type { IdList } from '../core/lists/IdList.js';
import type { Shape } from '../core/shapes/Shape.js';
import { ROOT } from '../core/storage/Nodes.js';
import type { Tree } from '../core/storage/Tree.js';
import { overlap } from './overlap.js';
import { raycastUnordered } from './raycast.js';
import type { Walk } from './Walk.js';

/**
 * Writes the ids of all items whose box the shape touches to `out`, from its start. A walk finds candidates, and the
 * shape tests each.
 */
export function shapeOverlap(tree: Tree, shape: Shape, walk: Walk, out: IdList): void {
  const { region, path } = shape;
  if (region !== null) {
    overlap(tree, region, walk, out);
    if (shape.isRegion && isBounded(tree.nodes.box, BOX * ROOT)) return;
    keepTouched(tree, shape, out.ids, out.length, out);
  } else if (path !== null) {
    raycastUnordered(tree, path, walk, candidates);
    keepTouched(tree, shape, candidates.ids, candidates.length, out);
  }
}

/**
 * Writes those of the first `count` ids whose box the shape touches to `out`; `ids` may be the array of `out` itself.
 */
function keepTouched(tree: Tree, shape: Shape, ids: Int32Array, count: number, out: IdList): void {
  const { rows } = tree;
  out.length = 0;
  const list = out.reserve(count);
  let n = 0;
  for (let i = 0; i < count; i++) {
    rows.read(rows.firstSlot[ids[i]], box, 0);
    if (shape.touches(box)) list[n++] = ids[i];
  }
  out.length = n;
}

const candidates = /* @__PURE__ */ new Hits();
const box = new Float64Array(BOX);
