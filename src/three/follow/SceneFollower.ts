import type { BufferGeometry, Object3D } from 'three';
import { forgetGeometryBounds } from '../bounds/geometryBounds.js';
import { forgetInstanceBounds } from '../bounds/instanceBounds.js';
import { geometryOf } from '../bounds/worldBounds.js';
import type { Flags, ObjectRecord } from '../objects/ObjectRecord.js';
import type { Entries } from './Entries.js';
import { Hierarchy } from './Hierarchy.js';
import { Motion } from './Motion.js';
import { noteShape } from './noteShape.js';
import { RestingObjects } from './RestingObjects.js';
import { Traits } from './Traits.js';

/**
 * Keeps the entries in step with the scene: what came, what went (at once), what moved, what was declared at rest.
 *
 * Everything is looked at once when it comes. After that an update looks at the objects that may move and, of those at
 * rest, at the ones that were touched or whose parent moved. All matrices are brought up to date before any bounds are
 * taken, for the bones of a skinned mesh may come after it.
 */
export class SceneFollower {
  readonly hierarchy: Hierarchy;
  readonly traits: Traits = new Traits();
  readonly #entries: Entries;
  readonly #motion: Motion;
  /** Came since the last update. A set, as what came may go again before it. */
  readonly #added = new Set<ObjectRecord>();
  readonly #resting: RestingObjects;
  /** Entries whose bounds may have changed, each once, as its flag tells; one without the flag was forgotten. */
  readonly #dirty: ObjectRecord[] = [];
  /** LODs of which parts came, went or changed: their traits are to be looked at. */
  readonly #changed = new Set<ObjectRecord>();
  /** Objects whose children, or parents, are others than those that were told of. */
  readonly #changedByHand = new Set<ObjectRecord>();
  /** Entries with skinned meshes: their bounds depend on bones anywhere, followed or not. */
  readonly #skinned = new Set<ObjectRecord>();
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
    this.hierarchy = new Hierarchy(root, {
      tracked: (record) => {
        this.#added.add(record);
        this.#motion.add(record);
        forgetInstanceBounds(record.object);
      },
      untracked: (record) => this.#forget(record),
      childAdded: (parent) => {
        this.#entries.childless.remove(parent.id);
        this.onChild?.(parent.object);
      },
      childCounted: (parent, more) => this.#motion.countChildren(parent, more),
    });
    this.#motion = new Motion(this.hierarchy);
    this.#resting = new RestingObjects(this.hierarchy, this.#motion);
    this.hierarchy.track(root);
  }

  /** Number of objects that every update looks at. */
  get dynamicCount(): number {
    return this.#motion.size;
  }

  /** Has an object, and all below it, looked at by the next update. */
  touch(record: ObjectRecord): void {
    this.#resting.touched.add(record);
  }

  /** Declares an object and all below it to be at rest, or not to be. */
  setStatic(record: ObjectRecord, isStatic: boolean): void {
    const { parent } = record;
    if (parent && !parent.isStatic && record.isStatic !== isStatic) parent.staticChildren += isStatic ? 1 : -1;
    for (const below of this.hierarchy.subtree(record.object)) {
      below.isStatic = isStatic;
      below.staticChildren = 0;
      if (isStatic) this.#motion.remove(below);
      else this.#motion.add(below);
    }
    this.#resting.touched.add(record);
  }

  /** @param force Whether the root's world matrix is to be made anew whatever its flags say. */
  update(force: boolean): void {
    const top = this.hierarchy.records.get(this.hierarchy.root);
    // Whatever moved the root meanwhile may have moved what lies below it and not back.
    if (top !== undefined && this.#motion.isStrayed(top)) this.#resting.wake(top);
    // Before the pass, for the order of three's walk; children of what had none show in the pass.
    for (const record of this.hierarchy.parents) {
      if (!this.#motion.hasToldChildren(record)) this.hierarchy.reconcile(record);
    }
    if (this.#resting.touched.size > 0) {
      for (const record of this.#resting.touched) if (hasOtherParent(record)) this.hierarchy.reconcile(record);
      for (const record of this.#resting.touched) this.#resting.wake(record);
    }
    this.#motion.run(this.#look, force);
    if (this.#changedByHand.size > 0) this.#reconcile();
    if (this.#resting.touched.size > 0) this.#lookAtTouched();
    if (this.#added.size > 0) this.#processAdded();
    this.#resting.letRest();
    if (this.#changed.size > 0) this.#lookAtChanged();
    for (const record of this.#skinned) if (this.#bonesMoved || !record.isStatic) this.#markDirty(record);
    this.#bonesMoved = false;
    while (this.#dirty.length > 0) {
      const record = this.#dirty[this.#dirty.length - 1];
      if (record.isDirty) this.#entries.refresh(record);
      // Only now, so that what is left after an exception is seen to by the next update.
      record.isDirty = false;
      this.#dirty.pop();
    }
    this.#entries.endRound();
  }

  /** Takes in what came since the last update by the matrices it has, so that a pass that comes before the next meets it. */
  processEarly(): void {
    if (this.#added.size === 0) return;
    const entries = new Set<ObjectRecord>();
    for (const record of this.#added) {
      this.#lookAtTraits(record);
      if (record.aggregate !== null) entries.add(record.aggregate);
    }
    this.#lookAtChanged();
    this.#entries.addAll([...entries]);
  }

  dispose(): void {
    this.hierarchy.dispose();
    this.#motion.clear();
    this.#resting.clear();
    for (const set of [this.#added, this.#changedByHand, this.#changed, this.#skinned]) set.clear();
    this.#dirty.length = 0;
    this.traits.clear();
  }

  /** One object that may move, after its matrices were updated. */
  readonly #look = (record: ObjectRecord, moved: boolean): void => {
    if (hasOtherParent(record) || !this.#motion.hasToldChildren(record)) this.#changedByHand.add(record);
    // What is new is looked at as a whole when all have their matrices.
    if (this.#added.size > 0 && this.#added.has(record)) return;
    const { aggregate, object } = record;
    if (aggregate !== null) {
      if (noteShape(record)) this.#entries.pending.add(aggregate);
      else if (moved) this.#markDirty(aggregate);
    }
    // A threshold counts by the object's own scale, which may change although its matrix does not.
    if (aggregate !== null && (moved || !object.matrixAutoUpdate) && this.traits.isAltered(aggregate, object)) {
      this.#changed.add(aggregate);
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
      this.hierarchy.reconcile(record);
    }
  }

  /** What lies in a LOD counts as part of it: that is looked at as well, once for all of them. */
  #lookAtTraits(record: ObjectRecord): void {
    const { aggregate } = record;
    this.traits.look(record);
    // One that came with its parts is looked at by itself.
    if (aggregate !== null && aggregate !== record && !this.#added.has(aggregate)) this.#changed.add(aggregate);
  }

  #lookAtChanged(): void {
    for (const record of this.#changed) {
      this.traits.look(record);
      this.#changed.delete(record);
    }
  }

  /** Has the bounds of an entry looked at again for what became of a part of it, or of itself. */
  #markDirtyFor(record: ObjectRecord, unit: ObjectRecord): void {
    this.#markDirty(unit);
    if (unit !== record) noteShape(record);
  }

  /** Has the bounds of an entry looked at again; of one that is pending, when they are asked for. */
  #markDirty(record: ObjectRecord): void {
    if (record.isDirty || this.#entries.pending.has(record)) return;
    record.isDirty = true;
    this.#dirty.push(record);
  }

  #lookAtTouched(): void {
    const looked = new Set<BufferGeometry>();
    for (const top of this.#resting.touched) {
      for (const record of this.hierarchy.subtree(top.object)) {
        this.#lookAtTraits(record);
        if (record.aggregate !== null) this.#markDirtyFor(record, record.aggregate);
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

  #processAdded(): void {
    const entries: ObjectRecord[] = [];
    for (const record of this.#added) {
      // Some came behind the pass.
      if (!this.#motion.hasRun(record)) this.#motion.refresh(record);
      if (record.isStatic) this.#motion.remove(record);
      if ((record.object as Flags).isSkinnedMesh && record.aggregate !== null) this.#skinned.add(record.aggregate);
      if ((record.object as Flags).isBone) this.#bonesMoved = true;
      if (record.isEntry) entries.push(record);
      else if (record.aggregate !== null) this.#markDirtyFor(record, record.aggregate);
    }
    for (const record of this.#added) {
      this.#lookAtTraits(record);
      if (record.isEntry) this.onTake?.(record.object);
    }
    this.#added.clear();
    this.#entries.addAll(entries);
  }

  #forget(record: ObjectRecord): void {
    this.onForget?.(record.object);
    this.#motion.remove(record);
    this.#skinned.delete(record);
    this.#added.delete(record);
    this.#resting.forget(record);
    this.#changed.delete(record);
    record.isDirty = false;
    this.traits.forget(record);
    this.#entries.forget(record);
    const { aggregate } = record;
    if (aggregate === null || aggregate === record || this.hierarchy.records.get(aggregate.object) !== aggregate)
      return;
    this.#markDirty(aggregate);
    this.#changed.add(aggregate);
  }
}

/** True for an object that names another parent than the one among whose children it was found. */
function hasOtherParent({ object, parent }: ObjectRecord): boolean {
  return parent !== null && object.parent !== parent.object;
}
