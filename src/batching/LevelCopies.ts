import type { BufferAttribute, TypedArray } from 'three';
import type { BufferRange } from '../scene/facts/BufferFacts.js';
import type { BatchMemory } from './BatchMemory.js';
import type { LeveledPart } from './LeveledPart.js';
import type { Cells, Levels } from './levels/makeLevels.js';
import type { PlacedCells, PlacedGeometry, PlacedLevels } from './PlacedGeometry.js';

/** Bytes of levels that are uploaded together: a driver may copy a whole buffer in use for each upload of a part. */
const UPLOAD = 4e6;

export interface BatchIndex {
  readonly index: BufferAttribute;
  uploadIndex(range: BufferRange): void;
  /** Makes room for more numbers at the end; returns the start of the room, or -1 without memory. */
  takeRoom(placed: PlacedGeometry, count: number): number;
  freeRoom(count: number): void;
}

/** Copies levels of detail into the index of a batch, a piece in each picture. */
export class LevelCopies {
  /** Number of parts of geometries that have levels here. */
  leveled = 0;
  readonly #to: BatchIndex;
  readonly #memory: BatchMemory;
  /** Geometries with levels still to be copied; `#toShow` are copied levels still to be uploaded. */
  readonly #toCopy = new Set<PlacedGeometry>();
  readonly #toShow = new Set<PlacedLevels | PlacedCells>();
  /** Ranges that were copied but not uploaded; `#copied` counts their numbers. */
  readonly #ranges: BufferRange[] = [];
  #copied = 0;

  constructor(to: BatchIndex, memory: BatchMemory) {
    this.#to = to;
    this.#memory = memory;
  }

  /** Has the levels of a part copied if its geometry has room for them; false when there is nothing to copy. */
  add(part: LeveledPart, placed: PlacedGeometry): boolean {
    const { levels } = part;
    if (levels === null || part.isOld || placed.revision !== part.revision) return false;
    const isAdded = part.inCells ? this.#addCells(part, levels, placed) : this.#addLevels(part, levels, placed);
    if (isAdded) this.#toCopy.add(placed);
    return isAdded;
  }

