import type { IdList } from '../core/ids.js';
import { ROW } from '../core/rowLayout.js';
import { aligned, enlarge, isSimdAllowed, type Kernel, KernelPool } from '../wasm/KernelPool.js';
import { packedKernel } from '../wasm/packedKernel.js';
import { COUNT, FREE, NUMBERS, PLACES, STARTS, TOP } from '../wasm/packedLayout.js';
import type { PackedRows } from './PackedRows.js';

/** Bytes of results: an id for each slot, and two rows more, as whole rows are written at the end. */
function roomFor(rows: PackedRows): number {
  return 4 * ROW * (rows.sizes.length + 2);
}

/** The arrays that kernels work on, in the order of their addresses. */
const ARRAYS = ['boxes', 'slots', 'rows', 'ids', 'sizes', 'levels'] as const;

/** Bytes that the arrays of rows and the results take, from `start` on. */
function bytesFor(rows: PackedRows, start: number): number {
  return ARRAYS.reduce((sum, name) => sum + aligned(rows[name].byteLength), start) + aligned(roomFor(rows));
}

/**
 * Moves the arrays of rows into a memory. Writes to `places` where each begins, where the room for results begins after
 * them, and where it ends.
 */
function moveIn(rows: PackedRows, buffer: ArrayBuffer, start: number, places: Int32Array): void {
  let free = start;
  ARRAYS.forEach((name, i) => {
    const { byteLength } = rows[name];
    places[i] = free;
    move(rows, name, (from) => {
      const Kind = from.constructor as new (buffer: ArrayBuffer, at: number, length: number) => typeof from;
      const to = new Kind(buffer, places[i], from.length);
      to.set(from);
      return to;
    });
    free += aligned(byteLength);
  });
  places[6] = free;
  places[7] = free + roomFor(rows);
}

/** Moves the arrays of rows that lie in a memory out of it. */
function moveOut(rows: PackedRows, buffer: ArrayBuffer): void {
  for (const name of ARRAYS) if (rows[name].buffer === buffer) move(rows, name, (from) => from.slice());
}

type Numbers = Float64Array | Float32Array | Int32Array | Uint8Array;

function move(rows: PackedRows, name: (typeof ARRAYS)[number], copy: (from: Numbers) => Numbers): void {
  (rows as unknown as { [name: string]: Numbers })[name] = copy(rows[name]);
}

/** Exports of a compiled kernel, see wasm/assembly/packed.ts. */
export interface RowKernel extends Kernel {
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

/** With fewer rows, plain code is as fast. */
const FEW_ROWS = 4;
/** A kernel's memory may be SPARE times as large as needed, and any size up to SMALL bytes is accepted. */
const SPARE = 4;
const SMALL = 2 ** 20;
/** From this many results on, `set` copies them faster than a loop. */
const MANY = 256;

/**
 * The memory of a kernel that serves the rows of one index. The kernel works on the arrays of the rows themselves: they
 * are moved to its memory, and moved again whenever they are replaced.
 */
export class RowsInKernel {
  #kernel: RowKernel | null = null;
  /** As of which `allocations` of the rows their arrays are in the kernel's memory, if there is a kernel. */
  #allocations = -1;
  /** True when a kernel was wanted, but none was available. */
  #isWaiting = false;
  /** Of how many rows the kernel knows where the levels begin. */
  #count = -1;
  /** All of the memory. */
  doubles: Float64Array = new Float64Array(0);
  words: Int32Array = new Int32Array(0);
  floats: Float32Array = new Float32Array(0);
  /** Where the numbers of a query go. */
  numbers: Float64Array = new Float64Array(0);
  /** Where the room for results begins and ends, in bytes. */
  out = 0;
  outEnd = 0;
  /** Views of the results by power of two, see #viewOf. */
  #views: Int32Array[] = [];

  /** Bytes held besides the arrays of the rows. */
  get bytes(): number {
    return this.#kernel === null ? 0 : FREE + this.outEnd - this.out;
  }

  /** The kernel, with the rows as they are now; null where plain code is to do the work. */
  kernelFor(rows: PackedRows): RowKernel | null {
    if (!isSimdAllowed()) return null;
    if (rows.allocations !== this.#allocations || (this.#isWaiting && pool.isFree())) this.#settle(rows);
    if (this.#kernel !== null && rows.count !== this.#count) this.#writeLevels(rows);
    return this.#kernel;
  }

  /** Gives the kernel back when the rows have become too few for it. */
  release(rows: PackedRows): void {
    if (rows.count <= FEW_ROWS) this.#settle(rows);
  }

  /** Writes the first `count` results, which are ids, to a list. */
  read(count: number, out: IdList): void {
    out.length = 0;
    if (count < MANY) {
      this.append(count, this.out, out);
      return;
    }
    const view = this.#viewOf(count);
    out.reserve(view.length).set(view);
    out.length = count;
  }

  /** Appends ids that lie at an address to a list. */
  append(count: number, at: number, out: IdList): void {
    const list = out.reserve(count);
    for (let i = 0, from = at >> 2; i < count; i++) list[out.length++] = this.words[from + i];
  }

  /**
   * A view of the first `count` words of the results, and some more. To copy by `set` is several times as fast as a
   * loop, but needs a view of what is copied; one is kept for each power of two, so that queries allocate nothing.
   */
  #viewOf(count: number): Int32Array {
    const power = 32 - Math.clz32(count - 1);
    const most = (this.outEnd - this.out) >> 2;
    this.#views[power] ??= new Int32Array(this.words.buffer, this.out, Math.min(2 ** power, most));
    return this.#views[power];
  }

  #writeLevels({ count, top, starts }: PackedRows): void {
    this.#count = count;
    this.words[COUNT >> 2] = count;
    this.words[TOP >> 2] = top;
    for (let h = 0; h <= top; h++) this.words[(STARTS >> 2) + h] = 4 * starts[h];
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
    this.#allocations = rows.allocations;
  }

  #moveIn(rows: PackedRows, kernel: RowKernel): void {
    const { buffer } = kernel.memory;
    this.#kernel = kernel;
    this.doubles = new Float64Array(buffer);
    this.words = new Int32Array(buffer);
    this.floats = new Float32Array(buffer);
    this.numbers = new Float64Array(buffer, NUMBERS, 120);
    kernel.init();
    const places = this.words.subarray(PLACES >> 2);
    moveIn(rows, buffer, FREE, places);
    this.out = places[6];
    this.outEnd = places[7];
  }
}
