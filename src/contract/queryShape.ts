import { BOX } from '../core/box.js';
import { Hits } from '../core/Hits.js';
import type { IdList } from '../core/IdList.js';
import type { Shape } from '../core/shapes/Shape.js';
import type { Structure } from './Structure.js';

/**
 * Writes the ids of all items whose box the shape touches to `out`, from its start. A walk finds candidates, and the
 * shape tests each.
 */
export function queryShape(structure: Structure, shape: Shape, out: IdList): void {
  const { region, path } = shape;
  if (region !== null) {
    structure.overlap(region, out);
    if (shape.isRegion && structure.isBounded) return;
    keepTouched(structure, shape, out.ids, out.length, out);
  } else if (path !== null) {
    structure.raycast(path, candidates);
    keepTouched(structure, shape, candidates.ids, candidates.length, out);
  }
}

/**
 * Writes those of the first `count` ids whose box the shape touches to `out`; `ids` may be the array of `out` itself.
 */
function keepTouched(structure: Structure, shape: Shape, ids: Int32Array, count: number, out: IdList): void {
  out.length = 0;
  const list = out.reserve(count);
  let n = 0;
  for (let i = 0; i < count; i++) {
    structure.read(ids[i], box);
    if (shape.touches(box)) list[n++] = ids[i];
  }
  out.length = n;
}

const candidates = /* @__PURE__ */ new Hits();
const box = new Float64Array(BOX);
