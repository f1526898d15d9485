import type { BatchedMesh, InstancedMesh } from 'three';
import { getOrMake } from '../../core/arrays.js';
import type { Flags } from '../objects/ObjectRecord.js';
import { bufferFacts, type Versioned } from './BufferFacts.js';
import { Comparison } from './Comparison.js';
import { geometryFacts } from './GeometryFacts.js';

/** Parts of meshes with instances; that of a batch which holds the matrices is a private part of three. */
interface Parts extends Flags {
  readonly instanceMatrix?: Versioned | null;
  readonly _matricesTexture?: Versioned | null;
  readonly count?: number;
  /** Since r170. */
  readonly instanceCount?: number;
}

const known = new WeakMap<object, Comparison>();
const make = (): Comparison => new Comparison();

/**
 * The stamp of all that the bounds of a mesh's instances depend on: matrices, their number, and the shape of the geometry.
 * A batch whose matrices have no version counts as changed in each look. Throws what getters throw.
 */
export function stampOfInstances(mesh: InstancedMesh | BatchedMesh): number {
  const facts = getOrMake(known, mesh, make);
  if (facts.isDone) return facts.stamp;
  const { isInstancedMesh, isBatchedMesh, instanceMatrix, _matricesTexture, count, instanceCount } = mesh as Parts;
  const holder = isInstancedMesh ? instanceMatrix : _matricesTexture;
  facts.start();
  if (isBatchedMesh && typeof holder?.version !== 'number') facts.compare(Number.NaN);
  else facts.compare(holder && bufferFacts(holder).lookAt());
  facts.compare(isBatchedMesh ? instanceCount : count);
  facts.compare(geometryFacts(mesh.geometry).lookAtShape());
  return facts.end();
}
