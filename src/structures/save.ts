/**
 * An index as bytes: options, ids and boxes. Loading checks them and builds the index, at the cost of `addAll`. All
 * numbers are little-endian:
 *
 *     8 words     magic, version, structure, first free id, ids ever allocated, items, 0, 0
 *     8 doubles   options in the order of OPTIONS, NaN for those that the structure has not
 *     6 doubles   for each item, its box, ids ascending
 *     words       for each id ever allocated, LIVE or the next free id; padding to 8 bytes
 *     2 words     checksum of all before
 */

import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { STRUCTURES, type StructureName } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/Structure.js';
import { BOX, readBoxes } from '../core/box.js';
import { type ItemIds, LIVE } from '../core/ids.js';
import { inWords } from '../core/options.js';
import { createIndex, type IndexOptions } from './createIndex.js';

const OPTIONS = ['capacity', 'maxDepth', 'minCellSize', 'planar', 'looseness', 'cellSize', 'margin'] as const;
/** "TSIX". */
const MAGIC = 0x58495354;
const VERSION = 2;
/** Words of the header, and doubles for options. */
const HEADER = 8;
const OPTION_ROOM = 8;

/**
 * Saves an index as bytes, for `fromBytes` to load. Takes about 52 bytes per item; ids are kept.
 * @throws TypeError for anything but an index.
 * @example
 * ```ts
 * import { toBytes } from 'three-scene-index/core';
 *
 * const bytes = toBytes(index);
 * await fetch('/world.index', { method: 'PUT', body: new Blob([bytes.slice()]) });
 * ```
 */
export function toBytes(index: SpatialIndex): Uint8Array {
  const structure = structureOf(index, 'toBytes');
  checkEndian('toBytes');
  const { ids, options, name } = structure;
  const words = new Int32Array(wordsFor(ids.limit, ids.size));
  words.set([MAGIC, VERSION, STRUCTURES.indexOf(name), ids.firstFree, ids.limit, ids.size]);
  const parts = partsOf(words.buffer, 0, ids.limit, ids.size);
  OPTIONS.forEach((option, i) => {
    parts.options[i] = Number(options[option] ?? Number.NaN);
  });
  const box = new Float64Array(BOX);
  ids.all().forEach((id, i) => {
    structure.read(id, box);
    parts.boxes.set(box, BOX * i);
  });
  parts.next.set(ids.next.subarray(0, ids.limit));
  words.set(checksum(words), words.length - 2);
  return new Uint8Array(words.buffer);
}

/**
 * Loads an index that `toBytes` saved: its structure, options, items and ids. Takes about as long as `addAll`.
 * @throws TypeError for anything but bytes; RangeError for bytes that are truncated, damaged, of another version, or no
 * saved index.
 * @example
 * ```ts
 * import { fromBytes } from 'three-scene-index/core';
 *
 * const response = await fetch('/world.index');
 * const index = fromBytes(await response.arrayBuffer());
 * ```
 */
export function fromBytes(bytes: Uint8Array | ArrayBuffer): SpatialIndex {
  const where = 'fromBytes';
  const given = asBytes(bytes);
  if (given === null) {
    throw new TypeError(`${where}: must be a Uint8Array or an ArrayBuffer, got ${inWords(bytes)}`);
  }
  checkEndian(where);
  const words = readWords(given, where);
  const [, , number, firstFree, limit, items] = words;
  const parts = partsOf(words.buffer, words.byteOffset, limit, items);
  const index = makeIndex(STRUCTURES[number], parts.options, where);
  const boxes = readBoxes(parts.boxes, where);
  const structure = structureOf(index, where);
  restoreIds(structure.ids, parts.next, firstFree, where);
  if (structure.ids.size !== items)
    throw new RangeError(`${where}: damaged data: ${items} boxes for ${structure.ids.size} items`);
  if (items > 0) structure.arrange(structure.ids.all(), boxes);
  return index;
}

