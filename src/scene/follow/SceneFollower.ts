import type { BufferGeometry, Object3D, Sprite } from 'three';
import { type Flags, keepsSize } from '../../three/kinds.js';
import { forgetInstanceBounds } from '../bounds/instanceBounds.js';
import { forgetBounds, spriteOffset } from '../bounds/worldBounds.js';
import { nextLook, resumeLook } from '../facts/looks.js';
import { hasOtherParent, type ObjectRecord, rawOf } from '../objects/ObjectRecord.js';
import { DirtyEntries } from './DirtyEntries.js';
import { type Entries, MeasuredEntries, shapeStampOf } from './Entries.js';
import { Hierarchy } from './Hierarchy.js';
import { Motion, type Visitor } from './Motion.js';
import { StaticObjects } from './StaticObjects.js';
import { Traits } from './Traits.js';

/** So many objects are looked at again before each cast, until an update has seen them. */
const FEW = 64;

/**
 * Keeps the entries in step with the scene: objects that come, go, move, or are marked static.
 *
 * Objects that go are forgotten at once; the rest happens in {@link update}. Every object is examined once when it
 * comes. After that an update visits the objects that may move and, of the static ones, those that were touched or
 * whose parent moved.
 */
export class SceneFollower {
  readonly hierarchy: Hierarchy;
  readonly traits: Traits;
  /** Called for every object that gets an entry. */
  onEntry: ((record: ObjectRecord) => void) | null = null;
  /** Called for every object that is followed no longer. */
  onForget: ((object: Object3D) => void) | null = null;
  /** Number of objects forgotten so far. */
  departures = 0;
  readonly #entries: Entries;
  readonly #motion: Motion;
  readonly #static: StaticObjects;
  readonly #dirty: DirtyEntries;
  /** Objects that came since the last update, in the order in which they came; some may have gone: see `isNew`. */
  #added: ObjectRecord[] = [];
  /** Whether some of them came since entries were last made for them. */
  #hasNewcomers = false;
  /** Objects whose traits are to be found again: they moved, or something in a LOD came, went or changed. */
  readonly #altered = new Set<ObjectRecord>();
  /** Sprites, of whose changes nothing tells, with the offsets of their centres as of the last update. */
  readonly #sprites = new Map<ObjectRecord, number>();
  /** Objects whose children, or parents, were changed without an event. */
  readonly #changedByHand = new Set<ObjectRecord>();
  /** What is examined now. */
  #current: ObjectRecord | null = null;

  constructor(root: Object3D, entries: Entries) {
    this.#entries = entries;
    this.#dirty = new DirtyEntries(entries);
    this.hierarchy = new Hierarchy(root, {
      followed: (record) => {
        this.#hasNewcomers = true;
        this.#motion.add(record);
        this.#added.push(record);
        if ((record.object as Flags).isSprite) this.#sprites.set(record, 0);
        if (record.hasInstances) forgetInstanceBounds(record.object);
      },
      tracked: (count) => this.#motion.cameInOrder(count),
      untracked: (record) => this.#forget(record),
      childAdded: (parent) => {
        if (parent.id >= 0) this.#entries.byId.isLeaf[parent.id] = 0;
      },
      childCounted: (parent, more) => {
        this.#motion.countChildren(parent, more);
        if (Number.isNaN(more)) this.#changedByHand.add(parent);
      },
      reconciled: (parent) => this.#motion.countChildren(parent, this.#motion.unknownChildren(parent)),
    });
    this.traits = new Traits(this.hierarchy.records);
    this.#motion = new Motion(this.hierarchy);
    this.#static = new StaticObjects(this.hierarchy, this.#motion);
  }

  /** Number of objects that every update visits. */
  get dynamicCount(): number {
    return this.#motion.size;
  }

  /** A number that grows whenever world matrices change. */
  get changes(): number {
    return this.#motion.changes;
  }

  /** Has the next update refresh an object and all below it, and reads three's flags there. */
  touch(record: ObjectRecord): void {
    this.#static.readFlags(record);
    this.#static.touched.add(record);
  }

  /** Marks an object and all below it static, or not; one that is not followed once it comes, and returns false. */
  setStatic(object: Object3D, isStatic: boolean): boolean {
    const record = this.hierarchy.recordOf(object);
    if (record === undefined) {
      this.hierarchy.staticBefore.set(rawOf(object), isStatic);
      return false;
    }
    this.#static.mark(record, isStatic);
    this.#static.touched.add(record);
    return true;
  }

