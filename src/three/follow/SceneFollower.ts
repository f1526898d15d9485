import type { BufferGeometry, Object3D } from 'three';
import { forgetBounds } from '../bounds/forgetBounds.js';
import { forgetInstanceBounds } from '../bounds/instanceBounds.js';
import { DirtyEntries } from '../entries/DirtyEntries.js';
import { type Entries, noteShape } from '../entries/Entries.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import { entryOf } from './entryOf.js';
import { Hierarchy } from './Hierarchy.js';
import { Motion, type Visitor } from './Motion.js';
import { NewObjects } from './NewObjects.js';
import { RestingObjects } from './RestingObjects.js';
import { Traits } from './Traits.js';

/**
 * Keeps the entries in step with the scene: objects that come, go (at once), move, or are declared at rest.
 *
 * Every object is looked at once when it comes. After that an update looks at the objects that may move and, of those
 * at rest, at the ones that were touched or whose parent moved. All matrices are brought up to date before any bounds
 * are measured, as the bones of a skinned mesh may come after it.
 */
export class SceneFollower {
  readonly hierarchy: Hierarchy;
  readonly traits: Traits;
  /** Called for every entry that is taken in. */
  onTake: ((object: Object3D) => void) | null = null;
  /** Called for every followed object that gets a child. */
  onChild: ((parent: Object3D) => void) | null = null;
  /** Called for every object that is followed no longer. */
  onForget: ((object: Object3D) => void) | null = null;
  readonly #entries: Entries;
  readonly #motion: Motion;
  readonly #resting: RestingObjects;
  readonly #dirty: DirtyEntries;
  readonly #added = new NewObjects();
  /** LODs with parts that came, went or changed: their traits are to be looked at. */
  readonly #changed = new Set<ObjectRecord>();
  /** Objects whose children, or parents, were changed without an event. */
  readonly #changedByHand = new Set<ObjectRecord>();
  #departures = 0;

  constructor(root: Object3D, entries: Entries) {
    this.#entries = entries;
    this.#dirty = new DirtyEntries(entries);
    this.hierarchy = new Hierarchy(root, {
      tracked: (record) => {
        this.#added.add(record);
        this.#motion.add(record);
        forgetInstanceBounds(record.object);
      },
      untracked: (record) => this.#forget(record),
      childAdded: (parent) => {
        if (parent.id >= 0) this.#entries.byId.isLeaf[parent.id] = false;
        this.onChild?.(parent.object);
      },
      childCounted: (parent, more) => this.#motion.countChildren(parent, more),
    });
    this.traits = new Traits(this.hierarchy.records);
    this.#motion = new Motion(this.hierarchy);
    this.#resting = new RestingObjects(this.hierarchy, this.#motion);
  }

  /** Number of objects that every update looks at. */
  get dynamicCount(): number {
    return this.#motion.size;
  }

  /** A number that grows whenever world matrices change. */
  get changes(): number {
    return this.#motion.changes;
  }

  /** Number of times that an object was let go. */
  get departures(): number {
    return this.#departures;
  }

