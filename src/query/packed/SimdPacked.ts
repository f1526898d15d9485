import type { Hits } from '../../core/lists/Hits.js';
import type { IdList } from '../../core/lists/IdList.js';
import { countsUp, type PackedRows } from '../../core/packed/PackedRows.js';
import type { RoughPoint } from '../../core/packed/RoughPoint.js';
import type { RoughRay } from '../../core/packed/RoughRay.js';
import type { RoughVolume } from '../../core/packed/RoughVolume.js';
import type { PointDistance } from '../../core/shapes/PointDistance.js';
import type { Ray } from '../../core/shapes/Ray.js';
import type { Volume } from '../../core/shapes/Volume.js';
import { packedKernel } from '../../wasm/packedKernel.js';
import { isSimdAllowed } from '../../wasm/simd.js';
import type { Counters } from '../Counters.js';
import { enlarge } from '../kernelMemory.js';
import { type Kernel, KernelPool } from './KernelPool.js';
import type { PackedKernel } from './PackedKernel.js';
import { bytesFor, moveIn, moveOut } from './rowsMemory.js';
import { writeRay, writeVolume } from './writeNumbers.js';

/** Exports of a compiled kernel, see wasm/assembly/packed.ts. */
interface RowKernel extends Kernel {
  init(): void;
  overlap(kind: number, all: number, split: boolean): number;
  raycast(): number;
  raycastFirst(): number;
  nearest(count: number): number;
  move(first: number, count: number, ids: number, left: number, refits: boolean): number;
  fill(from: number, to: number): void;
  refit(from: number, to: number): void;
}

const pool = /* @__PURE__ */ new KernelPool<RowKernel>(packedKernel);

/** Addresses in the kernel's memory, in bytes, see wasm/assembly/packed/layout.ts; what follows is free. */
const NODES_VISITED = 0;
const ITEMS_TESTED = 4;
const INSIDE = 8;
const PLACES = 16;
const COUNT = 48;
const TOP = 52;
const NUMBERS = 64;
const DISTANCE = 1024;
const PER_UNIT = 1032;
const FRAME = 1040;
const SLACK = 1096;
const STARTS = 1104;
const ROUGH = 1168;
const FOUND = 3312;
const FREE = 4352;
/** With fewer rows, plain code is as fast. */
const FEW_ROWS = 4;
/** A kernel's memory may be SPARE times as large as needed, and any size up to SMALL bytes is accepted. */
const SPARE = 4;
const SMALL = 2 ** 20;
/** From this many results on, `set` copies them faster than a loop. */
const MANY = 256;
/** Most items that the kernel finds nearest to a point. */
const MOST_NEAREST = 63;

/**
 * Work over rows by WebAssembly SIMD, where available. The kernel works on the arrays of the rows themselves: they are
 * moved to the memory of a kernel that serves these rows alone, and moved again whenever they are replaced.
 */
export class SimdPacked implements PackedKernel {
  #kernel: RowKernel | null = null;
  /** Arrays as of the last call of `#settle`: in the kernel's memory, if there is a kernel. */
  #boxes: Float64Array | null = null;
  #rows: Float32Array | null = null;
  #levels: Float32Array | null = null;
  /** True when a kernel was wanted, but none was available. */
  #isWaiting = false;
  /** Of how many rows the kernel knows where the levels begin. */
  #count = -1;
  #doubles = new Float64Array(0);
  #words = new Int32Array(0);
  #floats = new Float32Array(0);
  #numbers = new Float64Array(0);
  #out = 0;
  #outEnd = 0;
  /** Views of the results by power of two, see #viewOf. */
  #views: Int32Array[] = [];

  get bytes(): number {
    return this.#kernel === null ? 0 : FREE + this.#outEnd - this.#out;
  }

