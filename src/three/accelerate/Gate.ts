import type { Frustum, FrustumArray, Layers, Object3D, Scene } from 'three';
import type { SceneBatches } from '../autobatch/SceneBatches.js';
import { PassViews } from '../cameras/PassViews.js';
import { Visibility } from '../cameras/Visibility.js';
import type { Entries } from '../entries/Entries.js';
import type { SceneFollower } from '../follow/SceneFollower.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import type { RenderPass } from '../packing/InstancedDrawing.js';
import type { ActiveRender, ActiveRenders } from '../passes/ActiveRenders.js';
import { compareVisits } from '../passes/compareVisits.js';
import { InheritedState } from '../passes/InheritedState.js';
import { PassList } from '../passes/PassList.js';
import { ALL_LAYERS, makePassEnd, PassProxy } from '../passes/PassProxy.js';
import { passRegions } from '../passes/passRegions.js';
import { ViewRefusals } from '../passes/ViewRefusals.js';
import type { CasterCulling } from '../shadows/CasterCulling.js';
import type { Crowds } from './Crowds.js';
import { listOf, type MeshBatching } from './MeshBatching.js';

/** From this share of all objects on it costs more to list what is seen than to cull what is not, one by one. */
const MOST = 0.35;
/** Up to so many objects are not worth a question. */
const HANDFUL = 48;

/** What the gate needs of its surroundings. */
export interface GateSurroundings {
  readonly follower: SceneFollower;
  readonly entries: Entries;
  readonly renders: ActiveRenders;
  /** Null when shadow passes are to meet all casters that their lights see. */
  readonly casters: CasterCulling | null;
  /** Null when instances are left to renderers. */
  readonly crowds: Crowds | null;
  readonly batching: MeshBatching;
  /** The children that the root has. */
  children(): Object3D[];
}

/**
 * Decides what a pass of a renderer meets below the root of a scene: the topmost of the objects that are to be drawn,
 * each with all that lies below it, and all lights. The index says what is in the frustum that the {@link PassProxy} is
 * asked about; what lies below a listed object is tested by the renderer itself.
 *
 * Where a list would not pay, the pass finds the real children.
 */
export class Gate {
  readonly #with: GateSurroundings;
  readonly #visibility = new Visibility();
  readonly #state: InheritedState;
  readonly #views = new PassViews();
  readonly #refusals = new ViewRefusals();
  /** One for each render, by its slot: the passes of a render follow each other. */
  readonly #lists: PassList[] = [];
  readonly #proxies: Object3D[];
  readonly #proxy: PassProxy;
  #layers: Layers = ALL_LAYERS;
  /** What the list is being made for. */
  #pass: RenderPass | null = null;
  /** What the pass draws in batches; null for nothing. */
  #batches: SceneBatches | null = null;

  constructor(root: Object3D, surroundings: GateSurroundings) {
    this.#with = surroundings;
    this.#state = new InheritedState(root);
    this.#proxy = new PassProxy((frustum) => this.#listFor(frustum) ?? surroundings.children());
    const end = makePassEnd(() => surroundings.renders.endPass());
    this.#proxies = Object.freeze<Object3D[]>([this.#proxy, end]) as Object3D[];
  }

  /** What a pass finds as the children of the root; null for the real ones, as do all others of its render. */
  meet(layers: Layers): Object3D[] | null {
    const { follower } = this.#with;
    const { records, root } = follower.hierarchy;
    // So few that to ask for those in view takes as long as to draw them all.
    const isHandful = this.#mayWalkAll && records.size <= HANDFUL;
    if (isHandful || !records.has(root)) return null;
    this.#layers = layers;
    // For a pass that never asks the proxy about its frustum.
    this.#proxy.children = this.#with.children();
    return this.#proxies;
  }

  /** Empties the lists of renders that are over. */
  release(renders: readonly ActiveRender[]): void {
    for (const { slot } of renders) this.#lists[slot]?.clear();
    this.#proxy.children = NONE;
    this.#pass = null;
  }

