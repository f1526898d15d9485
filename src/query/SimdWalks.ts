import type { Hits } from '../core/lists/Hits.js';
import type { IdList } from '../core/lists/IdList.js';
import type { Ray } from '../core/shapes/Ray.js';
import type { Volume } from '../core/shapes/Volume.js';
import type { Tree } from '../core/storage/Tree.js';
import { isSimdAllowed } from '../wasm/simd.js';
import { walksKernel } from '../wasm/walksKernel.js';
import type { Counters } from './Counters.js';
import { type Kernel, KernelPool } from './KernelPool.js';
import type { KernelWalks } from './KernelWalks.js';
import { enlarge } from './kernelMemory.js';
import { bytesFor, moveIn, moveOut } from './treeMemory.js';
import { writeRay, writeVolume } from './writeNumbers.js';

/** Exports of a compiled kernel, see wasm/assembly/walks.ts. */
interface WalkKernel extends Kernel {
  overlap(kind: number, all: number, split: boolean): number;
  raycast(): number;
  raycastFirst(): number;
}

const pool = new KernelPool<WalkKernel>(walksKernel);

/** Addresses in the kernel's memory, in bytes (see wasm/assembly/walk/layout.ts), and the first byte that is free. */
const PLACES = 12;
/** The words that hold the addresses at which the room for results begins and ends. */
const OUT = 11;
const OUT_END = 12;
const NODES_VISITED = 52;
const ITEMS_TESTED = 56;
const INSIDE = 60;
const NUMBERS = 64;
const DISTANCES = 2432;
const FREE = 4240;
const NUMBERS_MOST = 120;
/** A tree with room for no more rows is walked faster in JavaScript than by a kernel. */
const FEW_ROWS = 64;
/** A kernel's memory may be SLACK times as large as needed, and any size up to SMALL bytes is accepted. */
const SLACK = 4;
const SMALL = 2 ** 20;

/** From this many results on, `set` copies them faster than a loop. */
const MANY = 256;

const NO_DOUBLES = new Float64Array(0);
const NO_WORDS = new Int32Array(0);

/**
 * Walks over a tree by WebAssembly SIMD, where available. The kernel reads the arrays of the tree itself: they are
 * moved to the memory of a kernel that serves this tree alone, and moved again whenever the tree replaces them.
 */
export class SimdWalks implements KernelWalks {
  #kernel: WalkKernel | null = null;
  /** The tree's arrays as of the last call of `#settle`: in the kernel's memory, if there is a kernel. */
  #boxes: Float64Array | null = null;
  #rowBoxes: Float64Array | null = null;
  /** True when a kernel was wanted, but none was available. */
  #isWaiting = false;
  #doubles = NO_DOUBLES;
  #words = NO_WORDS;
  #numbers = NO_DOUBLES;
  /** Views of the results by power of two, see #viewOf. */
  #views: Int32Array[] = [];

