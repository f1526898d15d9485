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
 * The uploads of a buffer: renderers upload all of it when it is first drawn, then each new version, or ranges of that.
 * What is written without a new version they do not see; batches take it with the next copy.
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

  constructor(source: VertexSource) {
    this.#source = source;
  }

  /** Compares its version with that of the last upload. */
  compare(frame: number): void {
    const { version, updateRanges } = this.#source;
    if (version === this.#version) return;
    this.#version = version;
    this.frame = frame;
    this.revision++;
    // Copied, as renderers clear them once they have uploaded them.
    this.#ranges = updateRanges.length === 0 ? ALL : updateRanges.map(({ start, count }) => ({ start, count }));
  }

  /** The ranges that a copy of an earlier revision lacks. */
  changesSince(revision: number, frame: number): readonly BufferRange[] {
    return frame === this.frame && revision === this.revision - 1 ? this.#ranges : ALL;
  }
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

/** Floats as integers of the same bits, so that a NaN is copied as it is. */
export function bitsOf(array: TypedArray): TypedArray {
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT: size } = array;
  if (!array.constructor.name.startsWith('Float')) return array;
  return size === 4 ? new Uint32Array(buffer, byteOffset, length) : new Uint16Array(buffer, byteOffset, length);
}

/** To the GPU, clamped bytes are bytes. */
function typeOf(array: TypedArray): new (length: number) => TypedArray {
  return array instanceof Uint8ClampedArray ? Uint8Array : (array.constructor as new (length: number) => TypedArray);
}
