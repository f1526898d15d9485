import type { Camera, Material, Mesh } from 'three';
import { getOrMake } from '../core/arrays.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { Colored } from '../three/MaterialTraits.js';
import type { BatchMemory } from './BatchMemory.js';
import type { MaterialFamily } from './ColorMergeable.js';
import { BatchOrigin, findOrigin, GoodOrigin } from './DrawSlots.js';
import type { JoinedWith } from './JoinedWith.js';
import type { DrawRange } from './KnownGeometry.js';
import type { LeveledPart } from './LeveledPart.js';
import type { LevelQueue } from './LevelQueue.js';
import type { BatchMaterial } from './MaterialGeometryCache.js';
import { MeshBatch, type PassDraws } from './MeshBatch.js';

/** What the draws of one batch have in common, besides material and layout. */
type BatchKey = Pick<JoinedWith, 'mask' | 'renderOrder' | 'groupOrder' | 'shadows' | 'isMirrored'>;

/** How a pass orders opaque draws of one order: by material, by depth, or as they lie in the scene. */
export type PassOrder = 'material' | 'depth' | 'scene';

/** One draw of a mesh in batches: a mesh with a list of materials has one for each group of its geometry. */
export interface Draw {
  readonly owner: {
    readonly record: ObjectRecord;
    readonly mesh: Mesh;
    /** Whether the rules allow it levels of detail. */
    readonly isLeveled: boolean;
    readonly first: Draw | null;
    onBatch(): void;
  };
  readonly joined: JoinedWith;
  readonly material: Material;
  readonly known: BatchMaterial;
  /** The draws it can share a draw call with. */
  readonly group: BatchGroup;
  /** The group of the geometry that it draws; null for all of it. */
  readonly piece: object | null;
  range: DrawRange;
  /** Its place in the batch of the group; -1 while it has none. */
  slot: number;
  /** The part of the geometry that it draws, where that may have levels of detail. */
  part: LeveledPart | null;
  /** The next draw of the mesh; null for the last one. */
  next: Draw | null;
}

/** Draws that can be one draw call. They get a batch once there are enough of them, or levels spare triangles of one. */
export class BatchGroup {
  readonly key: string;
  readonly groups: BatchGroups;
  readonly draws: Set<Draw> = new Set();
  batch: MeshBatch | null = null;
  /** The last pass that listed its batch, and its draws there. */
  pass = -1;
  listed: PassDraws | null = null;
  /** Renderers sort its draws among everything transparent; see `mergeRuns`. */
  readonly isTransparent: boolean;
  readonly like: BatchKey;
  /** What it is drawn with. */
  readonly drawn: Material;
  /** Of the materials that it draws as one; null for a single material. */
  readonly #family: MaterialFamily | null;
  /** By slot; there may be more behind the draws. */
  readonly bySlot: Draw[] = [];
  readonly instances = 1;

  constructor(key: string, like: BatchKey, { drawn, family }: BatchMaterial, groups: BatchGroups) {
    this.key = key;
    this.groups = groups;
    this.isTransparent = drawn.transparent;
    this.like = like;
    this.drawn = drawn;
    this.#family = family?.copy ? family : null;
  }

  /** The lowest, and the highest, id of the materials that it draws. */
  get firstId(): number {
    return Math.floor(this.drawn.id);
  }

  get lastId(): number {
    return this.#family?.lastId ?? this.drawn.id;
  }

  hasOrders({ groupOrder, renderOrder }: Pick<BatchKey, 'groupOrder' | 'renderOrder'>): boolean {
    return groupOrder === this.like.groupOrder && renderOrder === this.like.renderOrder;
  }

  seen(list: number): PassDraws {
    return (this.batch as MeshBatch).lists[list];
  }

  add(draw: Draw): void {
    this.draws.add(draw);
    const { levels, atLeast } = this.groups;
    levels?.enter(draw);
    if (this.batch === null && (this.draws.size >= atLeast || levels?.isEnough(draw))) this.#makeBatch();
  }

  get isLeveled(): boolean {
    return this.batch !== null;
  }

  /** Makes the batch where levels that have come are worth one, and puts these in it. */
  takeLevels(part: LeveledPart): void {
    this.makeBatch();
    this.batch?.geometry.addLevels(part);
  }

  /** Makes the batch where it has none, and levels of one of its draws make it worth that. */
  makeBatch(): void {
    if (this.batch === null && this.isWorth(1)) this.#makeBatch();
  }

