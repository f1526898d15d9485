import { inWords } from '../core/inWords.js';
import { noteRuns } from '../core/storage/noteRuns.js';
import { restoreIds } from '../core/storage/restoreIds.js';
import { restoreImage } from '../core/storage/TreeImage.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';
import { createIndex } from './createIndex.js';
import { codecOf } from './layoutCodecs.js';
import { type IndexParts, partsOf } from './tree/partsOf.js';
import { decodeIndex, type SavedIndex } from './tree/SavedIndex.js';
import { validateLayout } from './validate.js';

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
  restore(partsOf(index, where), saved, where);
  return index;
}

/** Takes what was saved into the parts of an empty index, which are of no use when that throws. */
function restore({ layout, ids }: IndexParts, saved: SavedIndex, where: string): void {
  const { image, ofNodes } = saved;
  const { rows } = layout.tree;
  const codec = codecOf(layout.structure);
  restoreIds(ids, saved.nextId, saved.freeId, where);
  layout.reset(ids.size);
  rows.firstSlot = new Int32Array(Math.max(16, ids.limit)).fill(-1);
  codec.loadState(layout, saved.state, where);
  const each = codec.perNode;
  let inner = 0;
  for (const count of image.children) if (count >= 0) inner++;
  if (ofNodes.length !== each * inner) throw new RangeError(`${where}: ${ofNodes.length} numbers for ${inner} nodes`);
  const addNode = (parent: number, n: number): number => codec.loadNode(layout, parent, ofNodes, each * n, where);
  restoreImage(layout.tree, image, (id) => ids.has(id), addNode, where);
  for (let id = 0, missing = ids.size; id < ids.limit && missing > 0; id++) {
    if (rows.firstSlot[id] >= 0) missing--;
    else if (ids.has(id)) throw new RangeError(`${where}: item ${id} is live, but has no entry`);
  }
  codec.finish(layout, ids.size);
  const [problem] = validateLayout(layout);
  if (problem !== undefined) throw new RangeError(`${where}: ${problem}`);
  noteRuns(layout.tree);
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
