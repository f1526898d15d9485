import type { Material, Mesh } from 'three';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { BatchMemory } from './BatchGeometry.js';
import { type MaterialFamily, syncVersion } from './ColorMergeable.js';
import type { DrawRange } from './DrawSlots.js';
import type { KnownGeometry } from './KnownGeometry.js';
import type { KnownMaterial } from './MaterialGeometryCache.js';
import { type CurrentList, MeshBatch } from './MeshBatch.js';

/** What the draws of one batch have in common, besides material and layout. */
export interface BatchKey {
  readonly mask: number;
  readonly renderOrder: number;
  /** The `renderOrder` of the THREE.Group they lie in. */
  readonly groupOrder: number;
  /** 1 for casting shadows, plus 2 for receiving them. */
  readonly shadows: number;
  /** Whether world matrices mirror. */
  readonly isMirrored: boolean;
}

/** One draw of a mesh: a mesh with a list of materials has one for each group of its geometry. */
export interface DrawEntry {
  readonly record: ObjectRecord;
  /** The draws it can share a draw call with; null for a mesh that is drawn alone. */
  group: BatchGroup | null;
  range: DrawRange;
  known: KnownMaterial | null;
  /** Its place in the batch of the group; -1 while it has none. */
  slot: number;
  /** The group of the geometry that it draws; null for all of it. */
  readonly piece: object | null;
  /** There was no memory for it. */
  isRefused: boolean;
}

/** Nanoseconds of the main thread that a draw in a batch spares: a draw call, less the look at its mesh. */
const SPARED = 1050;
/** What it takes for a mesh that moves or changes, and for each material, which is compared. */
const CHANGE = 800;
const MATERIAL = 700;
/** What it takes for the batch in each pass. Making one has to pay more, so that groups do not come and go. */
const KEPT = 25_000;
const MADE = 64_000;
/** A batch that did not pay in so many reviews in a row is freed. */
const PATIENCE = 2;

/** Draws that can be one draw call. They get a batch once that pays, or once there are as many as the user wants. */
export class BatchGroup {
  readonly key: string;
  readonly groups: BatchGroups;
  readonly entries: Set<DrawEntry> = new Set();
  batch: MeshBatch | null = null;
  /** The last pass that saw any of its draws. */
  pass = -1;
  /** Renderers sort its draws among everything transparent; see `mergeRuns`. */
  readonly isTransparent: boolean;
  /** What was seen since the last decision: draws, passes that had any, and changes. */
  draws = 0;
  passes = 0;
  changes = 0;
  /** Its batch would not pay: its meshes are drawn alone, and looked at only now and then. */
  isAsleep = false;
  /** Whether most of its meshes move or change, by the last decision against a batch; null for none. */
  isRestless: boolean | null = null;
  readonly castsShadows: boolean;
  readonly #like: BatchKey;
  readonly #drawn: Material;
  /** Of the materials that it draws as one; null for a single material. */
  readonly #family: MaterialFamily | null;
  #looks = 0;
  #losses = 0;

  constructor(key: string, like: BatchKey, { drawn, family }: KnownMaterial, groups: BatchGroups) {
    this.key = key;
    this.groups = groups;
    this.isTransparent = drawn.transparent;
    this.castsShadows = (like.shadows & 1) !== 0;
    this.#like = like;
    this.#drawn = drawn;
    this.#family = family?.copy ? family : null;
  }

  add(entry: DrawEntry): void {
    this.entries.add(entry);
    this.changes++;
    const { atLeast } = this.groups;
    if (atLeast > 0 && this.batch === null && this.entries.size >= atLeast) this.#makeBatch();
  }

  /**
   * Decides about a group without a batch, after a picture in which its meshes were looked at. False for not yet: in the
   * first of two pictures counts as changed what has changed since it was looked at last, which may be long ago.
   */
  decide(): boolean {
    const pays = this.#pays(MADE);
    if (pays) this.#makeBatch();
    else if (++this.#looks > 1) this.#sleep();
    this.#forgetCounts();
    return pays || this.isAsleep;
  }

  /** Frees a batch that has not paid for long. True for a group without one, which is to be looked at again. */
  review(): boolean {
    const { batch } = this;
    this.#looks = 0;
    if (batch === null) this.isAsleep = false;
    else if (this.passes > 0) this.#losses = this.#pays(KEPT) ? 0 : this.#losses + 1;
    if (this.#losses === PATIENCE) {
      this.dispose();
      this.#sleep();
    }
    this.#forgetCounts();
    return batch === null;
  }

  #sleep(): void {
    this.isAsleep = true;
    this.isRestless = 2 * this.changes > this.draws;
  }

  #pays(batchPrice: number): boolean {
    const { draws, passes, changes } = this;
    const materials = Math.min(this.#family?.members.size ?? 1, draws);
    return SPARED * draws > CHANGE * changes + passes * (MATERIAL * materials + batchPrice);
  }

