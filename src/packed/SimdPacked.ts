import type { Counters } from '../contract/SpatialIndex.js';
import { BOX, copyBox, ROW_BOXES } from '../core/box.js';
import type { Hits } from '../core/Hits.js';
import { countsUp, type IdList } from '../core/ids.js';
import type { BoxVolume, SphereVolume } from '../core/shapes/boxAndSphere.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import type { PointDistance } from '../core/shapes/PointDistance.js';
import type { Ray } from '../core/shapes/Ray.js';
import { BOX_VOLUME, SPHERE_VOLUME, type Volume } from '../core/shapes/Volume.js';
import type { Guest } from '../wasm/KernelPool.js';
import * as AT from '../wasm/packedLayout.js';
import type { HilbertCurve } from './HilbertCurve.js';
import type { PackedRows } from './PackedRows.js';
import type { RoughPoint, RoughRay } from './RoughRay.js';
import type { RoughVolume } from './RoughVolume.js';
import { type RowKernel, RowsInKernel } from './RowsInKernel.js';

export { prepareKernel } from './RowsInKernel.js';

/** Most items that the kernel finds nearest to a point. */
const MOST_NEAREST = 63;
/** From this many items on, the kernel checks ids and boxes faster. */
const MANY_ITEMS = 32;

/** Queries and edits of rows by WebAssembly SIMD. Methods that find no kernel return false: plain code takes over. */
export class SimdPacked extends RowsInKernel {
  readonly #counters: Counters;
  /** The boxes that `verify` has accepted, until they are moved, and whether their ids count up. */
  #verified: ArrayLike<number> | null = null;
  #isRun = false;
  /** The memory that holds the table of the curve. */
  #curveIn: Float64Array | null = null;

  constructor(rows: PackedRows, counters: Counters) {
    super(rows);
    this.#counters = counters;
  }

  overlap(volume: Volume, rough: RoughVolume, out: IdList, inside: IdList): boolean {
    const kernel = this.freshKernel();
    if (kernel === null) return false;
    this.#writeVolume(volume);
    this.#writeRough(rough.numbers);
    const isSplit = inside !== out;
    const count = kernel.overlap(volume.kind, volume.all, isSplit);
    this.read(count, inside);
    if (isSplit) {
      const words = this.words;
      const cut = words[AT.INSIDE >> 2];
      out.length = 0;
      const list = out.reserve(cut);
      for (let i = 0, from = (this.outEnd >> 2) - 1; i < cut; i++, from--) list[i] = words[from];
      out.length = cut;
    }
    this.#countUp();
    return true;
  }

  /** Like `overlap`, but the kernel of a guest finds the items, in the same memory. */
  overlapBy(guest: Guest, planes: PlanesVolume, rough: RoughVolume, most: number, out: IdList): boolean {
    const memory = this.memoryFor(guest.room);
    if (memory === null) return false;
    this.#writeVolume(planes);
    this.#writeRough(rough.numbers);
    this.#writeFrame();
    this.read(guest.overlap(memory, this.outEnd, planes.all, most), out);
    return true;
  }

  raycast(ray: Ray, rough: RoughRay, first: boolean, out: Hits): boolean {
    const kernel = this.freshKernel();
    if (kernel === null) return false;
    const { numbers, doubles } = this;
    numbers[0] = ray.interval[0];
    numbers[1] = ray.interval[1];
    for (let c = 0; c < 3; c++) {
      numbers[2 + c] = ray.inverse[c];
      numbers[5 + c] = ray.first[c];
      numbers[8 + c] = ray.last[c];
    }
    this.#writeRough(rough.numbers);
    doubles[AT.PER_UNIT >> 3] = rough.perUnit;
    const count = kernel.raycast(first);
    if (count < 0) return false;
    this.#readHits(count, this.out, 2, out);
    this.#countUp();
    return true;
  }

  /** Finds the nearest items; their hits come as a heap, as `Hits.keepNearest` keeps them. */
  nearest({ point, interval }: PointDistance, rough: RoughPoint, count: number, out: Hits): boolean {
    const kernel = this.freshKernel();
    if (kernel === null || count > MOST_NEAREST) return false;
    this.numbers.set(point);
    this.numbers[3] = interval[1];
    this.#writeRough(rough.numbers);
    this.doubles[AT.PER_UNIT >> 3] = rough.scale;
    const found = kernel.nearest(count);
    // Hits are read in reverse: the farthest first, as `Hits.keepNearest` has it.
    this.#readHits(found, AT.FOUND + 16 * (found - 1), -2, out);
    this.#countUp();
    return true;
  }

