import type { BatchedMesh, Box3, Camera, InstancedMesh, Intersection, Raycaster, Sphere, Vector3 } from 'three';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { IdList } from '../core/ids.js';
import { checkCount, inWords, ownOptions, refuseOthers } from '../core/options.js';
import { Packed } from '../packed/Packed.js';
import { cameraPlanes, updateCamera, viewsOf } from '../scene/ask/cameraViews.js';
import { claimIndex, releaseIndex } from '../scene/follow/Entries.js';
import {
  checkBox3,
  checkCamera,
  checkDistance,
  checkList,
  checkRaycaster,
  checkSphere,
  checkVector3,
  describe,
} from '../scene/objects/checks.js';
import { isDisposed, isKnownBatch } from '../three/batches.js';
import { BatchLevels, type InstanceLevel } from './drawn/BatchLevels.js';
import { castAtSome } from './table/castInstances.js';
import { IndexedInstances } from './table/IndexedInstances.js';
import { type InstanceDistance, InstanceQueries } from './table/InstanceQueries.js';
import { BatchedSource, InstancedSource, isBatch } from './table/InstanceSource.js';

/** Options of an {@link InstanceIndex}. */
export interface InstanceIndexOptions {
  /** An empty index to hold the bounds, which belongs to the `InstanceIndex` until disposal. Default `new Packed()`. */
  structure?: SpatialIndex;
}

/**
 * A spatial index over the instances of an `InstancedMesh` or `BatchedMesh`.
 *
 * Queries return ids of instances, as `getMatrixAt` takes them: in ascending order, or nearest first where there is a
 * distance. They answer as of the last {@link update}, without hidden and deleted instances of a batch. Positions are
 * in the world, by the mesh's `matrixWorld` at the time of the query. The bounds of an instance are the world box of
 * its geometry's box, as for a mesh of its own.
 *
 * The mesh is not changed, except that a batch with levels of detail gets own methods to draw them. Lists given as
 * `out` are overwritten. All methods but `dispose` throw an Error once the index, or its batch, was disposed.
 *
 * @example
 * ```ts
 * import { Sphere, Vector3 } from 'three';
 * import { InstanceIndex } from 'three-scene-index';
 *
 * const trees = new InstanceIndex(batch);
 * for (const id of trees.querySphere(new Sphere(new Vector3(5, 0, 5), 10))) {
 *   batch.setVisibleAt(id, false);
 * }
 * trees.update();
 * ```
 */
export class InstanceIndex<T extends InstancedMesh | BatchedMesh = InstancedMesh | BatchedMesh> {
  /** The mesh whose instances are indexed. */
  readonly mesh: T;
  readonly #instances: IndexedInstances;
  readonly #queries: InstanceQueries;
  /** The levels of detail; null without any. */
  #levels: BatchLevels | null = null;
  #isDisposed = false;

  /**
   * @throws TypeError for another kind of mesh; TypeError or RangeError for invalid options; Error for a batch whose
   * revision of three stores instances in an unknown way.
   */
  constructor(mesh: T, options: InstanceIndexOptions = {}) {
    const source = instanceSourceOf(mesh);
    const { structure = new Packed(), ...others } = ownOptions(options, 'InstanceIndex: options must be');
    refuseOthers(others, ['structure'], 'InstanceIndex');
    const index = claimIndex(structure, 'InstanceIndex.structure');
    this.mesh = mesh;
    this.#instances = new IndexedInstances(index, source);
    this.#queries = new InstanceQueries(this.#instances);
    this.update();
  }

  /** Number of instances in the index. */
  get size(): number {
    return this.#isDisposed ? 0 : this.#instances.size;
  }

