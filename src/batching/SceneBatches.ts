import type { Object3D } from 'three';
import { getOrMake } from '../core/arrays.js';
import { type DepthCoefficients, depthCoefficients } from '../instances/drawn/drawLists.js';
import type { LeveledMesh } from '../instances/drawn/InstanceLevels.js';
import type { Pass } from '../passes/Pass.js';
import type { Stages } from '../passes/Stages.js';
import { listOf } from '../passes/shadowPasses.js';
import { withoutChildren } from '../passes/withoutChildren.js';
import type { WalkOrder } from '../scene/follow/WalkOrder.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { ruleFor } from '../scene/objects/rules.js';
import { isAggregate } from '../three/kinds.js';
import type { RenderItem, RenderLists } from '../three/renderer.js';
import { BatchedMeshState, type BatchedPass, type BatchScene, type MeshStatus, REST_MS } from './BatchedMeshState.js';
import { type BatchGroup, BatchGroups, type Draw } from './BatchGroup.js';
import { BatchMemory } from './BatchMemory.js';
import { DrawnApart } from './DrawnApart.js';
import { MaterialGeometryCache } from './MaterialGeometryCache.js';
import type { MeshBatch } from './MeshBatch.js';
import type { SameTextures } from './SameTextures.js';
import { drawOf, mergeRuns, whenSorted } from './transparentRuns.js';

export { knowsBatches } from '../three/batches.js';
export { canBatch } from './whyNotBatched.js';

export interface BatchSettings extends Pick<BatchScene, 'accept' | 'rules' | 'levelRules'> {
  readonly mergeColors: boolean;
  readonly isLeveled: boolean;
  readonly maxBytes: number;
  readonly atLeast: number;
}

/** Lists the object that is drawn for a mesh. */
type AddDrawn = (record: ObjectRecord, drawn: Object3D, groupOrder: number) => void;

/** The batched meshes of a scene. Each joins, leaves or moves once a frame if a pass sees it; unseen ones are free. */
export class SceneBatches {
  readonly #scene: BatchScene;
  readonly #stages: Stages;
  readonly #failed = new WeakSet<Object3D>();
  readonly states: Map<Object3D, BatchedMeshState> = new Map();
  /** States by entry id: that of the entry, or of an earlier entry with the same id. */
  readonly #byId: (BatchedMeshState | undefined)[] = [];
  /** Meshes removed since the last frame: pictures in progress may still draw them. */
  readonly #left: BatchedMeshState[] = [];
  #passes = 0;
  #pass: BatchedPass | null = null;
  /** The bit of the pass's renderer; `#renderers` has the bits of all: beyond 32 renderers several have the same. */
  #renderer = 1;
  readonly #renderers = new WeakMap<object, number>();
  #rendererCount = 0;
  readonly #apart: DrawnApart;

  readonly #onRest: () => void;
  /** When a mesh that changes too often changed last, in milliseconds. */
  #restlessAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onRest Called between pictures, when more can be batched: a mesh has rested, or textures proved equal. */
  constructor(settings: BatchSettings, stages: Stages, onRest: () => void) {
    const { mergeColors, maxBytes, atLeast, isLeveled, accept, rules, levelRules } = settings;
    this.#stages = stages;
    this.#onRest = onRest;
    const cache = new MaterialGeometryCache(mergeColors, onRest, isLeveled);
    const failed = (error: unknown): void => stages.fail(error, 'batch', null);
    const groups = new BatchGroups(new BatchMemory(maxBytes), atLeast, failed, isLeveled);
    this.#apart = new DrawnApart(cache, (object) => this.#stateOf(object));
    const restless = (): void => {
      this.#restlessAt = performance.now();
      this.#timer ??= setTimeout(this.#rest, REST_MS);
    };
    const waiting = new Set<BatchedMeshState>();
    this.#scene = { cache, groups, accept, rules, levelRules, rulesVersion: 0, picture: 0, waiting, restless };
  }

