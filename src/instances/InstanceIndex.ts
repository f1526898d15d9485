import type { BatchedMesh, Box3, Camera, InstancedMesh, Intersection, Raycaster, Sphere, Vector3 } from 'three';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { IdList } from '../core/ids.js';
import { checkCount, inWords, ownOptions, refuseOthers } from '../core/options.js';
import { Packed } from '../packed/Packed.js';
import { claimIndex, releaseIndex } from '../scene/follow/Entries.js';
import {
  checkBox3,
  checkCamera,
  checkList,
  checkRaycaster,
  checkReach,
  checkSphere,
  checkVector3,
  describe,
} from '../scene/objects/checks.js';
import { LeveledDrawing } from './drawn/BatchDrawing.js';
import type { BatchLevels, InstanceLevel } from './drawn/BatchLevels.js';
import { castBatched, castInstanced, idsOnRay } from './table/castInstances.js';
import { IndexedInstances, localFrusta } from './table/IndexedInstances.js';
import { type InstanceDistance, InstancePlaces } from './table/InstancePlaces.js';
import { BatchedSource, InstancedSource, isBatch, isDisposed, isKnownBatch } from './table/InstanceSource.js';

/** Options of an {@link InstanceIndex}. */
export interface InstanceIndexOptions {
  /**
   * The structure that holds the bounds: an empty index, which belongs to the `InstanceIndex` until that is disposed.
   * Default `new Packed()`.
   */
  structure?: SpatialIndex;
}

/**
 * A spatial index over the instances of an `InstancedMesh` or `BatchedMesh`.
 *
 * Queries return ids of instances, those of `getMatrixAt`, in ascending order unless they have a distance, as of the last
 * {@link update}; hidden and deleted instances of a batch are left out. Places are in the world, by the `matrixWorld` that
 * the mesh has at the time of a query. The bounds of an instance are the world box of its geometry's box, as a mesh of its
 * own would have.
 *
 * The mesh stays as it is, except that a batch with levels of detail gets methods of its own by which it is drawn. Lists
 * given as `out` are overwritten. All methods but `dispose` throw an Error once the index, or its batch, was disposed.
 */
export class InstanceIndex<T extends InstancedMesh | BatchedMesh = InstancedMesh | BatchedMesh> {
  readonly mesh: T;
  readonly #instances: IndexedInstances;
  readonly #places: InstancePlaces;
  readonly #source: InstancedSource | BatchedSource;
  /** Null without levels of detail. */
  #drawing: LeveledDrawing | null = null;
  #isDisposed = false;

  /**
   * @throws TypeError for what is neither mesh; TypeError or RangeError for options that are not legal. Error for a batch
   * of a version of three that keeps its instances otherwise than r186 and r187 do.
   */
  constructor(mesh: T, options: InstanceIndexOptions = {}) {
    const source = sourceOf(mesh);
    const { structure = new Packed(), ...others } = ownOptions(options, 'InstanceIndex: options are');
    refuseOthers(others, ['structure'], 'InstanceIndex');
    const index = claimIndex(structure, 'InstanceIndex.structure');
    this.mesh = mesh;
    this.#source = source;
    this.#instances = new IndexedInstances(index, source);
    this.#places = new InstancePlaces(mesh, this.#instances);
    this.update();
  }

  /** Number of instances in the index. */
  get size(): number {
    return this.#isDisposed ? 0 : this.#instances.size;
  }

  /**
   * Brings the index up to date with instances that moved, came, went, were hidden or got another geometry, and with edits
   * of geometries. Moves count once three knows of them: `setMatrixAt` of a batch tells it, for an `InstancedMesh` set
   * `instanceMatrix.needsUpdate`. The constructor calls this.
   * @throws TypeError for an `instanceMatrix` without a Float32Array.
   */
  update(): void {
    const instances = this.#open('update');
    if (!isBatch(this.mesh)) checkMatrices(this.mesh, 'InstanceIndex.update');
    instances.update();
  }

  /**
   * Draws the instances of one geometry of a batch by levels of detail, from the next picture on: each with the first of
   * these geometries that it is large enough for on the screen, or the last. Its size is the diameter of the sphere around
   * all levels, in pixels of what is drawn to; it depends on how far the camera is, not on where it looks. The view that
   * shows it largest counts. A coarser level is taken up again only when the instance is a tenth smaller, so that none
   * flicker; each camera has its own levels. Shadows are those of what the last camera was shown.
   *
   * Queries and casts go by the instances' own geometries. While the mesh is drawn the index follows it.
   * @param levels From the finest to the coarsest, with falling sizes; the first is the geometry that instances were
   * given. A single level ends this for its geometry, an empty list for all.
   * @throws TypeError for an `InstancedMesh`, or what is no list of levels; RangeError for geometries that are not in the
   * batch, or sizes that do not fall; Error for a batch whose methods of drawing were replaced or are of another version.
   * If it throws, nothing has changed.
   */
  setLevels(levels: readonly InstanceLevel[]): void {
    this.#open('setLevels');
    this.#drawnByLevels('setLevels', (drawn) => drawn.set(levels));
  }