  /** Has the next update look at an object and all below it. */
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
    const { hierarchy } = this;
    const top = hierarchy.records.get(hierarchy.root);
    if (top !== undefined) {
      this.#resting.followAbove(top);
      // What moved the root since the last update, and not back, may have moved all below it.
      if (this.#motion.hasRun(top) && this.#motion.isStrayed(top)) this.#resting.wake(top);
    }
    // Before the pass, as its order is that of three's walk. The first children of an object show in the pass.
    for (const record of hierarchy.parents) if (!this.#motion.hasToldChildren(record)) hierarchy.reconcile(record);
    if (this.#resting.touched.size > 0) this.#wakeTouched();
    this.#motion.run(this.#visitor, force);
    if (this.#changedByHand.size > 0) this.#reconcile();
    if (this.#resting.touched.size > 0) this.#lookAtTouched();
    if (this.#added.size > 0) this.#processAdded();
    this.#resting.letRest();
    if (this.#changed.size > 0) this.#lookAtChanged();
    this.#dirty.measure(this.#motion.mayHaveChangedOthers ? this.#hasStrayed : null);
    this.#entries.endRound();
  }

  /**
   * Makes entries for what came since the last update, by the matrices it has, for a pass that comes before the next.
   */
  processEarly(): void {
    if (this.#added.size === 0) return;
    const entries = new Set<ObjectRecord>();
    for (const record of this.#added.all()) {
      this.#lookAtTraits(record);
      const entry = entryOf(record, this.hierarchy);
      if (entry !== null) entries.add(entry);
    }
    this.#lookAtChanged();
    this.#entries.addAll([...entries]);
  }

  dispose(): void {
    this.hierarchy.dispose();
    this.#motion.clear();
    this.#resting.clear();
    this.#dirty.clear();
    this.#added.settle(this.#added.all());
    for (const set of [this.#changedByHand, this.#changed]) set.clear();
    this.traits.clear();
  }

  /** Looks at single objects of the pass, after their matrices were updated. */
  readonly #visitor: Visitor = {
    moved: (record) => {
      this.#dirty.follow(record);
      if (this.traits.isAltered(record, record.object)) this.#changed.add(record);
    },
    look: (record, moved) => this.#look(record, moved),
  };

  #look(record: ObjectRecord, moved: boolean): void {
    if (hasOtherParent(record) || !this.#motion.hasToldChildren(record)) this.#changedByHand.add(record);
    // New objects are looked at when all have their matrices.
    if (record.isNew) return;
    const { object } = record;
    const aggregate = entryOf(record, this.hierarchy);
    if (aggregate !== null) {
      const isSame = this.#hasSameShape(record);
      if (!isSame && noteShape(record)) this.#entries.addPending(aggregate);
      else if (moved && isSame && aggregate === record) this.#dirty.follow(record);
      else if (moved) this.#dirty.add(aggregate);
      // An object's own scale, by which a threshold counts, may change although its matrix does not.
      if ((moved || !object.matrixAutoUpdate) && this.traits.isAltered(aggregate, object)) this.#changed.add(aggregate);
    }
    if (moved) {
      this.#dirty.noteMoved(record);
      if (record.staticChildren > 0) this.#resting.touchChildren(record);
    }
    if (this.traits.isStale(record)) this.#lookAtTraits(record);
  }

  /** True unless an object has the world matrix that the pass gave it. */
  readonly #hasStrayed = (record: ObjectRecord): boolean => record.slot < 0 || this.#motion.isStrayed(record);

  /** A getter that throws is reported when the object is measured. */
  #hasSameShape(record: ObjectRecord): boolean {
    try {
      return this.#motion.hasSameShape(record);
    } catch {
      return false;
    }
  }

  #wakeTouched(): void {
    for (const record of this.#resting.touched) if (hasOtherParent(record)) this.hierarchy.reconcile(record);
    for (const record of this.#resting.touched) this.#resting.wake(record);
  }

  /** Follows hierarchies that were changed by hand. */
  #reconcile(): void {
    for (const record of this.#changedByHand) {
      this.#changedByHand.delete(record);
      this.hierarchy.reconcile(record);
    }
  }

  /** Looks at the traits of an object, and later once at those of the LOD that it is a part of. */
  #lookAtTraits(record: ObjectRecord): void {
    const aggregate = entryOf(record, this.hierarchy);
    this.traits.look(record);
    // A LOD that is new itself is looked at anyway.
    if (aggregate !== null && aggregate !== record && !aggregate.isNew) this.#changed.add(aggregate);
  }

  #lookAtChanged(): void {
    for (const record of this.#changed) {
      this.traits.look(record);
      this.#changed.delete(record);
    }
  }

  /** Has the entry of an object measured again for what became of it. */
  #markDirty(record: ObjectRecord): void {
    const entry = entryOf(record, this.hierarchy);
    if (entry === null) return;
    this.#dirty.add(entry);
    if (entry !== record) noteShape(record);
  }

  #lookAtTouched(): void {
    const looked = new Set<BufferGeometry>();
    for (const top of this.#resting.touched) {
      for (const record of this.hierarchy.subtree(top.object)) {
        this.#lookAtTraits(record);
        this.#markDirty(record);
        forgetBounds(record.object, looked);
        this.#dirty.noteMoved(record);
      }
      this.#resting.touched.delete(top);
    }
  }

  #processAdded(): void {
    const added = this.#added.all();
    for (const record of added) {
      // Callbacks may have taken it away again.
      if (!record.isNew) continue;
      // Some came after the pass had begun.
      if (!this.#motion.hasRun(record)) this.#motion.refresh(record);
      if (record.isStatic) this.#motion.remove(record);
      const entry = entryOf(record, this.hierarchy);
      this.#dirty.meetNew(record, entry);
      if (!record.isEntry) this.#markDirty(record);
    }
    for (const record of added) {
      if (!record.isNew) continue;
      this.#lookAtTraits(record);
      if (record.isEntry) this.onTake?.(record.object);
    }
    const entries = added.filter((record) => record.isNew && record.isEntry);
    this.#added.settle(added);
    this.#entries.addAll(entries);
  }

  #forget(record: ObjectRecord): void {
    this.#departures++;
    this.onForget?.(record.object);
    this.#motion.remove(record);
    this.#added.forget(record);
    this.#resting.forget(record);
    this.#changed.delete(record);
    this.#dirty.forget(record);
    this.traits.forget(record);
    this.#entries.forget(record);
    const entry = entryOf(record, this.hierarchy);
    if (entry === null || entry === record) return;
    this.#dirty.add(entry);
    this.#changed.add(entry);
  }
}

/** True for an object that names another parent than the one among whose children it was found. */
function hasOtherParent({ object, parent }: ObjectRecord): boolean {
  return parent !== null && object.parent !== parent.object;
}