  /** True when more meshes would be drawn in batches in the next picture, even if nothing changes. */
  get isPending(): boolean {
    for (const { status } of this.#scene.waiting) if (PENDING.has(status)) return true;
    const { levels, memory } = this.groups;
    return (levels !== null && levels.made.size > 0) || memory.copying.size > 0;
  }

  get groups(): BatchGroups {
    return this.#scene.groups;
  }

  /** The textures that are compared to merge materials; null when each material is drawn as it is. */
  get textures(): SameTextures | null {
    return this.#scene.cache.families?.textures ?? null;
  }

  /** The levels of detail of the instances of a mesh; null while there are none in the scene. */
  levelsOfInstances(record: ObjectRecord): LeveledMesh | null {
    const { groups, cache, levelRules } = this.#scene;
    return groups.levels?.instancesOf(record, cache, levelRules) ?? null;
  }

  readonly withoutChildren: (object: Object3D) => Object3D = withoutChildren;

  beginPass(of: Pass): void {
    const pass = batchedPass(of, ++this.#passes, this.#pass?.sortBy ?? null);
    this.#pass = pass;
    this.#renderer = getOrMake(this.#renderers, of.renderer, () => 1 << this.#rendererCount++);
    const scene = this.#scene;
    scene.groups.nesting = of.nesting;
    // Anything may have changed between a picture and the pictures within it.
    if (pass.isMain) {
      scene.cache.nextFrame(of.renderer);
      scene.groups.levels?.views.of(of);
    }
    if (!pass.isFirst) return;
    scene.cache.families?.divide();
    scene.picture++;
    // WebGPU has no multi-draw: its renderer draws several geometries of a batch by several calls.
    if (!scene.groups.isPerGeometry && of.renderer.backend?.isWebGPUBackend === true) {
      this.dispose();
      scene.groups.isPerGeometry = true;
    }
    for (const state of this.#left.splice(0)) state.leave();
    scene.groups.tidy();
    scene.groups.memory.beginPicture();
    scene.groups.takeLevels();
    this.#joinWaiting();
    scene.groups.memory.copyLevels();
  }

  /** Gives slots to meshes whose batches were decided in earlier pictures. */
  #joinWaiting(): void {
    const { waiting } = this.#scene;
    const pass = this.#pass as BatchedPass;
    const states = [...waiting];
    waiting.clear();
    const takeReady = (state: BatchedMeshState): boolean =>
      state.refresh(pass, state.groupOrder) && state.isWaiting && !state.joined?.takeMaterialChanges();
    const ready = states.filter((state) => this.#at(state, takeReady));
    for (const state of ready) state.expect();
    for (const state of ready) this.#at(state, () => state.takeSlots());
  }

  /** Does work on a mesh, which is to blame if the work fails. */
  #at<T>(state: BatchedMeshState, work: (state: BatchedMeshState) => T): T {
    this.#stages.object = state.mesh;
    const result = work(state);
    this.#stages.object = null;
    return result;
  }

  /** Has a mesh drawn alone for good. It gives its slots back when the next picture begins. */
  leave(object: Object3D): void {
    this.#failed.add(object);
    const state = this.states.get(object);
    if (state === undefined) return;
    state.refuse();
    this.#left.push(state);
  }

  /** Lists a visible mesh in its batches; false when the mesh has to be drawn alone. */
  add(id: number, record: ObjectRecord, groupOrder: number): boolean {
    const pass = this.#pass as BatchedPass;
    const { object } = record;
    // A hidden mesh is not refreshed: renderers upload it, with its changes, when it is shown.
    if (!object.visible || (object.layers.mask & pass.mask) === 0) return true;
    const state = this.#see(id, record, groupOrder);
    const joined = state?.joined;
    if (state?.status !== 'batched' || (pass.isWebGL ? joined?.hasNodes : joined?.geometry.isDynamic)) return false;
    if (state.isTransparent && (pass.isMain || !pass.mergesTransparent)) {
      this.#listTransparent(state, pass);
      return false;
    }
    for (let draw = state.first; draw !== null; draw = draw.next) this.#list(draw, pass);
    return true;
  }

  /** Lists the transparent draws of a mesh, which the renderer first sorts among all others. */
  #listTransparent(state: BatchedMeshState, pass: BatchedPass): void {
    if (!pass.mergesTransparent) return;
    pass.hasTransparent = true;
    if (state.isOnlyTransparent) state.mergedIn = pass.number;
    for (const draw of state.draws) if (draw.group.isTransparent) this.#list(draw, pass);
  }

  /** Lets a mesh join that is drawn alone in this pass, or with an ancestor. */
  prepare(id: number, record: ObjectRecord, groupOrder: number): void {
    if (!record.object.visible || (record.object.layers.mask & (this.#pass as BatchedPass).mask) === 0) return;
    this.#see(id, record, groupOrder);
  }

  /**
   * Ends the lists of the pass. Calls back with each listed batch and the first mesh in it, and with the meshes that
   * have to be drawn alone after all.
   * @param objects The listed objects that are no batches.
   * @param order The order in which batches draw; null to draw by depth.
   */
  end(objects: readonly Object3D[], order: WalkOrder | null, add: AddDrawn): void {
    const pass = this.#pass as BatchedPass;
    const { renderer, list, isMain } = pass;
    if (isMain) this.#endMain(pass, objects, add);
    for (const { group, owner, joined } of pass.listed.splice(0)) {
      const { record } = owner;
      if (group.seen(list).ids.length === 0) continue;
      if (order !== null) sortByOrder(group, list, order);
      const batch = group.batch as MeshBatch;
      // Sort functions of the page may read it.
      batch.mesh.userData = record.object.userData;
      add(record, group.isTransparent && isMain ? batch.carrier : batch.drawnFor(list, renderer), joined.groupOrder);
    }
  }

  #endMain(pass: BatchedPass, objects: readonly Object3D[], add: AddDrawn): void {
    const seen = pass.listed.map(({ group }) => group.seen(pass.list));
    const isNear = this.#scene.groups.recenter(seen, pass.list, pass.camera, pass.isFirst);
    for (const state of this.#apart.find(pass, objects, isNear)) {
      const { record, mesh, groupOrder, isTransparent } = state;
      // Transparent meshes are listed already.
      if (!isTransparent) add(record, mesh.children.length === 0 ? mesh : withoutChildren(mesh), groupOrder);
    }
  }

  /** The state of a mesh; for an object of {@link withoutChildren}, the state of the mesh that it draws. */
  #stateOf(object: Object3D): BatchedMeshState | undefined {
    return this.states.get(object) ?? this.states.get(Object.getPrototypeOf(object));
  }

  /** Has runs of sorted transparent draws drawn by one call. To be called as the renderer is about to fill its list. */
  mergeSorted(): void {
    const { renderer, scene, list, hasTransparent, number } = this.#pass as BatchedPass;
    if (!hasTransparent) return;
    const { frame } = this.#scene.cache;
    const { renderLists, sortObjects, extensions } = renderer;
    const isShared = extensions?.has('WEBGL_multi_draw') === true;
    const drawFor = (item?: RenderItem): Draw | null => {
      const state = item && this.#stateOf(item.object);
      return item && state?.frame === frame && state.apartIn !== number ? drawOf(state, item) : null;
    };
    whenSorted(renderLists as RenderLists, scene, sortObjects, (draws) => {
      // Another picture may have begun.
      if (number === this.#passes) this.#stages.run('batch', () => mergeRuns(draws, list, isShared, drawFor));
    });
  }

  /** The group of an entry's draws; null for an entry drawn alone, undefined for an entry that is about to change. */
  groupOf(id: number): BatchGroup | null | undefined {
    const state = this.#byId[id];
    if (state === undefined) return null;
    if (PENDING.has(state.status) || state.reason === 'restless') return undefined;
    return state.status === 'batched' ? (state.first?.group ?? null) : null;
  }

  /** Forgets an object, although it may still be drawn. */
  forget(object: Object3D): void {
    const state = this.states.get(object);
    if (state === undefined) return;
    this.states.delete(object);
    if (this.#byId[state.entryId] === state) this.#byId[state.entryId] = undefined;
    this.#left.push(state);
  }

  /** True for an object of the scene that `index.batch` leaves out. */
  isLeftOut(record: ObjectRecord): boolean {
    return ruleFor(record, this.#scene.rules) === false;
  }

  rulesChanged(): void {
    this.#scene.rulesVersion++;
  }

  /** False for a new object, which is drawn with its descendants, and may join; true once a pass has refreshed it. */
  isSolitary(record: ObjectRecord): boolean {
    if (record.hasInstances || isAggregate(record.object)) return false;
    const state = this.states.get(record.object);
    return state?.record === record && state.status !== 'new';
  }

  readonly #rest = (): void => {
    const left = this.#restlessAt + REST_MS - performance.now();
    this.#timer = left > 0 ? setTimeout(this.#rest, left) : undefined;
    if (left <= 0) this.#onRest();
  };

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#passes++;
    for (const state of [...this.#left.splice(0), ...this.states.values()]) state.release();
    this.states.clear();
    this.#byId.length = 0;
    this.#scene.groups.dispose();
    this.#scene.waiting.clear();
  }

  /** The state of a mesh that a renderer draws, refreshed in this frame; null for a mesh that has to be drawn alone. */
  #see(id: number, record: ObjectRecord, groupOrder: number): BatchedMeshState | null {
    const pass = this.#pass as BatchedPass;
    let state = this.#byId[id];
    if (state === undefined || state.record !== record) state = this.#findState(id, record);
    if (state.frame !== this.#scene.cache.frame || state.groupOrder !== groupOrder) {
      this.#stages.object = record.object;
      const mayJoin = state.refresh(pass, groupOrder);
      this.#stages.object = null;
      if (!mayJoin) return null;
    }
    return state.joined?.geometry.takeUpload(this.#renderer) === true ? null : state;
  }

  /** The state for an entry. The mesh may have had another entry, or another record if it left and came back. */
  #findState(id: number, record: ObjectRecord): BatchedMeshState {
    let state = this.states.get(record.object);
    if (state?.record !== record) {
      this.forget(record.object);
      state = new BatchedMeshState(record, this.#scene);
      this.states.set(record.object, state);
      if (this.#failed.has(record.object)) state.refuse();
    }
    // Empty elements keep the array dense.
    while (this.#byId.length < id) this.#byId.push(undefined);
    state.entryId = id;
    this.#byId[id] = state;
    return state;
  }

  #list(draw: Draw, pass: BatchedPass): void {
    const { group } = draw;
    if (group.pass !== pass.number) {
      group.pass = pass.number;
      group.listed = (group.batch as MeshBatch).beginPass(pass.list, pass.sortBy);
      pass.listed.push(draw);
    }
    group.listed?.add(draw.slot);
  }
}

/** @param before The coefficients of depths of the pass before this one. */
function batchedPass(pass: Pass, number: number, before: DepthCoefficients | null): BatchedPass {
  const { renderer, camera, scene, nesting, changes } = pass;
  const { mask } = pass.layers;
  const isMain = pass.number === 1;
  const isFirst = isMain && nesting === 0;
  const isWebGL = renderer.isWebGLRenderer === true;
  const mergesTransparent = isWebGL && renderer.renderLists !== undefined;
  const list = listOf(nesting, !isMain);
  const depths = isMain && renderer.sortObjects ? depthCoefficients(camera) : null;
  const sortBy = depths?.every((depth, i) => depth === before?.[i]) ? before : depths;
  const order = !renderer.sortObjects ? 'scene' : isWebGL ? 'material' : 'depth';
  const seen = { renderer, camera, scene, list, mask, isMain, isFirst, changes, isWebGL, mergesTransparent };
  return { ...seen, number, order, sortBy, listed: [], hasTransparent: false };
}

/** Status of meshes that the next picture may draw in a batch, even if nothing changes. */
const PENDING: ReadonlySet<MeshStatus> = new Set(['new', 'joining', 'swapped']);

function sortByOrder(group: BatchGroup, list: number, order: WalkOrder): void {
  const recordAt = (slot: number): ObjectRecord => group.bySlot[slot].owner.record;
  const { ids, length } = group.seen(list).ids;
  order.assignOrder(Array.from(ids.subarray(0, length), recordAt));
  group.seen(list).sortBy((slot) => recordAt(slot).order);
}