  #addLevels(part: LeveledPart, levels: Levels, placed: PlacedGeometry): boolean {
    const before = placed.levels.find((one) => one.part === part);
    if (before?.of === levels) return false;
    if (before === undefined) placed.levels.push(newLevels(part, levels));
    else if (hasAllOf(levels, before)) Object.assign(before, { of: levels, copied: 0 });
    else {
      const parts = placed.levels.map((one) => one.part);
      this.#dropLevels(placed);
      for (const one of parts) placed.levels.push(newLevels(one, one.levels as Levels));
    }
    return true;
  }

  #addCells(part: LeveledPart, levels: Levels, placed: PlacedGeometry): boolean {
    const { cells, index } = levels;
    const at = placed.cells.findIndex((one) => one.part === part);
    if (cells === undefined || placed.cells[at]?.of === levels) return false;
    // Cells made for other textures are dropped.
    if (at >= 0) this.#dropCells(...placed.cells.splice(at, 1));
    const place = this.#to.takeRoom(placed, index.length);
    if (place >= 0) placed.cells.push(newCells(part, levels, cells, place));
    return place >= 0;
  }

  isCopying(placed: PlacedGeometry): boolean {
    return this.#toCopy.has(placed) || placed.levels.some((levels) => this.#toShow.has(levels));
  }

  /** Copies levels, the coarse ones first, as far as the share of this picture goes; true when nothing is left. */
  copy(): boolean {
    for (const placed of this.#toCopy) {
      for (const levels of placed.levels) while (this.#memory.share > 0 && this.#copyNext(placed, levels));
      for (const cells of placed.cells) this.#copyCells(placed, cells);
      if (this.#memory.share <= 0) break;
      this.#toCopy.delete(placed);
    }
    if (this.#toCopy.size === 0 || 4 * this.#copied >= UPLOAD) this.#show();
    return this.#toCopy.size === 0;
  }

  /** Copies the next level, or a piece of it; false when all levels are copied for which there is room. */
  #copyNext(placed: PlacedGeometry, levels: PlacedLevels): boolean {
    const { counts, index: all } = levels.of;
    const next = counts.length - 1 - levels.places.length;
    if (next < 0 || placed.taken + counts[next] > placed.room) return false;
    let from = levels.copied;
    for (let k = 0; k < next; k++) from += counts[k];
    const place = placed.indexCount + placed.taken;
    const left = counts[next] - levels.copied;
    const length = this.#copyPiece(all, from, left, placed, placed.start + place + levels.copied);
    levels.copied = length < left ? levels.copied + length : 0;
    if (length < left) return true;
    placed.taken += counts[next];
    levels.places.push(place);
    this.#toShow.add(levels);
    return true;
  }

  #copyCells(placed: PlacedGeometry, cells: PlacedCells): void {
    const { index } = cells.of;
    const left = index.length - cells.copied;
    if (cells.isShown || left === 0 || this.#memory.share <= 0) return;
    cells.copied += this.#copyPiece(index, cells.copied, left, placed, cells.place + cells.copied);
    if (cells.copied === index.length) this.#toShow.add(cells);
  }

  /** Copies as many numbers as the share of this picture allows; returns how many. */
  #copyPiece(all: Uint32Array, from: number, left: number, placed: PlacedGeometry, start: number): number {
    const length = Math.min(left, Math.ceil(this.#memory.share / 4));
    copyShifted(all.subarray(from, from + length), this.#to.index, start, placed.vertices?.start ?? 0);
    this.#memory.share -= 4 * length;
    this.#copied += length;
    this.#ranges.push({ start, count: length });
    return length;
  }

  /** Has copied levels uploaded, and drawn from now on. */
  #show(): void {
    for (const range of this.#ranges.splice(0)) this.#to.uploadIndex(range);
    this.#copied = 0;
    for (const one of this.#toShow) {
      if ('boxes' in one) {
        if (!one.isShown) this.leveled++;
        one.isShown = true;
        continue;
      }
      const { of, places } = one;
      if (one.counts.length === 0) this.leveled++;
      one.counts = of.counts.slice(-places.length);
      one.errors = of.errors.slice(-places.length);
      one.offsets = [...places].reverse();
      one.least = Float64Array.from(one.errors, (error) => 1 / error);
    }
    this.#toShow.clear();
  }

  #dropLevels(placed: PlacedGeometry): void {
    for (const levels of placed.levels) {
      this.#toShow.delete(levels);
      if (levels.counts.length > 0) this.leveled--;
    }
    placed.levels.length = placed.taken = 0;
  }

  #dropCells(...dropped: readonly PlacedCells[]): void {
    for (const cells of dropped) {
      this.#toShow.delete(cells);
      if (cells.isShown) this.leveled--;
      this.#to.freeRoom(cells.of.index.length);
    }
  }

  drop(placed: PlacedGeometry): void {
    this.#dropLevels(placed);
    this.#dropCells(...placed.cells.splice(0));
    this.#toCopy.delete(placed);
  }

  /** To be called when the index is replaced: all of it will be uploaded. */
  moved(): void {
    this.#ranges.length = 0;
  }
}

/** Levels before any has been copied. */
function newLevels(part: LeveledPart, of: Levels): PlacedLevels {
  const { weighed, range } = part;
  return {
    ...range,
    part,
    of,
    weighed,
    copied: 0,
    places: [],
    errors: [],
    counts: [],
    offsets: [],
    least: new Float64Array(0),
  };
}

function newCells(part: LeveledPart, of: Levels, { levels, boxes }: Cells, place: number): PlacedCells {
  const { weighed, range } = part;
  const offsets: number[] = [];
  let at = 0;
  for (const count of of.counts) {
    offsets.push(at);
    at += count;
  }
  const firsts: number[] = [];
  const least: Float64Array[] = [];
  let first = 0;
  for (const length of levels) {
    firsts.push(first);
    least.push(Float64Array.from(of.errors.slice(first + 1, first + length), (error) => 1 / error));
    first += length;
  }
  return { ...range, part, weighed, of, place, copied: 0, isShown: false, boxes, least, firsts, offsets };
}

/** True when the copied levels, if any, are the coarse ones of a list, made for the same sets. */
function hasAllOf(levels: Levels, { part, weighed, of, places }: PlacedLevels): boolean {
  const isSame = (_: unknown, k: number): boolean =>
    of.counts.at(-1 - k) === levels.counts.at(-1 - k) && of.errors.at(-1 - k) === levels.errors.at(-1 - k);
  return weighed === part.weighed && places.every(isSame);
}

/** Copies numbers of an index, each increased by `shift`; returns the highest of the sums. */
export function copyShifted(from: TypedArray, { array: to }: BufferAttribute, at: number, shift: number): number {
  to.set(from, at);
  const end = at + from.length;
  let highest = 0;
  for (let i = at; i < end; i++) {
    to[i] += shift;
    if (to[i] > highest) highest = to[i];
  }
  return highest;
}
