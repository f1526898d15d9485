import type { Counters } from '../contract/SpatialIndex.js';
import { BOX } from '../core/box.js';
import type { IdPairs } from '../core/IdPairs.js';
import { ROW, ROW_BOXES } from '../core/rowLayout.js';
import { ROOT } from '../trees/Nodes.js';
import { aligned, compileKernel, enlarge, isSimdAllowed } from '../wasm/KernelPool.js';
import { pairsKernel } from '../wasm/pairsKernel.js';
import type { JoinTree } from './JoinTree.js';
import { entriesTouch } from './JoinTree.js';

/** Exports of the compiled kernel, see wasm/assembly/pairs.ts. */
interface Exports {
  memory: WebAssembly.Memory;
  arrangeLeft(start: number): number;
  join(isSelf: boolean, waitingFrom: number, waitingTo: number, outFrom: number): number;
  nodesVisited: WebAssembly.Global;
  itemsTested: WebAssembly.Global;
  undecided: WebAssembly.Global;
}

const PAGE = 65536;
/** In the kernel's memory: where the addresses of either tree's arrays are, and the first free byte. */
const LEFT = 16;
const RIGHT = 48;
const FREE = 128;
/** Bytes for waiting pairs of nodes, of which trees of this library have a few thousand at most. */
const WAITING = 1 << 20;
/** With fewer rows, copying them costs more than it saves. */
const FEWEST_ROWS = 4;
/** Up to this many rows without nodes over them are joined faster than they are arranged. */
const MANY_ROWS = 32;
/** Numbers of a node in the kernel's memory: its box, first child, next sibling and row. */
const NODE = BOX + 3;
/** Bytes that arranging takes: for any tree, and for each item with its share of rows, of nodes, and of two lists. */
const ARRANGING = 2 ** 14;
const ARRANGING_ITEM = 16 + (4 * ROW_BOXES + 8 * ROW + 1 + 2 * 4 * NODE) / ROW;

/**
 * Finds pairs by WebAssembly SIMD, where available. The kernel gets the boxes in single precision, which decides nearly
 * all pairs; the others are decided here, in double precision.
 */
export class SimdJoin {
  readonly #module: WebAssembly.Module | null = compileKernel(pairsKernel);
  #exports: Exports | null = null;

