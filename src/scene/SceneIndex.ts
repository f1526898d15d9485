import type { Box3, Camera, Frustum, Intersection, Line3, Object3D, Plane, Raycaster, Sphere, Vector3 } from 'three';
import type { QueryCounters, SpatialIndex, StructureName } from '../contract/SpatialIndex.js';
import { Hits } from '../core/Hits.js';
import { IdList } from '../core/ids.js';
import { checkCount, inWords, ownOptions, refuseOthers } from '../core/options.js';
import { Shape } from '../core/shapes/Shape.js';
import { MAX_PLANES } from '../core/shapes/Volume.js';
import { checkReach } from '../core/shapes/vectors.js';
import { Packed } from '../packed/Packed.js';
import { flattenPlanes, ofViewport } from './ask/cameraViews.js';
import {
  checkPoint,
  coordinatesOf,
  isNone,
  type ObjectContact,
  type ObjectDistance,
  sidesOf,
  toContact,
  writeHits,
  writeObjects,
} from './ask/results.js';
import { type CullOptions, readCullOptions } from './ask/SceneLimits.js';
import type { Entries } from './follow/Entries.js';
import type { SceneFollower } from './follow/SceneFollower.js';
import {
  checkBoolean,
  checkBox3,
  checkBox3Target,
  checkCamera,
  checkList,
  checkObject,
  checkPlanes,
  checkRaycaster,
  checkSphere,
  checkVector3,
} from './objects/checks.js';
import { rawOf } from './objects/ObjectRecord.js';
import { SceneParts } from './SceneParts.js';

/**
 * Options of a {@link SceneIndex}.
 *
 * @example
 * ```ts
 * import { createIndex, SceneIndex, type SceneIndexOptions } from 'three-scene-index';
 *
 * const options: SceneIndexOptions = { structure: createIndex('quadtree') };
 * const own = new SceneIndex(scene, options);
 * ```
 */
export interface SceneIndexOptions {
  /**
   * An empty index to hold the bounds. Default `new Packed()`; `createIndex(name)` makes one by name. The index belongs
   * to the `SceneIndex` until that is disposed or gets another structure: do not change its contents.
   */
  structure?: SpatialIndex;
}

/**
 * A spatial index over everything drawn below an object, usually the scene.
 *
 * Meshes, lines, points, sprites and LODs, the *drawables*, have one entry each with their world bounds; instanced
 * meshes, batched meshes and LODs have one as a whole. Objects that are added, removed or reparented anywhere below the
 * root are noticed immediately; moved objects are noticed by {@link update}. Queries answer for the scene as of the
 * last update, without objects removed since; added objects are found from the next update on.
 *
 * Queries by position and ray include hidden objects. Results are in no particular order unless they have a distance or
 * time. Lists given as `out` are overwritten.
 *
 * The scene is not changed, except for event listeners, and for the matrices that three itself would update.
 *
 * `T` is the type of the objects in results, for scenes that draw only such objects: `new SceneIndex<Mesh>(scene)`. The
 * type is not checked.
 *
 * @example
 * ```ts
 * import { Sphere } from 'three';
 * import { SceneIndex } from 'three-scene-index';
 *
 * const own = new SceneIndex(scene);
 * renderer.setAnimationLoop(() => {
 *   own.update();
 *   for (const object of own.querySphere(new Sphere(player.position, 10))) console.log(object.name);
 * });
 * ```
 */
export class SceneIndex<T extends Object3D = Object3D> {
  /** The object whose subtree is indexed. */
  readonly root: Object3D;
  readonly #parts: SceneParts;
  readonly #ids = new IdList();
  readonly #hits = new Hits();
  readonly #planes = new Float64Array(4 * MAX_PLANES);

  /**
   * @param root The object whose subtree is indexed, itself included.
   * @throws TypeError or RangeError for an invalid root or options, and for an object that lies below itself. Sealed
   * objects below the root are left out with a warning. After any exception, also one of an object's own methods,
   * nothing is followed.
   * @internal @param parts The parts that `accelerate` has made.
   */
  constructor(root: Object3D, options: SceneIndexOptions = {}, parts: SceneParts = makeParts(root, options)) {
    this.root = parts.follower.hierarchy.root;
    this.#parts = parts;
    partsBy.set(this, parts);
  }

  /** Name of the structure in use. */
  get structure(): StructureName {
    return this.#parts.entries.measured.structure;
  }

  /** Number of objects with an entry: drawables with bounds. */
  get size(): number {
    return this.#parts.isDisposed ? 0 : this.#parts.entries.index.size;
  }