  /**
   * Brings the index up to date with the mesh. It notices instances that moved, came, went, were hidden or got another
   * geometry, and edited geometries. Moves count once three knows of them: `setMatrixAt` of a batch tells it; for an
   * `InstancedMesh` set `instanceMatrix.needsUpdate`. The constructor calls this.
   * @throws TypeError for an `instanceMatrix` without a Float32Array.
   */
  update(): void {
    const instances = this.#open('update');
    if (!isBatch(this.mesh)) checkMatrices(this.mesh, 'InstanceIndex.update');
    instances.update();
  }

  /**
   * Draws the instances of one geometry of a batch by levels of detail.
   *
   * From the next frame on, each instance is drawn with the first of these geometries that it is large enough for on
   * the screen, or with the last. The size of an instance is the diameter of the sphere around all levels, in pixels of
   * the render target; it depends on the distance to the camera, not on where the camera looks. With several views the
   * largest counts. To avoid flicker, a coarser level is chosen only when the instance is a tenth smaller; each camera
   * has its own levels. Shadows match the levels that the last camera was shown.
   *
   * Queries and raycasts use the instances' own geometries. The index follows the mesh while it is drawn.
   * @param levels From the finest to the coarsest, with falling sizes. The first is the geometry that the instances
   * were given. A single level removes the levels of its geometry, an empty list those of all geometries.
   * @throws TypeError for an `InstancedMesh` or anything but a list of levels; RangeError for geometries that are not
   * in the batch, or sizes that do not fall; Error for a batch whose draw methods were replaced or are of another
   * version. If it throws, nothing has changed.
   * @example
   * ```ts
   * import { InstanceIndex } from 'three-scene-index';
   *
   * new InstanceIndex(batch).setLevels([
   *   { geometryId: 0, pixels: 80 },
   *   { geometryId: 1, pixels: 0 },
   * ]);
   * ```
   */
  setLevels(levels: readonly InstanceLevel[]): void {
    this.#open('setLevels');
    this.#drawnByLevels('setLevels', (drawn) => drawn.set(levels));
  }

  /**
   * Instances of a batch smaller than this on the screen are not drawn. Their shadows are drawn. The size is in pixels,
   * as in {@link setLevels}. Default 0, which draws all instances.
   * @throws TypeError for an `InstancedMesh`; RangeError for anything but a number from 0; Error as for levels.
   */
  get minPixels(): number {
    return this.#levels?.minPixels ?? 0;
  }

