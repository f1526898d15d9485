import type { BufferGeometry, Object3D } from 'three';
import type { Flags } from '../../three/kinds.js';
import { forgetInstanceBounds } from '../bounds/instanceBounds.js';
import { forgetBounds } from '../bounds/worldBounds.js';
import { nextLook, resumeLook } from '../facts/looks.js';
import {
  hasOtherParent,
  LISTED,
  MANAGED,
  NEW,
  type ObjectRecord,
  PARENT,
  RELINK,
  REMEASURE,
  RETRAIT,
  SPRITE,
  STAGED,
  TASKS,
  TOUCHED,
} from '../objects/ObjectRecord.js';
import { DirtyEntries } from './DirtyEntries.js';
import { type Entries, MeasuredEntries, shapeStampOf } from './Entries.js';
import { Hierarchy } from './Hierarchy.js';
import { Motion, type Visitor } from './Motion.js';
import { StaticObjects } from './StaticObjects.js';
import { Todo } from './Todo.js';
import { Traits } from './Traits.js';

/** Most records with tasks for which each cast measures new objects anew, until an update has seen them. */
const FEW_OBJECTS = 64;

/**
 * Keeps the entries in step with the scene: objects that come, go, move, or are marked static.
 *
 * Objects that go are forgotten immediately; the rest happens in {@link update}. Every object is examined once when it
 * comes. After that an update visits the objects that may move, touched static objects, and static children of moved
 * objects.
 */
export class SceneFollower {
  readonly hierarchy: Hierarchy;
  readonly traits: Traits;
  /** Called for every object that gets an entry. */
  onEntry: ((record: ObjectRecord) => void) | null = null;
  /** Called for every object that is no longer followed. */
  onForget: ((object: Object3D) => void) | null = null;
  readonly #entries: Entries;
  readonly #motion: Motion;
  readonly #static: StaticObjects;
  readonly #dirty: DirtyEntries;
  /** The tasks of the next update, in one list. */
  readonly #todo = new Todo();
  /** Whether objects came since entries were last made for new objects. */
  #hasNewcomers = false;
  /** New entries that the walk has measured; null while the walk is not to measure any. */
  #staged: MeasuredEntries | null = null;
  /** The record that is being examined. */
  #current: ObjectRecord | null = null;

