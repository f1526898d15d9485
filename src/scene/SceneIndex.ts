import type { Box3, Camera, Frustum, Intersection, Line3, Object3D, Plane, Raycaster, Sphere, Vector3 } from 'three';
import type { QueryCounters, SpatialIndex, StructureName } from '../contract/SpatialIndex.js';
import { inWords, ownOptions, type Ranges, readOptions, refuseOthers } from '../core/options.js';
import type { Shape } from '../core/shapes/Volume.js';
import { Packed } from '../packed/Packed.js';
import type { ObjectContact, ObjectDistance } from './ask/BoundsQueries.js';
import type { SceneFollower } from './follow/SceneFollower.js';
import {
  checkBoolean,
  checkBox3Target,
  checkCamera,
  checkList,
  checkObject,
  checkRaycaster,
} from './objects/checks.js';
import { type PartsSource, SceneParts } from './SceneParts.js';

/** Options of a {@link SceneIndex}. */
export interface SceneIndexOptions {
  /**
   * The structure that holds the bounds: an empty index, which belongs to the `SceneIndex` until that is disposed or
   * gets another. Default `new Packed()`; `createIndex(name)` makes one by name.
   */
  structure?: SpatialIndex;
  /**
   * Updates without a change after which an object rests: from then on only every eighth update looks at it, until it
   * changes. Default Infinity: each update looks at all objects that are not static. At 60 updates a second, 60 lets
   * rest what has not moved for a second.
   *
   * The price is a delay: when an object at rest moves, or is given another geometry, parent or flag, that shows in
   * pictures and queries at most seven updates later, so in the eighth frame at the latest. From then on it is followed
   * in each. What moves with something above it moves in the same update as that; vertices that change in place, `touch`,
   * what comes and what goes are noticed as ever. Not for pictures that are drawn on demand, as the update that would
   * show it may not come.
   */
  restAfter?: number;
}

/**
 * A spatial index over everything drawn below an object, usually the scene.
 *
 * Meshes, lines, points, sprites and LODs, the *drawables*, each have one entry with their world bounds; instanced and
 * batched meshes and LODs have one as a whole. Objects that are added, removed or moved to another parent anywhere
 * below the root are noticed at once; objects that move are noticed by {@link update}. Queries answer for the scene as
 * of the last update, without what was removed since.
 *
 * `T` is the type of the objects in results, for scenes in which only such are drawn: `new SceneIndex<Mesh>(scene)`. It is
 * taken at your word.
 *
 * Queries by place and ray include hidden objects. Results are in no particular order unless they have a distance or
 * time. Lists given as `out` are overwritten.
 *
 * The scene is not changed, except for listeners and the matrices that three itself would update.
 */
export class SceneIndex<T extends Object3D = Object3D> {
  /** The object whose subtree is indexed. */
  readonly root: Object3D;
  readonly #source: PartsSource;

  /**
   * @param root The object whose subtree is indexed; it is part of it.
   * @throws TypeError or RangeError for an invalid root or options, for an object below the root that is not
   * extensible, or one that lies below itself. Whatever is thrown, by objects' own methods too, nothing is followed
   * then.
   * @internal @param source Given by `accelerate`, whose index has no parts while it stands by.
   */
  constructor(root: Object3D, options: SceneIndexOptions = {}, source: PartsSource = makeParts(root, options)) {
    this.root = root;
    this.#source = source;
    sources.set(this, source);
  }

  /** Name of the structure in use. */
  get structure(): StructureName {
    return this.#parts.entries.measured.structure;
  }

  /** Number of objects with an entry: those that are drawn and have bounds. */
  get size(): number {
    return this.#parts.isDisposed ? 0 : this.#parts.entries.index.size;
  }

  /** Changes with every change of the index; equal versions mean equal contents. */
  get version(): number {
    return this.#parts.entries.version;
  }

  /** Cost of the last query. */
  get counters(): QueryCounters {
    return this.#parts.entries.measured.counters;
  }

  /**
   * Moves all entries to another structure, or to one of the same kind with other options. The previous one is empty
   * then, and free for other uses.
   * @param structure An empty index, which belongs to the `SceneIndex` from now on.
   * @throws TypeError unless it is an index of this library, RangeError when it is not empty or belongs to a
   * `SceneIndex` already; nothing has changed then.
   */
  setStructure(structure: SpatialIndex): void {
    this.#open('setStructure').entries.moveTo(structure);
  }

  /**
   * Brings the index up to date with the scene: finds what came, and which objects that are not static moved or
   * changed their shape. World matrices are updated on the way, as by `updateMatrixWorld`. Call it once a frame, before
   * queries; the constructor has called it.
   */
  update(): void {
    this.#open('update').update();
  }