/** An empty index with options as they were saved. */
function makeIndex(name: StructureName | undefined, values: Float64Array, where: string): SpatialIndex {
  if (name === undefined) throw new RangeError(`${where}: damaged data: unknown structure`);
  const options: { [name: string]: number | boolean } = {};
  OPTIONS.forEach((option, i) => {
    if (!Number.isNaN(values[i])) options[option] = option === 'planar' ? values[i] !== 0 : values[i];
  });
  try {
    return createIndex(name, options as IndexOptions);
  } catch (error) {
    throw new RangeError(`${where}: ${(error as Error).message}`);
  }
}

/** Fills empty ids with saved ones, or throws: each must be in use, or occur once in the list of free ids. */
function restoreIds(ids: ItemIds, next: Int32Array, firstFree: number, where: string): void {
  let live = 0;
  for (const entry of next) if (entry === LIVE) live++;
  let listed = 0;
  for (let id = firstFree; id !== -1; id = next[id]) {
    // A cyclic list would be longer than the number of free ids.
    if (!(id >= 0 && id < next.length) || next[id] === LIVE || ++listed > next.length - live) {
      throw new RangeError(`${where}: damaged data: the list of free ids is broken at ${id}`);
    }
  }
  if (listed !== next.length - live) {
    throw new RangeError(`${where}: damaged data: ${next.length - live} ids are free, but ${listed} are listed`);
  }
  ids.next = new Int32Array(Math.max(16, next.length));
  ids.next.set(next);
  ids.born = new Int32Array(ids.next.length);
  ids.firstFree = firstFree;
  ids.limit = next.length;
  ids.size = live;
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

/** The bytes as words, or throws: their number, version and checksum are right. */
function readWords(bytes: Uint8Array, where: string): Int32Array {
  if (bytes.byteLength < 4 * wordsFor(0, 0) || bytes.byteLength % 8 !== 0) {
    throw new RangeError(`${where}: not a saved index (${bytes.byteLength} bytes)`);
  }
  // Views of doubles begin at multiples of 8 bytes, and so does a copy. Not `slice`: in Node's Buffer that is a view.
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const words = new Int32Array(buffer, byteOffset, byteLength / 4);
  const [magic, version, , , limit, items] = words;
  if (magic !== MAGIC) throw new RangeError(`${where}: not a saved index`);
  if (version !== VERSION)
    throw new RangeError(`${where}: saved in format ${version}, this version of the library reads format ${VERSION}`);
  if (Math.min(limit, items) < 0 || words.length !== wordsFor(limit, items)) {
    throw new RangeError(`${where}: damaged data: ${byteLength} bytes are too few or too many`);
  }
  const sum = checksum(words);
  if (words[words.length - 2] !== sum[0] || words[words.length - 1] !== sum[1]) {
    throw new RangeError(`${where}: damaged data: the checksum does not match`);
  }
  return words;
}

function wordsFor(limit: number, items: number): number {
  return HEADER + 2 * (OPTION_ROOM + BOX * items) + limit + (limit & 1) + 2;
}

function partsOf(buffer: ArrayBufferLike, start: number, limit: number, items: number) {
  const options = start + 4 * HEADER;
  const boxes = options + 8 * OPTION_ROOM;
  return {
    options: new Float64Array(buffer, options, OPTION_ROOM),
    boxes: new Float64Array(buffer, boxes, BOX * items),
    next: new Int32Array(buffer, boxes + 8 * BOX * items, limit),
  };
}

/** A checksum of 64 bits over all words but the last two: changing a single bit is certain to change it. */
export function checksum(words: Int32Array): [number, number] {
  let a = 0x811c9dc5 | 0;
  let b = 0x9e3779b9 | 0;
  for (let i = 0; i < words.length - 2; i++) {
    // For a known word both steps can be inverted, so states that differ once remain different.
    a = Math.imul(a ^ words[i], 0x01000193);
    b = Math.imul(((b << 13) | (b >>> 19)) ^ words[i], 0x85ebca6b);
  }
  return [a, b];
}

function checkEndian(where: string): void {
  const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
  if (!isLittleEndian) throw new Error(`${where}: big-endian machines are not supported`);
}
