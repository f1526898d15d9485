import { inWords } from '../core/inWords.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';
import { createIndex } from './createIndex.js';
import { decodeIndex } from './tree/SavedIndex.js';
import type { TreeIndex } from './tree/TreeIndex.js';

/**
 * Makes an index from what `toBytes` of another returned: of the same structure with the same options and items, under
 * the same ids. Nothing is built, but all is checked.
 * @throws TypeError for what are no bytes; RangeError for bytes that were cut off or damaged, or are anything else, or were
 * saved in another version. Nothing that is wrong with them goes unnoticed or takes longer than a whole load.
 */
export function fromBytes(bytes: Uint8Array | ArrayBuffer): SpatialIndex {
  const where = 'fromBytes';
  const given = asBytes(bytes);
  if (given === null) {
    throw new TypeError(`${where}: a Uint8Array or an ArrayBuffer is needed, got ${inWords(bytes)}`);
  }
  const saved = decodeIndex(given, where);
  const index = createIndex(saved.structure, saved.options);
  (index as TreeIndex).restore(saved, where);
  return index;
}

/** A view of bytes or of a buffer, those of other realms included, or null for anything else. */
function asBytes(bytes: unknown): Uint8Array | null {
  if (ArrayBuffer.isView(bytes)) return (bytes as Uint8Array).BYTES_PER_ELEMENT === 1 ? (bytes as Uint8Array) : null;
  const isBuffer = Object.prototype.toString.call(bytes) === '[object ArrayBuffer]';
  if (!isBuffer) return null;
  // One that was given away has no bytes, and no view either.
  const buffer = bytes as ArrayBuffer;
  return buffer.byteLength === 0 ? new Uint8Array(0) : new Uint8Array(buffer);
}
