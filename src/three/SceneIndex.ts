import type { Box3, Camera, Frustum, Intersection, Object3D, Raycaster, Sphere, Vector3 } from 'three';
import { IdList } from '../core/IdList.js';
import type { IndexOptions, StructureName } from '../structures/createIndex.js';
import type { IndexStats, NodeView, QueryCounters } from '../structures/SpatialIndex.js';
import { frustumPlanes } from './cameraPlanes.js';
import { Entries } from './Entries.js';
import { Picker } from './Picker.js';
import { SceneFollower } from './SceneFollower.js';
import type { Flags, Tracked } from './Tracked.js';
import { Visibility } from './Visibility.js';

/** Options of a {@link SceneIndex}. */
export interface SceneIndexOptions extends IndexOptions {
  /** The structure of the index. Default 'looseOctree'. */
  structure?: StructureName;
}

/** What `classify` fills. Arrays are overwritten. */
export interface Classification {
  /** Objects whose bounds lie in the frustum as a whole. */
  inside: Object3D[];
  /** Objects whose bounds the border of the frustum cuts, and those outside that have `frustumCulled` false. */
  intersecting: Object3D[];
  /** All others that have bounds: out of view, hidden, or on other layers. Costs time for each; leave it out if you can. */
  culled?: Object3D[];
}

/** Size and shape of a {@link SceneIndex}. */
export interface SceneIndexStats extends IndexStats {
  /** Objects followed, groups and other things that are not drawn included. */
  tracked: number;
  /** Objects looked at by each `update`. */
  dynamic: number;
  /** Objects in no result because their bounds are NaN. */
  quarantined: number;
}

/**
 * A spatial index over all that is drawn below an object, the scene as a rule.
 *
 * Meshes, lines, points, sprites and LODs each have one entry with their world bounds, instanced and batched meshes and
 * LODs as a whole. What is added, removed or moved to another parent anywhere below the root is noticed by itself; what
 * moves is noticed by {@link update}. Queries answer for the scene as of the last update, less what was removed since.
 *
 * Nothing of the scene is changed but for listeners, and the matrices that three itself would update.
 */
export class SceneIndex {
  readonly root: Object3D;
  readonly #entries: Entries;
  readonly #follower: SceneFollower;
  readonly #picker: Picker;
  readonly #visibility = new Visibility();
  readonly #ids = new IdList();
  readonly #planes = new Float64Array(24);
  #structure: StructureName;
  #replaced = 0;
  #disposed = false;

  /**
   * @param root The object whose subtree is indexed; it is part of it.
   * @throws TypeError or RangeError for a root or options that are not legal.
   */
  constructor(root: Object3D, options: SceneIndexOptions = {}) {
    checkObject(root, 'SceneIndex.root');
    if (options === null || typeof options !== 'object') {
      throw new TypeError(`SceneIndex.options: must be an object, got ${String(options)}`);
    }
    // A copy has own properties only.
    const { structure = 'looseOctree', ...rest } = { ...options };
    this.root = root;
    this.#structure = structure;
    this.#entries = new Entries(structure, rest);
    this.#follower = new SceneFollower(root, this.#entries);
    this.#picker = new Picker(this.#follower.tracker, this.#follower.traits, this.#entries);
    this.update();
  }

  /** Name of the structure in use. */
  get structure(): StructureName {
    return this.#structure;
  }

  /** Number of objects with an entry: those that are drawn and have bounds. */
  get size(): number {
    return this.#entries.index.size;
  }

  /** Changes with every change of the index; equal versions mean equal contents. */
  get version(): number {
    return this.#entries.index.version + this.#replaced;
  }

  /** Cost of the last query. */
  get counters(): QueryCounters {
    return this.#entries.index.counters;
  }

  /**
   * Puts all entries into another structure, or the same with other options; what is left out takes its default.
   * @throws RangeError or TypeError, with everything as it was, for a name or options that are not legal.
   */
  setStructure(structure: StructureName, options: IndexOptions = {}): void {
    this.#check('setStructure');
    const { version } = this;
    this.#entries.replace(structure, options);
    this.#structure = structure;
    this.#replaced = version + 1;
  }

  /**
   * Brings the index up to date with the scene: what came since the last time, and what moved or changed its shape among
   * the objects that are not static. World matrices are updated on the way, as `updateMatrixWorld` would. Call it once a
   * frame, before queries; right after construction it has been called.
   */
  update(): void {
    this.#check('update');
    this.#follower.update();
  }

  /** True for an object that is followed, drawn or not. */
  has(object: Object3D): boolean {
    return this.#follower.tracker.records.has(object);
  }

  /**
   * Takes in an object and all below it, or looks at them again when they are followed already. Needed only after
   * {@link remove}, and for objects that are not below the root. Shows in queries after the next update.
   * @returns true when the object was new.
   */
  add(object: Object3D): boolean {
    this.#check('add');
    checkObject(object, 'SceneIndex.add');
    const { tracker } = this.#follower;
    const record = tracker.records.get(object);
    if (record) this.#follower.touch(record);
    else tracker.track(object);
    return record === undefined;
  }

