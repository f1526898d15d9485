import type { BufferGeometry, Mesh, Object3D } from 'three';
import type { DepthCoefficients } from '../instances/drawn/drawLists.js';
import type { Pass } from '../passes/Pass.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { ruleFor } from '../scene/objects/rules.js';
import type { BatchGroups, Draw, PassOrder } from './BatchGroup.js';
import { JoinedWith } from './JoinedWith.js';
import type { DrawRange } from './KnownGeometry.js';
import type { MaterialGeometryCache } from './MaterialGeometryCache.js';
import { type Accept, type AloneReason, type ApartReason, whyMeshAlone } from './whyNotBatched.js';

/** The settings and shared parts of the batches of a scene, as the states of its meshes need them. */
export interface BatchScene {
  readonly cache: MaterialGeometryCache;
  readonly groups: BatchGroups;
  readonly accept: Accept;
  /** Whether subtrees are drawn in batches; the nearest rule at or above a mesh decides. */
  readonly rules: WeakMap<Object3D, boolean>;
  /** Whether subtrees are drawn by levels of detail. */
  readonly levelRules: WeakMap<Object3D, boolean>;
  rulesVersion: number;
  /** Number of the picture; pictures drawn within it do not count. */
  picture: number;
  /** Meshes to be refreshed when the next picture begins. */
  readonly waiting: Set<BatchedMeshState>;
  /** Called when a mesh that changes too often has changed. */
  restless(): void;
}

export interface BatchedPass extends Pick<Pass, 'renderer' | 'camera' | 'scene' | 'changes'> {
  /** The number of the pass among all passes of the scene. */
  readonly number: number;
  readonly list: number;
  readonly mask: number;
  /** Whether the pass is a camera's, not a shadow's. */
  readonly isMain: boolean;
  /** Whether no listed draws are still to be drawn: then meshes may join and leave batches. */
  readonly isFirst: boolean;
  readonly isWebGL: boolean;
  /** Whether transparent draws can be merged in the lists of the renderer; otherwise they are drawn alone. */
  readonly mergesTransparent: boolean;
  readonly order: PassOrder;
  /** The depths by which batches sort opaque draws; null for the order in which draws are listed. */
  readonly sortBy: DepthCoefficients | null;
  /** The first draw of each batch that the pass has listed. */
  readonly listed: Draw[];
  /** Whether the pass has listed transparent draws to be merged once the renderer has sorted them. */
  hasTransparent: boolean;
}

/** How a mesh is drawn: see the table of {@link BatchedMeshState}. */
export type MeshStatus = 'new' | 'alone' | 'few' | 'joining' | 'full' | 'batched' | 'swapped';

/**
 * How a mesh is drawn, as a state machine:
 *
 * | status  | the mesh is drawn         | becomes                                                                 |
 * | ------- | ------------------------- | ----------------------------------------------------------------------- |
 * | new     | alone                     | few, joining or alone, in the first pass that sees it (`#join`)         |
 * | alone   | alone, `reason` says why  | few or joining, when the reason has gone (`#join`); never when it failed |
 * | few     | alone, its group is small | joining, when all of its groups have batches (`onBatch`)                |
 * | joining | alone                     | batched or full, when the next picture begins (`takeSlots`)                 |
 * | full    | alone, memory ran out     | batched, when there is memory (`takeSlots`)                                 |
 * | batched | in the batch of its group | few, joining or alone, when its key or its reason change (`#join`);     |
 * |         |                           | joining when its place is too small (`#update`); few when a group loses |
 * |         |                           | its batch (`onBatch`)                                                   |
 * | swapped | alone, keeps its slots    | batched, when it has its own material again; else any other, in the     |
 * |         |                           | next picture (`#join`)                                                  |
 *
 * Slots are taken and freed only while nothing is drawn from batches: a mesh that changes in between waits for the next
 * picture.
 *
 * Fields read in each frame come first, to lie together in memory.
 */