  /**
   * Brings hierarchy, matrices, traits and bounds up to date, in phases that each need what the ones before leave:
   *
   * | phase | needs | leaves |
   * | --- | --- | --- |
   * | `#listRoot`, `#listTouched` | | static objects that may have moved, on the list of the pass |
   * | `#findChildren` | | records of children that came by hand, so that the pass keeps three's order |
   * | `#motion.run` | that list | world matrices; what moved or changed, for the phases below |
   * | `#reconcile` | parents that the pass found changed | the hierarchy as it is now |
   * | `#examineTouched` | all matrices, as bones may come after their mesh | forgotten bounds |
   * | `#examineSprites` | | sprites with another centre among what is to be measured; traits of those that began or ceased to keep their size |
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
    this.#motion.run(this.#visitor, force, asIs);
    this.#reconcile();
    this.#examineTouched();
    this.#examineSprites();
    this.#examineAdded();
    this.#static.unlist(asIs);
    this.#findTraits();
    this.#dirty.measure(this.#motion.mayHaveChangedOthers ? this.#worldChanged : null);
    this.#entries.endUpdate();
  }

  /**
   * Tells what an update has thrown at: null for none in particular, `page` for what a method of an object has thrown,
   * which may be the page's own.
   */
  get failedAt(): Object3D | 'page' | null {
    return this.#motion.isInMethod ? 'page' : (this.#current?.object ?? null);
  }

