import type { BatchedMesh, BufferGeometry, DataTexture, InstancedMesh, Intersection, Object3D, Raycaster } from 'three';
import { Packed } from '../packed/Packed.js';
import { revisionOf } from '../scene/bounds/geometryBounds.js';
import { indexedRaycasts } from '../scene/objects/methods.js';
import type { Flags } from '../scene/objects/ObjectRecord.js';
import { BatchDrawing, canDrawByIndex, type DrawingClient } from './drawn/BatchDrawing.js';
import { InstancedDrawing, type RenderPass } from './drawn/CompactedDrawing.js';
import { reasonsOf, whyAllDrawn } from './drawn/whyAllDrawn.js';
import { castBatched, castInstanced, mayHit, meetRay } from './table/castInstances.js';
import { IndexedInstances } from './table/IndexedInstances.js';
import { BatchedSource, InstancedSource, isBatch, isDisposed, isKnownBatch } from './table/InstanceSource.js';

/** By how much more than needed is allowed for, so that weights that grow bit by bit do not change it each time. */
const ROOM = 1.25;

/**
 * How far the morph targets of an `InstancedMesh` may carry vertices from where they are without: the sum of the farthest
 * that each carries one, times its weight. It never shrinks while the geometry stays as it is.
 */
class MorphReach {
  #geometry: BufferGeometry | null = null;
  #revision = -1;
  /** The farthest that each target carries a vertex at a weight of 1. */
  #farthest: number[] = [];
  #reach = 0;
  #texture: DataTexture | null = null;
  #version = -1;

