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

/** Draws that can be one draw call. They get a batch once there are enough of them. */
export class BatchGroup {
  readonly key: string;
  readonly groups: BatchGroups;
  readonly entries: Set<DrawEntry> = new Set();
  batch: MeshBatch | null = null;
  /** The last pass that listed its batch. */
  pass = -1;
  /** Renderers sort its draws among everything transparent; see `mergeRuns`. */
  readonly isTransparent: boolean;
  readonly #like: BatchKey;
  readonly #drawn: Material;
  /** Of the materials that it draws as one; null for a single material. */
  readonly #family: MaterialFamily | null;

  constructor(key: string, like: BatchKey, { drawn, family }: KnownMaterial, groups: BatchGroups) {
    this.key = key;
    this.groups = groups;
    this.isTransparent = drawn.transparent;
    this.#like = like;
    this.#drawn = drawn;
    this.#family = family?.copy ? family : null;
  }

  add(entry: DrawEntry): void {
    this.entries.add(entry);
    if (this.batch !== null || this.entries.size < this.groups.atLeast) return;
    this.#makeBatch();
    this.groups.made.push(this);
  }

  /** Gives a draw its place in the batch, if there is one and memory for it. */
  seat(entry: DrawEntry, geometry: KnownGeometry, { id, matrixWorld }: Mesh): void {
    if (entry.slot >= 0 || this.batch === null || entry.known === null) return;
    entry.slot = this.batch.add(geometry, entry.range, id, entry.known.material.id);
    entry.isRefused = entry.slot < 0 && this.groups.memory.share > 0;
    if (entry.slot < 0) return;
    entry.known.seats++;
    this.batch.place(entry.slot, matrixWorld, true);
    const { color } = entry.known;
    if (color !== null) this.batch.tint(entry.slot, color);
  }

  /** Frees the slot of a draw. */
  unseat(entry: DrawEntry): void {
    if (entry.slot < 0) return;
    this.batch?.remove(entry.slot);
    leaveSeat(entry);
  }

  /** Frees the batch; its draws wait until there are enough of them again. */
  dispose(): void {
    for (const entry of this.entries) leaveSeat(entry);
    this.batch?.dispose();
    this.batch = null;
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
    mesh.castShadow = (shadows & 1) !== 0;
    mesh.receiveShadow = (shadows & 2) !== 0;
  }
}

function leaveSeat(entry: DrawEntry): void {
  if (entry.slot >= 0 && entry.known !== null) entry.known.seats--;
  entry.slot = -1;
}

/** The groups of draws of a scene. */
export class BatchGroups {
  readonly currentList: CurrentList;
  readonly memory: BatchMemory;
  /** Draws that make a batch. */
  readonly atLeast: number;
  /** Whether each geometry has batches of its own: `WebGPURenderer` draws several geometries by several calls. */
  isPerGeometry = false;
  /** Groups that got a batch since this was emptied last: their draws have yet to be given a place. */
  readonly made: BatchGroup[] = [];
  readonly #byKey = new Map<string, BatchGroup>();
  /** Groups that draws have left since the last `tidy`. */
  readonly #shrunk = new Set<BatchGroup>();

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

  /** The group of all draws with the same key, material and layout, and where that counts the same geometry. */
  of(
    { mask, renderOrder, groupOrder, shadows, isMirrored }: BatchKey,
    known: KnownMaterial,
    { layout, geometry }: KnownGeometry,
  ): BatchGroup {
    const { drawn } = known;
    const { uuid, transparent } = drawn;
    const shape = this.isPerGeometry ? geometry.id : -1;
    const key = `${uuid} ${transparent} ${mask} ${renderOrder} ${groupOrder} ${shadows} ${isMirrored} ${shape} ${layout}`;
    let group = this.#byKey.get(key);
    if (group === undefined) {
      group = new BatchGroup(key, { mask, renderOrder, groupOrder, shadows, isMirrored }, known, this);
      this.#byKey.set(key, group);
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
   * Frees batches that have fewer than half the draws it takes to make one; half, so that a mesh that comes and goes
   * does not rebuild them. Not to be called while a picture may be drawn from them.
   */
  tidy(): void {
    for (const group of this.#shrunk) {
      const { size } = group.entries;
      if (size === 0 || size < this.atLeast / 2) group.dispose();
      if (size > 0) continue;
      this.#byKey.delete(group.key);
    }
    this.#shrunk.clear();
  }

  dispose(): void {
    for (const group of this.#byKey.values()) group.dispose();
    this.#byKey.clear();
    this.made.length = 0;
    this.#shrunk.clear();
  }
}
