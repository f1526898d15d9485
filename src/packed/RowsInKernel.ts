import { BOX, ROW } from '../core/box.js';
import type { IdList } from '../core/ids.js';
import { aligned, enlarge, isSimdAllowed, KernelPool } from '../wasm/KernelPool.js';
import { packedKernel } from '../wasm/packedKernel.js';
import { ADDRESSES, COUNT, FREE, NUMBERS, STARTS, TOP } from '../wasm/packedLayout.js';
import type { PackedRows } from './PackedRows.js';

/** Exports of a compiled kernel, see wasm/assembly/packed.ts. */
export interface RowKernel {
  readonly memory: WebAssembly.Memory;
  init(): void;
  overlap(kind: number, all: number, split: boolean): number;
  raycast(first: boolean): number;
  nearest(count: number): number;
  verify(limit: number, first: number, count: number, ids: number, low: number, high: number, stride: number): number;
  move(
    first: number,
    count: number,
    ids: number,
    low: number,
    high: number,
    stride: number,
    left: number,
    refits: boolean,
  ): number;
  gather(limit: number, list: number, left: number): number;
  order(list: number, count: number, isKeyed: boolean): void;
  deal(from: number, to: number, count: number): void;
  refit(from: number, to: number): void;
  take(count: number, ids: number, left: number): number;
  append(list: number, from: number, count: number, wanted: number): number;
  listStrays(from: number, to: number, step: number): number;
}

const pool = /* @__PURE__ */ new KernelPool<RowKernel>(packedKernel);

/** Compiles the kernel beside the main thread. */
export function prepareKernel(): Promise<void> {
  return pool.prepare();
}

/** The arrays of rows that kernels work on, in the order of their addresses. */
const ARRAYS = ['boxes', 'seats', 'rows', 'ids', 'sizes', 'tiers', 'firstKeys'] as const;
/** Up to this many rows plain code is as fast. */
const FEW_KERNEL_ROWS = 4;
/** A memory of more than SMALL bytes may be at most SPARE times as large as needed. */
const SPARE_MEMORY = 4;
const SMALL_MEMORY = 2 ** 20;
/** From this many results on, `set` copies them faster than a loop. */
const MANY_RESULTS = 256;

/** The kernel's memory for one index: the rows' own arrays move there, and move again whenever they are replaced. */
export class RowsInKernel {
  readonly rows: PackedRows;
  #kernel: RowKernel | null = null;
  /** `allocations` of the rows at the last `#settle`. */
  #allocations = -1;
  /** True when a kernel was wanted, but none was available. */
  #isWaiting = false;
  /** The number of rows for which `#writeTiers` wrote the starts of tiers. */
  #count = -1;
  /** Arrays over the whole memory. */
  doubles: Float64Array = new Float64Array(0);
  words: Int32Array = new Int32Array(0);
  floats: Float32Array = new Float32Array(0);
  /** Array over the numbers of a query. */
  numbers: Float64Array = new Float64Array(0);
  /** Start and end of the room for results, in bytes. */
  out = 0;
  outEnd = 0;
  /** Bytes behind all other data, for the kernels of guests. */
  #spare = 0;
  /**
   * Addresses, within the room for results, of the boxes of moved items, of their maxima if these are in an array of
   * their own, of ids, and of the end of ids. `mostStaged` is the number of items that fit.
   */
  staged = 0;
  stagedMax = 0;
  stagedIds = 0;
  stagedEnd = 0;
  mostStaged = 0;
  /** By n, arrays over the first 2^n results, or all room for results if that is less: so queries allocate nothing. */
  #views: Int32Array[] = [];

  constructor(rows: PackedRows) {
    this.rows = rows;
  }

  /** Bytes held besides the arrays of the rows. */
  get bytes(): number {
    return this.#kernel === null ? 0 : FREE + this.outEnd - this.out + this.#spare;
  }

