import {
  BufferAttribute,
  type BufferGeometry,
  Float16BufferAttribute,
  FloatType,
  type InterleavedBuffer,
  type InterleavedBufferAttribute,
  type TypedArray,
} from 'three';

/** An attribute of a geometry, on its own or one of several in a buffer. */
export type VertexAttribute = BufferAttribute | InterleavedBufferAttribute;

/** What renderers upload: an attribute, or the buffer in which it lies among others. */
export type VertexSource = BufferAttribute | InterleavedBuffer;

type Flags = { isFloat16BufferAttribute?: boolean; isInterleavedBufferAttribute?: boolean; stride?: number };

export function sourceOf(attribute: VertexAttribute): VertexSource {
  return (attribute as Flags).isInterleavedBufferAttribute
    ? (attribute as InterleavedBufferAttribute).data
    : (attribute as BufferAttribute);
}

/** From one vertex to the next, in numbers of the array. */
export function strideOf(attribute: VertexAttribute): number {
  // A buffer may be that of a plain attribute.
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
  const type = typeOf(array).name;
  return `${itemSize}${type}${normalized ? 'n' : ''}${isHalf ? 'h' : ''}${gpuType ?? FloatType}`;
}

/** An attribute of the same kind, with room for so many vertices side by side. */
export function makeAttribute(like: VertexAttribute, vertices: number): BufferAttribute {
  const Numbers = typeOf(like.array);
  const Kind = (sourceOf(like) as Flags).isFloat16BufferAttribute ? Float16BufferAttribute : BufferAttribute;
  const made = new Kind(new Numbers(vertices * like.itemSize) as never, like.itemSize, like.normalized);
  made.gpuType = (like as BufferAttribute).gpuType ?? FloatType;
  return made;
}

/** The bits of numbers as whole numbers, so that what is no number is copied as it is. */
export function bitsOf(array: TypedArray): TypedArray {
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT: size } = array;
  if (!array.constructor.name.startsWith('Float')) return array;
  return size === 4 ? new Uint32Array(buffer, byteOffset, length) : new Uint16Array(buffer, byteOffset, length);
}

/** For graphics cards clamped bytes are bytes. */
function typeOf(array: TypedArray): new (length: number) => TypedArray {
  return array instanceof Uint8ClampedArray ? Uint8Array : (array.constructor as new (length: number) => TypedArray);
}
