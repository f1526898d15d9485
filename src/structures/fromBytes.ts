import { inWords } from '../core/inWords.js';
import { noteRuns } from '../core/storage/noteRuns.js';
import { restoreIds } from '../core/storage/restoreIds.js';
import { restoreImage } from '../core/storage/TreeImage.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';
import { structureOf } from './contract/structureOf.js';
import { createIndex } from './createIndex.js';
import { codecOf } from './layoutCodecs.js';
import type { PackedStructure } from './packed/PackedStructure.js';
import { restorePacked } from './packed/savePacked.js';
import { decodeIndex, type SavedIndex } from './tree/SavedIndex.js';
import type { TreeStructure } from './tree/TreeStructure.js';
import { validateLayout } from './validate.js';

/**
 * Makes an index from the bytes that `toBytes` returned for another: with the same structure, options and items, under
 * the same ids. Nothing is built, but everything is checked.
 * @throws TypeError unless given bytes; RangeError for bytes that are truncated or damaged, were saved in another
 * version, or are no saved index. Every fault is found, in no more time than a whole load takes.
 */
export function fromBytes(bytes: Uint8Array | ArrayBuffer): SpatialIndex {
  const where = 'fromBytes';
  const given = asBytes(bytes);
  if (given === null) {
    throw new TypeError(`${where}: a Uint8Array or an ArrayBuffer is needed, got ${inWords(bytes)}`);
  }
  const saved = decodeIndex(given, where);
  const index = createIndex(saved.structure, saved.options);
  const structure = structureOf(index, where);
  if (structure.name === 'packed') restorePacked(structure as PackedStructure, saved, where);
  else restore(structure as TreeStructure, saved, where);
  return index;
}

/** Fills the parts of an empty index with what was saved. If this throws, the index is of no use. */
function restore({ layout, ids }: TreeStructure, saved: SavedIndex, where: string): void {
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

/** The bytes of a view or a buffer, including those of other realms; null for anything else. */
function asBytes(bytes: unknown): Uint8Array | null {
  if (ArrayBuffer.isView(bytes)) return (bytes as Uint8Array).BYTES_PER_ELEMENT === 1 ? (bytes as Uint8Array) : null;
  const isBuffer = Object.prototype.toString.call(bytes) === '[object ArrayBuffer]';
  if (!isBuffer) return null;
  // A detached buffer has no bytes, and a view of it cannot be made.
  const buffer = bytes as ArrayBuffer;
  return buffer.byteLength === 0 ? new Uint8Array(0) : new Uint8Array(buffer);
}
