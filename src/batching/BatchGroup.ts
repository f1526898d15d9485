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

/** The properties that all draws of a batch share, besides material and layout. */
type BatchKey = Pick<JoinedWith, 'mask' | 'renderOrder' | 'groupOrder' | 'shadows' | 'isMirrored'>;

/** How a pass orders opaque draws of one `renderOrder`: by material, by depth, or as they lie in the scene. */
export type PassOrder = 'material' | 'depth' | 'scene';

/** One draw of a mesh in batches: a mesh with a list of materials has one for each geometry group. */
export interface Draw {
  readonly owner: {
    readonly record: ObjectRecord;
    readonly mesh: Mesh;
    /** Whether the rules allow levels of detail for the mesh. */
    readonly isLeveled: boolean;
    readonly first: Draw | null;
    onBatch(): void;
  };
  readonly joined: JoinedWith;
  readonly material: Material;
  readonly known: BatchMaterial;
  /** The group of draws that can share a draw call with this draw. */
  readonly group: BatchGroup;
  /** The geometry group that is drawn; null for the whole geometry. */
  readonly piece: object | null;
  range: DrawRange;
  /** The slot of the draw in the batch of the group; -1 while it has none. */
  slot: number;
  /** The drawn part of the geometry; null if it cannot have levels of detail. */
  part: LeveledPart | null;
  /** The next draw of the mesh; null for the last one. */
  next: Draw | null;
}

/** Draws that one call can draw. They get a batch once they are enough, or levels spare enough triangles of one. */
export class BatchGroup {
  readonly key: string;
  readonly groups: BatchGroups;
  readonly draws: Set<Draw> = new Set();
  batch: MeshBatch | null = null;
  /** The last pass that listed the batch; `listed` are the draws in its list. */
  pass = -1;
  listed: PassDraws | null = null;
  /** Whether renderers sort the draws among all transparent objects; see `mergeRuns`. */
  readonly isTransparent: boolean;
  readonly like: BatchKey;
  /** The material of the batch. */
  readonly drawn: Material;
  /** The family of the materials that the batch draws as one; null for a single material. */
  readonly #family: MaterialFamily | null;
  /** The draw in each slot of the batch; those of freed slots are stale. */
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

  /** The lowest id of the materials that the batch draws; `lastId` is the highest. */
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

  /** Makes the batch if new levels make it worthwhile, and puts the levels in it. */
  takeLevels(part: LeveledPart): void {
    this.makeBatch();
    this.batch?.geometry.addLevels(part);
  }

  /** Makes the batch if there is none, and the levels of one of the draws make it worthwhile. */
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
    // Levels of one draw of a mesh are worth batches for all draws of the mesh.
    if (this.groups.levels === null) return;
    for (const { owner } of this.draws)
      for (let draw = owner.first; draw !== null; draw = draw.next) draw.group.makeBatch();
  }

  /** Requests the levels that the draws may use by now. */
  readonly #want = (): void => {
    for (const draw of this.draws) this.groups.levels?.want(draw);
  };

  /** True for a group with this share of the draws that make a batch, or of the triangles that levels have to spare. */
  isWorth(share: number): boolean {
    const { size } = this.draws;
    const { levels, atLeast } = this.groups;
    if (size === 0 || size >= share * atLeast) return size > 0;
    if (levels !== null) for (const draw of this.draws) if (levels.isEnough(draw, share)) return true;
    return false;
  }

  /** Gives a draw a slot in the batch; false without memory for it, or once this picture has copied its share. */
  takeSlot(draw: Draw): boolean {
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

  /** Writes the present matrix of the mesh, and the colour of its material, to the slot of a draw. */
  update(draw: Draw, isNew = false): void {
    const batch = this.batch as MeshBatch;
    batch.setMatrix(draw.slot, draw.owner.mesh.matrixWorld, isNew);
    // three uploads no colours before one is set.
    if (isNew || this.isRecolored(draw)) batch.setColor(draw.slot, (draw.material as Colored).color);
  }

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

  leave(draw: Draw): void {
    this.draws.delete(draw);
    this.groups.levels?.leave(draw);
    this.remove(draw);
    this.groups.shrunk.add(this);
  }

  /** Frees the batch; its draws wait until there are enough for another batch. */
  dispose(): void {
    this.batch?.dispose();
    this.batch = this.listed = null;
    for (const draw of this.draws) {
      this.remove(draw);
      draw.owner.onBatch();
    }
  }
}

/** True for two opaque batches that a pass may draw in another order than their meshes. */
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
  /** The nesting (`Pass.nesting`) of the render in progress: it tells batches which of their lists is drawn. */
  nesting = 0;
  /** The number of draws that makes a batch. */
  readonly atLeast: number;
  /** Called with the error that a batch throws while it is drawn. */
  readonly failed: (error: unknown) => void;
  /** The queue of levels to be made; null without levels, or while the code of levels is loading. */
  levels: LevelQueue | null = null;
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

  /** The group of all draws with the same key, material and layout, and, if {@link isPerGeometry}, geometry. */
  of(joined: JoinedWith, known: BatchMaterial): BatchGroup {
    const { mask, renderOrder, groupOrder, shadows, isMirrored, geometry } = joined;
    const { uuid, transparent } = known.drawn;
    const shape = `${this.isPerGeometry ? geometry.geometry.id : -1} ${geometry.layout}`;
    const key = `${uuid} ${transparent} ${mask} ${renderOrder} ${groupOrder} ${shadows} ${isMirrored} ${shape}`;
    // The key is copied, as groups keep no geometry alive.
    const like = { mask, renderOrder, groupOrder, shadows, isMirrored };
    return getOrMake(this.#byKey, key, () => new BatchGroup(key, like, known, this));
  }

  /**
   * Moves the origin of all batches near the draws that a camera sees, if it is too far away to draw these exactly. The
   * origin never moves while a picture is drawn from the batches.
   * @returns false when the origin would have to move, but may not.
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

  /** Begins to make levels, for present draws as well. */
  startLevels(levels: LevelQueue): void {
    this.levels = levels;
    for (const { draws } of this.#byKey.values()) for (const draw of draws) levels.enter(draw);
  }

  /** Counts the triangles of batched draws and leveled instances in the last picture, drawn and spared. */
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

  takeLevels(): void {
    const made = this.levels?.made;
    for (const part of made ?? []) for (const group of part.users.keys()) group.takeLevels(part);
    made?.clear();
  }

  /**
   * Frees batches with fewer than half the draws that make a batch: a mesh that comes and goes must not rebuild them.
   * Not to be called while a picture may be drawn from the batches.
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
