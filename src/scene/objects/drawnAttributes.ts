import type { BufferGeometry, InstancedBufferAttribute } from 'three';
import { isInMemory, sourceOf, type VertexAttribute } from './attributes.js';

// Of attributes, what only code asks that is loaded later.

/** True for an attribute whose values differ from instance to instance, not from vertex to vertex. */
export function isInstanced(attribute: VertexAttribute): boolean {
  const { isInstancedBufferAttribute, isInstancedInterleavedBuffer } = sourceOf(attribute) as {
    isInstancedBufferAttribute?: boolean;
    isInstancedInterleavedBuffer?: boolean;
  };
  return isInstancedBufferAttribute === true || isInstancedInterleavedBuffer === true;
}

/** True for an attribute of its own, in memory, with one item for each of so many instances, that no shader writes. */
export function isPlainOfInstances(attribute: InstancedBufferAttribute | null, count: number): boolean {
  const { isInstancedBufferAttribute, isStorageInstancedBufferAttribute, meshPerAttribute, array } = (attribute ??
    {}) as Partial<InstancedBufferAttribute> & { isStorageInstancedBufferAttribute?: boolean };
  const isOfInstances = isInstancedBufferAttribute === true && isStorageInstancedBufferAttribute !== true;
  if (attribute === null || !isOfInstances || meshPerAttribute !== 1) return false;
  return ArrayBuffer.isView(array) && isInMemory(attribute, count);
}

/** Triangles that are drawn of a geometry. */
export function triangleCount(geometry: BufferGeometry | null | undefined): number {
  const all = (geometry?.index ?? geometry?.attributes?.position)?.count ?? 0;
  const { start = 0, count = 0 } = geometry?.drawRange ?? {};
  return Math.floor(Math.max(0, Math.min(all - Math.max(0, start), count + Math.min(0, start))) / 3);
}