  constructor(root: Object3D, entries: Entries) {
    this.#entries = entries;
    this.hierarchy = new Hierarchy(root, {
      followed: (record) => {
        this.#hasNewcomers = true;
        this.#todo.add(record, NEW);
        if (!record.isStatic || this.#motion.dependsOnOrder(record.object)) this.#static.listNew(record);
        if (record.hasInstances) forgetInstanceBounds(record.object);
      },
      tracked: (count, only) => this.#motion.noteWalk(count, only),
      untracked: (record) => this.#forget(record),
      childAdded: (parent) => {
        parent.bits |= PARENT;
        if (parent.id >= 0) this.#entries.byId.isLeaf[parent.id] = 0;
      },
      childCounted: (parent, more) => {
        this.#motion.countChildren(parent, more);
        if (Number.isNaN(more)) this.#todo.add(parent, RELINK);
      },
      reconciled: (parent) => this.#motion.countChildren(parent, this.#motion.unknownChildren(parent)),
    });
    this.traits = new Traits(this.hierarchy.records);
    this.#motion = new Motion(this.hierarchy);
    this.#static = new StaticObjects(this.hierarchy, this.#motion, this.#todo);
    this.#dirty = new DirtyEntries(entries, this.#todo, this.hierarchy.watched);
  }

  /** Number of objects that every update visits. */
  get dynamicCount(): number {
    return this.#motion.size;
  }

  /** A number that grows whenever world matrices change. */
  get changes(): number {
    return this.#motion.changes;
  }

  /** Marks an object and its descendants to be refreshed by the next update, and reads the `static` flag of each. */
  touch(record: ObjectRecord): void {
    this.#static.readFlags(record);
    this.#todo.add(record, TOUCHED);
  }

  /** Marks an object and its descendants static, or not. Returns false for an unfollowed one, marked once it comes. */
  setStatic(object: Object3D, isStatic: boolean): boolean {
    const record = this.hierarchy.recordOf(object);
    if (record === undefined) {
      this.hierarchy.markBefore(object, isStatic);
      return false;
    }
    this.#static.mark(record, isStatic);
    this.#todo.add(record, TOUCHED);
    return true;
  }

  /**
   * Updates hierarchy, matrices, traits and bounds, in phases that depend on the results of earlier phases:
   *
   * | phase | needs | leaves |
   * | --- | --- | --- |
   * | `#listRoot`, `#listTouched` | | static objects that may have moved, on the list of the walk |
   * | `#findChildren` | | records of children that came by hand, so that the walk keeps three's order |
   * | `#stage` | records of new objects | new static objects whose position in the order matters, on that list |
   * | `#motion.run` | that list | world matrices; tasks for moved or changed objects; new meshes measured |
   * | `#reconcile` | parents that the walk found changed | the hierarchy as it is now |
   * | `#examineTouched` | all matrices, as bones may come after their mesh | forgotten bounds |
   * | `#examineSprites` | | sprites with another center, to be measured; traits of those that began or ceased to keep their size |
   * | `#examineAdded` | all matrices | entries and traits of new objects |
   * | `#findTraits` | all matrices, all parts of LODs | traits |
   * | `#dirty.measure` | all matrices | bounds, in the index |
   *
   * @param force Whether the root's world matrix is made anew whatever its flags say.
   * @param asIs Whether all matrices are left as they are, for a page that writes them itself.
   */
  update(force: boolean, asIs = false): void {
    const before = resumeLook(nextLook());
    try {
      this.#update(force, asIs);
    } finally {
      resumeLook(before);
    }
  }

  #update(force: boolean, asIs: boolean): void {
    this.#motion.isInMethod = false;
    this.#current = null;
    this.#listRoot();
    this.#findChildren();
    this.#listTouched();
    if (!asIs) this.#static.relist();
    this.#stage();
    this.#motion.run(this.#visitor, force, asIs);
    this.#reconcile();
    const haveShapesChanged = this.#examineTouched();
    this.#examineSprites();
    this.#examineAdded(haveShapesChanged);
    this.#static.unlist(asIs);
    this.#motion.tidy();
    this.#findTraits();
    this.#dirty.measure(this.#motion.mayHaveChangedOthers ? this.#worldChanged : null);
    this.#entries.endUpdate();
    this.#todo.sweep();
  }

  /**
   * The source of an update's error: the object being examined, `page` for a method of an object, which may be the
   * page's own, or null if unknown.
   */
  get failedAt(): Object3D | 'page' | null {
    return this.#motion.isInMethod ? 'page' : (this.#current?.object ?? null);
  }

