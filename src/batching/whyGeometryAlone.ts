import type { BufferGeometry, TypedArray } from 'three';
import { offsetOf, sourceOf, strideOf, type VertexAttribute, verticesOf } from './vertexData.js';
import { firstBroken, type Rule } from './whyNotBatched.js';

const GEOMETRY: readonly Rule<BufferGeometry>[] = [
  [(g) => g.attributes?.position?.count > 0, 'it has no vertices'],
  [(g) => !(g as { isInstancedBufferGeometry?: boolean }).isInstancedBufferGeometry, 'its geometry has instances'],
  [(g) => Object.keys(g.morphAttributes).length === 0, 'its geometry has morph targets'],
  [(g) => g.index?.count !== 0, 'its index is empty'],
];

/** An attribute, or the buffer in which it lies among others. */
interface AnyBuffer {
  readonly array?: TypedArray | null;
  readonly isInstancedBufferAttribute?: boolean;
  readonly isInstancedInterleavedBuffer?: boolean;
  readonly isStorageBufferAttribute?: boolean;
}

/** Arrays that three uploads. */
const NUMBERS = /^(Float32|Float16|(Ui|I)nt(8|16|32)|Uint8Clamped)Array$/;

const BUFFER: readonly Rule<AnyBuffer>[] = [
  [(b) => !b.isInstancedBufferAttribute && !b.isInstancedInterleavedBuffer, 'is instanced'],
  [(b) => !b.isStorageBufferAttribute, 'may be written by the graphics card'],
  [(b) => NUMBERS.test(b.array?.constructor.name as string), 'has no array in memory that three uploads'],
  [(b) => !Object.hasOwn(b, 'onUploadCallback'), 'has a method onUploadCallback of its own'],
];

/** Why meshes with a geometry are to be drawn by themselves; null when they need not be. */
export function whyGeometryAlone(geometry: BufferGeometry): string | null {
  const reason = firstBroken(GEOMETRY, geometry);
  if (reason !== null) return reason;
  const { attributes, index } = geometry;
  for (const name in attributes) {
    const why = whyAttributeAlone(attributes[name] as VertexAttribute, verticesOf(geometry));
    if (why !== null) return `its attribute "${name}" ${why}`;
  }
  const why = index && whyAttributeAlone(index, index.count);
  return why && `its index ${why}`;
}

function whyAttributeAlone(attribute: VertexAttribute, count: number): string | null {
  const why = firstBroken(BUFFER, attribute) ?? firstBroken(BUFFER, sourceOf(attribute));
  if (why !== null) return why;
  const last = (count - 1) * strideOf(attribute) + offsetOf(attribute);
  return last + attribute.itemSize > attribute.array.length ? 'is too short' : null;
}
