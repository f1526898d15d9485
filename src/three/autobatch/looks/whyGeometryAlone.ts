import { BufferAttribute, type BufferGeometry, InterleavedBuffer, type TypedArray } from 'three';
import { offsetOf, sourceOf, strideOf, type VertexAttribute, verticesOf } from './vertexData.js';
import { firstBroken, type Rule } from './whyNotBatched.js';

const GEOMETRY: readonly Rule<BufferGeometry>[] = [
  [(g) => g.attributes?.position !== undefined && g.attributes.position.count > 0, 'it has no vertices'],
  [(g) => !(g as { isInstancedBufferGeometry?: boolean }).isInstancedBufferGeometry, 'its geometry has instances'],
  [(g) => Object.keys(g.morphAttributes).length === 0, 'its geometry has morph targets'],
  [(g) => g.index === null || g.index.count > 0, 'its index is empty'],
];

/** An attribute, or the buffer in which it lies among others. */
interface AnyBuffer {
  readonly array?: TypedArray | null;
  readonly isInstancedBufferAttribute?: boolean;
  readonly isInstancedInterleavedBuffer?: boolean;
  readonly isStorageBufferAttribute?: boolean;
  readonly onUploadCallback?: unknown;
}

/** Arrays that three uploads. */
const NUMBERS = /^(Float32|Float16|(Ui|I)nt(8|16|32)|Uint8Clamped)Array$/;
const INDEX = /^Uint(8|16|32)Array$/;
const STOCK = [undefined, BufferAttribute.prototype.onUploadCallback, InterleavedBuffer.prototype.onUploadCallback];

const BUFFER: readonly Rule<AnyBuffer>[] = [
  [(b) => !b.isInstancedBufferAttribute && !b.isInstancedInterleavedBuffer, 'is instanced'],
  [(b) => !b.isStorageBufferAttribute, 'may be written by the graphics card'],
  [(b) => NUMBERS.test(nameOf(b)), 'has no array in memory that three uploads'],
  [(b) => STOCK.includes(b.onUploadCallback as never), 'has a method onUploadCallback of its own'],
];

/** Why meshes with a geometry are to be drawn by themselves; null when they need not be. */
export function whyGeometryAlone(geometry: BufferGeometry): string | null {
  const reason = firstBroken(GEOMETRY, geometry);
  if (reason !== null) return reason;
  const { attributes, index } = geometry;
  for (const name in attributes) {
    const attribute = attributes[name] as VertexAttribute;
    const why = firstBroken(BUFFER, attribute as AnyBuffer) ?? firstBroken(BUFFER, sourceOf(attribute));
    if (why !== null) return `its attribute "${name}" ${why}`;
    if (!isLong(attribute, verticesOf(geometry))) return `its attribute "${name}" is shorter than its positions`;
  }
  if (index === null) return null;
  const why = firstBroken(BUFFER, index as AnyBuffer);
  if (why !== null) return `its index ${why}`;
  return INDEX.test(nameOf(index)) && index.array.length >= index.count ? null : 'its index is no list of vertices';
}

function nameOf({ array }: AnyBuffer): string {
  return ArrayBuffer.isView(array) ? array.constructor.name : '';
}

function isLong(attribute: VertexAttribute, vertices: number): boolean {
  const last = (vertices - 1) * strideOf(attribute) + offsetOf(attribute);
  return last + attribute.itemSize <= attribute.array.length;
}
