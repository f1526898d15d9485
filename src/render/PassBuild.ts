import type { Layers, Object3D } from 'three';
import type { SceneBatches } from '../batching/SceneBatches.js';
import type { IdList } from '../core/ids.js';
import type { Pass } from '../passes/Pass.js';
import type { PassStep } from '../passes/PassStep.js';
import { InheritedState, OPEN } from '../scene/ask/InheritedState.js';
import type { Entries } from '../scene/follow/Entries.js';
import type { SceneFollower } from '../scene/follow/SceneFollower.js';
import { compareVisits } from '../scene/follow/WalkOrder.js';
import { Inheritance, isShownTo, maskOf, type ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { type Flags, isAggregate } from '../three/kinds.js';
import type { PassList } from './PassList.js';

/** State that the builds of a scene's passes share. */
export interface PassSources {
  readonly follower: SceneFollower;
  readonly entries: Entries;
  readonly state: PassState;
  readonly steps: { readonly all: readonly PassStep[] };
}

/** Lists lights and the topmost objects that a pass draws. The renderer walks the descendants of a listed object. */
export class PassBuild {
  readonly #pass: Pass;
  readonly #list: PassList;
  /** The batches of the pass; null when it draws nothing in batches. */
  readonly #batches: SceneBatches | null;
  readonly #sources: PassSources;
  readonly #always: ReadonlySet<ObjectRecord>;
  /** Objects to be drawn in addition to a listed one; see {@link PassStep.draw}. */
  readonly #more: Object3D[] = [];

  constructor(
    pass: Pass,
    list: PassList,
    batches: SceneBatches | null,
    sources: PassSources,
    always: ReadonlySet<ObjectRecord>,
  ) {
    this.#pass = pass;
    this.#list = list;
    this.#batches = batches;
    this.#sources = sources;
    this.#always = always;
  }

  /**
   * @param seen Ids of objects in view, or listed wherever they are.
   * @returns false when the renderer has to walk the real children: it does not sort, and the list's order is unknown.
   */
  fill(seen: IdList): boolean {
    const { renderer, layers } = this.#pass;
    this.#sources.state.beginPass(layers);
    this.#batches?.beginPass(this.#pass);
    const isWhole = this.#pass.alone === null;
    if (isWhole) this.#nominate(seen);
    if (isWhole) this.#putAlwaysVisited();
    this.#putSeen(seen);
    if (isWhole) this.#putAnywhere();
    const order = renderer.sortObjects ? null : this.#sources.follower.hierarchy.walkOrder;
    this.#batches?.end(this.#list.objects, order, (record, drawn, groupOrder) =>
      this.#list.add(record, drawn, groupOrder),
    );
    if (order !== null && !this.#list.putInOrder(order)) return false;
    if (isWhole) this.#putOffscreenLods();
    this.#batches?.mergeSorted();
    return true;
  }

  /** Marks the objects that the pass may list with their descendants. */
  #nominate({ ids, length }: IdList): void {
    const { entries, follower, state } = this.#sources;
    const { isLeaf, records } = entries.byId;
    for (let i = 0; i < length; i++) {
      if (isLeaf[ids[i]]) continue;
      const record = records[ids[i]] as ObjectRecord;
      if (this.#batches?.isSolitary(record) !== true) state.nominate(record);
    }
    for (const record of follower.traits.alwaysVisited) state.nominate(record);
    for (const record of this.#always) if (record.id < 0) state.nominate(record);
    for (const record of entries.quarantined) state.nominate(record);
  }

  /**
   * Lists lights, and objects that may contain lights, in scene order, because shaders number lights as they come.
   * Lights below a listed object are met with it, at the same position in the order.
   */
  #putAlwaysVisited(): void {
    const { follower, state } = this.#sources;
    const { hierarchy, traits } = follower;
    const objects: Object3D[] = [...hierarchy.excluded];
    for (const { object } of traits.alwaysVisited) objects.push(object);
    if (objects.length > 1) objects.sort((a, b) => compareVisits(hierarchy, a, b));
    for (const object of objects) {
      this.#list.closeGroups();
      const record = hierarchy.records.get(object);
      const parent = record === undefined ? hierarchy.recordOf(object.parent) : record.parent;
      if (!parent) continue;
      const { coveredBy, reach, groupOrder } = state.resolve(parent);
      if (coveredBy !== null) this.#put(coveredBy);
      else if (record !== undefined) this.#put(record);
      else if (reach === OPEN) {
        this.#list.addUnknown(this.#drawnFor(object), groupOrder);
      }
    }
  }

  /** Lists objects without usable bounds (none, or NaN), which may be anywhere. */
  #putAnywhere(): void {
    for (const record of this.#always) if (record.id < 0) this.#put(record);
    for (const record of this.#sources.entries.quarantined) this.#put(record);
  }

  /** Lists the objects that the index found. Leaf objects are not touched: each touch is a cache miss. */
  #putSeen({ ids, length }: IdList): void {
    const batches = this.#batches;
    const { steps, entries, state } = this.#sources;
    const isEachAsked = steps.all.some(({ drawsAll }) => drawsAll);
    const { records, objects, parents, isLeaf } = entries.byId;
    let parent: ObjectRecord | null = null;
    let { coveredBy, reach, groupOrder } = new Inheritance();
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      if (isEachAsked || !isLeaf[id]) {
        this.#put(records[id] as ObjectRecord);
        continue;
      }
      if (parents[id] !== parent) {
        parent = parents[id] as ObjectRecord;
        ({ coveredBy, reach, groupOrder } = state.resolve(parent));
      }
      if (reach !== OPEN) continue;
      const record = records[id] as ObjectRecord;
      if (coveredBy !== null) batches?.prepare(id, record, groupOrder);
      else if (!batches?.add(id, record, groupOrder)) this.#list.add(record, objects[id] as Object3D, groupOrder);
    }
  }

  /** Call it last: appends the object that updates the LODs not listed. */
  #putOffscreenLods(): void {
    const { follower, state } = this.#sources;
    const { objects, offscreenLods } = this.#list;
    for (const record of follower.traits.levels) {
      const aggregate = record.aggregate as ObjectRecord;
      if (state.isListed(aggregate) || aggregate.parent === null) continue;
      if (state.resolve(aggregate.parent).coveredBy === null) offscreenLods.records.push(record);
    }
    if (offscreenLods.records.length > 0) objects.push(offscreenLods);
  }

  #put(record: ObjectRecord): void {
    const { object, parent } = record;
    const { state } = this.#sources;
    if (parent === null || !state.isDrawn(record)) return;
    const { coveredBy, reach, groupOrder } = state.resolve(parent);
    if (reach !== OPEN || state.isListed(record)) return;
    const batches = record.id >= 0 ? this.#batches : null;
    if (coveredBy !== null) {
      batches?.prepare(record.id, record, groupOrder);
      return;
    }
    // The renderer walks the object's descendants with it.
    const isWhole = state.isNominated(record);
    if (isWhole) batches?.prepare(record.id, record, groupOrder);
    else if (batches?.add(record.id, record, groupOrder)) return;
    const drawn = this.#drawnFor(object);
    const alone = this.#pass.alone ?? (isWhole || batches === null ? null : batches.withoutChildren);
    const isAlone = alone !== null && drawn.children.length > 0 && !isAggregate(object);
    if (!isAlone) state.enlist(record);
    this.#list.add(record, isAlone ? alone(drawn) : drawn, groupOrder);
    for (const one of this.#more) this.#list.add(record, one, groupOrder);
  }

  #drawnFor(object: Object3D): Object3D {
    let drawn = object;
    this.#more.length = 0;
    for (const step of this.#sources.steps.all) drawn = step.draw?.(drawn, this.#pass, this.#more) ?? drawn;
    return drawn;
  }
}

