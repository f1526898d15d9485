import type { Camera, Object3D, Scene } from 'three';
import type { SceneRenderer } from '../passes/Pass.js';
import type { RenderItem } from '../passes/sortedDraws.js';
import type { WalkOrder } from '../scene/follow/WalkOrder.js';
import { isAggregate, type ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { BatchedMeshState, type BatchScene } from './BatchedMeshState.js';
import { BatchMemory } from './BatchGeometry.js';
import { type BatchGroup, BatchGroups, type DrawEntry } from './BatchGroup.js';
import { Looks } from './MaterialGeometryCache.js';
import type { CurrentList, MeshBatch } from './MeshBatch.js';
import { transparentCode } from './transparentCode.js';
import { type Accept, CALLBACKS } from './whyNotBatched.js';

type Callback = (...given: unknown[]) => void;

const NONE = Object.freeze([]);
const made = new WeakMap<Object3D, Object3D>();

/**
 * What draws an object without what is below it: an object whose prototype it is, always the same, as renderers keep what
 * they know by object. Callbacks are those of the object itself.
 */
function withoutChildren(object: Object3D): Object3D {
  let alone = made.get(object);
  if (alone === undefined) {
    const own: PropertyDescriptorMap = { children: { value: NONE } };
    for (const name of CALLBACKS) own[name] = { value: forward(object, name) };
    alone = Object.create(object, own) as Object3D;
    made.set(object, alone);
  }
  return alone;
}

/** The second argument of callbacks for shadows is the object. */
function forward(object: Object3D, name: (typeof CALLBACKS)[number]): Callback {
  return function (this: unknown, a, b, c, d, e, f, g) {
    (object[name] as Callback)(a, b === this ? object : b, c, d, e, f, g);
  };
}

export { knowsBatches } from './MeshBatch.js';
export { canBatch } from './whyNotBatched.js';

/** A pass of a renderer, as far as batches go. */
export interface BatchedPass {
  /** The list that it fills. */
  readonly list: number;
  /** The camera of the picture. */
  readonly eye: Camera;
  /** The camera by whose depths draws are sorted; null where their order does not count, or is that of the scene. */
  readonly camera: Camera | null;
  /** The mask of its layers. */
  readonly mask: number;
  /** It is that of the camera of a picture, not of a shadow. */
  readonly isMain: boolean;
  /** Nothing that was listed before is still to be drawn: meshes may join batches and leave them. */
  readonly isFirst: boolean;
  /** Whether the renderer draws node materials in batches. */
  readonly drawsNodes: boolean;
  /** A number that changes when the world matrix of anything does. */
  readonly changes: number;
  /** The renderer has lists in which transparent draws can become one; elsewhere they are drawn by themselves. */
  readonly mergesTransparent: boolean;
}

/** What the user decides. */
export interface BatchSettings {
  /** Whether materials that are equal in all but their colour are drawn as one. */
  readonly mergeColors: boolean;
  /** Bytes that buffers and textures may take. */
  readonly maxBytes: number;
  /** Similar draws that make a batch. */
  readonly atLeast: number;
  /** Whether a material of which only its author knows that it is safe in batches is one. */
  readonly accept: Accept;
  /** Objects with all below them, and whether they are drawn in batches; the nearest above a mesh decides. */
  readonly rules: WeakMap<Object3D, boolean>;
}

/**
 * The meshes of a scene that are drawn in batches. A mesh is looked at once in each frame in which a pass sees it: then it
 * joins, leaves, or is put where it has moved to. What nobody sees costs nothing.
 */
export class SceneBatches {
  readonly #scene: BatchScene;
  readonly #states = new Map<Object3D, BatchedMeshState>();
  /** By the id of the entry, or of one that had the id before. */
  readonly #byId: (BatchedMeshState | undefined)[] = [];
  /** Meshes that have gone since the last frame: pictures may still be drawn of them. */
  readonly #left: BatchedMeshState[] = [];
  #passes = 0;
  #hasTaken = false;
  /** The pass sees transparent meshes that have places in batches. */
  #hasTransparent = false;
  #pass: BatchedPass | null = null;
  /** Batches in the list of the pass, each with the first object that is drawn in it. */
  readonly #listed: { readonly group: BatchGroup; readonly record: ObjectRecord; readonly groupOrder: number }[] = [];

  constructor(currentList: CurrentList, { mergeColors, maxBytes, atLeast, accept, rules }: BatchSettings) {
    const looks = new Looks(mergeColors);
    const groups = new BatchGroups(currentList, new BatchMemory(maxBytes), atLeast);
    this.#scene = { looks, groups, accept, rules, rulesVersion: 0, waiting: new Set() };
  }

  /** True when nothing had a place in a batch in this frame, nor will have in the next. */
  get isIdle(): boolean {
    return !this.#hasTaken && ![...this.#scene.waiting].some(isToBeSeated);
  }

  /** Batches that there are. */
  get count(): number {
    return this.#scene.groups.batchCount;
  }

  /** Begins the lists of a pass. */
  begin(pass: BatchedPass): void {
    this.#pass = pass;
    this.#passes++;
    this.#listed.length = 0;
    this.#hasTransparent = false;
    const scene = this.#scene;
    // Between the pictures within a picture anything may have changed.
    if (pass.isMain) scene.looks.nextFrame();
    if (!pass.isFirst) return;
    this.#hasTaken = false;
    for (const state of this.#left.splice(0)) state.leave(scene);
    scene.groups.tidy();
    const waiting = [...scene.waiting];
    scene.waiting.clear();
    for (const state of waiting) {
      if (this.#states.get(state.mesh) === state && this.#look(state, state.groupOrder)) state.seat();
    }
  }

  /**
   * Takes a mesh that the pass sees into the lists of its batches, unless it is hidden; false when it is to be drawn by
   * itself.
   */
  take(id: number, record: ObjectRecord, groupOrder: number): boolean {
    const pass = this.#pass as BatchedPass;
    // What is not drawn is not uploaded either: renderers have not seen its numbers, whatever they are by now.
    if (!record.object.visible || (record.object.layers.mask & pass.mask) === 0) return true;
    const state = this.#stateAt(id, record, groupOrder);
    if (state === null) return false;
    const isUploaded = state.geometry?.endUpload() === true;
    if (!state.isSeated) return false;
    if (isUploaded || (pass.drawsNodes ? state.geometry?.isDynamic : state.hasNodes)) {
      this.#hasTaken ||= isUploaded;
      return false;
    }
    if (state.isTransparent && (pass.isMain || !pass.mergesTransparent)) {
      this.#listTransparent(state, pass, groupOrder);
      return false;
    }
    this.#hasTaken = true;
    this.#list(state, pass, groupOrder);
    if (state.others !== null) for (const entry of state.others) this.#list(entry, pass, groupOrder);
    return true;
  }

  /** Lists the transparent draws of a mesh, for the renderer to sort them among all others first. */
  #listTransparent(state: BatchedMeshState, pass: BatchedPass, groupOrder: number): void {
    if (!pass.mergesTransparent || transparentCode() === null) return;
    this.#hasTransparent = true;
    for (const entry of state.entries) if (entry.group?.isTransparent) this.#list(entry, pass, groupOrder);
  }

  /** Has a mesh join that is drawn by itself in this pass. */
  prepare(id: number, record: ObjectRecord, groupOrder: number): void {
    this.#stateAt(id, record, groupOrder)?.geometry?.endUpload();
  }

  /**
   * Ends the lists of the pass: calls back with each batch in them, and the first of the objects that are drawn in it.
   * @param order That in which batches are to draw; null for by depth.
   */
  end(order: WalkOrder | null, put: (record: ObjectRecord, drawn: Object3D, groupOrder: number) => void): void {
    const { list, eye, isFirst, isMain } = this.#pass as BatchedPass;
    for (const { group, record, groupOrder } of this.#listed) {
      if (order !== null) putInOrder(group, list, order);
      const batch = group.batch as MeshBatch;
      // Pictures around this one may still be drawn from the matrices as they are.
      if (isFirst) batch.recenter(list, eye);
      // For sort functions of the user's.
      batch.mesh.userData = record.object.userData;
      put(record, group.isTransparent && isMain ? batch.carrier : batch.mesh, groupOrder);
    }
    this.#listed.length = 0;
  }

  /**
   * To be called when a renderer is about to fill its list with what it was told to draw: has transparent draws that
   * follow each other, once they are sorted, drawn as one where they are of one batch.
   */
  mergeSorted(scene: Scene, renderer: SceneRenderer): void {
    if (!this.#hasTransparent) return;
    const pass = this.#passes;
    transparentCode()?.mergeWhenSorted(scene, renderer, {
      list: (this.#pass as BatchedPass).list,
      isCurrent: () => pass === this.#passes,
      entryOf: this.#entryOf,
      onMerged: () => {
        this.#hasTaken = true;
      },
    });
  }

  /** Lets go of an object. It may go while it is drawn. */
  forget(object: Object3D): void {
    const state = this.#states.get(object);
    if (state === undefined) return;
    this.#states.delete(object);
    if (this.#byId[state.entryId] === state) this.#byId[state.entryId] = undefined;
    this.#left.push(state);
  }

  /** To be called when the rules have changed. */
  noteRules(): void {
    this.#scene.rulesVersion++;
  }

  /**
   * True for an object that leaves what is below it to itself: it is drawn in a batch, or was looked at and is not. What is
   * new is drawn with all below it, as it may join.
   */
  isSolitary(record: ObjectRecord): boolean {
    if (record.hasInstances || isAggregate(record.object)) return false;
    const state = this.#states.get(record.object);
    return state?.record === record && (state.group !== null || state.reason !== null);
  }

  /** What draws an object without what is below it. */
  withoutChildren(object: Object3D): Object3D {
    return withoutChildren(object);
  }

  /** True for a mesh that was drawn in a batch when it was looked at last. */
  draws(object: Object3D): boolean {
    return (this.#states.get(object)?.slot ?? -1) >= 0;
  }

  /** All meshes that passes have seen. */
  get states(): Iterable<BatchedMeshState> {
    return this.#states.values();
  }

  /** How a mesh is drawn; undefined for one that no pass has seen. */
  stateOf(object: Object3D): BatchedMeshState | undefined {
    return this.#states.get(object);
  }

  dispose(): void {
    this.#passes++;
    for (const state of [...this.#left.splice(0), ...this.#states.values()]) state.release();
    this.#states.clear();
    this.#byId.length = 0;
    this.#scene.groups.dispose();
    this.#scene.waiting.clear();
  }

  /** Looks at a mesh, if that was not done in this frame; null for one that has to be drawn alone. */
  #stateAt(id: number, record: ObjectRecord, groupOrder: number): BatchedMeshState | null {
    let state = this.#byId[id];
    if (state === undefined || state.record !== record) state = this.#meet(id, record);
    if (state.frame === this.#scene.looks.frame && state.groupOrder === groupOrder) return state;
    return this.#look(state, groupOrder) ? state : null;
  }

  #look(state: BatchedMeshState, groupOrder: number): boolean {
    const isIn = state.look(this.#pass as BatchedPass, groupOrder, this.#scene);
    // It keeps a place for later.
    if (!isIn && state.slot >= 0) this.#hasTaken = true;
    return isIn;
  }

  /** The mesh of an entry, which may have had another entry before, or another record if it went and came again. */
  #meet(id: number, record: ObjectRecord): BatchedMeshState {
    let state = this.#states.get(record.object);
    if (state?.record !== record) {
      this.forget(record.object);
      state = new BatchedMeshState(record);
      this.#states.set(record.object, state);
    }
    // Filled up one by one, so that the array stays dense.
    while (this.#byId.length < id) this.#byId.push(undefined);
    state.entryId = id;
    this.#byId[id] = state;
    return state;
  }

  /** The transparent draw of a mesh that a renderer draws now; null for what is no such draw, or was not looked at. */
  readonly #entryOf = ({ object, geometry, material, group }: RenderItem): DrawEntry | null => {
    // What is drawn without its children has it as its prototype.
    const state = this.#states.get(object) ?? this.#states.get(Object.getPrototypeOf(object));
    if (state === undefined || !state.isTransparent || state.frame !== this.#scene.looks.frame) return null;
    if (state.slot < 0 || state.geometry?.geometry !== geometry) return null;
    for (let entry: DrawEntry = state, i = 0; ; i++) {
      const isDrawn = entry.piece === group && entry.known?.material === material;
      if (isDrawn && entry.slot >= 0 && entry.group?.isTransparent) return entry;
      if (state.others === null || i === state.others.length) return null;
      entry = state.others[i];
    }
  };

  #list(entry: DrawEntry, pass: BatchedPass, groupOrder: number): void {
    const group = entry.group as BatchGroup;
    const batch = group.batch as MeshBatch;
    if (group.pass !== this.#passes) {
      group.pass = this.#passes;
      batch.begin(pass.list, pass.camera);
      this.#listed.push({ group, record: entry.record, groupOrder });
    }
    batch.list(pass.list, entry.slot);
  }
}

/** True when a batch that a mesh is to be drawn in has no place for it yet. */
function isToBeSeated({ slot, group }: BatchedMeshState): boolean {
  return slot < 0 && group !== null && group.batch !== null;
}

function putInOrder({ entries, batch }: BatchGroup, list: number, order: WalkOrder): void {
  const bySlot = new Map<number, ObjectRecord>();
  for (const { record, slot } of entries) bySlot.set(slot, record);
  order.assignOrder([...bySlot.values()]);
  batch?.sortBy(list, (slot) => bySlot.get(slot)?.order ?? 0);
}