  #forgetCounts(): void {
    this.draws = this.passes = this.changes = 0;
  }

  /** Gives a draw its place in the batch, if there is one and memory for it. */
  seat(entry: DrawEntry, geometry: KnownGeometry, { id, matrixWorld }: Mesh): void {
    if (entry.slot >= 0 || this.batch === null) return;
    entry.slot = this.batch.add(geometry, entry.range, id, entry.known?.material.id ?? 0);
    entry.isRefused = entry.slot < 0;
    if (entry.isRefused) return;
    this.batch.place(entry.slot, matrixWorld, true);
    const color = entry.known?.color ?? null;
    if (color !== null) this.batch.tint(entry.slot, color);
  }

  /** Frees the slot of a draw. */
  unseat(entry: DrawEntry): void {
    if (entry.slot >= 0) this.batch?.remove(entry.slot);
    entry.slot = -1;
  }

  /** Frees the batch; its draws wait until there are enough of them again. */
  dispose(): void {
    for (const entry of this.entries) entry.slot = -1;
    this.batch?.dispose();
    this.batch = null;
    this.#losses = 0;
  }

  #makeBatch(): void {
    const { currentList, memory } = this.groups;
    const { mask, renderOrder, shadows, isMirrored } = this.#like;
    const family = this.#family;
    this.batch = new MeshBatch(this.#drawn, { isMirrored, isTinted: family !== null }, currentList, memory, () => {
      if (family !== null) syncVersion(family);
    });
    const { mesh } = this.batch;
    mesh.layers.mask = mask;
    mesh.renderOrder = renderOrder;
    mesh.castShadow = this.castsShadows;
    mesh.receiveShadow = (shadows & 2) !== 0;
  }
}

/** Pictures between two reviews of all groups: a prime, so that effects of several pictures are not always met in the same. */
const REVIEW = 61;

/** The groups of draws of a scene. */
export class BatchGroups {
  readonly currentList: CurrentList;
  readonly memory: BatchMemory;
  /** Draws that make a batch; 0 to have one where it pays. */
  readonly atLeast: number;
  readonly #byKey = new Map<string, BatchGroup>();
  /** Groups that draws have left since the last `tidy`. */
  readonly #shrunk = new Set<BatchGroup>();
  /** Groups whose meshes are looked at to decide whether a batch pays. */
  readonly awake: Set<BatchGroup> = new Set();
  #pictures = 0;

  constructor(currentList: CurrentList, memory: BatchMemory, atLeast: number) {
    this.currentList = currentList;
    this.memory = memory;
    this.atLeast = atLeast;
  }

  /** Groups with enough draws for a batch. */
  get batchCount(): number {
    let count = 0;
    for (const { batch } of this.#byKey.values()) if (batch !== null) count++;
    return count;
  }

  /** The group of all draws with the same key, material and layout. */
  of(
    { mask, renderOrder, groupOrder, shadows, isMirrored }: BatchKey,
    known: KnownMaterial,
    layout: string,
  ): BatchGroup {
    const { drawn } = known;
    const { uuid, transparent } = drawn;
    const key = [uuid, transparent, mask, renderOrder, groupOrder, shadows, isMirrored, layout].join(' ');
    let group = this.#byKey.get(key);
    if (group === undefined) {
      group = new BatchGroup(key, { mask, renderOrder, groupOrder, shadows, isMirrored }, known, this);
      this.#byKey.set(key, group);
      if (this.atLeast === 0) this.awake.add(group);
    }
    return group;
  }

  leave(entry: DrawEntry): void {
    const { group } = entry;
    if (group === null) return;
    group.entries.delete(entry);
    group.unseat(entry);
    entry.group = null;
    this.#shrunk.add(group);
  }

  /**
   * Decides by what pictures have shown which groups have a batch. Not to be called while a picture may be drawn.
   * @param isIdle Whether nothing was drawn in batches, and nothing is to be decided.
   */
  decide(isIdle: boolean): void {
    if (this.atLeast > 0) return;
    for (const group of this.awake) if (group.decide()) this.awake.delete(group);
    if (!isIdle && ++this.#pictures % REVIEW > 0) return;
    for (const group of this.#byKey.values()) if (group.review()) this.awake.add(group);
  }

  /**
   * Frees batches that have fewer than half the draws it takes to make one; half, so that a mesh that comes and goes
   * does not rebuild them. Not to be called while a picture may be drawn from them.
   */
  tidy(): void {
    for (const group of this.#shrunk) {
      const { size } = group.entries;
      if (size === 0 || size < this.atLeast / 2) group.dispose();
      if (size > 0) continue;
      this.#byKey.delete(group.key);
      this.awake.delete(group);
    }
    this.#shrunk.clear();
  }

  dispose(): void {
    for (const group of this.#byKey.values()) group.dispose();
    this.#byKey.clear();
    this.awake.clear();
    this.#shrunk.clear();
  }
}