  /**
   * Shifts the whole index, for large worlds that move their origin to stay exact near the camera. Call it in place of
   * {@link update} after all objects have been moved by x, y and z, for example by the position of a common parent.
   * Static objects follow as well, and the structure keeps its quality, which it may lose when everything moves object
   * by object. Objects that did not move that way are found where they are all the same.
   * @throws TypeError or RangeError unless the three are finite numbers.
   */
  translate(x: number, y: number, z: number): void {
    this.#open('translate').translate(x, y, z);
  }

  /** True for an object that is followed, drawn or not; false for all once the index is disposed. */
  has(object: Object3D): boolean {
    return this.#parts.follower.hierarchy.records.has(object);
  }

  /**
   * Adds an object and all below it, or refreshes them when they are followed already. Needed only after
   * {@link remove}, and for objects that are not below the root. Shows in queries after the next update.
   * @returns true when the object was new.
   */
  add(object: Object3D): boolean {
    const { follower } = this.#open('add');
    const isKnown = touch(follower, object, 'SceneIndex.add');
    if (!isKnown) follower.hierarchy.track(object);
    return !isKnown;
  }

  /**
   * Removes an object and all below it from the index until {@link add}, whether it stays in the scene or not.
   * @returns false when it was not followed.
   */
  remove(object: Object3D): boolean {
    const { hierarchy } = this.#open('remove').follower;
    checkObject(object, 'SceneIndex.remove');
    return hierarchy.untrack(object);
  }

  /**
   * Has the next update refresh an object and all below it, static or not. For changes that cannot be noticed: a static
   * object that moved after all, bounds declared anew, a sprite whose centre changed.
   * @returns false when the object is not followed.
   */
  touch(object: Object3D): boolean {
    return touch(this.#open('touch').follower, object, 'SceneIndex.touch');
  }

  /**
   * Marks an object and all below it static: updates skip it. It follows when something above it moves, or after
   * {@link touch}. Objects added below a static one are static as well.
   *
   * Setting three's `static` flag of an object marks it from the next update on, and clearing it ends that: each update
   * reads the flags of those that have it, some nanoseconds each. The last change counts, be it of the mark or of the flag.
   * @returns false when the object is not followed: the mark is kept for when it comes.
   */
  setStatic(object: Object3D, isStatic = true): boolean {
    const { follower } = this.#open('setStatic');
    checkObject(object, 'SceneIndex.setStatic');
    checkBoolean(isStatic, 'SceneIndex.setStatic.isStatic');
    return follower.setStatic(object, isStatic);
  }

  /** Copies the indexed world bounds of an object to `target`; null for an object without an entry. */
  getBox(object: Object3D, target: Box3): Box3 | null {
    const { entries, follower } = this.#open('getBox');
    checkBox3Target(target, 'SceneIndex.getBox.target');
    // Read first: measuring may give the object an entry, or take it away.
    const { index } = entries;
    const id = follower.hierarchy.records.get(object)?.id ?? -1;
    if (id < 0) return null;
    const box = index.getBox(id);
    target.min.fromArray(box);
    target.max.fromArray(box, 3);
    return target;
  }

  /** Drawables whose bounds touch the box; none for an empty box. */
  queryBox(box: Box3, out: T[] = []): T[] {
    return this.#open('queryBox').bounds.queryBox(box, out);
  }

  /** Drawables whose bounds touch the sphere or lie in it; none for an empty sphere. */
  querySphere(sphere: Sphere, out: T[] = []): T[] {
    return this.#open('querySphere').bounds.querySphere(sphere, out);
  }

  /** Drawables whose bounds touch the point. */
  queryPoint(point: Vector3, out: T[] = []): T[] {
    return this.#open('queryPoint').bounds.queryPoint(point, out);
  }

  /** Drawables whose bounds meet the frustum, by the test of `Frustum.intersectsBox`. */
  queryFrustum(frustum: Frustum, out: T[] = []): T[] {
    return this.#open('queryFrustum').bounds.queryFrustum(frustum, out);
  }

  /**
   * Drawables whose bounds are not wholly behind one of the planes, by the test of `Frustum.intersectsBox`.
   * @param planes At most 30; their normals point inwards. A plane that is NaN is ignored.
   */
  queryPlanes(planes: readonly Plane[], out: T[] = []): T[] {
    return this.#open('queryPlanes').bounds.queryPlanes(planes, out);
  }

  /** Drawables whose bounds touch the shape: an `OrientedBox`, a `Capsule` or a `Sector`. */
  queryShape(shape: Shape, out: T[] = []): T[] {
    return this.#open('queryShape').bounds.queryShape(shape, out);
  }

  /**
   * The drawables nearest to a point, nearest first. For the nearest of one kind ask for more until there are enough of
   * them, or keep them in an index of their own.
   * @param count How many at most, a whole number from 1.
   * @param maxDistance How far away at most, in world units.
   */
  nearest(
    point: Vector3,
    count = 1,
    maxDistance: number = Number.POSITIVE_INFINITY,
    out: ObjectDistance<T>[] = [],
  ): ObjectDistance<T>[] {
    return this.#open('nearest').bounds.nearest(point, count, maxDistance, out);
  }

  /** Drawables whose bounds the segment meets, in that order. */
  querySegment(line: Line3, out: ObjectContact<T>[] = []): ObjectContact<T>[] {
    return this.#open('querySegment').bounds.querySegment(line, out);
  }

  /**
   * What the camera sees: all drawables whose bounds meet its frustum, and those with `frustumCulled` false, if they
   * and all above them are visible and their layers meet the camera's. In the order in which entries were made.
   */
  cull(camera: Camera, out: T[] = []): T[] {
    const { visibility, entries, follower } = this.#open('cull');
    checkCamera(camera, 'SceneIndex.cull');
    checkList(out, 'SceneIndex.cull');
    return visibility.see(camera, entries, follower.traits.neverCulled, out) as T[];
  }

  /**
   * All hits of a raycaster, nearest first: the intersections that `raycaster.intersectObject(root)` returns for the
   * scene as of the last update, in the same order, by each object's own `raycast`.
   */
  raycast(raycaster: Raycaster, out: Intersection<T>[] = []): Intersection<T>[] {
    const { picker } = this.#open('raycast');
    checkRaycaster(raycaster, 'SceneIndex.raycast');
    checkList(out, 'SceneIndex.raycast');
    return picker.all(raycaster, out) as Intersection<T>[];
  }

  /** The nearest hit, or null: nearest bounds are tried first, and what lies behind the best hit is skipped. */
  raycastFirst(raycaster: Raycaster): Intersection<T> | null {
    const { picker } = this.#open('raycastFirst');
    checkRaycaster(raycaster, 'SceneIndex.raycastFirst');
    return picker.first(raycaster) as Intersection<T> | null;
  }

  /**
   * Detaches from the scene and restores it. Methods other than {@link has} throw after this, properties tell of an empty
   * index; a second `dispose` does nothing.
   */
  dispose(): void {
    this.#source.dispose();
  }

  get #parts(): SceneParts {
    return this.#source.parts;
  }

