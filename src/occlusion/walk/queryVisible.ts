import type { SpatialIndex } from '../../contract/SpatialIndex.js';
import { structureOf } from '../../contract/Structure.js';
import { BOX } from '../../core/box.js';
import { IdList } from '../../core/ids.js';
import type { OcclusionBuffer } from '../OcclusionBuffer.js';

/**
 * Finds the items that `queryPlanes` finds and the buffer does not hide, in the same order. Items that are never to be
 * hidden are not known here: whoever has some asks for them besides.
 */
export function queryVisible(
  index: SpatialIndex,
  planes: ArrayLike<number>,
  buffer: OcclusionBuffer,
  out: IdList = new IdList(),
): IdList {
  const structure = structureOf(index, 'queryVisible');
  index.queryPlanes(planes, out);
  let n = 0;
  for (let i = 0; i < out.length; i++) {
    structure.read(out.ids[i], box);
    if (!buffer.isHidden(box, 0)) out.ids[n++] = out.ids[i];
  }
  out.length = n;
  return out;
}

const box = new Float64Array(BOX);