  /** See `overlap`; returns false if the tree has no kernel. */
  overlap(tree: Tree, volume: Volume, counters: Counters, out: IdList, inside: IdList): boolean {
    const kernel = this.#kernelFor(tree);
    if (kernel === null) return false;
    writeVolume(volume, this.#numbers);
    const words = this.#words;
    const end = words[OUT_END] >> 2;
    const count = kernel.overlap(volume.kind, volume.all, inside !== out);
    inside.length = out.length = 0;
    if (count < MANY) {
      const list = out.reserve(count);
      for (let i = 0, from = words[OUT] >> 2; i < count; i++, from++) list[i] = words[from];
    } else {
      const view = this.#viewOf(count);
      out.reserve(view.length).set(view);
    }
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

  /**
   * See `raycast`; returns false if the tree has no kernel, or its memory has too little room for the results.
   */
  raycast(tree: Tree, ray: Ray, counters: Counters, out: Hits): boolean {
    const kernel = this.#kernelFor(tree);
    if (kernel === null) return false;
    writeRay(ray, this.#numbers);
    const count = kernel.raycast();
    if (count < 0) return false;
    out.length = 0;
    out.reserve(count);
    const { ids, distances } = out;
    const doubles = this.#doubles;
    const words = this.#words;
    const start = words[OUT] >> 3;
    for (let i = 0, from = start; i < count; i++, from += 2) {
      distances[i] = doubles[from];
      ids[i] = words[2 * from + 2];
    }
    out.length = count;
    this.#count(counters);
    return true;
  }

  /** See `nearest`, for a ray and a count of one; returns false as `raycast` does. */
  raycastFirst(tree: Tree, ray: Ray, counters: Counters, out: Hits): boolean {
    const kernel = this.#kernelFor(tree);
    if (kernel === null) return false;
    writeRay(ray, this.#numbers);
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

  /** Bytes held besides the arrays of the tree. */
  get bytes(): number {
    return this.#kernel === null ? 0 : this.#words[OUT_END] - this.#words[OUT] + FREE;
  }

  /** Returns the kernel when the tree has become too small for it. */
  release(tree: Tree): void {
    if (tree.rows.sizes.length <= FEW_ROWS) this.#settle(tree);
  }

  /**
   * A view of the first `count` words of the results, and some more. To copy by `set` is several times as fast as a
   * loop, but needs a view of what is copied; one is kept for each power of two, so that queries allocate nothing.
   */
  #viewOf(count: number): Int32Array {
    const power = 32 - Math.clz32(count - 1);
    const start = this.#words[OUT];
    const most = (this.#words[OUT_END] - start) >> 2;
    this.#views[power] ??= new Int32Array(this.#words.buffer, start, Math.min(2 ** power, most));
    return this.#views[power];
  }

  #count(counters: Counters): void {
    counters.nodesVisited = this.#words[NODES_VISITED >> 2];
    counters.itemsTested = this.#words[ITEMS_TESTED >> 2];
  }

  #kernelFor(tree: Tree): WalkKernel | null {
    if (!isSimdAllowed()) return null;
    // A tree replaces all arrays of its nodes, or of its rows, when it replaces one.
    const isSettled = tree.nodes.box === this.#boxes && tree.rows.boxes === this.#rowBoxes;
    if (!isSettled || (this.#isWaiting && pool.isFree())) this.#settle(tree);
    return this.#kernel;
  }

  /**
   * Moves the arrays of a tree into a kernel's memory, if the tree is large enough and a kernel available; else out of
   * it.
   */
  #settle(tree: Tree): void {
    const bytes = bytesFor(tree, FREE);
    let kernel = this.#kernel;
    this.#kernel = null;
    this.#isWaiting = false;
    this.#doubles = this.#numbers = NO_DOUBLES;
    this.#words = NO_WORDS;
    this.#views = [];
    if (kernel !== null) {
      const { buffer } = kernel.memory;
      moveOut(tree, buffer);
      const isWanted = tree.rows.sizes.length > FEW_ROWS && buffer.byteLength <= Math.max(SMALL, SLACK * bytes);
      if (!isWanted) {
        pool.giveBack(kernel);
        kernel = null;
      }
    }
    if (tree.rows.sizes.length > FEW_ROWS) {
      kernel ??= pool.take();
      this.#isWaiting = kernel === null;
      if (kernel !== null && enlarge(kernel.memory, bytes)) this.#moveIn(tree, kernel);
      else if (kernel !== null) pool.giveBack(kernel);
    }
    this.#boxes = tree.nodes.box;
    this.#rowBoxes = tree.rows.boxes;
  }

  #moveIn(tree: Tree, kernel: WalkKernel): void {
    const { buffer } = kernel.memory;
    this.#kernel = kernel;
    this.#doubles = new Float64Array(buffer);
    this.#words = new Int32Array(buffer);
    this.#numbers = new Float64Array(buffer, NUMBERS, NUMBERS_MOST);
    moveIn(tree, buffer, FREE, this.#words.subarray(PLACES >> 2));
  }
}
