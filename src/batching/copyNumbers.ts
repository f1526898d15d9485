import type { BufferAttribute, TypedArray } from 'three';
import type { BufferRange } from './KnownBuffer.js';
import { bitsOf, offsetOf, strideOf, type VertexAttribute } from './vertexData.js';

/**
 * Copies the numbers of so many vertices that lie in a range of the array of an attribute, bit for bit.
 * @param at The number in `to` with which the first vertex begins there.
 * @returns the range of `to` that was written.
 */
export function copyVertices(
  from: VertexAttribute,
  { start, count }: BufferRange,
  vertices: number,
  to: BufferAttribute,
  at: number,
): BufferRange {
  const stride = strideOf(from);
  const offset = offsetOf(from);
  const { itemSize } = from;
  const source = bitsOf(from.array);
  const target = bitsOf(to.array as TypedArray);
  const end = Math.min(start + count, source.length);
  const first = Math.min(vertices, Math.floor(start / stride));
  const last = Math.min(vertices, Math.ceil(end / stride));
  if (first >= last) return { start: at, count: 0 };
  if (stride === itemSize) target.set(source.subarray(start, Math.min(end, vertices * itemSize)), at + start);
  else {
    for (let vertex = first; vertex < last; vertex++) {
      const o = vertex * stride + offset;
      for (let i = 0; i < itemSize; i++) {
        if (o + i >= start && o + i < end) target[at + vertex * itemSize + i] = source[o + i];
      }
    }
  }
  return { start: at + first * itemSize, count: (last - first) * itemSize };
}

/**
 * Copies numbers of an index that lie in a range, for vertices that begin elsewhere.
 * @returns the range of `to` that was written; null for a number beyond the vertices.
 */
export function copyIndex(
  from: BufferAttribute,
  { start, count }: BufferRange,
  length: number,
  to: BufferAttribute,
  at: number,
  firstVertex: number,
  vertices: number,
): BufferRange | null {
  const { array: source } = from;
  const { array: target } = to;
  const end = Math.min(start + count, length);
  for (let i = start; i < end; i++) {
    if (source[i] >= vertices) return null;
    target[at + i] = source[i] + firstVertex;
  }
  return { start: at + start, count: Math.max(0, end - start) };
}
