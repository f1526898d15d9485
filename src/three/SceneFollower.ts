import type { BufferGeometry, Object3D } from 'three';
import type { Entries } from './Entries.js';
import { forgetGeometryBounds } from './geometryBounds.js';
import { forgetInstanceBounds } from './instanceBounds.js';
import { Motion } from './Motion.js';
import { RestingObjects } from './RestingObjects.js';
import type { Flags, Tracked } from './Tracked.js';
import { Tracker } from './Tracker.js';
import { Traits } from './Traits.js';
import { geometryOf } from './worldBounds.js';

/**
 * Keeps the entries in step with the scene: what came, what went (at once), what moved, what was declared at rest.
 *
 * Everything is looked at once when it comes. After that an update looks at the objects that may move and, of those at
 * rest, at the ones that were touched or whose parent moved. All matrices are brought up to date before any bounds are
 * taken, for the bones of a skinned mesh may come after it.
 */
export class SceneFollower {
  readonly tracker: Tracker;
  readonly traits: Traits = new Traits();
  readonly #entries: Entries;
  readonly #motion: Motion;
  /** Came since the last update. A set, as what came may go again before it. */
  readonly #fresh = new Set<Tracked>();
  readonly #resting: RestingObjects;
  /** Entries whose bounds may have changed, each once, as its flag tells; one without the flag was forgotten. */
  readonly #dirty: Tracked[] = [];
  /** LODs of which parts came, went or changed: their traits are to be looked at. */
  readonly #altered = new Set<Tracked>();
  /** Objects whose children, or parents, are others than those that were told of. */
  readonly #changedByHand = new Set<Tracked>();
  /** Entries with skinned meshes: their bounds depend on bones anywhere, followed or not. */
  readonly #skinned = new Set<Tracked>();
  /** Told of every entry that is taken in. */
  onTake: ((object: Object3D) => void) | null = null;
  /** Told of every followed object that gets a child. */
  onChild: ((parent: Object3D) => void) | null = null;
  /** Told of every object that is followed no longer. */
  onForget: ((object: Object3D) => void) | null = null;
  /** A bone came, moved or was touched, so that skinned meshes at rest are to be looked at as well. */
  #bonesMoved = false;

  constructor(root: Object3D, entries: Entries) {
    this.#entries = entries;
    this.tracker = new Tracker(root, {
      tracked: (record) => {
        this.#fresh.add(record);
        this.#motion.add(record);
        forgetInstanceBounds(record.object);
      },
      untracked: (record) => this.#forget(record),
      childAdded: (parent) => {
        this.#entries.leaves.remove(parent.id);
        this.onChild?.(parent.object);
      },
      childCounted: (parent, more) => this.#motion.countChildren(parent, more),
    });
    this.#motion = new Motion(this.tracker);
    this.#resting = new RestingObjects(this.tracker, this.#motion);
    this.tracker.track(root);
  }

  /** Number of objects that every update looks at. */
  get dynamicCount(): number {
    return this.#motion.size;
  }

  /** Has an object, and all below it, looked at by the next update. */
  touch(record: Tracked): void {
    this.#resting.touched.add(record);
  }

  /** Declares an object and all below it to be at rest, or not to be. */
  setStatic(record: Tracked, isStatic: boolean): void {
    const { parent } = record;
    if (parent && !parent.isStatic && record.isStatic !== isStatic) parent.staticChildren += isStatic ? 1 : -1;
    for (const below of this.tracker.subtree(record.object)) {
      below.isStatic = isStatic;
      below.staticChildren = 0;
      if (isStatic) this.#motion.remove(below);
      else this.#motion.add(below);
    }
    this.#resting.touched.add(record);
  }

