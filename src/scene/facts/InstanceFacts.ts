import type { BatchedMesh, InstancedMesh } from 'three';
import { memoized } from '../../core/arrays.js';
import { type Flags, matricesOf } from '../../three/kinds.js';
import { bufferFacts } from './BufferFacts.js';
import { geometryFacts } from './GeometryFacts.js';
import { isLookedAt, look, takeStamp } from './looks.js';

interface InstancedObject extends Flags {
  readonly count?: number;
  /** Exists since r170. */
  readonly instanceCount?: number;
}

const factsOf = /* @__PURE__ */ memoized((_: object) => ({ stamp: 0, lookedIn: 0, matrices: 0, count: 0, shape: 0 }));

/**
 * The stamp of everything that the bounds of a mesh's instances depend on: their matrices, their number, and the shape
 * of the geometry. A batch whose matrices have no version counts as changed in each look. Throws the errors of getters.
 */
export function stampOfInstances(mesh: InstancedMesh | BatchedMesh): number {
  const facts = factsOf(mesh);
  if (isLookedAt(facts.lookedIn)) return facts.stamp;
  const parts = mesh as InstancedObject;
  const { isBatchedMesh } = parts;
  const holder = matricesOf(mesh);
  const hasVersion = !isBatchedMesh || typeof holder?.version === 'number';
  const matrices = !hasVersion ? Number.NaN : holder ? bufferFacts(holder).lookAt() : 0;
  const count = (isBatchedMesh ? parts.instanceCount : parts.count) ?? 0;
  const shape = geometryFacts(mesh.geometry).lookAtShape();
  if (matrices !== facts.matrices || count !== facts.count || shape !== facts.shape)
    Object.assign(facts, { matrices, count, shape, stamp: takeStamp() });
  facts.lookedIn = look;
  return facts.stamp;
}
