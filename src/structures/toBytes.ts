import { takeImage } from '../core/storage/TreeImage.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';
import { structureOf } from './contract/structureOf.js';
import { codecOf } from './layoutCodecs.js';
import type { PackedStructure } from './packed/PackedStructure.js';
import { savePacked } from './packed/savePacked.js';
import { encodeIndex } from './tree/SavedIndex.js';
import type { TreeStructure } from './tree/TreeStructure.js';

/**
 * The whole index as bytes, to be stored or sent: `fromBytes` makes an index of them that gives the same answers,
 * without a build. The bytes are little-endian, carry a version and a checksum, and number about 80 for each item.
 * @throws TypeError for what is no index of this library.
 */
export function toBytes(index: SpatialIndex): Uint8Array {
  const structure = structureOf(index, 'toBytes');
  if (structure.name === 'packed') return encodeIndex(savePacked(structure as PackedStructure));
  const { layout, ids } = structure as TreeStructure;
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