  /**
   * Instances of a batch that are smaller on the screen than so many pixels, by the size of {@link setLevels}, are not
   * drawn, though their shadows are. Default 0, which draws all.
   * @throws TypeError for an `InstancedMesh`; RangeError for what is no number from 0 on; Error as for levels.
   */
  get minPixels(): number {
    return this.#drawing?.levels.minPixels ?? 0;
  }

  set minPixels(pixels: number) {
    this.#open('minPixels');
    this.#drawnByLevels('minPixels', (drawn) => {
      drawn.minPixels = pixels;
    });
  }

  /**
   * The instances that the camera sees: those whose bounding spheres its frustum meets, as three culls a batch. Updates the
   * matrices of a camera with `matrixWorldAutoUpdate`. Ignores whether the mesh is visible and on a layer of the camera.
   */
  cull(camera: Camera, out: IdList = new IdList()): IdList {
    const instances = this.#open('cull');
    checkCamera(camera, 'InstanceIndex.cull');
    checkIds(out, 'InstanceIndex.cull.out');
    instances.cull(localFrusta(camera, this.mesh.matrixWorld), out);
    return out;
  }

  /** The instances whose bounds touch a box. An empty box touches none. */
  queryBox(box: Box3, out: IdList = new IdList()): IdList {
    this.#open('queryBox');
    checkBox3(box, 'InstanceIndex.queryBox');
    checkIds(out, 'InstanceIndex.queryBox.out');
    return this.#places.inBox(box, out);
  }

  /** The instances whose bounds touch a sphere. One with a negative radius touches none. */
  querySphere(sphere: Sphere, out: IdList = new IdList()): IdList {
    this.#open('querySphere');
    checkSphere(sphere, 'InstanceIndex.querySphere');
    checkIds(out, 'InstanceIndex.querySphere.out');
    return this.#places.inSphere(sphere.center, sphere.radius, out);
  }

  /** The instances in whose bounds a point lies. */
  queryPoint(point: Vector3, out: IdList = new IdList()): IdList {
    this.#open('queryPoint');
    checkVector3(point, 'InstanceIndex.queryPoint');
    checkIds(out, 'InstanceIndex.queryPoint.out');
    return this.#places.inSphere(point, 0, out);
  }

  /**
   * The `count` instances nearest to a point, nearest first; at the same distance lower ids come first.
   * @param count A whole number from 1, or Infinity for all.
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
    checkReach(maxDistance, 'InstanceIndex.nearest.maxDistance');
    return this.#places.nearest(point, count, maxDistance, out);
  }

  /**
   * All hits of a ray, nearest first: those of `raycaster.intersectObject(mesh, false)`, with `instanceId` or `batchId`.
   * Ignores the mesh's `boundingSphere`, which three tests first and does not keep up to date.
   */
  raycast(raycaster: Raycaster, out: Intersection<T>[] = []): Intersection<T>[] {
    const instances = this.#open('raycast');
    checkRaycaster(raycaster, 'InstanceIndex.raycast');
    checkList(out, 'InstanceIndex.raycast');
    out.length = 0;
    const { mesh } = this;
    if (!mesh.layers.test(raycaster.layers)) return out;
    const ids = idsOnRay(instances, mesh, raycaster);
    if (isBatch(mesh)) castBatched(mesh, ids, raycaster, out);
    else castInstanced(mesh, ids, raycaster, out);
    return out.sort((a, b) => a.distance - b.distance);
  }

  /** Leaves the mesh as it was, and empties the structure. All other methods throw from now on. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#drawing?.dispose();
    releaseIndex(this.#instances.index);
  }

  /** Changes how a batch is drawn; without levels it is left alone. */
  #drawnByLevels(method: string, change: (levels: BatchLevels) => void): void {
    const source = this.#source;
    if (!(source instanceof BatchedSource)) {
      throw new TypeError(`InstanceIndex.${method}: only a BatchedMesh has levels, this is an InstancedMesh`);
    }
    const drawing = this.#drawing ?? new LeveledDrawing(this.mesh as BatchedMesh, source, this.#instances);
    try {
      change(drawing.levels);
    } finally {
      const { isEmpty } = drawing.levels;
      this.#drawing = isEmpty ? null : drawing;
      if (isEmpty) drawing.dispose();
    }
  }

  #open(method: string): IndexedInstances {
    if (this.#isDisposed) throw new Error(`InstanceIndex.${method}: this index was disposed`);
    if (isBatch(this.mesh) && isDisposed(this.mesh)) {
      throw new Error(`InstanceIndex.${method}: the mesh was disposed`);
    }
    return this.#instances;
  }
}

function sourceOf(mesh: InstancedMesh | BatchedMesh): InstancedSource | BatchedSource {
  if (mesh === null || typeof mesh !== 'object') {
    throw new TypeError(`InstanceIndex.mesh: must be an InstancedMesh or a BatchedMesh, got ${inWords(mesh)}`);
  }
  if (isBatch(mesh)) {
    if (isKnownBatch(mesh)) return new BatchedSource(mesh);
    throw new Error('InstanceIndex.mesh: this version of three keeps the instances of a BatchedMesh otherwise');
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

function checkIds(list: IdList, where: string): void {
  if (!(list instanceof IdList)) throw new TypeError(`${where}: must be an IdList, got ${inWords(list)}`);
}
