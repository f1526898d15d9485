import type { TypedArray } from 'three';
import { bitsOf, type VertexSource } from './vertexData.js';

/** A part of the numbers of a buffer. */
export interface BufferRange {
  readonly start: number;
  readonly count: number;
}

const ALL: readonly BufferRange[] = [{ start: 0, count: Number.POSITIVE_INFINITY }];
/** A change of this share of a buffer, or more, is as much as one of all. */
const SHARE = 1 / 4;

/**
 * What renderers have uploaded of a buffer. They do so when something with it is drawn first, and after each new version,
 * of which they may be given ranges; whatever else has been written to its numbers they have not seen. So numbers are only
 * copied in the picture in which renderers upload them, or while a hash says that they are those that were uploaded.
 */
export class KnownBuffer {
  /** Number of uploads. */
  revision = 0;
  /** The frame of the last upload. */
  frame = -1;
  readonly #source: VertexSource;
  #version = Number.NaN;
  /** What was uploaded last. */
  #ranges = ALL;
  /** Hash of the numbers that were uploaded; null where they are not known, as only ranges of them were. */
  #hash: number | null = null;
  #checked = -1;

  constructor(source: VertexSource) {
    this.#source = source;
  }

  /**
   * Looks for a new version.
   * @param isNew Whether it is looked at in place of another.
   * @returns how many numbers changed, or 0 for few of many.
   */
  look(frame: number, isNew: boolean): number {
    const { version, updateRanges, array } = this.#source;
    if (version !== this.#version) {
      this.#version = version;
      this.frame = frame;
      const isWhole = this.revision++ === 0 || updateRanges.length === 0;
      this.#ranges = isWhole ? ALL : merge(updateRanges);
      if (coverage(this.#ranges) >= array.length) this.#ranges = ALL;
      this.#hash = this.#ranges === ALL ? hashOf(array) : null;
    }
    if (isNew) return array.length;
    return this.frame === frame ? this.#amount : 0;
  }

  get #amount(): number {
    const { length } = this.#source.array;
    const amount = Math.min(coverage(this.#ranges), length);
    return amount < SHARE * length ? 0 : amount;
  }

  /** True when its numbers, in this frame, are those that renderers have uploaded. */
  isAsUploaded(frame: number): boolean {
    if (this.#hash === null || this.frame === frame || this.#checked === frame) return this.#hash !== null;
    this.#checked = frame;
    if (hashOf(this.#source.array) !== this.#hash) this.#hash = null;
    return this.#hash !== null;
  }

  /** Which numbers a copy of an earlier revision has to be given; null where nobody knows. */
  changesSince(revision: number, frame: number): readonly BufferRange[] | null {
    if (frame === this.frame && revision === this.revision - 1) return this.#ranges;
    return this.isAsUploaded(frame) ? ALL : null;
  }
}

/** In order, and put together as WebGLRenderer does: with one number between them as well. */
function merge(ranges: readonly BufferRange[]): BufferRange[] {
  const merged: { start: number; count: number }[] = [];
  for (const { start, count } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || start > last.start + last.count + 1) merged.push({ start, count });
    else last.count = Math.max(last.count, start + count - last.start);
  }
  return merged;
}

function coverage(ranges: readonly BufferRange[]): number {
  let sum = 0;
  for (const { count } of ranges) sum += count;
  return sum;
}

/** Of numbers in their order: four of Murmur's chains side by side, which processors work on at the same time. */
function hashOf(array: TypedArray): number {
  const bits = bitsOf(array);
  const { length } = bits;
  let a = length;
  let b = 1;
  let c = 2;
  let d = 3;
  let i = 0;
  for (; i + 3 < length; i += 4) {
    a = mix(a, bits[i]);
    b = mix(b, bits[i + 1]);
    c = mix(c, bits[i + 2]);
    d = mix(d, bits[i + 3]);
  }
  for (; i < length; i++) a = mix(a, bits[i]);
  return mix(mix(mix(a, b), c), d);
}

function mix(hash: number, bits: number): number {
  const mixed = hash ^ bits;
  return (Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593) + 0x6546b64) | 0;
}
