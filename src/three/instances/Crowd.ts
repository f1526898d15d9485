import type { BatchedMesh, InstancedMesh, Intersection, Object3D, Raycaster } from 'three';
import { Packed } from '../../structures/packed/Packed.js';
import type { Flags } from '../objects/ObjectRecord.js';
import { indexedRaycasts } from '../objects/raycastOf.js';
import { BatchDrawing, canDrawByIndex } from './BatchDrawing.js';
import { castBatched, castInstanced, mayHit, meetRay } from './castInstances.js';
import { IndexedInstances } from './IndexedInstances.js';
import { BatchedSource, type BatchInternals, InstancedSource, isBatch, isKnownBatch } from './InstanceSource.js';

/** With fewer instances three is as fast. */
const FEW = 256;

/** three's own methods, which are done here by an index; where another library has put its own, that is called. */
export interface StockRaycasts {
  readonly batched: unknown;
  readonly instanced: unknown;
}

/**
 * The instances of a mesh in an accelerated scene, indexed once they are many and somebody wants to know: draw lists of
 * batches, and casts. Until then three does both.
 */
export class Crowd {
  readonly mesh: InstancedMesh | BatchedMesh;
  readonly #stock: StockRaycasts;
  readonly #drawing: BatchDrawing | null;
  readonly #raycast: Object3D['raycast'];
  /** Null until there is something to index. */
  #instances: IndexedInstances | null = null;
  /** Whether anybody has asked. */
  #isWanted: boolean;
  #isBuilt = false;
  /** Whether three may have been told of changes while the index was built. */
  #isStale = true;

  constructor(mesh: InstancedMesh | BatchedMesh, stock: StockRaycasts) {
    this.mesh = mesh;
    this.#stock = stock;
    this.#drawing = isBatch(mesh) && canDrawByIndex(mesh) ? new BatchDrawing(mesh, () => this.#upToDate()) : null;
    this.#isWanted = this.#drawing !== null;
    this.#raycast = (raycaster, hits) => this.#cast(raycaster, hits);
    indexedRaycasts.set(mesh, this.#raycast);
  }

  /** Builds the index, for some milliseconds; true when there is nothing left to do. */
  build(budget: number): boolean {
    const { mesh } = this;
    if (this.#isBuilt || !this.#isWanted || !this.#isLarge) return true;
    const source = isBatch(mesh) ? new BatchedSource(mesh) : new InstancedSource(mesh);
    this.#instances ??= new IndexedInstances(new Packed(), source);
    this.#isBuilt = this.#instances.build(budget);
    return this.#isBuilt;
  }

  /** Gives the mesh back to three. */
  dispose(): void {
    this.#drawing?.dispose();
    if (indexedRaycasts.get(this.mesh) === this.#raycast) indexedRaycasts.delete(this.mesh);
  }

  /** The index, up to date; null where it is not to be asked, as it is not built, or has few instances. */
  #upToDate(): IndexedInstances | null {
    if (!this.#isBuilt || !this.#isLarge) return null;
    this.#instances?.update(this.#mayHaveOtherShapes);
    this.#isStale = false;
    return this.#instances;
  }

  /** three sets a flag when instances come, go, are hidden or get other shapes. Who draws the batch resets it. */
  get #mayHaveOtherShapes(): boolean {
    if (!isBatch(this.mesh)) return false;
    const { _visibilityChanged: isChanged } = this.mesh as unknown as { _visibilityChanged: boolean };
    return isChanged || this.#isStale || this.#drawing?.isInCharge !== true;
  }

  get #isLarge(): boolean {
    const { mesh } = this;
    if (!isBatch(mesh)) return mesh.count >= FEW && mesh.count <= mesh.instanceMatrix.count && isCrowd(mesh);
    // A batch that was disposed has no matrices.
    return mesh.instanceCount >= FEW && Boolean((mesh as unknown as Partial<BatchInternals>)._matricesTexture);
  }

  #cast(raycaster: Raycaster, hits: Intersection[]): void {
    const { mesh } = this;
    this.#isWanted = true;
    const { raycast } = Object.getPrototypeOf(mesh);
    const isStock = raycast === (isBatch(mesh) ? this.#stock.batched : this.#stock.instanced);
    const instances = isStock ? this.#upToDate() : null;
    if (instances === null) raycast.call(mesh, raycaster, hits);
    else if (isBatch(mesh)) castBatched(mesh, meetRay(instances, mesh, raycaster), raycaster, hits);
    else if (mayHit(mesh, raycaster)) castInstanced(mesh, meetRay(instances, mesh, raycaster), raycaster, hits);
  }
}

/** True for a mesh whose instances can be indexed, kept as three keeps them. */
export function isCrowd(mesh: InstancedMesh | BatchedMesh): boolean {
  if (isBatch(mesh)) return isKnownBatch(mesh);
  return (mesh as Flags).isInstancedMesh === true && mesh.instanceMatrix?.array instanceof Float32Array;
}
