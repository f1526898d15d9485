import type { BatchedMesh, BufferGeometry, InstancedMesh, Intersection, Object3D, Raycaster } from 'three';
import { Packed } from '../packed/Packed.js';
import type { Pass } from '../passes/Pass.js';
import { boundsOf, type GeometryBounds, morphDelta } from '../scene/bounds/geometryBounds.js';
import { canMeasure } from '../scene/bounds/instanceBounds.js';
import { bufferFacts } from '../scene/facts/BufferFacts.js';
import { hasVertices, isInMemory } from '../scene/objects/attributes.js';
import { isDisposed, isKnownBatch } from '../three/batches.js';
import type { Flags } from '../three/kinds.js';
import { indexedRaycasts } from '../three/methods.js';
import { BatchDrawing, canDrawByIndex, type DrawingClient } from './drawn/BatchDrawing.js';
import { CompactedDrawing } from './drawn/CompactedDrawing.js';
import type { LevelChain, LeveledMesh } from './drawn/InstanceLevels.js';
import { reasonsOf, whyAllDrawn } from './drawn/whyAllDrawn.js';
import { castAtSome, mayHit } from './table/castInstances.js';
import { IndexedInstances } from './table/IndexedInstances.js';
import { BatchedSource, InstancedSource, isBatch } from './table/InstanceSource.js';

/** Meshes with fewer instances, and without levels of detail, are left to three, which is as fast. */
const FEWEST_INSTANCES = 256;
/** Most changes in one update; if there are more, all are left to `build`. */
const MOST_CHANGES = 1024;
/** Share of all instances that may change in one update, if that is more than `MOST_CHANGES`. */
const MOST_CHANGED = 0.125;

/** three's own methods, whose work an index does. Methods that another library put in their place are called. */
type StockRaycasts = Readonly<Record<'batched' | 'instanced', unknown>>;

/**
 * A mesh with instances in an accelerated scene: passes and casts use an index of its instances, built once these are
 * many, and can be culled or are cast at. Until then, and while the index takes in many changes, three does all.
 */
export class CulledMesh {
  readonly mesh: InstancedMesh | BatchedMesh;
  readonly #stock: StockRaycasts;
  /** Draws a `BatchedMesh`; null if three draws it, and for an `InstancedMesh`. */
  readonly #batch: BatchDrawing | null;
  /** Draws an `InstancedMesh`; null for a `BatchedMesh`. */
  readonly #compacted: CompactedDrawing | null;
  readonly #client: DrawingClient;
  readonly #raycast: Object3D['raycast'];
  readonly #morphs = new MorphReach();
  /** The index; null until its build begins. */
  #instances: IndexedInstances | null = null;
  #isWanted: boolean;
  #isBuilt = false;
  /** Finds the levels of detail of the mesh, for each pass anew. */
  readonly #levelsOf: () => LeveledMesh | null;
  #leveled: LeveledMesh | null = null;
  #chain: LevelChain | null = null;