  /** Updates the matrices of unfollowed objects with followed parents, and of their descendants, as three would. */
  updateUnfollowed(): void {
    const { hierarchy } = this;
    for (const object of hierarchy.excluded) {
      const parent = hierarchy.recordOf(object.parent);
      // An ancestor with a custom `updateMatrixWorld` decides about the objects below it.
      if (parent !== undefined && !parent.has(MANAGED)) object.updateMatrixWorld(this.#motion.forces(parent));
    }
  }

  /** Makes entries for new objects by their present matrices, for a pass or a cast before the next update. */
  processEarly(): void {
    this.#hasNewcomers = false;
    const added = this.#todo.having(NEW);
    if (added.length === 0) return;
    const entries = new Set<ObjectRecord>();
    for (const record of added) {
      if (!record.has(NEW)) continue;
      this.#findTraitsOf(record);
      const entry = this.hierarchy.entryOf(record);
      if (entry !== null) entries.add(entry);
    }
    this.#findTraits();
    const measured = new MeasuredEntries(entries.size);
    for (const entry of entries) {
      if (entry.has(NEW)) this.#entries.measureNew(entry, measured);
      else this.#entries.refresh(entry);
    }
    this.#entries.insert(measured);
  }

  /**
   * Makes entries for new objects before a cast. Rays may be cast at a whole scene long before its first update: the
   * first cast makes entries for all. Later casts measure the new objects again if few records have tasks.
   */
  processForCast(): void {
    if (this.#hasNewcomers || this.#todo.records.length <= FEW_OBJECTS) this.processEarly();
  }

  dispose(): void {
    this.hierarchy.dispose();
    for (const part of [this.#motion, this.traits, this.#todo]) part.clear();
  }

  #listRoot(): void {
    const { hierarchy } = this;
    const top = hierarchy.records.get(hierarchy.root);
    if (top === undefined) return;
    this.#static.listIfParentMoved(top);
    // If the root's matrix is not the one that the last update left, all descendants may have moved.
    if (this.#motion.hasRun(top) && this.#motion.worldChanged(top)) this.#static.list(top);
  }

  /** Finds children added by hand, except the first children of an object: the walk finds those. */
  #findChildren(): void {
    const { watched } = this.hierarchy;
    for (const record of watched) {
      if (record.has(PARENT) && this.#motion.unknownChildren(record) !== 0) this.hierarchy.reconcile(record);
    }
  }

  #listTouched(): void {
    for (const record of this.#todo.having(TOUCHED)) if (hasOtherParent(record)) this.hierarchy.reconcile(record);
    for (const record of this.#todo.having(TOUCHED)) this.#static.list(record);
  }

  /** Lets the walk measure new objects while their matrices are in the processor's cache: later takes twice as long. */
  #stage(): void {
    const added = this.#todo.having(NEW);
    const mustBeListed = this.#motion.mayOrderMatter(added.length);
    for (const record of added) {
      // An update that threw may have left the bit.
      record.set(STAGED, false);
      if (!record.isStatic) continue;
      if (mustBeListed && record.walkIndex < 0) this.#static.listNew(record);
      // The walk may not visit a static object moved by hand, or with children added by hand.
      if (hasOtherParent(record) || record.object.children.length !== record.followed) this.#todo.add(record, RELINK);
    }
    this.#staged = new MeasuredEntries(added.length);
  }

  /** Called by the walk, for single objects after their matrices were updated. */
  readonly #visitor: Visitor = {
    moved: (record, isTurned) => {
      this.#dirty.follow(record);
      if (isTurned && this.traits.isAltered(record, record.object)) this.#todo.add(record, RETRAIT);
    },
    examine: (record, moved) => this.#examine(record, moved),
  };

  #examine(record: ObjectRecord, moved: boolean): void {
    if (hasOtherParent(record) || this.#motion.unknownChildren(record) !== 0) this.#todo.add(record, RELINK);
    const { object } = record;
    if (record.has(NEW)) {
      if (this.#staged !== null && isMeasuredAlone(record)) this.#examineNew(record, this.#staged);
      return;
    }
    this.#current = record;
    const entry = this.hierarchy.entryOf(record);
    if (entry !== null) {
      const stamp = shapeStampOf(record);
      if (stamp !== record.shapeStamp && !record.has(SPRITE)) {
        record.shapeStamp = stamp;
        this.#entries.postpone(entry);
      } else if (moved && entry === record && record.shape !== null && !record.has(MANAGED)) this.#dirty.follow(record);
      else if (moved) this.#dirty.add(entry);
      // An object's own scale counts for its threshold, and may change although the matrix does not.
      if ((moved || !object.matrixAutoUpdate) && this.traits.isAltered(entry, object)) this.#todo.add(entry, RETRAIT);
    }
    if (moved) {
      this.#dirty.boneMayHaveMoved(record);
      if (record.staticChildren > 0) this.#static.touchChildren(record);
    }
    if (this.#motion.hasOtherTraits(record)) this.#findTraitsOf(record);
    this.#current = null;
  }

  #reconcile(): void {
    this.#todo.each(RELINK, (record) => this.hierarchy.reconcile(record));
  }

  /** Returns whether any bounds were forgotten. */
  #examineTouched(): boolean {
    const done = new Set<BufferGeometry>();
    this.#todo.each(TOUCHED, (top) => {
      for (const record of this.hierarchy.subtree(top.object)) {
        this.#findTraitsOf(record);
        this.#markDirty(record);
        forgetBounds(record.object, done);
        this.#dirty.boneMayHaveMoved(record);
      }
    });
    return done.size > 0;
  }

  #examineSprites(): void {
    if (this.traits.sprites.size === 0) return;
    for (const record of this.hierarchy.watched) {
      if (!record.has(SPRITE) || record.isStatic || record.has(NEW)) continue;
      this.#current = record;
      if (shapeStampOf(record) !== record.shapeStamp) this.#markDirty(record);
      if (this.traits.isResized(record)) this.#findTraitsOf(record);
    }
    this.#current = null;
  }

