import { BOX } from '../core/box.js';
import { checksum } from '../core/checksum.js';
import { STRUCTURES, type StructureName } from './structureNames.js';

/** The options of an index that have a value. */
export type SavedOptions = { [name: string]: number | boolean };

/** An index as it is saved: what it is, which ids it has given, and its items along the curve of a build. */
export interface SavedIndex {
  structure: StructureName;
  options: SavedOptions;
  /** See ItemIds. */
  nextId: Int32Array;
  freeId: number;
  /** The ids of the items, and their boxes in the same order. */
  ids: Int32Array;
  boxes: Float64Array;
}

/**
 * The layout, whole numbers of 32 bits but for options and boxes, which are doubles, all little-endian. Its hash stands in
 * the bytes: what was saved in another layout is told by it, whatever its version says.
 */
const LAYOUT =
  'magic version layout structure free-id ids items 0; capacity maxDepth minCellSize planar looseness cellSize margin 0; boxes; next-ids; ids; padding; checksum 2';
const OPTIONS = ['capacity', 'maxDepth', 'minCellSize', 'planar', 'looseness', 'cellSize', 'margin'] as const;
/** "TSIX". */
const MAGIC = 0x58495354;
const VERSION = 1;
/** Words before the options, and before the boxes. */
const OPTIONS_AT = 8;
const BOXES_AT = OPTIONS_AT + 16;
/** What an option without a value is written as. */
const ABSENT = Number.NaN;

const layoutHash = checksum(
  Int32Array.from(LAYOUT, (char) => char.charCodeAt(0)),
  0,
  LAYOUT.length,
)[0];
const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Words that an index of so many items takes, of so many ids. */
function wordsFor(items: number, ids: number): number {
  const words = BOXES_AT + 2 * BOX * items + ids + items;
  return words + (words & 1) + 2;
}

export function encodeIndex(saved: SavedIndex): Uint8Array {
  const { nextId, ids, boxes } = saved;
  checkEndian('SpatialIndex.toBytes');
  const words = new Int32Array(wordsFor(ids.length, nextId.length));
  const doubles = new Float64Array(words.buffer, 0, words.length >> 1);
  const structure = STRUCTURES.indexOf(saved.structure);
  words.set([MAGIC, VERSION, layoutHash, structure, saved.freeId, nextId.length, ids.length, 0]);
  OPTIONS.forEach((name, i) => {
    doubles[OPTIONS_AT / 2 + i] = Number(saved.options[name] ?? ABSENT);
  });
  doubles.set(boxes, BOXES_AT / 2);
  const nextAt = BOXES_AT + 2 * boxes.length;
  words.set(nextId, nextAt);
  words.set(ids, nextAt + nextId.length);
  words.set(checksum(words, 0, words.length - 2), words.length - 2);
  return new Uint8Array(words.buffer);
}

/** Reads what `encodeIndex` wrote, or throws. What the numbers say is not looked at, but for how many there are. */
export function decodeIndex(bytes: Uint8Array, where: string): SavedIndex {
  checkEndian(where);
  if (bytes.byteLength < 4 * wordsFor(0, 0) || bytes.byteLength % 8 !== 0) {
    throw new RangeError(`${where}: ${bytes.byteLength} bytes are no saved index`);
  }
  // Numbers begin at multiples of their size; a copy does.
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const words = new Int32Array(buffer, byteOffset, byteLength / 4);
  const [magic, version, layout, structure, freeId, idCount, items] = words;
  if (magic !== MAGIC) throw new RangeError(`${where}: these bytes are no saved index`);
  if (version !== VERSION || layout !== layoutHash) {
    throw new RangeError(`${where}: saved in version ${version}, this is version ${VERSION}`);
  }
  if (!(idCount >= 0 && items >= 0) || words.length !== wordsFor(items, idCount)) {
    throw new RangeError(
      `${where}: ${bytes.byteLength} bytes are not as many as ${items} items of ${idCount} ids take`,
    );
  }
  const sum = checksum(words, 0, words.length - 2);
  if (words[words.length - 2] !== sum[0] || words[words.length - 1] !== sum[1]) {
    throw new RangeError(`${where}: the bytes are damaged, as their checksum tells`);
  }
  const name = STRUCTURES[structure];
  if (name === undefined) throw new RangeError(`${where}: no structure has the number ${structure}`);
  const nextAt = BOXES_AT + 2 * BOX * items;
  return {
    structure: name,
    options: readOptions(new Float64Array(buffer, byteOffset + 4 * OPTIONS_AT, OPTIONS.length)),
    nextId: words.subarray(nextAt, nextAt + idCount),
    freeId,
    ids: words.subarray(nextAt + idCount, nextAt + idCount + items),
    boxes: new Float64Array(buffer, byteOffset + 4 * BOXES_AT, BOX * items),
  };
}

function readOptions(values: Float64Array): SavedOptions {
  const options: SavedOptions = {};
  OPTIONS.forEach((name, i) => {
    if (!Number.isNaN(values[i])) options[name] = name === 'planar' ? values[i] !== 0 : values[i];
  });
  return options;
}

function checkEndian(where: string): void {
  if (!isLittleEndian) throw new Error(`${where}: not on a big-endian machine`);
}
