import {
  BufferAttribute,
  type BufferGeometry,
  Float16BufferAttribute,
  FloatType,
  type InterleavedBuffer,
  type InterleavedBufferAttribute,
  type TypedArray,
} from 'three';

/** An attribute of a geometry, on its own or interleaved. */
export type VertexAttribute = BufferAttribute | InterleavedBufferAttribute;

/** What renderers upload: an attribute, or the buffer in which it is interleaved. */
export type VertexSource = BufferAttribute | InterleavedBuffer;

/** A part of the numbers of a buffer. */
export interface BufferRange {
  readonly start: number;
  readonly count: number;
}

export const ALL: readonly BufferRange[] = [{ start: 0, count: Number.POSITIVE_INFINITY }];

/**
 * What renderers have uploaded of a buffer: all of it when it is first drawn, then each new version, or ranges of that.
 * Anything else written to it they have not seen. So numbers are copied only in the picture in which renderers upload
 * them, or while a hash says that they are still the uploaded ones.
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
  /** Hash of the uploaded numbers; null where only ranges of them were uploaded, so that the rest is not known. */
  #hash: number | null = null;
  /** The hash is of every `#step`th number. */
  #step = 1;
  #checked = -1;

  constructor(source: VertexSource) {
    this.#source = source;
  }

  /**
   * Notices a new version.
   * @param isBusy Whether the next version is likely to come soon. Then a hash of some numbers is enough.
   */
  look(frame: number, isBusy: boolean): void {
    const { version, updateRanges, array } = this.#source;
    if (version === this.#version) return;
    this.#version = version;
    this.frame = frame;
    const isWhole = this.revision++ === 0 || updateRanges.length === 0;
    const merged = merge(updateRanges);
    this.#ranges = isWhole || merged[0].count >= array.length ? ALL : merged;
    this.#step = isBusy ? 6 * (array.length >> 13) + 1 : 1;
    this.#hash = this.#ranges === ALL ? hashOf(array, this.#step) : null;
  }

  /** Hashes all numbers, if only some were, in a frame without a new version. */
  rest(frame: number): void {
    if (this.#step > 1) this.isAsUploaded(frame);
  }

  /** True when its numbers, in this frame, are those that renderers have uploaded. */
  isAsUploaded(frame: number): boolean {
    if (this.#hash === null || this.frame === frame || this.#checked === frame) return this.#hash !== null;
    this.#checked = frame;
    const { array } = this.#source;
    if (hashOf(array, this.#step) !== this.#hash) this.#hash = null;
    else if (this.#step > 1) {
      this.#step = 1;
      this.#hash = hashOf(array, 1);
    }
    return this.#hash !== null;
  }

  /** The ranges that a copy of an earlier revision lacks; null when unknown. */
  changesSince(revision: number, frame: number): readonly BufferRange[] | null {
    if (frame === this.frame && revision === this.revision - 1) return this.#ranges;
    return this.isAsUploaded(frame) ? ALL : null;
  }
}

/** Sorts and merges ranges as WebGLRenderer does: also those with one number between them. */
function merge(ranges: readonly BufferRange[]): BufferRange[] {
  const merged: { start: number; count: number }[] = [];
  for (const { start, count } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || start > last.start + last.count + 1) merged.push({ start, count });
    else last.count = Math.max(last.count, start + count - last.start);
  }
  return merged;
}

/** Hashes every `step`th word of four bytes, or number, in two chains, which processors work on in parallel. */
function hashOf(array: TypedArray, step: number): number {
  const { buffer, byteOffset, byteLength } = array;
  const isWhole = (byteOffset | byteLength) % 4 === 0;
  // Of one type, so that machine code made for one buffer is good for the next.
  const bits = isWhole ? new Int32Array(buffer, byteOffset, byteLength / 4) : bitsOf(array);
  const { length } = bits;
  let a = 0;
  let b = 1;
  let i = 0;
  for (; i + 3 * step < length; i += 4 * step) {
    a = mix(a, bits[i], bits[i + step]);
    b = mix(b, bits[i + 2 * step], bits[i + 3 * step]);
  }
  for (; i < length; i += step) a = mix(a, bits[i], i);
  return mix(a, b, length);
}

/** A step of MurmurHash for two words. It is one to one in each of them, so that no edit of a single one is missed. */
function mix(hash: number, one: number, other: number): number {
  const mixed = hash ^ one;
  return Math.imul(((mixed << 15) | (mixed >>> 17)) + other, 0x1b873593);
}

type Flags = { isFloat16BufferAttribute?: boolean; isInterleavedBufferAttribute?: boolean; stride?: number };

export function sourceOf(attribute: VertexAttribute): VertexSource {
  const isInterleaved = (attribute as Flags).isInterleavedBufferAttribute;
  return isInterleaved ? (attribute as InterleavedBufferAttribute).data : (attribute as BufferAttribute);
}

/** From one vertex to the next, in numbers of the array. */
export function strideOf(attribute: VertexAttribute): number {
  const source = sourceOf(attribute) as Flags & { itemSize: number };
  return source.stride ?? source.itemSize;
}

export function offsetOf(attribute: VertexAttribute): number {
  return (attribute as Partial<InterleavedBufferAttribute>).offset ?? 0;
}

/** Vertices of a geometry: the last one of an interleaved buffer may lack its padding. */
export function verticesOf({ attributes }: BufferGeometry): number {
  return Math.ceil(attributes.position.count);
}

/** What shaders see of an attribute, wherever its numbers lie. */
export function kindOf(attribute: VertexAttribute): string {
  const { itemSize, normalized, array } = attribute;
  const { gpuType } = attribute as BufferAttribute;
  const isHalf = (sourceOf(attribute) as Flags).isFloat16BufferAttribute;
  return `${itemSize}${typeOf(array).name}${normalized ? 'n' : ''}${isHalf ? 'h' : ''}${gpuType ?? FloatType}`;
}

/** An attribute of the same kind with room for so many vertices, which is not interleaved. */
export function makeAttribute(like: VertexAttribute, vertices: number): BufferAttribute {
  const Numbers = typeOf(like.array);
  const Kind = (sourceOf(like) as Flags).isFloat16BufferAttribute ? Float16BufferAttribute : BufferAttribute;
  const made = new Kind(new Numbers(vertices * like.itemSize) as never, like.itemSize, like.normalized);
  made.gpuType = (like as BufferAttribute).gpuType ?? FloatType;
  return made;
}

/** Floats as integers of the same bits, so that a NaN is copied and hashed as it is. */
export function bitsOf(array: TypedArray): TypedArray {
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT: size } = array;
  if (!array.constructor.name.startsWith('Float')) return array;
  return size === 4 ? new Uint32Array(buffer, byteOffset, length) : new Uint16Array(buffer, byteOffset, length);
}

/** To the GPU, clamped bytes are bytes. */
function typeOf(array: TypedArray): new (length: number) => TypedArray {
  return array instanceof Uint8ClampedArray ? Uint8Array : (array.constructor as new (length: number) => TypedArray);
}