  /** A number that grows with every change of the index: equal versions mean equal contents. */
  get version(): number {
    return this.#parts.entries.version;
  }

  /** Number of boxes that the last query tested. */
  get counters(): QueryCounters {
    return this.#parts.entries.measured.counters;
  }

  /**
   * Moves all entries to another structure, or to one with other options. The previous structure is emptied and free
   * for other uses.
   * @param structure An empty index, which belongs to the `SceneIndex` from now on.
   * @throws TypeError for anything but an index of this library, RangeError for one that is not empty or belongs to a
   * `SceneIndex` already. The `SceneIndex` is unchanged then.
   */
  setStructure(structure: SpatialIndex): void {
    this.#open('setStructure').entries.moveTo(structure);
  }

  /**
   * Brings the index up to date with the scene. An update finds new objects, and objects that moved or changed shape,
   * except static ones. It updates world matrices on the way, as `updateMatrixWorld` does. Call it once a frame, before
   * queries; the constructor has called it.
   */
  update(): void {
    this.#open('update').update();
  }

  /**
   * Shifts the whole index, for large worlds that move their origin. So they stay precise near the camera. Call it
   * in place of {@link update} after all objects were moved by x, y and z, for example by the position of a common
   * parent. Static objects follow too, and the structure keeps its quality, which it may lose when objects move one by
   * one. Objects that moved in another way are still found where they are.
   * @throws TypeError or RangeError unless all three are finite numbers.
   */
  translate(x: number, y: number, z: number): void {
    this.#open('translate').translate(x, y, z);
  }

  /** True for an object that is followed, drawn or not. False for all objects of a disposed index. */
  has(object: Object3D): boolean {
    return this.#parts.follower.hierarchy.recordOf(object) !== undefined;
  }

  /**
   * Adds an object and its descendants, or refreshes them if they are followed. A call is needed only after
   * {@link remove}, and for objects that are not below the root. Queries find the object after the next update.
   * @returns true if the object was new.
   */
  add(object: Object3D): boolean {
    const { follower } = this.#open('add');
    const isKnown = touch(follower, object, 'SceneIndex.add');
    if (!isKnown) follower.hierarchy.track(object);
    return !isKnown;
  }

  /**
   * Removes an object and its descendants from the index until {@link add}. The scene is not changed.
   * @returns false if the object was not followed.
   */
  remove(object: Object3D): boolean {
    const { hierarchy } = this.#open('remove').follower;
    checkObject(object, 'SceneIndex.remove');
    return hierarchy.untrack(hierarchy.recordOf(object)?.object ?? object);
  }

