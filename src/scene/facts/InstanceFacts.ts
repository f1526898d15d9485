import type { BatchedMesh, InstancedMesh, Object3D } from 'three';
import type { Flags } from '../objects/ObjectRecord.js';
import { bufferFacts, type Versioned } from './BufferFacts.js';
import { geometryFacts } from './GeometryFacts.js';
import { isLookedAt, look, takeStamp } from './looks.js';

/** What is known of the instances of a mesh. */
export class InstanceFacts {
  readonly #mesh: InstancedMesh | BatchedMesh;
  #stamp = 0;
  #lookedIn = 0;
  #matrices = 0;
  #count = 0;
  #shape = 0;

  constructor(mesh: InstancedMesh | BatchedMesh) {
    this.#mesh = mesh;
  }

  /** The stamp of the last change of matrices, of their number, or of the shape of the geometry. Throws what getters throw. */
  lookAt(): number {
    if (isLookedAt(this.#lookedIn)) return this.#stamp;
    const mesh = this.#mesh as (InstancedMesh | BatchedMesh) & Flags & { count?: number; instanceCount?: number };
    const holder = holderOf(mesh);
    const matrices = holder === null ? 0 : bufferFacts(holder).lookAt();
    // Batches have `instanceCount` since r170.
    const count = (mesh.isBatchedMesh ? mesh.instanceCount : mesh.count) ?? 0;
    const shape = geometryFacts(mesh.geometry).lookAtShape();
    const isSame = matrices === this.#matrices && count === this.#count && shape === this.#shape;
    // Matrices of a batch are a private part of three: without a version they count as changed in each look.
    if (!isSame || (mesh.isBatchedMesh && typeof holder?.version !== 'number')) {
      this.#matrices = matrices;
      this.#count = count;
      this.#shape = shape;
      this.#stamp = takeStamp();
    }
    this.#lookedIn = look;
    return this.#stamp;
  }
}

/** What holds the matrices of instances; null for nothing. */
function holderOf(mesh: Object3D & Flags): Versioned | null {
  if (mesh.isInstancedMesh) return (mesh as InstancedMesh).instanceMatrix ?? null;
  return (mesh as { _matricesTexture?: Versioned | null })._matricesTexture ?? null;
}

const known = new WeakMap<Object3D, InstanceFacts>();

/** What is known of the instances of a mesh, which stays the same object. */
export function instanceFacts(mesh: InstancedMesh | BatchedMesh): InstanceFacts {
  let facts = known.get(mesh);
  if (facts === undefined) {
    facts = new InstanceFacts(mesh);
    known.set(mesh, facts);
  }
  return facts;
}
