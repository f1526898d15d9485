import { BOX } from '../core/box.js';
import type { Hits } from '../core/Hits.js';
import type { IdList } from '../core/IdList.js';
import type { Ray } from '../core/Ray.js';
import { ROW, ROW_BOXES } from '../core/Rows.js';
import type { Tree } from '../core/Tree.js';
import type { Volume } from '../core/Volume.js';
import { compileKernel, isSimdAllowed } from '../wasm/simd.js';
import { walksKernel } from '../wasm/walksKernel.js';
import type { Counters } from './Counters.js';

/** What the compiled kernel has, see wasm/assembly/walks.ts. */
interface Exports {
  memory: WebAssembly.Memory;
  overlap(kind: number, all: number, split: boolean): number;
  raycast(): number;
  raycastFirst(): number;
}

/** Where the kernel keeps what, in bytes, and the first byte that is free. */
const PLACES = 16;
const NODES_VISITED = 52;
const ITEMS_TESTED = 56;
const INSIDE = 60;
const NUMBERS = 64;
const DISTANCES = 2432;
const FREE = 4240;
const PAGE = 65536;
const NUMBERS_MOST = 120;
/** Least room for what waits during a search. */
const ROOM = 4096;
/** A tree with room for no more rows is walked sooner than the kernel is called. */
const FEW_ROWS = 16;
/** Addresses are kept as signed integers. */
const MOST_BYTES = 2 ** 31 - PAGE;

const NO_DOUBLES = new Float64Array(0);
const NO_WORDS = new Int32Array(0);

/** The same for all; undefined until the first tree asks for it. */
let module: WebAssembly.Module | null | undefined;

/**
 * Walks over a tree by WebAssembly SIMD, where there is such a thing. The kernel reads the very arrays of the tree: they
 * are moved to a memory of its own, and again whenever the tree has outgrown them. That memory never grows itself, so no
 * view of it is ever detached; what was outgrown is collected like any array.
 */
export class SimdWalks {
  #exports: Exports | null = null;
  /** The arrays that were looked at last: in the memory if there is a kernel for them. */
  #boxes: Float64Array | null = null;
  #rowBoxes: Float64Array | null = null;
  #doubles = NO_DOUBLES;
  #words = NO_WORDS;
  #numbers = NO_DOUBLES;