  /**
   * Makes the next update refresh an object and its descendants, static or not. Call it for changes that cannot be
   * noticed: a static object that moved, bounds declared anew, three's `static` flag.
   * @returns false if the object is not followed.
   */
  touch(object: Object3D): boolean {
    return touch(this.#open('touch').follower, object, 'SceneIndex.touch');
  }

  /**
   * Marks an object and its descendants static: updates skip them. A static object still follows when an ancestor
   * moves, and after {@link touch}. Objects added below a static one are static too.
   *
   * three's `static` flag of an object has the same effect. The flag is read when the object comes, and by
   * {@link touch}: the last change counts, be it of the mark or of the flag.
   * @param isStatic Default true.
   * @returns false if the object is not followed: then the mark applies once it is.
   */
  setStatic(object: Object3D, isStatic = true): boolean {
    const { follower } = this.#open('setStatic');
    checkObject(object, 'SceneIndex.setStatic');
    checkBoolean(isStatic, 'SceneIndex.setStatic.isStatic');
    return follower.setStatic(object, isStatic);
  }

  /** Copies the indexed world bounds of an object to `target`. Returns null for an object without an entry. */
  getBox(object: Object3D, target: Box3): Box3 | null {
    const { entries, follower } = this.#open('getBox');
    checkBox3Target(target, 'SceneIndex.getBox.target');
    // The index is read first: measuring may give the object an entry, or take the entry away.
    const { index } = entries;
    const id = follower.hierarchy.recordOf(object)?.id ?? -1;
    if (id < 0) return null;
    const box = index.getBox(id);
    target.min.fromArray(box);
    target.max.fromArray(box, 3);
    return target;
  }

  /** Returns the drawables whose bounds touch the box; none for an empty box. */
  queryBox(box: Box3, out: T[] = []): T[] {
    const { entries } = this.#open('queryBox');
    checkBox3(box, 'SceneIndex.queryBox');
    checkList(out, 'SceneIndex.queryBox');
    if (isNone(box)) this.#ids.length = 0;
    else entries.index.queryBox(sidesOf(box), this.#ids);
    return writeObjects(this.#ids, entries, out);
  }

  /** Returns the drawables whose bounds touch the sphere; none for an empty sphere. */
  querySphere(sphere: Sphere, out: T[] = []): T[] {
    const { entries } = this.#open('querySphere');
    checkSphere(sphere, 'SceneIndex.querySphere');
    const { center, radius } = sphere;
    checkPoint(center, 'SceneIndex.querySphere', 'center');
    checkList(out, 'SceneIndex.querySphere');
    if (radius < 0) this.#ids.length = 0;
    else entries.index.querySphere(center.x, center.y, center.z, radius, this.#ids);
    return writeObjects(this.#ids, entries, out);
  }

  /** Returns the drawables whose bounds contain or touch the point. */
  queryPoint(point: Vector3, out: T[] = []): T[] {
    const { entries } = this.#open('queryPoint');
    checkVector3(point, 'SceneIndex.queryPoint');
    checkList(out, 'SceneIndex.queryPoint');
    entries.index.queryPoint(point.x, point.y, point.z, this.#ids);
    return writeObjects(this.#ids, entries, out);
  }

  /** Returns the drawables whose bounds meet the frustum, tested like `Frustum.intersectsBox`. */
  queryFrustum(frustum: Frustum, out: T[] = []): T[] {
    const { entries } = this.#open('queryFrustum');
    const planes = frustum?.planes;
    if (!Array.isArray(planes) || planes.length !== 6) {
      throw new TypeError(`SceneIndex.queryFrustum: must be a Frustum, got ${inWords(frustum)}`);
    }
    return this.#within(entries, planes, 'SceneIndex.queryFrustum', out);
  }

  /**
   * Returns the drawables whose bounds are not wholly behind any of the planes. Tested like `Frustum.intersectsBox`.
   * @param planes At most 30; their normals point inwards. A plane that is NaN is ignored.
   */
  queryPlanes(planes: readonly Plane[], out: T[] = []): T[] {
    const { entries } = this.#open('queryPlanes');
    const where = 'SceneIndex.queryPlanes';
    if (!Array.isArray(planes)) throw new TypeError(`${where}: must be an array of planes, got ${inWords(planes)}`);
    if (planes.length > MAX_PLANES) {
      throw new RangeError(`${where}: at most ${MAX_PLANES} planes, got ${planes.length}`);
    }
    return this.#within(entries, planes, where, out);
  }

  #within(entries: Entries, planes: readonly Plane[], where: string, out: T[]): T[] {
    checkPlanes(planes, where);
    checkList(out, where);
    entries.index.queryPlanes(flattenPlanes(planes, this.#planes), this.#ids);
    return writeObjects(this.#ids, entries, out);
  }

  /** Returns the drawables whose bounds touch an `OrientedBox`, a `Capsule` or a `Sector`. */
  queryShape(shape: Shape, out: T[] = []): T[] {
    const { entries } = this.#open('queryShape');
    if (!(shape instanceof Shape)) {
      throw new TypeError(`SceneIndex.queryShape: must be a shape, got ${inWords(shape)}`);
    }
    checkList(out, 'SceneIndex.queryShape');
    entries.index.queryShape(shape, this.#ids);
    return writeObjects(this.#ids, entries, out);
  }

  /**
   * Returns the drawables nearest to a point, nearest first. For the nearest of one kind, ask for more until there are
   * enough of them, or keep that kind in an index of its own.
   * @param count Most results, a whole number from 1, or Infinity for all. Default 1.
   * @param maxDistance Largest distance of a result, in world units. Default Infinity.
   */
  nearest(
    point: Vector3,
    count = 1,
    maxDistance: number = Number.POSITIVE_INFINITY,
    out: ObjectDistance<T>[] = [],
  ): ObjectDistance<T>[] {
    const { entries } = this.#open('nearest');
    checkVector3(point, 'SceneIndex.nearest');
    checkReach(point.x, point.y, point.z, maxDistance, 'SceneIndex.nearest', 'point', 'distance');
    checkCount(count, 'SceneIndex.nearest');
    checkList(out, 'SceneIndex.nearest');
    entries.index.nearest(point.x, point.y, point.z, count, maxDistance, this.#hits);
    return writeHits(this.#hits, entries, out, (object: T, distance) => ({ object, distance }));
  }

  /** Returns the drawables whose bounds the segment meets, nearest to its start first. */
  querySegment(line: Line3, out: ObjectContact<T>[] = []): ObjectContact<T>[] {
    const { entries } = this.#open('querySegment');
    checkPoint(line?.start, 'SceneIndex.querySegment', 'start');
    checkPoint(line.end, 'SceneIndex.querySegment', 'end');
    checkList(out, 'SceneIndex.querySegment');
    entries.index.querySegment(coordinatesOf(line.start), coordinatesOf(line.end), this.#hits);
    return writeHits(this.#hits, entries, out, toContact<T>);
  }

  /**
   * Returns the drawables a camera sees, as the renderer decides it.
   *
   * The results are the drawables whose bounds meet the camera's frustum, or whose `frustumCulled` is false. They and
   * all their ancestors are visible, and their layers meet the camera's. The order is that of the entries.
   *
   * The options `minPixels` and `maxDistance` leave out small and distant objects; those of `accelerate` do not count.
   * @throws TypeError or RangeError for invalid arguments.
   */
  cull(camera: Camera, out?: T[]): T[];
  cull(camera: Camera, options?: CullOptions, out?: T[]): T[];
  cull(camera: Camera, given: T[] | CullOptions = [], out: T[] = Array.isArray(given) ? given : []): T[] {
    const parts = this.#open('cull');
    checkCamera(camera, 'SceneIndex.cull');
    const asked = Array.isArray(given) ? null : readCullOptions(given, 'SceneIndex.cull');
    checkList(out, 'SceneIndex.cull');
    const { neverCulled } = parts.follower.traits;
    const sizeOf = (view: Camera) => ofViewport(view, 1) ?? [Number.NaN, asked?.height ?? 0];
    const limited = asked && parts.limits.beginView(camera, asked, sizeOf, false);
    return parts.visibility.see(camera, parts.entries, neverCulled, out, limited) as T[];
  }

  /**
   * Returns all hits of a raycaster, nearest first. The hits are those of `raycaster.intersectObject(root)` for the
   * scene as of the last update, in identical order, by each object's own `raycast`.
   */
  raycast(raycaster: Raycaster, out: Intersection<T>[] = []): Intersection<T>[] {
    const { picker } = this.#open('raycast');
    checkRaycaster(raycaster, 'SceneIndex.raycast');
    checkList(out, 'SceneIndex.raycast');
    return picker.all(raycaster, out) as Intersection<T>[];
  }

  /** Returns the nearest hit of a raycaster, or null. Tests nearest bounds first, skips bounds behind the best hit. */
  raycastFirst(raycaster: Raycaster): Intersection<T> | null {
    const { picker } = this.#open('raycastFirst');
    checkRaycaster(raycaster, 'SceneIndex.raycastFirst');
    return picker.first(raycaster) as Intersection<T> | null;
  }

  /**
   * Detaches from the scene and restores it. Methods other than {@link has} throw afterwards, and `size` is 0. A second
   * `dispose` does nothing.
   */
  dispose(): void {
    this.#parts.dispose();
  }

  /** Returns the parts, unless the index was disposed. */
  #open(method: string): SceneParts {
    return this.#parts.open(`SceneIndex.${method}`);
  }
}

/** The parts of every index, disposed or not. */
const partsBy = new WeakMap<object, SceneParts>();

/** @throws TypeError for anything but a SceneIndex, Error for a disposed index. */
export function partsOf(index: SceneIndex, where: string, argument = 'index'): SceneParts {
  const parts = partsIn(index, where);
  if (parts === null) throw new TypeError(`${where}.${argument}: must be a SceneIndex, got ${inWords(index)}`);
  return parts;
}

/** The parts of an index, null for anything else; throws an Error for a disposed index. */
export function partsIn(index: unknown, where: string): SceneParts | null {
  return partsBy.get(index as object)?.open(where) ?? null;
}

function makeParts(root: Object3D, options: SceneIndexOptions): SceneParts {
  checkObject(root, 'SceneIndex.root');
  const { structure = new Packed(), ...others } = ownOptions(options, 'SceneIndex: options must be');
  refuseOthers(others, ['structure'], 'SceneIndex');
  return new SceneParts(rawOf(root), structure);
}

/** Makes the next update examine an object; false when the object is not followed. */
function touch(follower: SceneFollower, object: Object3D, where: string): boolean {
  checkObject(object, where);
  const record = follower.hierarchy.recordOf(object);
  if (record !== undefined) follower.touch(record);
  return record !== undefined;
}