  /**
   * Leaves out an object and all below it, from now on and until {@link add}, whether it stays in the scene or not.
   * @returns false when it was not followed.
   */
  remove(object: Object3D): boolean {
    this.#check('remove');
    checkObject(object, 'SceneIndex.remove');
    return this.#follower.tracker.untrack(object);
  }

  /**
   * Has the next update look again at an object and all below it, static or not. For what cannot be noticed: a static
   * object that moved after all, bounds declared anew, a sprite whose centre changed.
   * @returns false when the object is not followed.
   */
  touch(object: Object3D): boolean {
    this.#check('touch');
    checkObject(object, 'SceneIndex.touch');
    const record = this.#follower.tracker.records.get(object);
    if (record) this.#follower.touch(record);
    return record !== undefined;
  }

  /**
   * Declares an object and all that is below it to be at rest: it costs nothing per update. It follows when something
   * above it moves, or after {@link touch}. Objects with three's `static` flag set are at rest from the start, and so is
   * what is added below an object at rest.
   * @returns false when the object is not followed.
   */
  static(object: Object3D, isStatic = true): boolean {
    this.#check('static');
    checkObject(object, 'SceneIndex.static');
    const record = this.#follower.tracker.records.get(object);
    if (record) this.#follower.setStatic(record, isStatic);
    return record !== undefined;
  }