  /** @param haveShapesChanged Whether bounds were forgotten since the walk. */
  #examineAdded(haveShapesChanged: boolean): void {
    const entries = this.#staged ?? new MeasuredEntries();
    this.#staged = null;
    // Callbacks and getters may add and remove objects meanwhile: added objects wait, removed ones are skipped.
    const added = this.#todo.having(NEW);
    if (added.length === 0) return;
    // Some new objects are static, or came after the walk had begun.
    for (const record of added) {
      if (!record.has(NEW) || this.#motion.hasRun(record)) continue;
      this.#motion.refresh(record);
      if (!haveShapesChanged && isMeasuredAlone(record)) this.#examineNew(record, entries);
    }
    for (const record of added) {
      if (!record.has(NEW)) continue;
      if (!record.has(STAGED)) this.#examineNew(record, entries);
      else if (haveShapesChanged || (this.#motion.mayHaveChangedOthers && this.#worldChanged(record))) {
        this.#todo.add(record, REMEASURE | RETRAIT);
      }
    }
    this.#entries.insert(entries);
    for (const record of entries.records) record?.set(NEW | STAGED, false);
  }

  #examineNew(record: ObjectRecord, entries: MeasuredEntries): void {
    if (record.isStatic) this.#todo.add(record, LISTED);
    this.#dirty.addNew(record, this.hierarchy.entryOf(record));
    this.#findTraitsOf(record);
    if (record.isEntry) this.onEntry?.(record);
    else this.#markDirty(record);
    if (!record.isEntry || !this.#entries.measureNew(record, entries)) record.set(NEW, false);
    else record.bits |= STAGED;
    this.keep(record);
  }

  /** Keeps an object's state, so that the next update finds no change: after measuring, or replacing its methods. */
  keep(record: ObjectRecord): void {
    this.#motion.keep(record);
  }

  #findTraits(): void {
    this.#todo.each(RETRAIT, (record) => {
      this.#current = record;
      this.traits.find(record);
    });
    this.#current = null;
  }

  /** Finds the traits of an object, and schedules those of the LOD that contains it. */
  #findTraitsOf(record: ObjectRecord): void {
    this.#current = record;
    const entry = this.hierarchy.entryOf(record);
    this.traits.find(record);
    this.#current = null;
    // The traits of a new LOD are found anyway.
    if (entry !== null && entry !== record && !entry.has(NEW)) this.#todo.add(entry, RETRAIT);
  }

  #markDirty(record: ObjectRecord): void {
    const entry = this.hierarchy.entryOf(record);
    if (entry === null) return;
    this.#dirty.add(entry);
    // The entry of a LOD is measured with all its parts.
    if (entry !== record) record.shapeStamp = shapeStampOf(record);
  }

  /** True unless an object has the world matrix that the walk gave it. */
  readonly #worldChanged = (record: ObjectRecord): boolean => record.walkIndex < 0 || this.#motion.worldChanged(record);

  #forget(record: ObjectRecord): void {
    this.onForget?.(record.object);
    this.#motion.remove(record);
    record.bits &= ~TASKS;
    this.traits.forget(record);
    this.#entries.forget(record);
    const entry = this.hierarchy.entryOf(record);
    if (entry === null || entry === record) return;
    this.#dirty.add(entry);
    this.#todo.add(entry, RETRAIT);
  }
}

/** True for an entry whose bounds and traits depend only on its shape and its own world matrix. */
function isMeasuredAlone(record: ObjectRecord): boolean {
  const { isLOD, isSkinnedMesh } = record.object as Flags;
  return record.isEntry && !isLOD && !isSkinnedMesh;
}