  /** Reads hits, a distance and an id of 8 bytes each, from an address on; `step` numbers lie from hit to hit. */
  #readHits(count: number, at: number, step: number, out: Hits): void {
    const { doubles, words } = this;
    out.length = 0;
    out.reserve(count);
    const { ids, distances } = out;
    for (let i = 0, from = at >> 3; i < count; i++, from += step) {
      distances[i] = doubles[from];
      ids[i] = words[2 * from + 2];
    }
    out.length = count;
  }

  /**
   * Lists the items that rows can hold, in the memory of the rows, and writes the box around them to `world`; appends
   * the other items to `far`. `dealGathered` has to follow.
   */
  gather(items: number, limit: number, world: Float64Array, far: IdList): boolean {
    const kernel = this.freshKernel(this.rows.seats.length);
    if (kernel === null) return false;
    this.#writeFrame();
    const { rows, out, numbers } = this;
    const count = kernel.gather(limit, rows.rows.byteOffset, out);
    copyBox(numbers, 0, world, 0);
    this.readOn(items - count, out, far);
    return true;
  }

  /** Sorts the items gathered along the curve and distributes them over all rows. */
  dealGathered(curve: HilbertCurve, count: number): void {
    const { rows } = this;
    const kernel = this.freshKernel();
    this.#writeCurve(curve);
    this.floats[AT.SLACK >> 2] = rows.slack;
    kernel?.order(rows.rows.byteOffset, count, false);
    kernel?.deal(0, rows.count, count);
  }

  /** Sorts items by their keys and distributes them over rows `from` to `to` - 1. */
  deal(from: number, to: number, ids: Int32Array, keys: Int32Array): boolean {
    const kernel = this.freshKernel();
    if (kernel === null) return false;
    this.#writeFrame();
    // Pairs of a key and an id lie in the memory of the rows, which are then written anew.
    const list = this.rows.rows.byteOffset + 4 * ROW_BOXES * from;
    const { words } = this;
    for (let i = 0, to = list >> 2; i < ids.length; i++, to += 2) {
      words[to] = keys[i];
      words[to + 1] = ids[i];
    }
    kernel.order(list, ids.length, true);
    kernel.deal(from, to, ids.length);
    return true;
  }

  /** Sorts ids of items by their keys, and keeps the sorted list for `append`. */
  sort(curve: HilbertCurve, ids: Int32Array): boolean {
    const kernel = this.freshKernel();
    const { out, outEnd, words } = this;
    // The kernel needs room for two lists, of a key and an id for each item.
    if (kernel === null || 16 * ids.length > outEnd - out) return false;
    this.#writeCurve(curve);
    const list = (out >> 2) + 1;
    for (let i = 0; i < ids.length; i++) words[list + 2 * i] = ids[i];
    kernel.order(out, ids.length, false);
    for (let i = 0; i < ids.length; i++) ids[i] = words[list + 2 * i];
    return true;
  }

  /**
   * Appends the items of the last `sort`, from number `from` to `count` - 1, to the rows of their keys or nearby rows.
   * Returns the number of the first item that does not fit the rows or the curve, or finds no room; `count` if all fit.
   */
  append(from: number, count: number): number {
    const kernel = this.freshKernel() as RowKernel;
    this.#writeFrame();
    const { out, words } = this;
    return kernel.append(out, from, count, this.rows.rowOf(words[(out >> 2) + 2 * from]));
  }

  /** Takes items out of their rows; lists in `left` the items in no row. */
  take(ids: ArrayLike<number>, left: IdList): boolean {
    const kernel = this.freshKernel();
    if (kernel === null) return false;
    const { staged, stagedIds, mostStaged } = this;
    for (let from = 0; from < ids.length; from += mostStaged) {
      const count = Math.min(mostStaged, ids.length - from);
      this.write(ids, from, count, stagedIds);
      this.readOn(kernel.take(count, stagedIds, staged), staged, left);
    }
    return true;
  }

  refit(from: number, to: number): boolean {
    const kernel = this.freshKernel();
    if (kernel === null) return false;
    this.floats[AT.SLACK >> 2] = this.rows.slack;
    kernel.refit(from, to);
    return true;
  }

  /**
   * True for an Int32Array with ids of items and a box for each, in a Float64Array or a Float32Array or, with `max`, in
   * two Float32Arrays. No side of the boxes may be NaN, and no minimum may exceed its maximum.
   */
  verify(ids: ArrayLike<number>, boxes: ArrayLike<number>, max?: ArrayLike<number>): boolean {
    if (!(ids instanceof Int32Array) || ids.length < MANY_ITEMS) return false;
    if (!(boxes instanceof Float32Array || (boxes instanceof Float64Array && max === undefined))) return false;
    if (max !== undefined && !(max instanceof Float32Array && max.length === boxes.length)) return false;
    if ((max === undefined ? 1 : 2) * boxes.length !== BOX * ids.length) return false;
    const kernel = this.freshKernel();
    if (kernel === null) return false;
    const { staged, stagedMax, stagedIds, mostStaged } = this;
    const isRun = countsUp(ids);
    this.#isRun = isRun;
    const stride = boxStrideOf(boxes, max);
    const high = max === undefined ? staged + 12 : stagedMax;
    for (let from = 0; from < ids.length; from += mostStaged) {
      const count = this.stage(boxes, max, from);
      if (!isRun) this.write(ids, from, count, stagedIds);
      const first = isRun ? ids[from] : -1;
      if (!kernel.verify(this.rows.seats.length, first, count, stagedIds, staged, high, stride)) return false;
    }
    this.#verified = boxes;
    return true;
  }

  /**
   * Stores boxes of moved items, by id and in their seats. Lists in `left` the items in no row, the items that rows
   * cannot hold any more, and, unless the caller `refits` rows afterwards, the items outside the box of their row.
   */
  move(
    ids: ArrayLike<number>,
    boxes: Float64Array | Float32Array,
    max: Float32Array | undefined,
    refits: boolean,
    left: IdList,
  ): boolean {
    const kernel = this.freshKernel();
    if (kernel === null) return false;
    this.#writeFrame();
    const { staged, stagedMax, stagedIds, stagedEnd, mostStaged } = this;
    const stride = boxStrideOf(boxes, max);
    const high = max === undefined ? staged + 12 : stagedMax;
    const isVerified = this.#verified === boxes;
    this.#verified = null;
    const isRun = isVerified ? this.#isRun : countsUp(ids);
    // Boxes of consecutive items in double precision lie in the order of storage: a single copy is faster.
    const areKept = isRun && stride === 0;
    if (areKept) this.rows.boxes.set(boxes, BOX * ids[0]);
    // `verify` has staged the boxes already if there was room for all of them.
    const isStaged = areKept || (isVerified && ids.length <= mostStaged);
    for (let from = 0; from < ids.length; from += mostStaged) {
      const count = isStaged ? Math.min(mostStaged, ids.length - from) : this.stage(boxes, max, from);
      if (!isStaged && !isRun) this.write(ids, from, count, stagedIds);
      const low = areKept ? 0 : staged;
      const found = kernel.move(isRun ? ids[from] : -1, count, stagedIds, low, high, stride, stagedEnd, refits);
      this.readOn(found, stagedEnd, left);
    }
    return true;
  }

  /** Lists the strays in every `step`-th row from `from` to `to` - 1. */
  listStrays(curve: HilbertCurve, from: number, to: number, step: number, out: IdList): boolean {
    const kernel = this.freshKernel();
    if (kernel === null) return false;
    this.#writeCurve(curve);
    this.read(kernel.listStrays(from, to, step), out);
    return true;
  }

  /** Writes the exact numbers of a volume, as kernels read them. */
  #writeVolume(volume: Volume): void {
    const { numbers } = this;
    if (volume.kind === BOX_VOLUME) copyBox((volume as BoxVolume).box, 0, numbers, 0);
    else if (volume.kind === SPHERE_VOLUME) numbers.set((volume as SphereVolume).numbers);
    else {
      const { planes } = volume as PlanesVolume;
      const end = 4 * (32 - Math.clz32(volume.all));
      for (let i = 0; i < end; i++) numbers[i] = planes[i];
    }
  }

  #writeRough(numbers: Float32Array): void {
    const floats = this.floats;
    for (let i = 0, to = AT.ROUGH >> 2; i < numbers.length; i++) floats[to + i] = numbers[i];
  }

  #writeFrame(): void {
    const { frame, slack } = this.rows;
    for (let c = 0; c < 6; c++) this.doubles[(AT.FRAME >> 3) + c] = frame.origin[c % 3];
    this.doubles[(AT.FRAME >> 3) + 6] = frame.scale;
    this.floats[AT.SLACK >> 2] = slack;
  }

  #writeCurve({ low, perUnit, table, planar }: HilbertCurve): void {
    const { doubles } = this;
    const at = AT.CURVE >> 3;
    doubles[at] = low[0];
    doubles[at + 1] = low[1];
    doubles[at + 2] = doubles[at + 4] = perUnit;
    doubles[at + 3] = planar ? 0 : perUnit;
    doubles[at + 5] = low[2];
    doubles[at + 6] = table.steps;
    if (this.#curveIn === doubles) return;
    this.#curveIn = doubles;
    new Uint16Array(doubles.buffer, AT.NEXT).set(table.next);
  }

  #countUp(): void {
    this.#counters.nodesVisited = this.words[AT.NODES_VISITED >> 2];
    this.#counters.itemsTested = this.words[AT.ITEMS_TESTED >> 2];
  }
}

/** Bytes from box to box in single precision; 0 for boxes in double precision. */
function boxStrideOf(boxes: ArrayLike<number>, max: ArrayLike<number> | undefined): number {
  if (boxes instanceof Float64Array) return 0;
  return max === undefined ? 24 : 12;
}