  #makeBatch(): void {
    const { mask, renderOrder, shadows, isMirrored } = this.like;
    const family = this.#family;
    const onDraw = (): void => {
      if (family?.isStale !== true) return;
      family.isStale = false;
      this.drawn.needsUpdate = true;
    };
    const onWide = (slot: number): void => this.groups.levels?.wantCells(this.bySlot[slot]);
    const wishes = { onSets: this.#want, onWide };
    this.batch = new MeshBatch(this.drawn, { isMirrored, isTinted: family !== null }, this.groups, onDraw, wishes);
    const { mesh } = this.batch;
    mesh.layers.mask = mask;
    mesh.renderOrder = renderOrder;
    mesh.castShadow = (shadows & 1) !== 0;
    mesh.receiveShadow = (shadows & 2) !== 0;
    for (const { owner } of this.draws) owner.onBatch();
    this.#want();
    // Levels of one group of a mesh are worth batches for all of it.
    if (this.groups.levels === null) return;
    for (const { owner } of this.draws)
      for (let draw = owner.first; draw !== null; draw = draw.next) draw.group.makeBatch();
  }

  /** Has levels made that its draws may use by now. */
  readonly #want = (): void => {
    for (const draw of this.draws) this.groups.levels?.want(draw);
  };

  /** False for a group with less than a share of what it takes to make a batch. */
  isWorth(share: number): boolean {
    const { size } = this.draws;
    const { levels, atLeast } = this.groups;
    if (size === 0 || size >= share * atLeast) return size > 0;
    if (levels !== null) for (const draw of this.draws) if (levels.isEnough(draw, share)) return true;
    return false;
  }

  /** Gives a draw its place in the batch; false when there is no memory for it, or not in this picture. */
  place(draw: Draw): boolean {
    const { batch } = this;
    const { joined, material, known, owner, range, part } = draw;
    draw.slot = batch?.add(joined.geometry, range, owner.mesh.id, material.id) ?? -1;
    if (draw.slot < 0 || batch === null) return false;
    this.bySlot[draw.slot] = draw;
    known.draws++;
    batch.slots.isExact[draw.slot] = Number(!owner.isLeveled);
    if (part !== null) batch.geometry.addLevels(part);
    if (part?.cells) batch.geometry.addLevels(part.cells);
    this.update(draw, true);
    return true;
  }

  /** Has a draw show its mesh where that is by now, in the colour of its material. */
  update(draw: Draw, isNew = false): void {
    const batch = this.batch as MeshBatch;
    batch.setMatrix(draw.slot, draw.owner.mesh.matrixWorld, isNew);
    // Three uploads no colours before one is set.
    if (isNew || this.isRecolored(draw)) batch.setColor(draw.slot, (draw.material as Colored).color);
  }

  /** True for a draw in the batch whose material has another colour by now. */
  isRecolored({ slot, material }: Draw): boolean {
    const { batch } = this;
    return slot >= 0 && batch?.isTinted === true && !batch.hasColor(slot, (material as Colored).color);
  }

  remove(draw: Draw): void {
    if (draw.slot < 0) return;
    this.batch?.remove(draw.slot);
    draw.known.draws--;
    draw.slot = -1;
  }

  /** Removes a draw for good. */
  leave(draw: Draw): void {
    this.draws.delete(draw);
    this.groups.levels?.leave(draw);
    this.remove(draw);
    this.groups.shrunk.add(this);
  }

  /** Frees the batch; its draws wait until there are enough of them again. */
  dispose(): void {
    this.batch?.dispose();
    this.batch = this.listed = null;
    for (const draw of this.draws) {
      this.remove(draw);
      draw.owner.onBatch();
    }
  }
}

/** True for batches of opaque draws that a pass may draw in another order than their meshes. */
export function mayReorder(a: BatchGroup, b: BatchGroup, order: PassOrder): boolean {
  if (a.isTransparent || b.isTransparent || a.like.isMirrored !== b.like.isMirrored) return false;
  if (order !== 'scene' && !a.hasOrders(b.like)) return false;
  return order !== 'material' || (a.firstId <= b.lastId && b.firstId <= a.lastId);
}

const newOrigin = new Float64Array(4);