  /** True when the renderer may as well walk the real children. */
  get #mayWalkAll(): boolean {
    const { casters, crowds, batching } = this.#with;
    return casters === null && crowds?.mayStandAside !== true && batching.batches === null;
  }

  /** What a pass with this frustum is to walk; null for the real children. */
  #listFor(frustum: Frustum | FrustumArray): Object3D[] | null {
    const { follower, entries, renders, casters } = this.#with;
    const render = renders.current;
    if (render === null) return null;
    follower.processEarly();
    const scope = passRegions.get(render.renderer.getRenderTarget?.() ?? NONE);
    const given = scope?.regionsFor(follower.hierarchy.root, render) ?? null;
    const mayWalkAll = given === null && this.#mayWalkAll;
    const refusals = this.#refusals.of(this.#layers, frustum);
    if (mayWalkAll && refusals.isLikely()) return null;
    const views = this.#views.of(frustum, render.camera);
    const regions = given ?? casters?.regionsOf(frustum, views) ?? views;
    const most = mayWalkAll ? MOST * follower.hierarchy.records.size : Number.POSITIVE_INFINITY;
    const always = this.#listedAlways();
    const isListed = this.#visibility.within(entries.measured, regions, always, most);
    if (given === null) refusals.note(!isListed);
    if (!isListed) return null;
    const { renderer, passes, slot } = render;
    const list = this.#listAt(slot);
    list.clear();
    this.#pass = { renderer, slot, place: passes, views, frustum, scene: follower.hierarchy.root as Scene };
    this.#state.begin(this.#layers);
    this.#beginBatches(render);
    this.#nominate(always);
    this.#putAlwaysVisited(list);
    this.#putSeen(list);
    this.#putUnbounded(always, list);
    const order = renderer.sortObjects ? null : follower.hierarchy.walkOrder;
    this.#batches?.end(order, (record, drawn, groupOrder) => list.add(record, drawn, groupOrder));
    if (order !== null && !list.putInOrder(order)) return null;
    this.#putOffscreenLods(list);
    list.end();
    this.#batches?.mergeSorted(follower.hierarchy.root as Scene, renderer);
    if (scope !== undefined) scope.wasListed = given !== null;
    return list.objects;
  }

  #beginBatches({ slot, passes, camera, renderer }: ActiveRender): void {
    const { batching, renders } = this.#with;
    const { root } = this.#with.follower.hierarchy;
    this.#batches = batching.forPass(renderer, root as Scene);
    const isMain = passes === 1;
    this.#batches?.begin({
      list: listOf(slot, !isMain),
      eye: camera,
      camera: isMain && renderer.sortObjects ? camera : null,
      mask: this.#layers.mask,
      isMain,
      isFirst: isMain && renders.depth === 1,
      changes: this.#with.follower.changes,
      drawsNodes: renderer.isWebGLRenderer !== true,
      mergesTransparent: renderer.isWebGLRenderer === true && renderer.renderLists !== undefined,
    });
  }

  #listAt(slot: number): PassList {
    while (this.#lists.length <= slot) this.#lists.push(new PassList(this.#with.follower.hierarchy.root));
    return this.#lists[slot];
  }

  /**
   * What renderers meet wherever it is. What has not been measured they cull by themselves, by what three knows of it.
   */
  #listedAlways(): ReadonlySet<ObjectRecord> {
    const { neverCulled } = this.#with.follower.traits;
    const { pending } = this.#with.entries;
    return pending.size === 0 ? neverCulled : new Set([...neverCulled, ...pending.keys()]);
  }

  /** Nominates all that may be put into the list and has others below it. */
  #nominate(always: ReadonlySet<ObjectRecord>): void {
    const { entries, follower } = this.#with;
    const { ids, length } = this.#visibility.intersecting;
    const { isLeaf, records } = entries.byId;
    for (let i = 0; i < length; i++) {
      if (isLeaf[ids[i]]) continue;
      const record = records[ids[i]] as ObjectRecord;
      if (this.#batches?.isSolitary(record) !== true) this.#state.nominate(record);
    }
    for (const record of follower.traits.alwaysVisited) this.#state.nominate(record);
    for (const record of always) if (record.id < 0) this.#state.nominate(record);
    for (const record of entries.quarantined) this.#state.nominate(record);
  }

  /**
   * Puts lights, and all they may lie in, in the order of the scene, for shaders number lights as they come. What is
   * below a listed object comes with that, whose place in the order is the same.
   */
  #putAlwaysVisited(list: PassList): void {
    const { hierarchy, traits } = this.#with.follower;
    const objects: Object3D[] = [...hierarchy.excluded];
    for (const { object } of traits.alwaysVisited) objects.push(object);
    if (objects.length > 1) objects.sort((a, b) => compareVisits(hierarchy.records, a, b));
    for (const object of objects) {
      list.closeGroups();
      const record = hierarchy.records.get(object);
      const parent = record === undefined ? hierarchy.records.get(object.parent as Object3D) : record.parent;
      if (!parent) continue;
      this.#state.resolve(parent);
      if (parent.coveredBy !== null) this.#put(parent.coveredBy, list);
      else if (record !== undefined) this.#put(record, list);
      else if (parent.isVisibleInHierarchy) {
        this.#with.casters?.meet(object);
        list.addUnknown(object, parent.groupOrder);
      }
    }
  }

  /**
   * Puts what the index found into the list. What has nothing below it is put without a look at it: a look is a cache
   * miss.
   */
  #putSeen(list: PassList): void {
    const { entries, casters } = this.#with;
    const batches = this.#batches;
    const { records, objects, parents, isLeaf } = entries.byId;
    const { ids, length } = this.#visibility.intersecting;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      if (casters !== null || !isLeaf[id]) {
        this.#put(records[id] as ObjectRecord, list);
        continue;
      }
      const parent = parents[id] as ObjectRecord;
      this.#state.resolve(parent);
      if (parent.isVisibleInHierarchy && parent.coveredBy === null) {
        if (batches?.take(id, records[id] as ObjectRecord, parent.groupOrder)) continue;
        list.add(records[id] as ObjectRecord, objects[id] as Object3D, parent.groupOrder);
      }
    }
  }

  /** Puts what has no id, as it has no bounds or bounds that are NaN, so that it may be anywhere. */
  #putUnbounded(always: ReadonlySet<ObjectRecord>, list: PassList): void {
    for (const record of always) if (record.id < 0) this.#put(record, list);
    for (const record of this.#with.entries.quarantined) this.#put(record, list);
  }

  #putOffscreenLods(list: PassList): void {
    const state = this.#state;
    for (const record of this.#with.follower.traits.levels) {
      const aggregate = record.aggregate as ObjectRecord;
      if (state.isListed(aggregate) || aggregate.parent === null) continue;
      state.resolve(aggregate.parent);
      if (aggregate.parent.coveredBy === null) list.offscreenLods.push(record);
    }
  }

  #put(record: ObjectRecord, list: PassList): void {
    const { object, parent } = record;
    const state = this.#state;
    if (parent === null || !state.isDrawn(record)) return;
    state.resolve(parent);
    if (!parent.isVisibleInHierarchy || parent.coveredBy !== null || state.isListed(record)) return;
    const batches = record.id >= 0 ? this.#batches : null;
    const { casters, crowds, entries } = this.#with;
    // What is below a nominated object is walked with it.
    const isWhole = state.isNominated(record);
    if (isWhole) batches?.prepare(record.id, record, parent.groupOrder);
    else if (batches?.take(record.id, record, parent.groupOrder)) return;
    casters?.meet(object);
    if (!isWhole && batches !== null && !entries.byId.isLeaf[record.id]) {
      list.add(record, batches.withoutChildren(object), parent.groupOrder);
      return;
    }
    state.enlist(record);
    const isPlain = crowds === null || !record.hasInstances;
    list.add(record, isPlain ? object : crowds.objectFor(object, this.#pass as RenderPass), parent.groupOrder);
  }
}

const NONE: Object3D[] = [];