/** Inheritance in a pass: also the order of the nearest `Group`, and the ancestor that is listed with an object. */
export class PassState extends InheritedState {
  /** An even number: the `passMark` of an object marked to be listed in this pass; a listed one has one more. */
  #mark = 0;
  #mask = 0;

  beginPass({ mask }: Layers): void {
    this.beginRound();
    this.#mark += 2;
    this.#mask = mask;
  }

  /** Marks an object to be listed if the pass reaches it. All marks are set before any object is resolved. */
  nominate(record: ObjectRecord): void {
    if (record.passMark < this.#mark) record.passMark = this.#mark;
  }

  isNominated(record: ObjectRecord): boolean {
    return record.passMark === this.#mark;
  }

  enlist(record: ObjectRecord): void {
    record.passMark = this.#mark + 1;
  }

  isListed(record: ObjectRecord): boolean {
    return record.passMark === this.#mark + 1;
  }

  /** True when a renderer that comes to an object draws it: an aggregate's layers do not hide its parts. */
  isDrawn({ object }: ObjectRecord): boolean {
    return isAggregate(object) ? object.visible : isShownTo(object, this.#mask);
  }

  protected override handDown(record: ObjectRecord, above: number): void {
    const { object, parent, inheritance } = record;
    let cover = parent === null ? null : parent.inheritance.coveredBy;
    let order = parent === null ? 0 : parent.inheritance.groupOrder;
    if (object !== this.root) {
      if (cover === null && above === OPEN && record.passMark >= this.#mark && this.isDrawn(record)) cover = record;
      if ((object as Flags).isGroup && (maskOf(object) & this.#mask) !== 0) order = object.renderOrder;
    }
    inheritance.coveredBy = cover;
    inheritance.groupOrder = order;
  }
}
