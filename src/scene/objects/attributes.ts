import type { BufferAttribute, BufferGeometry, InterleavedBuffer, InterleavedBufferAttribute, TypedArray } from 'three';

/** An attribute of a geometry, on its own or interleaved. */
export type VertexAttribute = BufferAttribute | InterleavedBufferAttribute;

/** The part that renderers upload: an attribute, or the buffer in which it is interleaved. */
type VertexSource = BufferAttribute | InterleavedBuffer;

export function sourceOf(attribute: VertexAttribute): VertexSource {
  const { isInterleavedBufferAttribute } = attribute as { isInterleavedBufferAttribute?: boolean };
  return isInterleavedBufferAttribute ? (attribute as InterleavedBufferAttribute).data : (attribute as BufferAttribute);
}

/** Distance from one vertex to the next, in numbers of the array. */
export function strideOf(attribute: VertexAttribute): number {
  const source = sourceOf(attribute) as { stride?: number; itemSize: number };
  return source.stride ?? source.itemSize;
}

export function attributeOffset(attribute: VertexAttribute): number {
  return (attribute as Partial<InterleavedBufferAttribute>).offset ?? 0;
}

/**
 * True when the numbers of an attribute, or of its first `count` items, are in memory. Pages free them once they are
 * uploaded, some exist only on the GPU, and a worker may have taken them. Code that reads the numbers calls this first.
 */
export function isInMemory(attribute: VertexAttribute, count: number = attribute.count): boolean {
  const { array } = sourceOf(attribute) as { array?: TypedArray | null };
  if (array === null || array === undefined) return false;
  return (
    count <= 0 || (count - 1) * strideOf(attribute) + attributeOffset(attribute) + attribute.itemSize <= array.length
  );
}

/** True when the positions of a geometry are in memory, with those of its morph targets. */
export function hasVertices({ attributes: { position }, morphAttributes }: BufferGeometry): boolean {
  return isInMemory(position) && (morphAttributes?.position ?? []).every((target) => isInMemory(target));
}
