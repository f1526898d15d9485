import { checksum } from '../../core/storage/checksum.js';
import { ROW, ROW_BOXES } from '../../core/storage/Rows.js';
import type { TreeImage } from '../../core/storage/TreeImage.js';
import type { StructureOptions } from '../contract/Structure.js';
import { STRUCTURES, type StructureName } from '../contract/structureNames.js';

/** An index as it is saved. */
export interface SavedIndex {
  structure: StructureName;
  /** The options that have a value. */
  options: StructureOptions;
  /** See ItemIds. */
  nextId: Int32Array;
  freeId: number;
  image: TreeImage;
  /** What the layout saves of the whole, and of each node that is not a row, the same count for each. */
  state: Float64Array;
  ofNodes: Float64Array;
}

/**
 * The layout of the bytes: integers of 32 bits, except those said to be doubles, all little-endian. A hash of this text
 * is saved as well, so that bytes in another layout are recognized, whatever their version says.
 */
const LAYOUT =
  'magic version layout structure free-id ids nodes rows of-nodes 0 0 0; doubles: capacity maxDepth minCellSize planar looseness cellSize margin 0, state 4, of-nodes, 96 a row; row: 16 ids, size; next-ids; children; padding; checksum 2';
const OPTIONS = ['capacity', 'maxDepth', 'minCellSize', 'planar', 'looseness', 'cellSize', 'margin'] as const;
/** "TSIX". */
const MAGIC = 0x58495354;
const VERSION = 1;
/** Words before the first doubles, and the doubles that are always there. */
const HEADER = 12;
const STATE = 4;
const FIXED = 8 + STATE;

/** The sizes of all parts that have no fixed size. */
interface Counts {
  ids: number;
  nodes: number;
  rows: number;
  ofNodes: number;
}

function wordsFor({ ids, nodes, rows, ofNodes }: Counts): number {
  const words = HEADER + 2 * (FIXED + ofNodes + ROW_BOXES * rows) + (ROW + 1) * rows + ids + nodes;
  return words + (words & 1) + 2;
}

/** Views of all parts of a saved index in its bytes. */
function viewsOf(buffer: ArrayBufferLike, byteOffset: number, { ids, nodes, rows, ofNodes }: Counts) {
  let at = byteOffset + 4 * HEADER;
  const doubles = (count: number): Float64Array => {
    at += 8 * count;
    return new Float64Array(buffer, at - 8 * count, count);
  };
  const words = (count: number): Int32Array => {
    at += 4 * count;
    return new Int32Array(buffer, at - 4 * count, count);
  };
  return {
    options: doubles(8),
    state: doubles(STATE),
    ofNodes: doubles(ofNodes),
    boxes: doubles(ROW_BOXES * rows),
    itemIds: words(ROW * rows),
    sizes: words(rows),
    nextId: words(ids),
    children: words(nodes),
  };
}

export function encodeIndex(saved: SavedIndex): Uint8Array {
  checkEndian('toBytes');
  const { image } = saved;
  const counts = {
    ids: saved.nextId.length,
    nodes: image.children.length,
    rows: image.sizes.length,
    ofNodes: saved.ofNodes.length,
  };
  const words = new Int32Array(wordsFor(counts));
  const structure = STRUCTURES.indexOf(saved.structure);
  const { ids, nodes, rows, ofNodes } = counts;
  words.set([MAGIC, VERSION, hashOfLayout(), structure, saved.freeId, ids, nodes, rows, ofNodes]);
  const views = viewsOf(words.buffer, 0, counts);
  // An option without a value is NaN.
  OPTIONS.forEach((name, i) => {
    views.options[i] = Number(saved.options[name] ?? Number.NaN);
  });
  views.state.set(saved.state);
  views.ofNodes.set(saved.ofNodes);
  views.boxes.set(image.boxes);
  views.itemIds.set(image.ids);
  views.sizes.set(image.sizes);
  views.nextId.set(saved.nextId);
  views.children.set(image.children);
  words.set(checksum(words, 0, words.length - 2), words.length - 2);
  return new Uint8Array(words.buffer);
}

/** Reads what `encodeIndex` wrote, or throws. Of the numbers in the parts, only the count is checked here. */
export function decodeIndex(bytes: Uint8Array, where: string): SavedIndex {
  checkEndian(where);
  if (bytes.byteLength < 4 * (HEADER + 2 * FIXED + 2) || bytes.byteLength % 8 !== 0) {
    throw new RangeError(`${where}: ${bytes.byteLength} bytes are no saved index`);
  }
  // Views of doubles begin at multiples of 8 bytes, and so does a copy. `slice` would not copy: in Node's Buffer it
  // makes a view.
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const words = new Int32Array(buffer, byteOffset, byteLength / 4);
  const [magic, version, layout, structure, freeId, ids, nodes, rows, ofNodes] = words;
  const counts = { ids, nodes, rows, ofNodes };
  if (magic !== MAGIC) throw new RangeError(`${where}: these bytes are no saved index`);
  if (version !== VERSION || layout !== hashOfLayout()) {
    throw new RangeError(`${where}: saved in version ${version}, this is version ${VERSION}`);
  }
  if (Math.min(ids, nodes, rows, ofNodes) < 0 || words.length !== wordsFor(counts)) {
    throw new RangeError(`${where}: ${byteLength} bytes are not as many as they are said to be`);
  }
  const sum = checksum(words, 0, words.length - 2);
  if (words[words.length - 2] !== sum[0] || words[words.length - 1] !== sum[1]) {
    throw new RangeError(`${where}: the bytes are damaged, as their checksum tells`);
  }
  const name = STRUCTURES[structure];
  if (name === undefined) throw new RangeError(`${where}: no structure has the number ${structure}`);
  const views = viewsOf(buffer, byteOffset, counts);
  return {
    structure: name,
    options: readSavedOptions(views.options),
    nextId: views.nextId,
    freeId,
    image: { children: views.children, sizes: views.sizes, ids: views.itemIds, boxes: views.boxes },
    state: views.state,
    ofNodes: views.ofNodes,
  };
}

function readSavedOptions(values: Float64Array): StructureOptions {
  const options: { [name: string]: number | boolean } = {};
  OPTIONS.forEach((name, i) => {
    if (!Number.isNaN(values[i])) options[name] = name === 'planar' ? values[i] !== 0 : values[i];
  });
  return options;
}

function hashOfLayout(): number {
  const chars = Int32Array.from(LAYOUT, (char) => char.charCodeAt(0));
  return checksum(chars, 0, chars.length)[0];
}

function checkEndian(where: string): void {
  const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
  if (!isLittleEndian) throw new Error(`${where}: not on a big-endian machine`);
}
