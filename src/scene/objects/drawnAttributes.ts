import type { BufferAttribute, BufferGeometry, InstancedBufferAttribute } from 'three';
import { isInMemory, sourceOf, type VertexAttribute } from './attributes.js';

// Functions of attributes that only lazily loaded code calls.

/** True for an attribute whose values differ from instance to instance, not from vertex to vertex. */
export function isInstanced(attribute: VertexAttribute): boolean {
  const { isInstancedBufferAttribute, isInstancedInterleavedBuffer } = sourceOf(attribute) as {
    isInstancedBufferAttribute?: boolean;
    isInstancedInterleavedBuffer?: boolean;
  };
  return isInstancedBufferAttribute === true || isInstancedInterleavedBuffer === true;
}

/** True for half floats, which lie in memory as the integers of their bits. */
export function isHalfFloat(attribute: VertexAttribute): boolean {
  return (sourceOf(attribute) as { isFloat16BufferAttribute?: boolean }).isFloat16BufferAttribute === true;
}

/** True for a plain attribute in memory with one item for each of `count` instances, not written by shaders. */
export function isPlainOfInstances(attribute: InstancedBufferAttribute | null, count: number): boolean {
  const { isInstancedBufferAttribute, isStorageInstancedBufferAttribute, meshPerAttribute, array } = (attribute ??
    {}) as Partial<InstancedBufferAttribute> & { isStorageInstancedBufferAttribute?: boolean };
  const isOfInstances = isInstancedBufferAttribute === true && isStorageInstancedBufferAttribute !== true;
  if (attribute === null || !isOfInstances || meshPerAttribute !== 1) return false;
  return ArrayBuffer.isView(array) && isInMemory(attribute, count);
}

export function triangleCount(geometry: BufferGeometry | null | undefined): number {
  const all = (geometry?.index ?? geometry?.attributes?.position)?.count ?? 0;
  const { start = 0, count = 0 } = geometry?.drawRange ?? {};
  return Math.floor(Math.max(0, Math.min(all - Math.max(0, start), count + Math.min(0, start))) / 3);
}

/** Keeps the array of the library's own attribute on a page that frees all arrays by a callback on the prototype. */
export function keepArray<T extends BufferAttribute>(attribute: T): T {
  attribute.onUploadCallback = () => {};
  return attribute;
}
