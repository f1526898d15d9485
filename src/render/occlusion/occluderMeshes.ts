import type { BufferAttribute, BufferGeometry } from 'three';
import { OccluderMesh } from '../../occlusion/OccluderMesh.js';
import { revisionOf } from '../../scene/bounds/geometryBounds.js';
import { isInMemory } from '../../scene/objects/attributes.js';
import { triangleCount } from '../../scene/objects/drawnAttributes.js';

/** How many triangles a geometry draws; 0 for one whose vertices, or index, are not in memory. */
export function trianglesOf(geometry: BufferGeometry | null | undefined): number {
  const position = geometry?.attributes?.position as BufferAttribute | undefined;
  if (!geometry || position?.itemSize !== 3 || !isInMemory(position)) return 0;
  return geometry.index === null || isInMemory(geometry.index) ? triangleCount(geometry) : 0;
}

interface KnownMesh {
  readonly revision: number;
  readonly index: BufferAttribute | null;
  readonly indexVersion: number | undefined;
  readonly mesh: OccluderMesh;
}

const meshes = new WeakMap<BufferGeometry, KnownMesh>();

/** What the buffer draws of a geometry; null for nothing. Kept until that changes, or its vertices are freed. */
export function occluderMeshOf(geometry: BufferGeometry): OccluderMesh | null {
  if (trianglesOf(geometry) === 0) {
    meshes.delete(geometry);
    return null;
  }
  const { attributes, index, drawRange } = geometry;
  const revision = revisionOf(geometry);
  const indexVersion = index?.version;
  const known = meshes.get(geometry);
  const isSame = known?.revision === revision && known.index === index && known.indexVersion === indexVersion;
  if (isSame) return known.mesh;
  const position = attributes.position as BufferAttribute;
  const { start, count } = drawRange;
  const numbers = isPlain(position) ? position.array : read(position);
  const mesh = new OccluderMesh(numbers, index?.array ?? null, Math.max(0, start), count + Math.min(0, start));
  meshes.set(geometry, { revision, index, indexVersion, mesh });
  return mesh;
}

function isPlain(position: BufferAttribute & { data?: unknown }): boolean {
  return position.array instanceof Float32Array && position.data === undefined;
}

/** Positions as shaders get them: interleaved ones, and integers that are scaled. */
function read(position: BufferAttribute): Float32Array {
  const numbers = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i++) {
    numbers[3 * i] = position.getX(i);
    numbers[3 * i + 1] = position.getY(i);
    numbers[3 * i + 2] = position.getZ(i);
  }
  return numbers;
}