  of(mesh: InstancedMesh): number {
    const { geometry, morphTexture, morphTargetInfluences } = mesh;
    if (geometry.morphAttributes.position === undefined) return 0;
    const revision = revisionOf(geometry);
    const isOther = geometry !== this.#geometry || revision !== this.#revision;
    if (isOther) {
      this.#geometry = geometry;
      this.#revision = revision;
      this.#farthest = farthestOf(geometry);
      this.#reach = 0;
    }
    if (morphTexture === null) this.#take(this.#weigh(morphTargetInfluences ?? [], 0));
    else if (isOther || morphTexture !== this.#texture || morphTexture.version !== this.#version) {
      this.#texture = morphTexture;
      this.#version = morphTexture.version;
      const { data, width, height } = morphTexture.image;
      // The first number of a row is what is left to the vertices themselves.
      for (let row = 0; row < height; row++) this.#take(this.#weigh(data as Float32Array, row * width + 1));
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

  #take(reach: number): void {
    if (reach > this.#reach) this.#reach = ROOM * reach;
  }
}

function farthestOf({ attributes, morphAttributes, morphTargetsRelative }: BufferGeometry): number[] {
  const { position } = attributes;
  return (morphAttributes.position ?? []).map((target) => {
    let square = 0;
    for (let v = 0; v < target.count; v++) {
      const dx = target.getX(v) - (morphTargetsRelative ? 0 : position.getX(v));
      const dy = target.getY(v) - (morphTargetsRelative ? 0 : position.getY(v));
      const dz = target.getZ(v) - (morphTargetsRelative ? 0 : position.getZ(v));
      square = Math.max(square, dx * dx + dy * dy + dz * dz);
    }
    return Math.sqrt(square);
  });
}

/** With fewer instances three is as fast. */
const FEW = 256;
/** Up to so many changes, or such a share of all instances, are taken account of at once. */
const SOME = 1024;
const MUCH = 0.125;

/** three's own methods, which are done here by an index; where another library has put its own, that is called. */
export interface StockRaycasts {
  readonly batched: unknown;
  readonly instanced: unknown;
}

/**
 * The instances of a mesh in an accelerated scene, indexed once they are many and somebody wants to know: what passes
 * draw, and casts. Until then three does both, and again where most have changed until the index has followed.
 */
export class Crowd {
  readonly mesh: InstancedMesh | BatchedMesh;
  readonly #stock: StockRaycasts;
  /** What draws the mesh: one of these, or three as ever. */
  readonly #batch: BatchDrawing | null;
  readonly #packing: InstancedDrawing | null;
  readonly #client: DrawingClient = { levels: null, ask: (mayHaveOtherShapes) => this.#upToDate(mayHaveOtherShapes) };
  readonly #raycast: Object3D['raycast'];
  readonly #morphs = new MorphReach();
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
    this.#batch = isBatch(mesh) && canDrawByIndex(mesh) ? BatchDrawing.of(mesh, this.#client) : null;
    this.#packing = isBatch(mesh) ? null : new InstancedDrawing(mesh, () => this.#upToDate());
    this.#isWanted = this.#batch !== null;
    if (this.#packing !== null) reasonsOf.set(mesh, this.#why);
    this.#raycast = (raycaster, hits) => this.#cast(raycaster, hits);
    indexedRaycasts.set(mesh, this.#raycast);
  }

  /** Builds the index, for some milliseconds; true when there is nothing left to do. */
  build(budget: number): boolean {
    const { mesh } = this;
    if (this.#isBuilt || !this.#isLarge) return true;
    this.#isWanted ||= !isBatch(mesh) && whyAllDrawn(mesh) === null;
    if (!this.#isWanted) return true;
    const source = isBatch(mesh) ? new BatchedSource(mesh) : new InstancedSource(mesh, () => this.#morphs.of(mesh));
    this.#instances ??= new IndexedInstances(new Packed(), source);
    this.#isBuilt = this.#instances.build(budget);
    return this.#isBuilt;
  }

  /** True when passes may be given something else to draw. */
  get mayStandAside(): boolean {
    return this.#packing !== null && (this.#isBuilt || this.#packing.hasStoodAside);
  }

  /** The mesh, or what a pass is to draw in its place. */
  objectFor(pass: RenderPass): Object3D {
    return this.#packing === null ? this.mesh : this.#packing.objectFor(pass, this.#why() !== null);
  }

  /** Gives the mesh back to three. What a picture that is being made may still draw is left to `dispose`. */
  release(): void {
    this.#batch?.release(this.#client);
    if (reasonsOf.get(this.mesh) === this.#why) reasonsOf.delete(this.mesh);
    if (indexedRaycasts.get(this.mesh) === this.#raycast) indexedRaycasts.delete(this.mesh);
  }

  /** Has renderers free what was made for the mesh. */
  dispose(): void {
    this.release();
    this.#packing?.dispose();
  }

  /** For a cast, the index; null where it is not to be asked, as it is not built, or has few instances. */
  #forCast(): IndexedInstances | null {
    const instances = this.#upToDate(this.#batch?.mayHaveOtherShapes ?? isBatch(this.mesh));
    if (instances !== null) this.#batch?.noteLook();
    return instances;
  }

  /** The same, of a batch told whether three may have set the flag of other shapes. */
  #upToDate(mayHaveOtherShapes = false): IndexedInstances | null {
    if (!this.#isBuilt || !this.#isLarge) return null;
    const instances = this.#instances as IndexedInstances;
    this.#isBuilt = instances.update(mayHaveOtherShapes || this.#isStale, Math.max(SOME, MUCH * instances.size));
    this.#isStale = !this.#isBuilt;
    return this.#isBuilt ? instances : null;
  }

  /** Why passes draw all instances. */
  readonly #why = (): string | null => {
    if (!this.#isLarge) return `only meshes of ${FEW} and more instances are culled by these`;
    return whyAllDrawn(this.mesh as InstancedMesh) ?? (this.#isBuilt ? null : 'the index of these is being built');
  };

  get #isLarge(): boolean {
    const { mesh } = this;
    if (!isBatch(mesh)) return mesh.count >= FEW && mesh.count <= mesh.instanceMatrix.count && isCrowd(mesh);
    return mesh.instanceCount >= FEW && !isDisposed(mesh);
  }

  #cast(raycaster: Raycaster, hits: Intersection[]): void {
    const { mesh } = this;
    this.#isWanted = true;
    const { raycast } = Object.getPrototypeOf(mesh);
    const isStock = raycast === (isBatch(mesh) ? this.#stock.batched : this.#stock.instanced);
    const instances = isStock ? this.#forCast() : null;
    if (instances === null) raycast.call(mesh, raycaster, hits);
    else if (isBatch(mesh)) castBatched(mesh, meetRay(instances, mesh, raycaster), raycaster, hits);
    else if (mayHit(mesh, raycaster)) castInstanced(mesh, meetRay(instances, mesh, raycaster), raycaster, hits);
  }
}

/** True for a mesh whose instances can be indexed, kept as three keeps them. */
export function isCrowd(mesh: InstancedMesh | BatchedMesh): boolean {
  if (isBatch(mesh)) return isKnownBatch(mesh);
  const { instanceMatrix } = mesh;
  return (
    (mesh as Flags).isInstancedMesh === true &&
    instanceMatrix?.array instanceof Float32Array &&
    (instanceMatrix as { data?: unknown }).data === undefined
  );
}