  /** See `overlap`; false when that is not possible here. */
  overlap(tree: Tree, volume: Volume, counters: Counters, out: IdList, inside: IdList): boolean {
    const kernel = this.#kernelFor(tree);
    if (kernel === null) return false;
    volume.write(this.#numbers);
    const words = this.#words;
    const start = words[(PLACES >> 2) + 7] >> 2;
    const end = words[(PLACES >> 2) + 8] >> 2;
    const count = kernel.overlap(volume.kind, volume.all, inside !== out);
    inside.length = out.length = 0;
    const list = out.reserve(count);
    // A copy by `set` needs a view of what is copied, and would be the only allocation of a query.
    for (let i = 0, from = start; i < count; i++, from++) list[i] = words[from];
    out.length = count;
    if (inside !== out) {
      const whole = words[INSIDE >> 2];
      const insideList = inside.reserve(whole);
      for (let i = 0, from = end - 1; i < whole; i++, from--) insideList[i] = words[from];
      inside.length = whole;
    }
    this.#count(counters);
    return true;
  }

  /** See `raycastUnordered`; false when that is not possible here. */
  raycast(tree: Tree, ray: Ray, counters: Counters, out: Hits): boolean {
    const kernel = this.#kernelFor(tree);
    if (kernel === null) return false;
    ray.write(this.#numbers);
    const count = kernel.raycast();
    if (count < 0) return false;
    out.length = 0;
    out.reserve(count);
    const { ids, distances } = out;
    const doubles = this.#doubles;
    const words = this.#words;
    const start = words[(PLACES >> 2) + 7] >> 3;
    for (let i = 0, from = start; i < count; i++, from += 2) {
      distances[i] = doubles[from];
      ids[i] = words[2 * from + 2];
    }
    out.length = count;
    this.#count(counters);
    return true;
  }

  /** See `nearest`, for a ray and a count of one; false when that is not possible here. */
  raycastFirst(tree: Tree, ray: Ray, counters: Counters, out: Hits): boolean {
    const kernel = this.#kernelFor(tree);
    if (kernel === null) return false;
    ray.write(this.#numbers);
    const id = kernel.raycastFirst();
    if (id < -1) return false;
    out.length = 0;
    if (id >= 0) {
      out.reserve(1);
      out.ids[0] = id;
      out.distances[0] = this.#doubles[DISTANCES >> 3];
      out.length = 1;
    }
    this.#count(counters);
    return true;
  }

  /** Bytes held beside the arrays of the tree. */
  get bytes(): number {
    return this.#exports === null ? 0 : this.#words[(PLACES >> 2) + 8] - this.#words[(PLACES >> 2) + 7] + FREE;
  }

  /** Gives up a memory that the tree has left. */
  release(tree: Tree): void {
    if (tree.nodes.box === this.#boxes && tree.rows.boxes === this.#rowBoxes) return;
    this.#exports = this.#boxes = this.#rowBoxes = null;
    this.#doubles = this.#numbers = NO_DOUBLES;
    this.#words = NO_WORDS;
  }

  #count(counters: Counters): void {
    counters.nodesVisited = this.#words[NODES_VISITED >> 2];
    counters.itemsTested = this.#words[ITEMS_TESTED >> 2];
  }

  #kernelFor(tree: Tree): Exports | null {
    if (!isSimdAllowed()) return null;
    // A tree replaces all arrays of its nodes, or of its rows, when it replaces one.
    if (tree.nodes.box !== this.#boxes || tree.rows.boxes !== this.#rowBoxes) this.#settle(tree);
    return this.#exports;
  }

  /** Moves the arrays of a tree that a kernel reads to a memory of its own. */
  #settle(tree: Tree): void {
    this.#exports = tree.rows.sizes.length > FEW_ROWS ? instantiate(tree) : null;
    if (this.#exports !== null) {
      const { buffer } = this.#exports.memory;
      this.#doubles = new Float64Array(buffer);
      this.#words = new Int32Array(buffer);
      this.#numbers = new Float64Array(buffer, NUMBERS, NUMBERS_MOST);
      move(tree, this.#words);
    }
    this.#boxes = tree.nodes.box;
    this.#rowBoxes = tree.rows.boxes;
  }
}

/** Lengths in bytes of what lies in the memory, in the order of the kernel's places. */
function lengths(tree: Tree): number[] {
  const nodes = tree.nodes.capacity;
  const rows = tree.rows.sizes.length;
  const room = Math.max(ROOM, 4 * ROW * rows);
  return [8 * BOX * nodes, 4 * nodes, 4 * nodes, 4 * nodes, 8 * ROW_BOXES * rows, 4 * ROW * rows, rows, room];
}

function instantiate(tree: Tree): Exports | null {
  module ??= compileKernel(walksKernel);
  const bytes = lengths(tree).reduce((sum, length) => sum + aligned(length), FREE);
  if (module === null || bytes > MOST_BYTES) return null;
  try {
    const exports = new WebAssembly.Instance(module).exports as unknown as Exports;
    const missing = Math.ceil((bytes - exports.memory.buffer.byteLength) / PAGE);
    if (missing > 0) exports.memory.grow(missing);
    return exports;
  } catch {
    // No memory to be had for it.
    return null;
  }
}

function move(tree: Tree, words: Int32Array): void {
  const { nodes, rows } = tree;
  const { buffer } = words;
  let free = FREE;
  lengths(tree).forEach((length, place) => {
    words[(PLACES >> 2) + place] = free;
    free += aligned(length);
    words[(PLACES >> 2) + place + 1] = free;
  });
  const at = words.slice(PLACES >> 2);
  const ints = (from: Int32Array, place: number): Int32Array => {
    const to = new Int32Array(buffer, at[place], from.length);
    to.set(from);
    return to;
  };
  const doubles = (from: Float64Array, place: number): Float64Array => {
    const to = new Float64Array(buffer, at[place], from.length);
    to.set(from);
    return to;
  };
  nodes.box = doubles(nodes.box, 0);
  nodes.first = ints(nodes.first, 1);
  nodes.next = ints(nodes.next, 2);
  nodes.row = ints(nodes.row, 3);
  rows.boxes = doubles(rows.boxes, 4);
  rows.ids = ints(rows.ids, 5);
  const sizes = new Uint8Array(buffer, at[6], rows.sizes.length);
  sizes.set(rows.sizes);
  rows.sizes = sizes;
}

function aligned(bytes: number): number {
  return (bytes + 15) & ~15;
}