  set minPixels(pixels: number) {
    this.#open('minPixels');
    this.#drawnByLevels('minPixels', (drawn) => {
      drawn.minPixels = pixels;
    });
  }

  /**
   * Returns the instances whose bounding spheres meet the frustum of a camera. A batch of three is culled in the same
   * way. Updates the matrices of a camera with `matrixWorldAutoUpdate`. Ignores visibility and layers of the mesh.
   */
  cull(camera: Camera, out: IdList = new IdList()): IdList {
    const instances = this.#open('cull', out);
    checkCamera(camera, 'InstanceIndex.cull');
    updateCamera(camera);
    const frusta = viewsOf(camera).map((view) => cameraPlanes(view, undefined, this.mesh.matrixWorld));
    instances.cull(frusta, out);
    return out;
  }

  /** Returns the instances whose bounds touch a box; none for an empty box. */
  queryBox(box: Box3, out: IdList = new IdList()): IdList {
    this.#open('queryBox', out);
    checkBox3(box, 'InstanceIndex.queryBox');
    return this.#queries.inBox(box, out);
  }

  /** Returns the instances whose bounds touch a sphere; none for a negative radius. */
  querySphere(sphere: Sphere, out: IdList = new IdList()): IdList {
    this.#open('querySphere', out);
    checkSphere(sphere, 'InstanceIndex.querySphere');
    return this.#queries.inSphere(sphere.center, sphere.radius, out);
  }

  /** Returns the instances whose bounds contain or touch a point. */
  queryPoint(point: Vector3, out: IdList = new IdList()): IdList {
    this.#open('queryPoint', out);
    checkVector3(point, 'InstanceIndex.queryPoint');
    return this.#queries.inSphere(point, 0, out);
  }

  /**
   * Returns the `count` instances nearest to a point, nearest first. Ties are sorted by id.
   * @param count A whole number from 1, or Infinity for all. Default 1.
   * @param maxDistance The farthest that counts, in world units. Default Infinity.
   */
  nearest(
    point: Vector3,
    count = 1,
    maxDistance: number = Number.POSITIVE_INFINITY,
    out: InstanceDistance[] = [],
  ): InstanceDistance[] {
    this.#open('nearest');
    checkVector3(point, 'InstanceIndex.nearest');
    checkList(out, 'InstanceIndex.nearest');
    checkCount(count, 'InstanceIndex.nearest');
    checkDistance(maxDistance, 'InstanceIndex.nearest.maxDistance');
    return this.#queries.nearest(point, count, maxDistance, out);
  }

  /**
   * Returns all hits of a raycaster, nearest first, with `instanceId` or `batchId`. The hits equal those of
   * `raycaster.intersectObject(mesh, false)`, except that the mesh's `boundingSphere` is ignored. three tests it first,
   * but does not keep it up to date.
   */
  raycast(raycaster: Raycaster, out: Intersection<T>[] = []): Intersection<T>[] {
    const instances = this.#open('raycast');
    checkRaycaster(raycaster, 'InstanceIndex.raycast');
    checkList(out, 'InstanceIndex.raycast');
    out.length = 0;
    if (!this.mesh.layers.test(raycaster.layers)) return out;
    castAtSome(instances, raycaster, out);
    return out.sort((a, b) => a.distance - b.distance);
  }

  /** Restores the mesh and empties the structure. All other methods throw afterwards. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#levels?.dispose();
    releaseIndex(this.#instances.index);
  }

  /** Changes how a batch is drawn; without levels and `minPixels` the batch is left to three. */
  #drawnByLevels(method: string, change: (levels: BatchLevels) => void): void {
    const { source } = this.#instances;
    if (!(source instanceof BatchedSource)) {
      throw new TypeError(`InstanceIndex.${method}: needs a BatchedMesh, this is an InstancedMesh`);
    }
    const levels = this.#levels ?? new BatchLevels(source, this.#instances);
    try {
      change(levels);
    } finally {
      this.#levels = levels.isEmpty ? null : levels;
      if (levels.isEmpty) levels.dispose();
    }
  }

  #open(method: string, out?: IdList): IndexedInstances {
    if (this.#isDisposed) throw new Error(`InstanceIndex.${method}: this index was disposed`);
    if (isBatch(this.mesh) && isDisposed(this.mesh)) {
      throw new Error(`InstanceIndex.${method}: the mesh was disposed`);
    }
    if (out !== undefined && !(out instanceof IdList)) {
      throw new TypeError(`InstanceIndex.${method}.out: must be an IdList, got ${inWords(out)}`);
    }
    return this.#instances;
  }
}

function instanceSourceOf(mesh: InstancedMesh | BatchedMesh): InstancedSource | BatchedSource {
  if (mesh === null || typeof mesh !== 'object') {
    throw new TypeError(`InstanceIndex.mesh: must be an InstancedMesh or a BatchedMesh, got ${inWords(mesh)}`);
  }
  if (isBatch(mesh)) {
    if (isKnownBatch(mesh)) return new BatchedSource(mesh);
    throw new Error('InstanceIndex.mesh: BatchedMesh of this version of three is not supported');
  }
  if (mesh.isInstancedMesh !== true) {
    throw new TypeError(`InstanceIndex.mesh: must be an InstancedMesh or a BatchedMesh, got ${describe(mesh)}`);
  }
  checkMatrices(mesh, 'InstanceIndex.mesh');
  return new InstancedSource(mesh);
}

function checkMatrices({ instanceMatrix }: InstancedMesh, where: string): void {
  if (!(instanceMatrix?.array instanceof Float32Array)) {
    throw new TypeError(`${where}: instanceMatrix must hold a Float32Array`);
  }
}