  /** Updates the matrices of objects that are not followed though their parents are, and of all below them, as three would. */
  updateUnfollowed(): void {
    const { hierarchy } = this;
    for (const object of hierarchy.excluded) {
      const parent = hierarchy.recordOf(object.parent);
      // Below an object with a custom `updateMatrixWorld`, that decides.
      if (parent !== undefined && !parent.managed) object.updateMatrixWorld(this.#motion.forces(parent));
    }
  }

  /** Makes entries for what came since the last update, by the matrices it has, for a pass before the next. */
  processEarly(): void {
    this.#hasNewcomers = false;
    if (this.#added.length === 0) return;
    const entries = new Set<ObjectRecord>();
    for (const record of [...this.#added]) {
      if (!record.isNew) continue;
      this.#findTraitsOf(record);
      const entry = this.hierarchy.entryOf(record);
      if (entry !== null) entries.add(entry);
    }
    this.#findTraits();
    const measured = new MeasuredEntries(entries.size);
    for (const entry of entries) {
      if (entry.isNew) this.#entries.measureNew(entry, measured);
      else this.#entries.refresh(entry);
    }
    this.#entries.place(measured);
  }

  /**
   * The same for a cast. Rays may be cast at a whole scene long before its first update: the first of them has entries
   * made for it. Few objects that came are looked at each time, as they may have been placed since.
   */
  processForCast(): void {
    if (this.#hasNewcomers || this.#added.length <= FEW) this.processEarly();
  }

  dispose(): void {
    this.hierarchy.dispose();
    for (const part of [this.#motion, this.#static, this.#dirty, this.traits]) part.clear();
    for (const all of [this.#changedByHand, this.#altered, this.#sprites]) all.clear();
    this.#added = [];
  }

  #listRoot(): void {
    const { hierarchy } = this;
    const top = hierarchy.records.get(hierarchy.root);
    if (top === undefined) return;
    this.#static.listIfParentMoved(top);
    // If the root is not where the last update left it, everything below it may have moved.
    if (this.#motion.hasRun(top) && this.#motion.worldChanged(top)) this.#static.list(top);
  }

  /** Finds children added by hand, except the first ones of an object: the pass finds those. */
  #findChildren(): void {
    const { parents } = this.hierarchy;
    for (const record of parents) if (this.#motion.unknownChildren(record) !== 0) this.hierarchy.reconcile(record);
  }

  #listTouched(): void {
    const { touched } = this.#static;
    for (const record of touched) if (hasOtherParent(record)) this.hierarchy.reconcile(record);
    for (const record of touched) this.#static.list(record);
  }

  /** Called by the pass, for single objects after their matrices were updated. */
  readonly #visitor: Visitor = {
    moved: (record, isTurned) => {
      this.#dirty.follow(record);
      if (isTurned && this.traits.isAltered(record, record.object)) this.#altered.add(record);
    },
    examine: (record, moved) => this.#examine(record, moved),
  };

  #examine(record: ObjectRecord, moved: boolean): void {
    if (hasOtherParent(record) || this.#motion.unknownChildren(record) !== 0) this.#changedByHand.add(record);
    const { object } = record;
    if (record.isNew) return;
    this.#current = record;
    const entry = this.hierarchy.entryOf(record);
    if (entry !== null) {
      const stamp = shapeStampOf(record);
      if (stamp !== record.shapeStamp) {
        record.shapeStamp = stamp;
        this.#entries.addPending(entry);
      } else if (moved && entry === record && record.shape !== null && !record.managed) this.#dirty.follow(record);
      else if (moved) this.#dirty.add(entry);
      // An object's own scale, by which a threshold counts, may change although its matrix does not.
      if ((moved || !object.matrixAutoUpdate) && this.traits.isAltered(entry, object)) this.#altered.add(entry);
    }
    if (moved) {
      this.#dirty.boneMayHaveMoved(record);
      if (record.staticChildren > 0) this.#static.touchChildren(record);
    }
    if (this.#motion.hasOtherTraits(record)) this.#findTraitsOf(record);
    this.#current = null;
  }

  #reconcile(): void {
    for (const record of this.#changedByHand) {
      this.#changedByHand.delete(record);
      this.hierarchy.reconcile(record);
    }
  }

  #examineTouched(): void {
    const { touched } = this.#static;
    if (touched.size === 0) return;
    const done = new Set<BufferGeometry>();
    for (const top of touched) {
      for (const record of this.hierarchy.subtree(top.object)) {
        this.#findTraitsOf(record);
        this.#markDirty(record);
        forgetBounds(record.object, done);
        this.#dirty.boneMayHaveMoved(record);
      }
      touched.delete(top);
    }
  }

  #examineSprites(): void {
    for (const [record, known] of this.#sprites) {
      if (record.isStatic || record.isNew) continue;
      this.#current = record;
      const offset = readOffset(record.object as Sprite);
      if (offset !== known) {
        this.#sprites.set(record, offset);
        this.#markDirty(record);
      }
      if (keepsSize(record.object) !== this.traits.keepingSize.has(record)) this.#findTraitsOf(record);
    }
    this.#current = null;
  }

  #examineAdded(): void {
    const added = this.#added;
    const count = added.length;
    if (count === 0) return;
    // Callbacks and getters may add and remove objects meanwhile: those that come wait, those that go are skipped.
    for (let i = 0; i < count; i++) {
      // Some came after the pass had begun.
      if (added[i].isNew && !this.#motion.hasRun(added[i])) this.#motion.refresh(added[i]);
    }
    const entries = new MeasuredEntries(count);
    for (let i = 0; i < count; i++) if (added[i].isNew) this.#examineNew(added[i], entries);
    this.#added = this.#added.slice(count);
    this.#entries.place(entries);
    for (const record of entries.records) if (record !== null) record.isNew = false;
  }

  #examineNew(record: ObjectRecord, entries: MeasuredEntries): void {
    if (record.isStatic) this.#static.listed.add(record);
    this.#dirty.addNew(record, this.hierarchy.entryOf(record));
    if (this.#sprites.has(record)) this.#sprites.set(record, readOffset(record.object as Sprite));
    this.#findTraitsOf(record);
    if (record.isEntry) this.onEntry?.(record);
    else this.#markDirty(record);
    if (!record.isEntry || !this.#entries.measureNew(record, entries)) record.isNew = false;
    this.keep(record);
  }

  /** Has the next update take an object as known: it is measured, and what was put on it is the library's own. */
  keep(record: ObjectRecord): void {
    this.#motion.keep(record);
  }

  #findTraits(): void {
    for (const record of this.#altered) {
      this.#current = record;
      this.traits.find(record);
      this.#altered.delete(record);
    }
    this.#current = null;
  }

  /** Finds the traits of an object, and later once those of the LOD that it is a part of. */
  #findTraitsOf(record: ObjectRecord): void {
    this.#current = record;
    const entry = this.hierarchy.entryOf(record);
    this.traits.find(record);
    this.#current = null;
    // Those of a new LOD are found anyway.
    if (entry !== null && entry !== record && !entry.isNew) this.#altered.add(entry);
  }

  /** Has the entry of an object measured again. */
  #markDirty(record: ObjectRecord): void {
    const entry = this.hierarchy.entryOf(record);
    if (entry === null) return;
    this.#dirty.add(entry);
    // The entry of a LOD is measured with all its parts.
    if (entry !== record) record.shapeStamp = shapeStampOf(record);
  }

  /** True unless an object has the world matrix that the pass gave it. */
  readonly #worldChanged = (record: ObjectRecord): boolean => record.slot < 0 || this.#motion.worldChanged(record);

  #forget(record: ObjectRecord): void {
    this.departures++;
    this.onForget?.(record.object);
    this.#motion.remove(record);
    record.isNew = false;
    this.#sprites.delete(record);
    this.#static.forget(record);
    this.#altered.delete(record);
    this.#dirty.forget(record);
    this.traits.forget(record);
    this.#entries.forget(record);
    const entry = this.hierarchy.entryOf(record);
    if (entry === null || entry === record) return;
    this.#dirty.add(entry);
    this.#altered.add(entry);
  }
}

/** NaN where it cannot be read: it differs each time, so the sprite is measured, which reports the problem. */
function readOffset(sprite: Sprite): number {
  try {
    return spriteOffset(sprite);
  } catch {
    return Number.NaN;
  }
}
