import type { Hits } from '../core/lists/Hits.js';
import type { IdList } from '../core/lists/IdList.js';
import type { Ray } from '../core/shapes/Ray.js';
import type { Volume } from '../core/shapes/Volume.js';
import type { Tree } from '../core/storage/Tree.js';
import { isSimdAllowed } from '../wasm/simd.js';
import type { Counters } from './Counters.js';
import type { KernelWalks } from './KernelWalks.js';
import { enlarge } from './kernelMemory.js';
import { bytesFor, moveIn, moveOut } from './treeMemory.js';
import { isKernelFree, returnKernel, takeKernel, type WalkKernel } from './walkKernels.js';
import { writeRay, writeVolume } from './writeNumbers.js';

/** Where the kernel keeps what, in bytes, and the first byte that is free. */
const PLACES = 12;
/** Of them, counted in words, the beginning of the room for results and its end. */
const OUT = 11;
const OUT_END = 12;
const NODES_VISITED = 52;
const ITEMS_TESTED = 56;
const INSIDE = 60;
const NUMBERS = 64;
const DISTANCES = 2432;
const FREE = 4240;
const NUMBERS_MOST = 120;
/** A tree with room for no more rows is walked sooner than the kernel is called. */
const FEW_ROWS = 64;
/** Times by which a memory may be too large, once it has some size. */
const SLACK = 4;
const SMALL = 2 ** 20;

/** Results beyond which a loop is not the way to copy them. */
const MANY = 256;

const NO_DOUBLES = new Float64Array(0);
const NO_WORDS = new Int32Array(0);

/**
 * Walks over a tree by WebAssembly SIMD, where there is such a thing. The kernel reads the very arrays of the tree: they
 * are moved to the memory of a kernel of its own, and again whenever the tree has outgrown them.
 */
export class SimdWalks implements KernelWalks {
  #kernel: WalkKernel | null = null;
  /** The arrays that were looked at last: in the memory if there is a kernel for them. */
  #boxes: Float64Array | null = null;
  #rowBoxes: Float64Array | null = null;
  /** True when there was no kernel to be had. */
  #isWaiting = false;
  #doubles = NO_DOUBLES;
  #words = NO_WORDS;
  #numbers = NO_DOUBLES;
  /** See #viewOf. */
  #views: Int32Array[] = [];

  /** See `overlap`; false when that is not possible here. */
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

  /** See `raycastUnordered`; false when that is not possible here. */
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

  /** See `nearest`, for a ray and a count of one; false when that is not possible here. */
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

  /** Bytes held beside the arrays of the tree. */
  get bytes(): number {
    return this.#kernel === null ? 0 : this.#words[OUT_END] - this.#words[OUT] + FREE;
  }

  /** Gives the kernel back when the tree has become too small for it. */
  release(tree: Tree): void {
    if (tree.rows.sizes.length <= FEW_ROWS) this.#settle(tree);
  }

  /**
   * The first so many words of the results, and some more: a copy by `set` is several times as fast as a loop, but needs a
   * view of what is copied. To allocate nothing in a query, there is one for each power of two.
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
    if (!isSettled || (this.#isWaiting && isKernelFree())) this.#settle(tree);
    return this.#kernel;
  }

  /** Sees to it that the arrays of a tree lie in the memory of a kernel, if it is large enough and one is to be had. */
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
        returnKernel(kernel);
        kernel = null;
      }
    }
    if (tree.rows.sizes.length > FEW_ROWS) {
      kernel ??= takeKernel();
      this.#isWaiting = kernel === null;
      if (kernel !== null && enlarge(kernel.memory, bytes)) this.#moveIn(tree, kernel);
      else if (kernel !== null) returnKernel(kernel);
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
