import { takeImage } from '../core/storage/TreeImage.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';
import { codecOf } from './layoutCodecs.js';
import { partsOf } from './tree/partsOf.js';
import { encodeIndex } from './tree/SavedIndex.js';

/**
 * All there is to an index, as bytes to be kept or sent: `fromBytes` makes another of them that answers alike, without a
 * build. They are little-endian, carry a version and a checksum, and take about 80 bytes an item.
 * @throws TypeError for what is no index of this library.
 */
export function toBytes(index: SpatialIndex): Uint8Array {
  const { layout, ids } = partsOf(index, 'toBytes');
  const codec = codecOf(layout.structure);
  const ofNodes: number[] = [];
  const image = takeImage(layout.tree, (node) => ofNodes.push(...codec.saveNode(layout, node)));
  return encodeIndex({
    structure: layout.structure,
    options: layout.options,
    nextId: ids.next.slice(0, ids.limit),
    freeId: ids.firstFree,
    image,
    state: Float64Array.from(codec.saveState(layout)),
    ofNodes: Float64Array.from(ofNodes),
  });
}