export class BatchedMeshState {
  readonly record: ObjectRecord;
  readonly mesh: Mesh;
  readonly #scene: BatchScene;
  /** The frame of the last refresh; `#changes` is `BatchedPass.changes` at that time. */
  frame = -1;
  #changes = -1;
  /** The last picture in which the pass of a camera has seen the mesh. */
  #mainPicture = -1;
  status: MeshStatus = 'new';
  /** The properties with which the mesh joined; null when materials and geometry do not matter. */
  joined: JoinedWith | null = null;
  /** The first draw of the mesh; null while the mesh is drawn alone for a `reason`. */
  first: Draw | null = null;
  /** The revision of the geometry as drawn in the batch; `#movedIn` is the number of the drawn matrix's update. */
  #revision = -1;
  #movedIn = -1;
  /** The version of the rules that was read; `#mayJoin` tells whether these rules let the mesh join. */
  #rules = -1;
  #mayJoin = false;
  /** Why the mesh has to be drawn alone; null when it need not be. */
  reason: AloneReason | null = null;
  /** Whether the mesh changes too often: then it is drawn alone until it rests. */
  #isRestless = false;
  /** One bit for each of the last pictures, the newest lowest: 1 if the geometry or the material had changed. */
  #changed = 0;
  /** Whether some draw of the mesh is transparent; `isOnlyTransparent` tells whether all are. */
  isTransparent = false;
  isOnlyTransparent = false;
  /** The id of the mesh's entry; `SceneBatches` keeps it up to date. */
  entryId = -1;
  /** The last pass in which the renderer's draws of the mesh become draws of its batches. */
  mergedIn = -1;
  /** The last pass that draws the mesh alone although it has slots, in `#apartPicture` for `#apartReason`. */
  apartIn = -1;
  #apartPicture = -1;
  #apartReason: ApartReason | null = null;
  isLeveled = true;
  /** The frame in which the mesh was first seen with another material than it joined with. */
  #swappedIn = -1;
  /** The picture of the lowest bit of {@link #changed}; `#changedAt` is the time of the last change. */
  #changedAsOf = 0;
  #changedAt = 0;

  constructor(record: ObjectRecord, scene: BatchScene) {
    this.record = record;
    this.mesh = record.object as Object3D as Mesh;
    this.#scene = scene;
  }

  /** The `renderOrder` of the `Group` in which the mesh lay when it joined. */
  get groupOrder(): number {
    return this.joined?.groupOrder ?? 0;
  }

  /** Why the last picture drew the mesh alone although it has slots; null if it did not. */
  get apartReason(): ApartReason | null {
    return this.#apartPicture === this.#scene.picture ? this.#apartReason : null;
  }

  /** All draws of the mesh: one, or several with a list of materials. */
  get draws(): readonly Draw[] {
    const draws: Draw[] = [];
    for (let draw = this.first; draw !== null; draw = draw.next) draws.push(draw);
    return draws;
  }

  drawApart(pass: number, reason: ApartReason): void {
    this.apartIn = pass;
    this.#apartPicture = this.#scene.picture;
    this.#apartReason = reason;
    for (const { slot, group } of this.draws) if (group.batch && slot >= 0) group.batch.slots.apartIn[slot] = pass;
  }