  /**
   * @param failed Called with an error thrown while the mesh is drawn; the mesh is drawn by plain three then.
   * @param levelsOf Finds the levels of detail of the mesh; null while there are none.
   */
  constructor(
    mesh: InstancedMesh | BatchedMesh,
    stock: StockRaycasts,
    failed: (error: unknown) => void,
    levelsOf: () => LeveledMesh | null,
  ) {
    this.mesh = mesh;
    this.#levelsOf = levelsOf;
    this.#stock = stock;
    this.#client = { levels: null, ask: () => this.#upToDate(), failed };
    this.#batch = isBatch(mesh) && canDrawByIndex(mesh) ? BatchDrawing.of(mesh, this.#client) : null;
    this.#compacted = isBatch(mesh) ? null : new CompactedDrawing(mesh, this.#client);
    this.#isWanted = this.#batch !== null;
    if (this.#compacted !== null) reasonsOf.set(mesh, this.#why);
    this.#raycast = (raycaster, hits) => this.#cast(raycaster, hits);
    indexedRaycasts.set(mesh, this.#raycast);
  }

  /** Builds the index for some milliseconds; true when no work is left. */
  build(budget: number): boolean {
    const { mesh } = this;
    if (this.#isBuilt || !this.#isLarge) return true;
    this.#isWanted ||= !isBatch(mesh) && whyAllDrawn(mesh) === null;
    if (!this.#isWanted) return true;
    const source = isBatch(mesh)
      ? new BatchedSource(mesh, this.#batch)
      : new InstancedSource(mesh, () => this.#morphs.of(mesh));
    this.#instances ??= new IndexedInstances(new Packed(), source);
    this.#isBuilt = this.#instances.build(budget);
    return this.#isBuilt;
  }

  get isPending(): boolean {
    return this.#isWanted && !this.#isBuilt && this.#isLarge;
  }

  get canSubstitute(): boolean {
    return this.#compacted !== null && (this.#isBuilt || this.#compacted.hasSubstituted);
  }

  /** Returns the object that a pass draws for the mesh; further objects are added to `more`. */
  objectFor(pass: Pass, more: Object3D[]): Object3D {
    if (this.#compacted === null) return this.mesh;
    const why = whyAllDrawn(this.mesh as InstancedMesh);
    if (why !== null) this.#leveled?.dispose();
    this.#leveled = why === null ? this.#levelsOf() : null;
    this.#chain = this.#leveled?.takeChain() ?? null;
    const isWhole = (why ?? this.#whyNotYet) !== null;
    return this.#compacted.objectFor(pass, isWhole, this.#leveled, this.#chain, more);
  }

  /** Gives the mesh back to three. Objects that a render in progress may still draw are left to `dispose`. */
  release(): void {
    this.catchUp();
    this.#batch?.release(this.#client);
    this.#leveled?.dispose();
    if (reasonsOf.get(this.mesh) === this.#why) reasonsOf.delete(this.mesh);
    if (indexedRaycasts.get(this.mesh) === this.#raycast) indexedRaycasts.delete(this.mesh);
  }

  catchUp(): void {
    this.#compacted?.catchUp();
  }

  /** Releases the mesh, and has renderers free the objects that were drawn for it. */
  dispose(): void {
    this.release();
    this.#compacted?.dispose();
  }

  /** The index, up to date; null while it is not built, has few instances, or too many changes for one update. */
  #upToDate(): IndexedInstances | null {
    if (!this.#isBuilt || !this.#isLarge) return null;
    const instances = this.#instances as IndexedInstances;
    this.#isBuilt = instances.update(Math.max(MOST_CHANGES, MOST_CHANGED * instances.size));
    return this.#isBuilt ? instances : null;
  }

  readonly #why = (): string | null => whyAllDrawn(this.mesh as InstancedMesh) ?? this.#whyNotYet;

  /** Why all instances are drawn for now; null for another reason, or none. */
  get #whyNotYet(): string | null {
    if (!this.#isLarge) return `only meshes of ${FEWEST_INSTANCES} and more instances are culled by these`;
    return this.#isBuilt ? null : 'the index of these is being built';
  }

  get #isLarge(): boolean {
    const { mesh } = this;
    const fewest = this.#chain === null ? FEWEST_INSTANCES : 1;
    if (!isBatch(mesh))
      return mesh.count >= fewest && mesh.count <= mesh.instanceMatrix.count && hasKnownInstances(mesh);
    return (
      mesh.instanceCount >= FEWEST_INSTANCES && !isDisposed(mesh) && (this.#instances !== null || canMeasure(mesh))
    );
  }

  #cast(raycaster: Raycaster, hits: Intersection[]): void {
    const { mesh } = this;
    this.#isWanted = true;
    const { raycast } = Object.getPrototypeOf(mesh);
    const isStock = raycast === (isBatch(mesh) ? this.#stock.batched : this.#stock.instanced);
    const instances = isStock ? this.#upToDate() : null;
    if (instances === null) raycast.call(mesh, raycaster, hits);
    else if (isBatch(mesh) || mayHit(mesh, raycaster)) castAtSome(instances, raycaster, hits);
  }
}

/** True for a mesh whose instances can be indexed, stored as three stores them. */
export function hasKnownInstances(mesh: InstancedMesh | BatchedMesh): boolean {
  if (isBatch(mesh)) return isKnownBatch(mesh);
  const { instanceMatrix } = mesh;
  return (
    (mesh as Flags).isInstancedMesh === true &&
    instanceMatrix?.array instanceof Float32Array &&
    isInMemory(instanceMatrix) &&
    (instanceMatrix as { data?: unknown }).data === undefined
  );
}

/** A reach of morph targets is this much larger than needed, so that weights growing bit by bit seldom change it. */
const ROOM = 1.25;

/**
 * How far the morph targets of an `InstancedMesh` may move vertices: the farthest move of each target times its weight,
 * summed up. The reach never shrinks while the geometry is the same.
 */
class MorphReach {
  #bounds: GeometryBounds | null = null;
  /** The farthest that each target moves a vertex at a weight of 1. */
  #farthest: number[] = [];
  #reach = 0;
  #stamp = 0;

  of(mesh: InstancedMesh): number {
    const { geometry, morphTexture, morphTargetInfluences } = mesh;
    if (!geometry.attributes.position || !geometry.morphAttributes.position) return 0;
    const bounds = boundsOf(geometry);
    const isOther = bounds !== this.#bounds;
    if (isOther) {
      const isKnown = hasVertices(geometry);
      this.#bounds = bounds;
      this.#farthest = isKnown ? farthestOf(geometry) : [];
      this.#reach = isKnown ? 0 : Number.POSITIVE_INFINITY;
    }
    if (morphTexture === null) this.#widen(this.#weigh(morphTargetInfluences ?? [], 0));
    else if (isOther || bufferFacts(morphTexture).lookAt() !== this.#stamp) {
      this.#stamp = bufferFacts(morphTexture).lookAt();
      const { data, width, height } = morphTexture.image;
      if (!data) this.#reach = Number.POSITIVE_INFINITY;
      // The first number of a row of the texture is the weight of the vertices themselves.
      for (let row = 0; data && row < height; row++) this.#widen(this.#weigh(data as Float32Array, row * width + 1));
    }
    return this.#reach;
  }

  #weigh(weights: ArrayLike<number>, from: number): number {
    const farthest = this.#farthest;
    let sum = 0;
    for (let k = 0; k < farthest.length && from + k < weights.length; k++) {
      sum += Math.abs(weights[from + k]) * farthest[k];
    }
    return sum;
  }

  #widen(reach: number): void {
    if (reach > this.#reach) this.#reach = ROOM * reach;
  }
}

function farthestOf(geometry: BufferGeometry): number[] {
  return (geometry.morphAttributes.position ?? []).map((target) => {
    let square = 0;
    for (let v = 0; v < target.count; v++) square = Math.max(square, morphDelta(geometry, target, v).lengthSq());
    return Math.sqrt(square);
  });
}
