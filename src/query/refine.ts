import { BOX } from '../core/box.js';
import type { IdList } from '../core/lists/IdList.js';
import type { Shape } from '../core/shapes/Shape.js';
import type { Tree } from '../core/storage/Tree.js';

/** Those of the first `count` of some ids whose box the shape touches, into `out`, which may hold the ids itself. */
export function refine(tree: Tree, shape: Shape, ids: Int32Array, count: number, out: IdList): void {
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

const box = new Float64Array(BOX);