  /**
   * Updates the status, in the first pass of a frame that sees the mesh. Nearly all meshes stay in their batches.
   * @returns false when the mesh has to be drawn alone, even if it has slots.
   */
  refresh(pass: BatchedPass, groupOrder: number): boolean {
    const { cache, picture, rulesVersion } = this.#scene;
    if (pass.isMain) this.#mainPicture = picture;
    if (this.reason === 'failed') return false;
    if (this.#rules !== rulesVersion) this.#readRules();
    const change = this.#findChange(pass, groupOrder);
    const stays = this.status === 'batched' && change <= (pass.isFirst ? MOVED : SAME);
    if (!stays && !this.#settle(pass, groupOrder, change)) return false;
    if (stays && change === MOVED) this.#update();
    this.frame = cache.frame;
    this.#changes = pass.changes;
    return this.first !== null;
  }

  #findChange({ changes }: BatchedPass, groupOrder: number): number {
    const { joined, mesh } = this;
    if (this.#mayJoin === (this.reason === 'notAllowed')) return OTHER;
    if (joined === null) return this.reason !== null && whyMeshAlone(mesh) !== null ? SAME : OTHER;
    if (!joined.fits(mesh, groupOrder) || !joined.refresh(this.#scene.cache, this.status === 'batched')) return OTHER;
    const hasMoved = changes !== this.#changes && this.#movedIn !== this.record.changed;
    if (hasMoved && joined.hasOtherPose(mesh)) return OTHER;
    // With a list of materials each draw shows a geometry group, and the groups may have changed.
    if (joined.geometry.revision !== this.#revision) return joined.facts === null ? OTHER : RESHAPED;
    if (hasMoved) return MOVED;
    for (let draw = this.first; draw !== null; draw = draw.next) if (draw.group.isRecolored(draw)) return MOVED;
    return SAME;
  }

  /** Decides how the mesh is drawn from now on; false when the decision has to wait for the next picture. */
  #settle({ isFirst }: BatchedPass, groupOrder: number, found: number): boolean {
    const { cache, picture, waiting } = this.#scene;
    if (this.#takeSwap(cache.frame)) {
      waiting.add(this);
      return false;
    }
    const isTurned = this.#countChange(picture, found >= RESHAPED);
    const change = isTurned ? OTHER : found;
    // Draws that are listed need the buffers as they are. A mesh that only shadow passes have seen may still move.
    const most = isFirst ? OTHER : this.#mainPicture === picture ? SAME : MOVED;
    if (change > most) {
      waiting.add(this);
      return false;
    }
    if (isTurned) this.#isRestless = !this.#isRestless;
    if (change === OTHER) this.#join(groupOrder);
    else if (change > SAME) this.#update();
    // The mesh takes its slots together with others, as draws of one call keep their order. A mesh that has joined may
    // have to join another group, as a new material of a family changes how all are drawn.
    if (this.first !== null && (change === OTHER || this.isWaiting)) waiting.add(this);
    return true;
  }

  /** True when the mesh has no slot in some of its batches. */
  get isWaiting(): boolean {
    return this.status === 'joining' || this.status === 'full';
  }

  /** Called when a group of the mesh's draws has got a batch, or lost it. */
  onBatch(): void {
    if (!this.draws.every(hasBatch)) this.#become('few');
    else if (this.status === 'few') this.#become('joining');
  }

  #become(status: MeshStatus, reason: AloneReason | null = null): void {
    this.status = status;
    this.reason = reason;
    if (this.isWaiting) this.#scene.waiting.add(this);
  }

  /** Records whether a picture found the mesh changed; true when it has begun, or ceased, to change too often. */
  #countChange(picture: number, isChanged: boolean): boolean {
    if (!isChanged && this.#changed === 0 && !this.#isRestless) return false;
    const now = performance.now();
    // A page that draws on demand may draw no picture while the mesh rests.
    const passed =
      now - this.#changedAt >= REST_MS ? REST_PICTURES : Math.min(picture - this.#changedAsOf, REST_PICTURES);
    if (isChanged) this.#changedAt = now;
    this.#changed = ((this.#changed << passed) | (isChanged ? 1 : 0)) & (2 ** REST_PICTURES - 1);
    this.#changedAsOf = picture;
    const isOften = this.#isRestless ? this.#changed !== 0 : isChanged && countOnes(this.#changed) > REST_PICTURES / 2;
    if (isOften && isChanged) this.#scene.restless();
    return isOften !== this.#isRestless;
  }

  /** Announces the geometries of the mesh to its batches, so that they make room once for many meshes. */
  expect(): void {
    for (const { slot, group, joined } of this.draws) if (slot < 0) group.batch?.expect(joined.geometry);
  }

  /** joining, full → batched; full without memory, joining when this picture has copied its share. */
  takeSlots(): void {
    let status: MeshStatus = 'batched';
    for (const draw of this.draws) {
      if (draw.slot >= 0 || draw.group.takeSlot(draw)) continue;
      if (status !== 'full') status = this.#scene.groups.memory.share > 0 ? 'full' : 'joining';
    }
    this.#become(status);
  }

  /** Any → alone, for good: something failed at the mesh. */
  refuse(): void {
    this.#become('alone', 'failed');
  }

  leave(): void {
    for (const draw of this.draws) draw.group.leave(draw);
    this.first = null;
    this.#scene.waiting.delete(this);
    this.release();
  }

  release(): void {
    this.joined?.release();
    this.joined = null;
  }

  /** batched ↔ swapped: true for one picture with another material, which may be meant for it alone, to draw ids. */
  #takeSwap(frame: number): boolean {
    const { status } = this;
    if (status !== 'batched' && status !== 'swapped') return false;
    if (this.mesh.material === this.joined?.material) {
      if (status === 'swapped') this.status = 'batched';
      return false;
    }
    if (status === 'batched') this.#swappedIn = frame;
    this.status = 'swapped';
    return frame === this.#swappedIn;
  }

  #readRules(): void {
    const { rules, levelRules, rulesVersion, groups } = this.#scene;
    this.#rules = rulesVersion;
    this.#mayJoin = ruleFor(this.record, rules) ?? false;
    const isLeveled = ruleFor(this.record, levelRules) ?? true;
    if (isLeveled === this.isLeveled) return;
    for (const draw of this.draws) groups.levels?.leave(draw);
    this.isLeveled = isLeveled;
    for (const draw of this.draws) {
      const { slot, group } = draw;
      if (group.batch && slot >= 0) group.batch.slots.isExact[slot] = Number(!isLeveled);
      groups.levels?.enter(draw);
    }
  }

  /** Any → few, joining or alone. */
  #join(groupOrder: number): void {
    const { mesh } = this;
    const { cache, accept } = this.#scene;
    this.leave();
    let why = whyMeshAlone(mesh);
    // Only a mesh is sure to have a geometry and a material.
    if (why === null) {
      this.joined = new JoinedWith(mesh, groupOrder, cache);
      this.#revision = this.joined.geometry.revision;
      this.#movedIn = this.record.changed;
      why = this.#mayJoin ? this.joined.whyAlone(mesh, accept) : null;
    }
    const reason = this.#mayJoin ? (why ?? (this.#isRestless ? 'restless' : null)) : 'notAllowed';
    if (reason !== null || !this.#addDraws()) this.#become('alone', reason ?? 'noGroups');
    else this.#become(this.draws.every(hasBatch) ? 'joining' : 'few');
  }

  /** Adds the draws, with a list of materials one for each geometry group with a material; false for none. */
  #addDraws(): boolean {
    const joined = this.joined as JoinedWith;
    const { materials } = joined;
    const { geometry } = joined.geometry;
    const groups = geometry.groups.filter(({ materialIndex }) => materials[materialIndex ?? 0] !== undefined);
    const pieces = joined.facts === null ? groups : [null];
    const draws = pieces.map((piece): Draw => {
      const known = materials[piece?.materialIndex ?? 0];
      const range = rangeOf(geometry, piece?.start, piece?.count);
      const group = this.#scene.groups.of(joined, known);
      // Fields read in each frame come first.
      const first = { slot: -1, next: null, part: null };
      return { group, ...first, material: known.material, owner: this, joined, known, piece, range };
    });
    for (const [i, draw] of draws.entries()) draw.next = draws[i + 1] ?? null;
    this.first = draws[0] ?? null;
    for (const draw of draws) draw.group.add(draw);
    this.isTransparent = draws.some(({ group }) => group.isTransparent);
    this.isOnlyTransparent = draws.every(({ group }) => group.isTransparent);
    return pieces.length > 0;
  }