export class BatchGroups {
  readonly memory: BatchMemory;
  readonly origin: BatchOrigin = new BatchOrigin();
  readonly #goodOrigin = new GoodOrigin();
  /** `Pass.slot` of the render that is in progress: by it batches know which of their lists is drawn. */
  slot = 0;
  /** Draws that make a batch. */
  readonly atLeast: number;
  /** Called with what a batch throws while it is drawn. */
  readonly failed: (error: unknown) => void;
  /** The queue of levels to be made; null for none, or while its code is on its way. */
  levels: LevelQueue | null = null;
  /** Whether there are to be levels. */
  readonly isLeveled: boolean;
  /** Whether each geometry has batches of its own: `WebGPURenderer` draws several geometries by several calls. */
  isPerGeometry = false;
  readonly #byKey = new Map<string, BatchGroup>();
  /** Groups that draws have left since the last `tidy`. */
  readonly shrunk: Set<BatchGroup> = new Set();

  constructor(memory: BatchMemory, atLeast: number, failed: (error: unknown) => void, isLeveled = false) {
    this.memory = memory;
    this.atLeast = atLeast;
    this.isLeveled = isLeveled;
    this.failed = failed;
  }

  get batchCount(): number {
    let count = 0;
    for (const { batch } of this.#byKey.values()) if (batch !== null) count++;
    return count;
  }

  /** The group of all draws with the same key, material and layout, and where that counts the same geometry. */
  of(joined: JoinedWith, known: BatchMaterial): BatchGroup {
    const { mask, renderOrder, groupOrder, shadows, isMirrored, geometry } = joined;
    const { uuid, transparent } = known.drawn;
    const shape = `${this.isPerGeometry ? geometry.geometry.id : -1} ${geometry.layout}`;
    const key = `${uuid} ${transparent} ${mask} ${renderOrder} ${groupOrder} ${shadows} ${isMirrored} ${shape}`;
    // A copy, as groups keep no geometry alive.
    const like = { mask, renderOrder, groupOrder, shadows, isMirrored };
    return getOrMake(this.#byKey, key, () => new BatchGroup(key, like, known, this));
  }

  /**
   * Moves the origin near what a camera sees of some groups, if it is too far away to draw that exactly: for all batches
   * at once, and not while a picture is drawn from them.
   * @returns false when it would have to move, but may not.
   */
  recenter(seen: readonly PassDraws[], list: number, camera: Camera, mayMove: boolean): boolean {
    if (list === 0 && this.#goodOrigin.holdsFor(seen, camera)) return true;
    const isFar = findOrigin(seen, this.origin.plain.elements, camera, newOrigin);
    if (list === 0) this.#goodOrigin.remember(seen, camera, isFar ? -1 : newOrigin[3]);
    if (!isFar) return true;
    if (!mayMove) return false;
    this.origin.moveTo(newOrigin);
    for (const { batch } of this.#byKey.values()) batch?.recenter();
    return true;
  }

  /** Has levels made, also for the draws that are there. */
  startLevels(levels: LevelQueue): void {
    this.levels = levels;
    for (const { draws } of this.#byKey.values()) for (const draw of draws) levels.enter(draw);
  }

  /** Triangles that batches with levels drew in the last picture, and those that were spared. */
  countTriangles(): { drawn: number; spared: number } {
    const sum = { drawn: 0, spared: 0 };
    for (const { triangles } of this.levels?.instances.values() ?? []) {
      sum.drawn += triangles?.drawn ?? 0;
      sum.spared += triangles?.spared ?? 0;
    }
    for (const { batch } of this.#byKey.values()) {
      const { ids } = batch?.lists[0] ?? {};
      if (ids !== undefined) batch?.choice?.countTriangles(ids.ids, ids.length, sum);
    }
    return sum;
  }

  /** Has levels that have been made drawn from now on. */
  takeLevels(): void {
    const made = this.levels?.made;
    for (const part of made ?? []) for (const group of part.users.keys()) group.takeLevels(part);
    made?.clear();
  }

  /**
   * Frees batches that have fewer than half the draws it takes to make one; half, so that a mesh that comes and goes
   * does not rebuild them. Not to be called while a picture may be drawn from them.
   */
  tidy(): void {
    for (const group of this.shrunk) {
      if (!group.isWorth(1 / 2)) group.dispose();
      if (group.draws.size === 0) this.#byKey.delete(group.key);
    }
    this.shrunk.clear();
    this.levels?.tidy();
  }

  dispose(): void {
    this.levels?.dispose();
    this.levels = null;
    for (const group of this.#byKey.values()) group.dispose();
    this.#byKey.clear();
    this.shrunk.clear();
  }
}