  /** Writes all pairs of a tree with itself, or with another, to `out`; false if SIMD is unavailable or does not pay. */
  run(tree: JoinTree, other: JoinTree, counters: Counters, out: IdPairs): boolean {
    if (this.#module === null || !isSimdAllowed() || tree.rows.count + other.rows.count < FEWEST_ROWS) return false;
    const isSelf = tree === other;
    const items = isSelf && isWorthArranging(tree) ? tree.nodes.entries[ROOT] : 0;
    const arranging = items === 0 ? 0 : ARRANGING + ARRANGING_ITEM * items;
    const needed = FREE + sizeOf(tree) + (isSelf ? 0 : sizeOf(other)) + arranging + WAITING + 2 * PAGE;
    const exports = this.#reserve(this.#module, needed);
    if (exports === null) return false;
    let waiting = copy(tree, exports.memory, LEFT, FREE);
    if (!isSelf) waiting = copy(other, exports.memory, RIGHT, waiting);
    if (items > 0) waiting = aligned(exports.arrangeLeft(waiting));
    const start = waiting + WAITING;
    const end = join(exports, isSelf, waiting, start);
    if (end === 0) return false;
    out.length = 0;
    const count = (end - start) / 8;
    out.reserve(count).set(new Int32Array(exports.memory.buffer, start, 2 * count));
    out.length = exports.undecided.value === 0 ? count : decide(tree, other, out.ids, count);
    counters.nodesVisited = exports.nodesVisited.value;
    counters.itemsTested = exports.itemsTested.value;
    return true;
  }

  /** An instance with one to eight times as much memory as needed: a new one when needed, as memories cannot shrink. */
  #reserve(module: WebAssembly.Module, bytes: number): Exports | null {
    const size = this.#exports?.memory.buffer.byteLength ?? 0;
    if (this.#exports === null || size > 8 * bytes) {
      try {
        this.#exports = new WebAssembly.Instance(module).exports as unknown as Exports;
      } catch {
        // Out of memory.
        this.#exports = null;
      }
    }
    if (this.#exports !== null && !enlarge(this.#exports.memory, bytes)) this.#exports = null;
    return this.#exports;
  }
}

function join(exports: Exports, isSelf: boolean, waiting: number, start: number): number {
  try {
    return exports.join(isSelf, waiting, start, start);
  } catch {
    // Out of memory: there are too many pairs.
    return 0;
  }
}

/**
 * True when so many entries have changed that rows may overlap widely, or when many rows have no nodes over them. Then
 * arranging the copy anew takes a fraction of what it saves.
 */
function isWorthArranging({ changes, nodes, rows }: JoinTree): boolean {
  const entries = nodes.entries[ROOT];
  const isFlat = rows.count > MANY_ROWS && nodes.count <= rows.count + 1;
  return isFlat || (changes >= entries && entries > ROW);
}

function sizeOf(tree: JoinTree): number {
  return 4 * NODE * tree.nodes.count + (4 * ROW_BOXES + 4 * ROW + 1) * tree.rows.count + 4 * 16;
}

/** Copies what the kernel needs of a tree to `start`, the addresses to `side`; returns the first free byte. */
function copy(tree: JoinTree, { buffer }: WebAssembly.Memory, side: number, start: number): number {
  const { nodes, rows } = tree;
  const place = new Uint32Array(buffer, side, 5);
  let free = start;
  const take = (index: number, bytes: number): number => {
    place[index] = free;
    free = aligned(free + bytes);
    return place[index];
  };
  place[4] = 0;
  copyNodes(nodes, buffer, take(0, 4 * NODE * nodes.count));
  const slots = ROW * rows.count;
  new Float32Array(buffer, take(1, 4 * BOX * slots), BOX * slots).set(rows.boxes.subarray(0, BOX * slots));
  new Uint8Array(buffer, take(2, rows.count), rows.count).set(rows.sizes.subarray(0, rows.count));
  new Int32Array(buffer, take(3, 4 * slots), slots).set(rows.ids.subarray(0, slots));
  return free;
}

/** Copies the numbers of a node side by side, as a visit needs all of them. */
function copyNodes(nodes: JoinTree['nodes'], buffer: ArrayBufferLike, start: number): void {
  const { box, first, next, row, count } = nodes;
  const boxes = new Float32Array(buffer, start, NODE * count);
  const links = new Int32Array(buffer, start, NODE * count);
  for (let node = 0, i = 0, o = 0; node < count; node++, i += NODE, o += BOX) {
    boxes[i] = box[o];
    boxes[i + 1] = box[o + 1];
    boxes[i + 2] = box[o + 2];
    boxes[i + 3] = box[o + 3];
    boxes[i + 4] = box[o + 4];
    boxes[i + 5] = box[o + 5];
    links[i + 6] = first[node];
    links[i + 7] = next[node];
    links[i + 8] = row[node];
  }
}

/**
 * Decides the undecided pairs, given as complements of slots: those whose boxes touch become pairs of ids, the others are
 * dropped. Returns the number of pairs left.
 */
function decide(tree: JoinTree, other: JoinTree, ids: Int32Array, count: number): number {
  let n = 0;
  for (let i = 0; i < 2 * count; i += 2) {
    let a = ids[i];
    let b = ids[i + 1];
    if (a < 0) {
      if (!entriesTouch(tree.rows, ~a, other.rows, ~b)) continue;
      a = tree.rows.ids[~a];
      b = other.rows.ids[~b];
      if (tree === other && a > b) [a, b] = [b, a];
    }
    ids[n++] = a;
    ids[n++] = b;
  }
  return n / 2;
}