  /** @param force Whether the root's world matrix is to be made anew whatever its flags say. */
  update(force: boolean): void {
    const top = this.tracker.records.get(this.tracker.root);
    // Whatever moved the root meanwhile may have moved what lies below it and not back.
    if (top !== undefined && this.#motion.isStrayed(top)) this.#resting.wake(top);
    // Before the pass, for the order of three's walk; children of what had none show in the pass.
    for (const record of this.tracker.parents) {
      if (!this.#motion.hasToldChildren(record)) this.tracker.reconcile(record);
    }
    if (this.#resting.touched.size > 0) {
      for (const record of this.#resting.touched) if (hasOtherParent(record)) this.tracker.reconcile(record);
      for (const record of this.#resting.touched) this.#resting.wake(record);
    }
    this.#motion.run(this.#look, force);
    if (this.#changedByHand.size > 0) this.#reconcile();
    if (this.#resting.touched.size > 0) this.#lookAtTouched();
    if (this.#fresh.size > 0) this.#takeFresh();
    this.#resting.letRest();
    if (this.#altered.size > 0) this.#lookAtAltered();
    for (const record of this.#skinned) if (this.#bonesMoved || !record.isStatic) this.#spoil(record);
    this.#bonesMoved = false;
    while (this.#dirty.length > 0) {
      const record = this.#dirty[this.#dirty.length - 1];
      if (record.isDirty) this.#entries.refresh(record);
      // Only now, so that what is left after an exception is seen to by the next update.
      record.isDirty = false;
      this.#dirty.pop();
    }
    this.#entries.age();
  }

  /** Takes in what came since the last update by the matrices it has, so that a pass that comes before the next meets it. */
  takeEarly(): void {
    if (this.#fresh.size === 0) return;
    const entries = new Set<Tracked>();
    for (const record of this.#fresh) {
      this.#lookAtTraits(record);
      if (record.unit !== null) entries.add(record.unit);
    }
    this.#lookAtAltered();
    this.#entries.addAll([...entries]);
  }

  dispose(): void {
    this.tracker.dispose();
    this.#motion.clear();
    this.#resting.clear();
    for (const set of [this.#fresh, this.#changedByHand, this.#altered, this.#skinned]) set.clear();
    this.#dirty.length = 0;
    this.traits.clear();
  }

  /** One object that may move, after its matrices were updated. */
  readonly #look = (record: Tracked, moved: boolean): void => {
    if (hasOtherParent(record) || !this.#motion.hasToldChildren(record)) this.#changedByHand.add(record);
    // What is new is looked at as a whole when all have their matrices.
    if (this.#fresh.size > 0 && this.#fresh.has(record)) return;
    const { unit, object } = record;
    if (unit !== null) {
      if (this.#entries.note(record)) this.#entries.defer(unit);
      else if (moved) this.#spoil(unit);
    }
    // A threshold counts by the object's own scale, which may change although its matrix does not.
    if (unit !== null && (moved || !object.matrixAutoUpdate) && this.traits.isAltered(unit, object)) {
      this.#altered.add(unit);
    }
    if (moved) {
      if ((object as Flags).isBone) this.#bonesMoved = true;
      if (record.staticChildren > 0) this.#resting.touchChildren(record);
    }
    if (this.traits.isStale(record)) this.#lookAtTraits(record);
  };

  /** Follows hierarchies that were changed by hand. */
  #reconcile(): void {
    for (const record of this.#changedByHand) {
      this.#changedByHand.delete(record);
      this.tracker.reconcile(record);
    }
  }

  /** What lies in a LOD counts as part of it: that is looked at as well, once for all of them. */
  #lookAtTraits(record: Tracked): void {
    const { unit } = record;
    this.traits.look(record);
    // One that came with its parts is looked at by itself.
    if (unit !== null && unit !== record && !this.#fresh.has(unit)) this.#altered.add(unit);
  }

  #lookAtAltered(): void {
    for (const record of this.#altered) {
      this.traits.look(record);
      this.#altered.delete(record);
    }
  }

  /** Has the bounds of an entry looked at again for what became of a part of it, or of itself. */
  #spoilFor(record: Tracked, unit: Tracked): void {
    this.#spoil(unit);
    if (unit !== record) this.#entries.note(record);
  }

  /** Has the bounds of an entry looked at again; of one that is pending, when they are asked for. */
  #spoil(record: Tracked): void {
    if (record.isDirty || this.#entries.pending.has(record)) return;
    record.isDirty = true;
    this.#dirty.push(record);
  }

  #lookAtTouched(): void {
    const looked = new Set<BufferGeometry>();
    for (const top of this.#resting.touched) {
      for (const record of this.tracker.subtree(top.object)) {
        this.#lookAtTraits(record);
        if (record.unit !== null) this.#spoilFor(record, record.unit);
        this.#forgetBounds(record.object, looked);
        if ((record.object as Flags).isBone) this.#bonesMoved = true;
      }
      this.#resting.touched.delete(top);
    }
  }

  /** Forgets the bounds of the geometry that an object has now; once for each, however many meshes share it. */
  #forgetBounds(object: Object3D, looked: Set<BufferGeometry>): void {
    forgetInstanceBounds(object);
    try {
      const geometry = geometryOf(object);
      if (geometry === null || looked.has(geometry)) return;
      looked.add(geometry);
      forgetGeometryBounds(geometry);
    } catch {
      // Whatever is wrong with the object, measuring it finds out.
    }
  }

  #takeFresh(): void {
    const entries: Tracked[] = [];
    for (const record of this.#fresh) {
      // Some came behind the pass.
      if (!this.#motion.hasRun(record)) this.#motion.refresh(record);
      if (record.isStatic) this.#motion.remove(record);
      if ((record.object as Flags).isSkinnedMesh && record.unit !== null) this.#skinned.add(record.unit);
      if ((record.object as Flags).isBone) this.#bonesMoved = true;
      if (record.isEntry) entries.push(record);
      else if (record.unit !== null) this.#spoilFor(record, record.unit);
    }
    for (const record of this.#fresh) {
      this.#lookAtTraits(record);
      if (record.isEntry) this.onTake?.(record.object);
    }
    this.#fresh.clear();
    this.#entries.addAll(entries);
  }

  #forget(record: Tracked): void {
    this.onForget?.(record.object);
    this.#motion.remove(record);
    this.#skinned.delete(record);
    this.#fresh.delete(record);
    this.#resting.forget(record);
    this.#altered.delete(record);
    record.isDirty = false;
    this.traits.forget(record);
    this.#entries.forget(record);
    const { unit } = record;
    if (unit === null || unit === record || this.tracker.records.get(unit.object) !== unit) return;
    this.#spoil(unit);
    this.#altered.add(unit);
  }
}

/** True for an object that names another parent than the one among whose children it was found. */
function hasOtherParent({ object, parent }: Tracked): boolean {
  return parent !== null && object.parent !== parent.object;
}