  /**
   * What the camera sees, in the order in which entries were made: all drawables whose bounds meet its frustum, and those
   * with `frustumCulled` false, if they and all above them are visible and their layers meet the camera's.
   * @param out Overwritten.
   */
  cull(camera: Camera, out: Object3D[] = []): Object3D[] {
    this.#check('cull');
    checkCamera(camera, 'SceneIndex.cull');
    const { neverCulled } = this.#follower.traits;
    const visibility = this.#visibility;
    visibility.cull(this.#entries.index, camera, neverCulled);
    visibility.begin();
    let n = this.#putShown(visibility.intersecting, camera, -1, out);
    // Some have no bounds, so no id.
    for (const record of neverCulled) if (record.id < 0 && visibility.isShown(record, camera)) out[n++] = record.object;
    out.length = n;
    return out;
  }

  /** Sorts all drawables with bounds by what the camera sees of them; the lists are in the order of {@link cull}. */
  classify(camera: Camera, target: Classification): void {
    this.#check('classify');
    checkCamera(camera, 'SceneIndex.classify');
    const { inside, intersecting, culled } = target;
    if (!Array.isArray(inside) || !Array.isArray(intersecting)) {
      throw new TypeError('SceneIndex.classify: the target must have the arrays inside and intersecting');
    }
    const visibility = this.#visibility;
    visibility.classify(this.#entries.index, camera, this.#follower.traits.neverCulled);
    const begun = visibility.begin();
    const round = culled === undefined ? -1 : begun;
    inside.length = this.#putShown(visibility.inside, camera, round, inside);
    intersecting.length = this.#putShown(visibility.intersecting, camera, round, intersecting);
    if (culled === undefined) return;
    let n = 0;
    for (const record of this.#entries.byId) if (record && record.seenIn !== round) culled[n++] = record.object;
    culled.length = n;
  }

  /**
   * All hits of a raycaster, nearest first: what `raycaster.intersectObject(root)` gives for the scene as of the last
   * update, the same intersections in the same order, by each object's own `raycast`.
   * @param out Overwritten.
   */
  raycast(raycaster: Raycaster, out: Intersection[] = []): Intersection[] {
    this.#check('raycast');
    checkRaycaster(raycaster, 'SceneIndex.raycast');
    return this.#picker.all(raycaster, out);
  }

  /** The first of these hits, or null: nearest bounds are tried first, and what lies behind the best hit is not. */
  raycastFirst(raycaster: Raycaster): Intersection | null {
    this.#check('raycastFirst');
    checkRaycaster(raycaster, 'SceneIndex.raycastFirst');
    return this.#picker.first(raycaster);
  }

  /** Drawables whose bounds touch the box, hidden ones included; none for an empty box. */
  queryBox(box: Box3, out: Object3D[] = []): Object3D[] {
    this.#check('queryBox');
    if (box?.isBox3 !== true) throw new TypeError(`SceneIndex.queryBox: must be a Box3, got ${String(box)}`);
    const { min, max } = box;
    checkNumbers('SceneIndex.queryBox', min.x, min.y, min.z, max.x, max.y, max.z);
    if (box.isEmpty()) this.#ids.length = 0;
    else this.#entries.index.box([min.x, min.y, min.z, max.x, max.y, max.z], this.#ids);
    return this.#objects(out);
  }

  /** Drawables whose bounds touch the ball, hidden ones included; none for an empty sphere. */
  querySphere(sphere: Sphere, out: Object3D[] = []): Object3D[] {
    this.#check('querySphere');
    if (sphere?.isSphere !== true)
      throw new TypeError(`SceneIndex.querySphere: must be a Sphere, got ${String(sphere)}`);
    const { center, radius } = sphere;
    checkNumbers('SceneIndex.querySphere', center.x, center.y, center.z, radius);
    if (sphere.isEmpty()) this.#ids.length = 0;
    else this.#entries.index.sphere(center.x, center.y, center.z, radius, this.#ids);
    return this.#objects(out);
  }

  /** Drawables whose bounds meet the frustum as by `Frustum.intersectsBox`, hidden ones included. */
  queryFrustum(frustum: Frustum, out: Object3D[] = []): Object3D[] {
    this.#check('queryFrustum');
    if (!Array.isArray(frustum?.planes) || frustum.planes.length !== 6) {
      throw new TypeError(`SceneIndex.queryFrustum: must be a Frustum, got ${String(frustum)}`);
    }
    this.#entries.index.frustum(frustumPlanes(frustum, this.#planes), this.#ids);
    return this.#objects(out);
  }

  /** Drawables whose bounds touch the point, hidden ones included. */
  queryPoint(point: Vector3, out: Object3D[] = []): Object3D[] {
    this.#check('queryPoint');
    if (point?.isVector3 !== true)
      throw new TypeError(`SceneIndex.queryPoint: must be a Vector3, got ${String(point)}`);
    checkNumbers('SceneIndex.queryPoint', point.x, point.y, point.z);
    this.#entries.index.point(point.x, point.y, point.z, this.#ids);
    return this.#objects(out);
  }

  /** Copies the world bounds in the index of an object; null for one without an entry. */
  getBox(object: Object3D, target: Box3): Box3 | null {
    this.#check('getBox');
    const record = this.#follower.tracker.records.get(object);
    if (record === undefined || record.id < 0) return null;
    const [minX, minY, minZ, maxX, maxY, maxZ] = this.#entries.index.getBox(record.id);
    target.min.set(minX, minY, minZ);
    target.max.set(maxX, maxY, maxZ);
    return target;
  }

  /** Calls `visit` for every node of the structure, parents before children; for drawing. */
  forEachNode(visit: (node: NodeView) => void): void {
    this.#check('forEachNode');
    this.#entries.index.forEachNode(visit);
  }

  /** Size and shape, counted anew at each call. */
  stats(): SceneIndexStats {
    this.#check('stats');
    return {
      ...this.#entries.index.stats(),
      tracked: this.#follower.tracker.records.size,
      dynamic: this.#follower.dynamicCount,
      quarantined: this.#entries.quarantined,
    };
  }

  /** Problems found in the inner state, in words; empty when healthy. Slow: for tests. */
  validate(): string[] {
    this.#check('validate');
    return [...this.#entries.index.validate(), ...this.#entries.validate(this.#follower.tracker)];
  }

  /** Lets go of the scene, which is as it was before. Any other call after this throws; a second `dispose` does not. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#follower.dispose();
    this.#entries.clear();
  }

  /** Writes the shown of these entries to `out`, marks them as seen in a round that is not -1, and returns their number. */
  #putShown(ids: IdList, camera: Camera, round: number, out: Object3D[]): number {
    const { byId } = this.#entries;
    let n = 0;
    for (let i = 0; i < ids.length; i++) {
      const record = byId[ids.ids[i]] as Tracked;
      if (!this.#visibility.isShown(record, camera)) continue;
      if (round >= 0) record.seenIn = round;
      out[n++] = record.object;
    }
    return n;
  }

  #objects(out: Object3D[]): Object3D[] {
    const { byId } = this.#entries;
    const { ids, length } = this.#ids;
    for (let i = 0; i < length; i++) out[i] = (byId[ids[i]] as Tracked).object;
    out.length = length;
    return out;
  }

  #check(method: string): void {
    if (this.#disposed) throw new Error(`SceneIndex.${method}: the index was disposed`);
  }
}

function checkObject(object: Object3D, where: string): void {
  if ((object as Flags | null)?.isObject3D !== true) {
    throw new TypeError(`${where}: must be an Object3D, got ${String(object)}`);
  }
}

function checkNumbers(where: string, ...numbers: number[]): void {
  if (numbers.some(Number.isNaN)) throw new RangeError(`${where}: nothing may be NaN, got ${numbers.join(' ')}`);
}

function checkCamera(camera: Camera, where: string): void {
  if (camera?.isCamera !== true) throw new TypeError(`${where}: must be a Camera, got ${String(camera)}`);
}

function checkRaycaster(raycaster: Raycaster, where: string): void {
  if (raycaster?.ray === undefined || raycaster.layers === undefined) {
    throw new TypeError(`${where}: must be a Raycaster, got ${String(raycaster)}`);
  }
}