  overlap(
    rows: PackedRows,
    volume: Volume,
    rough: RoughVolume,
    counters: Counters,
    out: IdList,
    inside: IdList,
  ): boolean {
    const kernel = this.#kernelFor(rows);
    if (kernel === null) return false;
    writeVolume(volume, this.#numbers);
    this.#writeRough(rough.numbers);
    const isSplit = inside !== out;
    const count = kernel.overlap(volume.kind, volume.all, isSplit);
    this.#read(count, inside);
    if (isSplit) {
      const words = this.#words;
      const cut = words[INSIDE >> 2];
      out.length = 0;
      const list = out.reserve(cut);
      for (let i = 0, from = (this.#outEnd >> 2) - 1; i < cut; i++, from--) list[i] = words[from];
      out.length = cut;
    }
    this.#countUp(counters);
    return true;
  }

  raycast(rows: PackedRows, ray: Ray, rough: RoughRay, counters: Counters, out: Hits): boolean {
    const kernel = this.#kernelFor(rows);
    if (kernel === null) return false;
    this.#writeRay(ray, rough);
    const count = kernel.raycast();
    if (count < 0) return false;
    out.length = 0;
    out.reserve(count);
    const { ids, distances } = out;
    for (let i = 0, from = this.#out >> 3; i < count; i++, from += 2) {
      distances[i] = this.#doubles[from];
      ids[i] = this.#words[2 * from + 2];
    }
    out.length = count;
    this.#countUp(counters);
    return true;
  }

  raycastFirst(rows: PackedRows, ray: Ray, rough: RoughRay, counters: Counters, out: Hits): boolean {
    const kernel = this.#kernelFor(rows);
    if (kernel === null) return false;
    this.#writeRay(ray, rough);
    const id = kernel.raycastFirst();
    out.length = 0;
    if (id >= 0) {
      out.reserve(1);
      out.ids[0] = id;
      out.distances[0] = this.#doubles[DISTANCE >> 3];
      out.length = 1;
    }
    this.#countUp(counters);
    return true;
  }

  nearest(
    rows: PackedRows,
    { point, interval }: PointDistance,
    rough: RoughPoint,
    count: number,
    counters: Counters,
    out: Hits,
  ): boolean {
    const kernel = this.#kernelFor(rows);
    if (kernel === null || count > MOST_NEAREST) return false;
    const numbers = this.#numbers;
    for (let c = 0; c < 3; c++) numbers[c] = point[c];
    numbers[3] = interval[1];
    this.#writeRough(rough.numbers);
    this.#doubles[PER_UNIT >> 3] = rough.scale;
    const found = kernel.nearest(count);
    out.length = 0;
    out.reserve(found);
    // In reverse: the farthest first, as `Hits.keepNearest` has it.
    for (let i = 0, from = (FOUND >> 3) + 2 * (found - 1); i < found; i++, from -= 2) {
      out.distances[i] = this.#doubles[from];
      out.ids[i] = this.#words[2 * from + 2];
    }
    out.length = found;
    if (found === count) interval[1] = out.distances[0];
    this.#countUp(counters);
    return true;
  }

  fill(rows: PackedRows, from: number, to: number): boolean {
    const kernel = this.#kernelFor(rows);
    if (kernel === null) return false;
    this.#writeFrame(rows);
    kernel.fill(from, to);
    return true;
  }

  refit(rows: PackedRows, from: number, to: number): boolean {
    const kernel = this.#kernelFor(rows);
    if (kernel === null) return false;
    this.#floats[SLACK >> 2] = rows.slack;
    kernel.refit(from, to);
    return true;
  }

  move(rows: PackedRows, ids: ArrayLike<number>, refits: boolean, left: IdList): boolean {
    const kernel = this.#kernelFor(rows);
    if (kernel === null) return false;
    this.#writeFrame(rows);
    // Ids, and those that are left, lie in the room for results.
    const most = (this.#outEnd - this.#out) >> 3;
    const leftAt = this.#out + 4 * most;
    const isRun = countsUp(ids);
    for (let done = 0; done < ids.length; done += most) {
      const count = Math.min(most, ids.length - done);
      const first = isRun ? ids[done] : -1;
      if (!isRun) for (let i = 0, to = this.#out >> 2; i < count; i++) this.#words[to + i] = ids[done + i];
      this.#append(kernel.move(first, count, this.#out, leftAt, refits), leftAt, left);
    }
    return true;
  }

  release(rows: PackedRows): void {
    if (rows.count <= FEW_ROWS) this.#settle(rows);
  }

  #writeRough(numbers: Float32Array): void {
    const floats = this.#floats;
    for (let i = 0, to = ROUGH >> 2; i < numbers.length; i++) floats[to + i] = numbers[i];
  }

  #writeRay(ray: Ray, rough: RoughRay): void {
    writeRay(ray, this.#numbers);
    this.#writeRough(rough.numbers);
    this.#doubles[PER_UNIT >> 3] = rough.perUnit;
  }

  #writeFrame({ frame, slack }: PackedRows): void {
    for (let c = 0; c < 6; c++) this.#doubles[(FRAME >> 3) + c] = frame.origin[c % 3];
    this.#doubles[(FRAME >> 3) + 6] = frame.scale;
    this.#floats[SLACK >> 2] = slack;
  }

  /** Appends ids that lie at an address to a list. */
  #append(count: number, at: number, out: IdList): void {
    const list = out.reserve(count);
    for (let i = 0, from = at >> 2; i < count; i++) list[out.length++] = this.#words[from + i];
  }

  #read(count: number, out: IdList): void {
    out.length = 0;
    if (count < MANY) {
      const list = out.reserve(count);
      for (let i = 0, from = this.#out >> 2; i < count; i++) list[i] = this.#words[from + i];
    } else {
      const view = this.#viewOf(count);
      out.reserve(view.length).set(view);
    }
    out.length = count;
  }

  /**
   * A view of the first `count` words of the results, and some more. To copy by `set` is several times as fast as a
   * loop, but needs a view of what is copied; one is kept for each power of two, so that queries allocate nothing.
   */
  #viewOf(count: number): Int32Array {
    const power = 32 - Math.clz32(count - 1);
    const most = (this.#outEnd - this.#out) >> 2;
    this.#views[power] ??= new Int32Array(this.#words.buffer, this.#out, Math.min(2 ** power, most));
    return this.#views[power];
  }

  #countUp(counters: Counters): void {
    counters.nodesVisited = this.#words[NODES_VISITED >> 2];
    counters.itemsTested = this.#words[ITEMS_TESTED >> 2];
  }

  #kernelFor(rows: PackedRows): RowKernel | null {
    if (!isSimdAllowed()) return null;
    const isSettled = rows.boxes === this.#boxes && rows.rows === this.#rows && rows.levels === this.#levels;
    if (!isSettled || (this.#isWaiting && pool.isFree())) this.#settle(rows);
    if (this.#kernel !== null && rows.count !== this.#count) this.#writeLevels(rows);
    return this.#kernel;
  }

  #writeLevels({ count, top, starts }: PackedRows): void {
    this.#count = count;
    this.#words[COUNT >> 2] = count;
    this.#words[TOP >> 2] = top;
    for (let h = 0; h <= top; h++) this.#words[(STARTS >> 2) + h] = 4 * starts[h];
  }

  /**
   * Moves the arrays of the rows into a kernel's memory, if there are rows enough and a kernel is available; else out
   * of it.
   */
  #settle(rows: PackedRows): void {
    const bytes = bytesFor(rows, FREE);
    const isLarge = rows.sizes.length > FEW_ROWS;
    let kernel = this.#kernel;
    this.#kernel = null;
    this.#isWaiting = false;
    this.#views = [];
    this.#count = -1;
    if (kernel !== null) {
      const { buffer } = kernel.memory;
      moveOut(rows, buffer);
      if (!isLarge || buffer.byteLength > Math.max(SMALL, SPARE * bytes)) {
        pool.giveBack(kernel);
        kernel = null;
      }
    }
    if (isLarge) {
      kernel ??= pool.take();
      this.#isWaiting = kernel === null;
      if (kernel !== null && enlarge(kernel.memory, bytes)) this.#moveIn(rows, kernel);
      else if (kernel !== null) pool.giveBack(kernel);
    }
    this.#boxes = rows.boxes;
    this.#rows = rows.rows;
    this.#levels = rows.levels;
  }

  #moveIn(rows: PackedRows, kernel: RowKernel): void {
    const { buffer } = kernel.memory;
    this.#kernel = kernel;
    this.#doubles = new Float64Array(buffer);
    this.#words = new Int32Array(buffer);
    this.#floats = new Float32Array(buffer);
    this.#numbers = new Float64Array(buffer, NUMBERS, 120);
    kernel.init();
    const places = this.#words.subarray(PLACES >> 2);
    moveIn(rows, buffer, FREE, places);
    this.#out = places[6];
    this.#outEnd = places[7];
  }
}
