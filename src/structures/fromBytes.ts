import { createIndex } from './createIndex.js';
import { decodeIndex } from './SavedIndex.js';
import type { SpatialIndex } from './SpatialIndex.js';
import type { TreeIndex } from './TreeIndex.js';

/**
 * Makes an index from what `toBytes` of another returned: of the same structure with the same options and items, under
 * the same ids. Nothing is built, but all is checked.
 * @throws TypeError for what are no bytes; RangeError for bytes that were cut off or damaged, or are anything else, or were
 * saved in another version. Nothing that is wrong with them goes unnoticed or takes longer than a whole load.
 */
export function fromBytes(bytes: Uint8Array | ArrayBuffer): SpatialIndex {
  const where = 'fromBytes';
  const given = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  if (!(given instanceof Uint8Array)) {
    throw new TypeError(`${where}: a Uint8Array or an ArrayBuffer is needed, got ${typeof bytes}`);
  }
  const saved = decodeIndex(given, where);
  const index = createIndex(saved.structure, saved.options);
  (index as TreeIndex).restore(saved, where);
  return index;
}
