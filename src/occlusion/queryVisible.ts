import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/Structure.js';
import { BOX } from '../core/box.js';
import { IdList } from '../core/ids.js';
import { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import { packedOverlapBy } from '../packed/overlap.js';
import type { PackedStructure } from '../packed/Packed.js';
import type { OcclusionBuffer } from './OcclusionBuffer.js';

/**
 * Finds the items of `queryPlanes` that the buffer does not hide, in the same order. Items that must never be hidden
 * are not known here: the caller asks for them separately.
 */
export function queryVisible(
  index: SpatialIndex,
  planes: ArrayLike<number>,
  buffer: Pick<OcclusionBuffer, 'guest' | 'isHidden'>,
  out: IdList = new IdList(),
): IdList {
  const structure = structureOf(index, 'queryVisible');
  const { guest } = buffer;
  if (structure.name === 'packed' && guest !== null) {
    const { rows, state } = (structure as PackedStructure).items;
    volume.set(planes, 'queryVisible');
    if (packedOverlapBy(guest, volume, state, out)) {
      // Items in no row are left to test.
      const { boxes, outside, outsideCount } = rows;
      const list = out.reserve(outsideCount);
      for (let i = 0; i < outsideCount; i++) {
        const o = BOX * outside[i];
        if (volume.node(boxes, o, volume.all) >= 0 && !buffer.isHidden(boxes, o)) list[out.length++] = outside[i];
      }
      return out;
    }
  }
  index.queryPlanes(planes, out);
  const { ids, length } = out;
  out.length = 0;
  for (let i = 0; i < length; i++) {
    structure.read(ids[i], box);
    if (!buffer.isHidden(box, 0)) ids[out.length++] = ids[i];
  }
  return out;
}

const box = new Float64Array(BOX);
const volume = /* @__PURE__ */ new PlanesVolume();
