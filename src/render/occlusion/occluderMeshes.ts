import type { BufferAttribute, BufferGeometry } from 'three';
import { OccluderMesh } from '../../occlusion/OccluderMesh.js';
import { versionOf } from '../../scene/bounds/geometryBounds.js';

/** How many triangles a geometry draws; 0 for one whose vertices are unknown. */
export function trianglesOf(geometry: BufferGeometry | null | undefined): number {
  const position = geometry?.attributes?.position as (BufferAttribute & { isGLBufferAttribute?: boolean }) | undefined;
  if (!geometry || !position || position.isGLBufferAttribute || position.itemSize !== 3) return 0;
  const { start, count } = geometry.drawRange;
  const all = (geometry.index ?? position).count;
  return Math.floor(Math.max(0, Math.min(all - Math.max(0, start), count + Math.min(0, start))) / 3);
}

interface KnownMesh {
  readonly position: object;
  readonly version: number;
  readonly index: BufferAttribute | null;
  readonly indexVersion: number;
  readonly start: number;
  readonly count: number;
  readonly mesh: OccluderMesh;
}

const meshes = new WeakMap<BufferGeometry, KnownMesh>();

/** What the buffer draws of a geometry; null for one with vertices that are not known. Kept until it changes. */
export function occluderMeshOf(geometry: BufferGeometry): OccluderMesh | null {
  const position = geometry.attributes.position as BufferAttribute;
  const { index } = geometry;
  const { start, count } = geometry.drawRange;
  const version = versionOf(position);
  const indexVersion = index?.version ?? 0;
  const known = meshes.get(geometry);
  // biome-ignore format: one line for each thing
  if (known !== undefined && known.position === position && known.version === version
   && known.index === index && known.indexVersion === indexVersion
   && known.start === start && known.count === count) return known.mesh;
  if (trianglesOf(geometry) === 0) return null;
  const numbers = isPlain(position) ? position.array : read(position);
  const mesh = new OccluderMesh(numbers, index?.array ?? null, Math.max(0, start), count + Math.min(0, start));
  meshes.set(geometry, { position, version, index, indexVersion, start, count, mesh });
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
