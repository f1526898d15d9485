import { BatchedMesh, InstancedMesh, type Intersection, type Raycaster } from 'three';
import { Packed } from '../../structures/packed/Packed.js';
import type { Flags } from '../objects/ObjectRecord.js';
import { indexedRaycasts } from '../objects/raycastOf.js';
import { BatchDrawing, canDrawByIndex } from './BatchDrawing.js';
import { castBatched, castInstanced, mayHit, meetRay } from './castInstances.js';
import { IndexedInstances } from './IndexedInstances.js';
import { BatchedSource, type BatchInternals, InstancedSource, isKnownBatch } from './InstanceSource.js';

/** With fewer instances three is as fast. */
const FEW = 256;

/**
 * The instances of a mesh in an accelerated scene, indexed once they are many and somebody wants to know: draw lists of
 * batches, and casts. Until then three does both.
 */
export class Crowd {
  readonly mesh: InstancedMesh | BatchedMesh;
  readonly instances: IndexedInstances;
  readonly #drawing: BatchDrawing | null;
  /** Whether anybody has asked. */
  #isWanted: boolean;
  #isBuilt = false;
  /** Whether three may have been told of changes while the index was built. */
  #isStale = true;

  constructor(mesh: InstancedMesh | BatchedMesh) {
    this.mesh = mesh;
    const source = isBatch(mesh) ? new BatchedSource(mesh) : new InstancedSource(mesh);
    this.instances = new IndexedInstances(new Packed(), source);
    this.#drawing = isBatch(mesh) && canDrawByIndex(mesh) ? new BatchDrawing(mesh, this) : null;
    this.#isWanted = this.#drawing !== null;
    indexedRaycasts.set(mesh, (raycaster, hits) => this.#cast(raycaster, hits));
  }

  /** Builds the index, for some milliseconds; true when there is nothing left to do. */
  build(budget: number): boolean {
    if (this.#isBuilt || !this.#isWanted || !this.#isLarge) return true;
    this.#isBuilt = this.instances.build(budget);
    return this.#isBuilt;
  }

  /** Brings the index up to date; false where it is not to be asked, as it is not built, or has few instances. */
  refresh(): boolean {
    if (!this.#isBuilt || !this.#isLarge) return false;
    const { _visibilityChanged: isChanged = false } = this.mesh as { _visibilityChanged?: boolean };
    this.instances.update(isChanged || this.#isStale);
    this.#isStale = false;
    return true;
  }

  /** Gives the mesh back to three. */
  dispose(): void {
    this.#drawing?.dispose();
    indexedRaycasts.delete(this.mesh);
  }

  get #isLarge(): boolean {
    const { mesh } = this;
    if (!isBatch(mesh)) return mesh.count >= FEW;
    // A batch that was disposed has no matrices.
    return mesh.instanceCount >= FEW && Boolean((mesh as unknown as Partial<BatchInternals>)._matricesTexture);
  }

  #cast(raycaster: Raycaster, hits: Intersection[]): void {
    const { mesh } = this;
    this.#isWanted = true;
    if (Object.getPrototypeOf(mesh).raycast !== stockOf(mesh) || !this.refresh()) {
      Object.getPrototypeOf(mesh).raycast.call(mesh, raycaster, hits);
    } else if (isBatch(mesh)) {
      castBatched(mesh, meetRay(this.instances, mesh, raycaster), raycaster, hits);
    } else if (mayHit(mesh, raycaster)) {
      castInstanced(mesh, meetRay(this.instances, mesh, raycaster), raycaster, hits);
    }
  }
}

/** True for a mesh whose instances can be indexed, kept as three keeps them. */
export function isCrowd(mesh: InstancedMesh | BatchedMesh): boolean {
  if (isBatch(mesh)) return isKnownBatch(mesh);
  return (mesh as Flags).isInstancedMesh === true && mesh.instanceMatrix?.array instanceof Float32Array;
}

const { raycast: ofBatched } = BatchedMesh.prototype;
const { raycast: ofInstanced } = InstancedMesh.prototype;

/** The method of three that is done here by an index; another library may have put its own in that place. */
function stockOf(mesh: InstancedMesh | BatchedMesh): unknown {
  return isBatch(mesh) ? ofBatched : ofInstanced;
}

function isBatch(mesh: InstancedMesh | BatchedMesh): mesh is BatchedMesh {
  return (mesh as Flags).isBatchedMesh === true;
}
