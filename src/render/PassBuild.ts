import type { Layers, Object3D } from 'three';
import { listOf } from '../batching/MeshBatching.js';
import type { BatchedPass, SceneBatches } from '../batching/SceneBatches.js';
import type { IdList } from '../core/ids.js';
import type { InstancedCulling } from '../instances/InstancedCulling.js';
import type { Pass } from '../passes/Pass.js';
import type { Entries } from '../scene/follow/Entries.js';
import type { SceneFollower } from '../scene/follow/SceneFollower.js';
import { compareVisits } from '../scene/follow/WalkOrder.js';
import { type Flags, isAggregate, maskOf, type ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { CasterCulling } from './CasterCulling.js';
import type { PassList } from './PassList.js';

/**
 * What a pass of a renderer knows of an object by those above it: whether it gets there at all, which group's order
 * counts, and which object above is in the list of the pass, so that the renderer comes by of itself. Each object above
 * others is looked at once in a pass.
 */
export class InheritedState {
  readonly #root: Object3D;
  readonly #path: ObjectRecord[] = [];
  /** Even, so that the mark of an object tells whether it is nominated in a pass, or listed, which is one more. */
  #pass = 0;
  #mask = 0;

  constructor(root: Object3D) {
    this.#root = root;
  }

  /** Begins a pass for the layers of a camera. */
  begin(layers: Layers): void {
    this.#pass += 2;
    this.#mask = layers.mask;
  }

  /** Marks an object that is to be listed if the pass gets to it. All are nominated before anything is resolved. */
  nominate(record: ObjectRecord): void {
    if (record.passMark < this.#pass) record.passMark = this.#pass;
  }

  /** True for what is nominated, and not listed yet. */
  isNominated(record: ObjectRecord): boolean {
    return record.passMark === this.#pass;
  }

  /** Marks an object as put into the list; false when it is there already. */
  enlist(record: ObjectRecord): boolean {
    if (this.isListed(record)) return false;
    record.passMark = this.#pass + 1;
    return true;
  }

  /** True for what is in the list. */
  isListed(record: ObjectRecord): boolean {
    return record.passMark === this.#pass + 1;
  }

  /** True when the renderer draws the object itself once it gets there: an aggregate's layers do not hide its parts. */
  isDrawn({ object }: ObjectRecord): boolean {
    return object.visible && (isAggregate(object) || (maskOf(object) & this.#mask) !== 0);
  }

  /** Computes what counts for the children of a record: its `isVisibleInHierarchy`, `groupOrder` and `coveredBy`. */
  resolve(record: ObjectRecord): void {
    const path = this.#path;
    let known: ObjectRecord | null = record;
    for (; known !== null && known.resolvedIn !== this.#pass; known = known.parent) path.push(known);
    // What was added by hand and is not below the root is not drawn with it.
    let isVisible = known === null ? path[path.length - 1].object === this.#root : known.isVisibleInHierarchy;
    let order = known === null ? 0 : known.groupOrder;
    let cover = known === null ? null : known.coveredBy;
    for (let r = path.pop(); r !== undefined; r = path.pop()) {
      const { object } = r;
      if (object !== this.#root) {
        if (cover === null && isVisible && r.passMark >= this.#pass && this.isDrawn(r)) cover = r;
        // All that lies in an aggregate is met there.
        isVisible &&= object.visible && !isAggregate(object);
        if ((object as Flags).isGroup && (maskOf(object) & this.#mask) !== 0) order = object.renderOrder;
      }
      r.resolvedIn = this.#pass;
      r.isVisibleInHierarchy = isVisible;
      r.groupOrder = order;
      r.coveredBy = cover;
    }
  }
}

/** What passes are built of. */
export interface PassSources {
  readonly follower: SceneFollower;
  readonly entries: Entries;
  readonly state: InheritedState;
  /** Null when shadow passes are to meet all casters that their lights see. */
  readonly casters: CasterCulling | null;
  /** Null when instances are left to renderers. */
  readonly instances: InstancedCulling | null;
}

/**
 * Fills the list of one pass: with the topmost of the objects that are to be drawn, each with all that lies below it, and
 * all lights. What lies below a listed object is tested by the renderer itself.
 */
export class PassBuild {
  readonly #pass: Pass;
  readonly #list: PassList;
  /** What the pass draws in batches; null for nothing. */
  readonly #batches: SceneBatches | null;
  readonly #follower: SceneFollower;
  readonly #entries: Entries;
  readonly #state: InheritedState;
  readonly #casters: CasterCulling | null;
  readonly #instances: InstancedCulling | null;
  /** What renderers meet wherever it is. */
  readonly #always: ReadonlySet<ObjectRecord>;

  constructor(
    pass: Pass,
    list: PassList,
    batches: SceneBatches | null,
    { follower, entries, state, casters, instances }: PassSources,
    always: ReadonlySet<ObjectRecord>,
  ) {
    this.#pass = pass;
    this.#list = list;
    this.#batches = batches;
    this.#follower = follower;
    this.#entries = entries;
    this.#state = state;
    this.#casters = casters;
    this.#instances = instances;
    this.#always = always;
  }

  /**
   * Makes the list.
   * @param seen Ids of what lies in view, or is listed wherever it is.
   * @returns false when the renderer has to walk the real children, as it does not sort and their order is not known.
   */
  fill(seen: IdList): boolean {
    const { renderer, layers, scene } = this.#pass;
    this.#state.begin(layers);
    this.#batches?.begin(this.#batchedPass());
    this.#nominate(seen);
    this.#putAlwaysVisited();
    this.#putSeen(seen);
    this.#putUnbounded();
    const order = renderer.sortObjects ? null : this.#follower.hierarchy.walkOrder;
    this.#batches?.end(order, (record, drawn, groupOrder) => this.#list.add(record, drawn, groupOrder));
    if (order !== null && !this.#list.putInOrder(order)) return false;
    this.#putOffscreenLods();
    this.#list.end();
    this.#batches?.mergeSorted(scene, renderer);
    return true;
  }

  #batchedPass(): BatchedPass {
    const { renderer, camera, slot, place, depth, layers } = this.#pass;
    const isMain = place === 1;
    return {
      list: listOf(slot, !isMain),
      eye: camera,
      camera: isMain && renderer.sortObjects ? camera : null,
      mask: layers.mask,
      isMain,
      isFirst: isMain && depth === 1,
      changes: this.#follower.changes,
      drawsNodes: renderer.isWebGLRenderer !== true,
      mergesTransparent: renderer.isWebGLRenderer === true && renderer.renderLists !== undefined,
    };
  }

  /** Nominates all that may be put into the list and has others below it. */
  #nominate({ ids, length }: IdList): void {
    const { isLeaf, records } = this.#entries.byId;
    for (let i = 0; i < length; i++) {
      if (isLeaf[ids[i]]) continue;
      const record = records[ids[i]] as ObjectRecord;
      if (this.#batches?.isSolitary(record) !== true) this.#state.nominate(record);
    }
    for (const record of this.#follower.traits.alwaysVisited) this.#state.nominate(record);
    for (const record of this.#always) if (record.id < 0) this.#state.nominate(record);
    for (const record of this.#entries.quarantined) this.#state.nominate(record);
  }

  /**
   * Puts lights, and all they may lie in, in the order of the scene, for shaders number lights as they come. What is
   * below a listed object comes with that, whose place in the order is the same.
   */
  #putAlwaysVisited(): void {
    const { hierarchy, traits } = this.#follower;
    const objects: Object3D[] = [...hierarchy.excluded];
    for (const { object } of traits.alwaysVisited) objects.push(object);
    if (objects.length > 1) objects.sort((a, b) => compareVisits(hierarchy.records, a, b));
    for (const object of objects) {
      this.#list.closeGroups();
      const record = hierarchy.records.get(object);
      const parent = record === undefined ? hierarchy.records.get(object.parent as Object3D) : record.parent;
      if (!parent) continue;
      this.#state.resolve(parent);
      if (parent.coveredBy !== null) this.#put(parent.coveredBy);
      else if (record !== undefined) this.#put(record);
      else if (parent.isVisibleInHierarchy) {
        this.#casters?.meet(object);
        this.#list.addUnknown(object, parent.groupOrder);
      }
    }
  }

  /**
   * Puts what the index found into the list. What has nothing below it is put without a look at it: a look is a cache
   * miss.
   */
  #putSeen({ ids, length }: IdList): void {
    const batches = this.#batches;
    const { records, objects, parents, isLeaf } = this.#entries.byId;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      if (this.#casters !== null || !isLeaf[id]) {
        this.#put(records[id] as ObjectRecord);
        continue;
      }
      const parent = parents[id] as ObjectRecord;
      this.#state.resolve(parent);
      if (parent.isVisibleInHierarchy && parent.coveredBy === null) {
        if (batches?.take(id, records[id] as ObjectRecord, parent.groupOrder)) continue;
        this.#list.add(records[id] as ObjectRecord, objects[id] as Object3D, parent.groupOrder);
      }
    }
  }

  /** Puts what has no id, as it has no bounds or bounds that are NaN, so that it may be anywhere. */
  #putUnbounded(): void {
    for (const record of this.#always) if (record.id < 0) this.#put(record);
    for (const record of this.#entries.quarantined) this.#put(record);
  }

  #putOffscreenLods(): void {
    const state = this.#state;
    for (const record of this.#follower.traits.levels) {
      const aggregate = record.aggregate as ObjectRecord;
      if (state.isListed(aggregate) || aggregate.parent === null) continue;
      state.resolve(aggregate.parent);
      if (aggregate.parent.coveredBy === null) this.#list.offscreenLods.push(record);
    }
  }

  #put(record: ObjectRecord): void {
    const { object, parent } = record;
    const state = this.#state;
    if (parent === null || !state.isDrawn(record)) return;
    state.resolve(parent);
    if (!parent.isVisibleInHierarchy || parent.coveredBy !== null || state.isListed(record)) return;
    const batches = record.id >= 0 ? this.#batches : null;
    // What is below a nominated object is walked with it.
    const isWhole = state.isNominated(record);
    if (isWhole) batches?.prepare(record.id, record, parent.groupOrder);
    else if (batches?.take(record.id, record, parent.groupOrder)) return;
    this.#casters?.meet(object);
    if (!isWhole && batches !== null && !this.#entries.byId.isLeaf[record.id]) {
      this.#list.add(record, batches.withoutChildren(object), parent.groupOrder);
      return;
    }
    state.enlist(record);
    const isPlain = this.#instances === null || !record.hasInstances;
    this.#list.add(record, isPlain ? object : this.#instances.objectFor(object, this.#pass), parent.groupOrder);
  }
}