  /** The parts, unless the index was disposed. */
  #open(method: string): SceneParts {
    return this.#source.open(`SceneIndex.${method}`);
  }
}

/** Of every index, disposed of or not. */
const sources = new WeakMap<object, PartsSource>();

/**
 * The parts of an index, for functions and classes beside it.
 * @throws TypeError unless it is a SceneIndex, Error when it was disposed.
 */
export function partsOf(index: SceneIndex, where: string, argument = 'index'): SceneParts {
  const parts = partsIn(index, where);
  if (parts === null) throw new TypeError(`${where}.${argument}: must be a SceneIndex, got ${inWords(index)}`);
  return parts;
}

/** The parts of an index for a cast that could do without; see `PartsSource`. */
export function partsForCast(index: SceneIndex, isLarge: boolean): SceneParts | null {
  return sources.get(index)?.forCast(isLarge) ?? null;
}

/**
 * The parts of an index, or null for anything else.
 * @throws Error when it was disposed.
 */
export function partsIn(index: unknown, where: string): SceneParts | null {
  return sources.get(index as object)?.open(where) ?? null;
}

function makeParts(root: Object3D, options: SceneIndexOptions): SceneParts {
  checkObject(root, 'SceneIndex.root');
  const { structure = new Packed(), restAfter, ...others } = ownOptions(options, 'SceneIndex: options are');
  refuseOthers(others, ['structure', 'restAfter'], 'SceneIndex');
  const rest = readOptions({ restAfter }, REST, 'SceneIndex', REST_RANGE);
  const parts = new SceneParts(root, structure);
  parts.follower.restAfter = rest.restAfter;
  return parts;
}

/** No object rests. */
export const REST: { restAfter: number } = { restAfter: Number.POSITIVE_INFINITY };
export const REST_RANGE: Ranges = { restAfter: { min: 1, max: Number.POSITIVE_INFINITY } };

/** Has the next update examine an object; false when it is not followed. */
function touch(follower: SceneFollower, object: Object3D, where: string): boolean {
  checkObject(object, where);
  const record = follower.hierarchy.records.get(object);
  if (record !== undefined) follower.touch(record);
  return record !== undefined;
}