  /** Any → the same, or batched → joining: writes the changes of the mesh to its batches. */
  #update(): void {
    const revision = this.joined?.geometry.revision ?? -1;
    const isReshaped = this.#revision !== revision;
    const { levels } = this.#scene.groups;
    for (let draw = this.first; draw !== null; draw = draw.next) {
      const { slot, group, joined } = draw;
      if (isReshaped) {
        draw.range = rangeOf(joined.geometry.geometry);
        levels?.leave(draw);
        levels?.enter(draw);
      }
      if (slot < 0) continue;
      if (!isReshaped || group.batch?.updateGeometry(slot, draw.range)) group.update(draw);
      else {
        group.remove(draw);
        this.#become('joining');
      }
    }
    this.#revision = revision;
    this.#movedIn = this.record.changed;
  }
}

/** SAME is no change; MOVED one of matrix or colour, RESHAPED of the geometry's numbers, OTHER of the mesh's groups. */
const [SAME, MOVED, RESHAPED, OTHER] = [0, 1, 2, 3];
/** A mesh that changed in more than half of so many pictures is drawn alone until as many pass without a change. */
const REST_PICTURES = 8;
/** Milliseconds without a change after which a mesh is no longer drawn alone, either. */
export const REST_MS = 1000;

function countOnes(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function hasBatch({ group }: Draw): boolean {
  return group.batch !== null;
}

/** The range that is drawn of a part of a geometry, by default of the whole geometry. */
function rangeOf(
  { index, attributes, drawRange }: BufferGeometry,
  first = 0,
  length: number = Number.POSITIVE_INFINITY,
): DrawRange {
  const start = Math.max(first, drawRange.start);
  const end = Math.min((index ?? attributes.position).count, first + length, drawRange.start + drawRange.count);
  return { start, count: Math.max(0, end - start) };
}