  /**
   * The kernel, up to date with the rows; null when plain code has to do the work. With `known` all rows are about to
   * be written, so only seats, and the boxes of that many items, are moved to the kernel's memory.
   */
  freshKernel(known = -1): RowKernel | null {
    const { rows } = this;
    if (!isSimdAllowed) return null;
    if (rows.allocations !== this.#allocations || (this.#isWaiting && pool.isFree())) this.#settle(known);
    // With `known` the rows are about to change: the next call writes the starts of tiers.
    if (known >= 0) this.#count = -1;
    else if (this.#kernel !== null && rows.count !== this.#count) this.#writeTiers();
    return this.#kernel;
  }

  /** The memory, with room for `bytes` behind all other data, from `outEnd` on; null when there is none. */
  memoryFor(bytes: number): WebAssembly.Memory | null {
    if (bytes > this.#spare) {
      this.#spare = bytes;
      this.#settle();
    }
    return this.freshKernel()?.memory ?? null;
  }

  /** Gives the kernel back when the rows have become too few for it. */
  release(): void {
    if (this.rows.count <= FEW_KERNEL_ROWS) this.#settle();
  }

  /** Writes the first `count` results, which are ids, to a list. */
  read(count: number, out: IdList): void {
    out.length = 0;
    if (count < MANY_RESULTS) {
      this.readOn(count, this.out, out);
      return;
    }
    const power = 32 - Math.clz32(count - 1);
    const most = (this.outEnd - this.out) >> 2;
    this.#views[power] ??= new Int32Array(this.words.buffer, this.out, Math.min(2 ** power, most));
    const view = this.#views[power];
    out.reserve(view.length).set(view);
    out.length = count;
  }

  /** Appends ids that lie at an address to a list. */
  readOn(count: number, at: number, out: IdList): void {
    const list = out.reserve(count);
    const { words } = this;
    for (let i = 0, n = out.length, from = at >> 2; i < count; i++) list[n + i] = words[from + i];
    out.length += count;
  }

  /** Copies boxes, from number `from` on, for the kernel; returns their number. With `max`, `boxes` are minima. */
  stage(boxes: Float64Array | Float32Array, max: Float32Array | undefined, from: number): number {
    const per = max === undefined ? BOX : BOX / 2;
    const count = Math.min(this.mostStaged, boxes.length / per - from);
    if (boxes instanceof Float64Array) this.doubles.set(part(boxes, per * from, per * count), this.staged >> 3);
    else this.floats.set(part(boxes, per * from, per * count), this.staged >> 2);
    if (max !== undefined) this.floats.set(part(max, per * from, per * count), this.stagedMax >> 2);
    return count;
  }

  /** Writes `count` ids, from number `from` on, to an address. */
  write(ids: ArrayLike<number>, from: number, count: number, at: number): void {
    for (let i = 0, to = at >> 2; i < count; i++) this.words[to + i] = ids[from + i];
  }

  #writeTiers(): void {
    const { count, top, starts } = this.rows;
    this.#count = count;
    this.words[COUNT >> 2] = count;
    this.words[TOP >> 2] = top;
    for (let h = 0; h <= top; h++) this.words[(STARTS >> 2) + h] = 4 * starts[h];
  }

  /** Moves the arrays into a kernel's memory if there are many rows and a kernel is available, otherwise out of it. */
  #settle(known = -1): void {
    const { rows } = this;
    const addresses = addressesOf(rows);
    const bytes = addresses[ARRAYS.length + 1] + this.#spare;
    const isLarge = rows.sizes.length > FEW_KERNEL_ROWS;
    let kernel = this.#kernel;
    this.#kernel = null;
    this.#isWaiting = false;
    this.#views = [];
    this.#count = -1;
    if (kernel !== null) {
      const { buffer } = kernel.memory;
      replaceArrays(rows, (from) => (from.buffer === buffer ? from.slice() : from));
      if (!isLarge || buffer.byteLength > Math.max(SMALL_MEMORY, SPARE_MEMORY * bytes)) {
        pool.giveBack(kernel);
        kernel = null;
      }
    }
    if (isLarge) {
      kernel ??= pool.take();
      this.#isWaiting = kernel === null;
      if (kernel !== null && enlarge(kernel.memory, bytes)) this.#moveIn(kernel, addresses, known);
      else if (kernel !== null) pool.giveBack(kernel);
    }
    this.#allocations = rows.allocations;
  }

  #moveIn(kernel: RowKernel, addresses: number[], known: number): void {
    const { rows } = this;
    const { buffer } = kernel.memory;
    this.#kernel = kernel;
    this.doubles = new Float64Array(buffer);
    this.words = new Int32Array(buffer);
    this.floats = new Float32Array(buffer);
    this.numbers = new Float64Array(buffer, NUMBERS, 120);
    this.out = addresses[ARRAYS.length];
    this.outEnd = addresses[ARRAYS.length + 1];
    // Each item takes a box and an id, and an id in the list that the kernel returns.
    this.mostStaged = Math.floor((this.outEnd - this.out) / 56);
    this.staged = this.out;
    this.stagedMax = this.staged + 24 * this.mostStaged;
    this.stagedIds = this.staged + 48 * this.mostStaged;
    this.stagedEnd = this.stagedIds + 4 * this.mostStaged;
    kernel.init();
    this.words.set(addresses, ADDRESSES >> 2);
    replaceArrays(rows, (from, i) => {
      const Kind = from.constructor as new (buffer: ArrayBuffer, at: number, length: number) => KernelArray;
      const to = new Kind(buffer, addresses[i], from.length);
      if (known < 0 || from === rows.seats) to.set(from);
      else if (from === rows.boxes) to.set(from.subarray(0, BOX * known));
      return to;
    });
  }
}

function part<T extends Float64Array | Float32Array>(all: T, from: number, count: number): T {
  const Kind = all.constructor as new (buffer: ArrayBufferLike, at: number, length: number) => T;
  return count === all.length ? all : new Kind(all.buffer, all.byteOffset + from * all.BYTES_PER_ELEMENT, count);
}

/** Addresses for the arrays of rows, and for the room for results: its start and its end. */
function addressesOf(rows: PackedRows): number[] {
  let free = FREE;
  const addresses = ARRAYS.map((name) => {
    const address = free;
    free += aligned(rows[name].byteLength);
    return address;
  });
  // Room for an id for each seat, and two rows more, because whole rows are written at the end.
  return [...addresses, free, free + 4 * ROW * (rows.sizes.length + 2)];
}

type KernelArray = Float64Array | Float32Array | Int32Array | Uint8Array;

function replaceArrays(rows: PackedRows, copy: (from: KernelArray, i: number) => KernelArray): void {
  const arrays = rows as unknown as { [name: string]: KernelArray };
  ARRAYS.forEach((name, i) => {
    arrays[name] = copy(arrays[name], i);
  });
}
