import type { Material, Mesh, Object3D } from 'three';
import type { DepthCoefficients } from '../instances/drawn/drawLists.js';
import type { Pass } from '../passes/Pass.js';
import type { MaterialFacts } from '../scene/facts/MaterialFacts.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { ruleFor } from '../scene/objects/rules.js';
import type { Colored } from '../three/MaterialTraits.js';
import type { BatchGroup, BatchGroups, BatchKey, DrawEntry } from './BatchGroup.js';
import { type DrawRange, NOTHING } from './DrawSlots.js';
import type { KnownGeometry } from './KnownGeometry.js';
import type { BatchMaterial, MaterialGeometryCache } from './MaterialGeometryCache.js';
import { type Accept, type AloneReason, type ApartReason, isAccepted, whyMeshAlone } from './whyNotBatched.js';

/** What decides how the meshes of a scene are drawn. */
export interface BatchScene {
  readonly cache: MaterialGeometryCache;
  readonly groups: BatchGroups;
  readonly accept: Accept;
  /** Whether subtrees are drawn in batches; the nearest rule at or above a mesh decides. */
  readonly rules: WeakMap<Object3D, boolean>;
  /** Whether they are drawn by levels of detail. */
  readonly levelRules: WeakMap<Object3D, boolean>;
  rulesVersion: number;
  /** Number of the picture; those within it count as one. */
  picture: number;
  /** Meshes to be refreshed when the next picture begins. */
  readonly waiting: Set<BatchedMeshState>;
  /** Called when a mesh that changes too often has changed. */
  restless(): void;
}

/** What batches need of a pass. */
export interface BatchedPass extends Pick<Pass, 'renderer' | 'camera' | 'scene' | 'changes'> {
  readonly list: number;
  readonly mask: number;
  /** It is the camera's, not a shadow's. */
  readonly isMain: boolean;
  /** Nothing listed before has yet to be drawn, so meshes may join and leave batches. */
  readonly isFirst: boolean;
  readonly isWebGL: boolean;
  /** Transparent draws can become one in the lists of the renderer; elsewhere they are drawn alone. */
  readonly mergesTransparent: boolean;
  /** The depths by which batches sort opaque draws; null where they are left as they come. */
  readonly sortBy: DepthCoefficients | null;
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
 * | joining | alone                     | batched or full, when the next picture begins (`place`)                 |
 * | full    | alone, memory ran out     | batched, when there is memory (`place`)                                 |
 * | batched | in the batch of its group | few, joining or alone, when its key or its reason change (`#join`);     |
 * |         |                           | joining when its place is too small (`#update`); few when a group loses |
 * |         |                           | its batch (`onBatch`)                                                   |
 * | swapped | alone, keeps its place    | batched, when it has its own material again; else any other, in the     |
 * |         |                           | next picture (`#join`)                                                  |
 *
 * Slots are taken and freed only while nothing is drawn from batches: a mesh that changes in between waits for the next
 * picture.
 *
 * The object is also the first draw of its mesh. Fields read in each frame come first, to lie together in memory.
 */
export class BatchedMeshState implements BatchKey, DrawEntry {
  readonly record: ObjectRecord;
  readonly mesh: Mesh;
  readonly #scene: BatchScene;
  /** The frame in which it was refreshed last. */
  frame = -1;
  /** `BatchedPass.changes` by then, and those of the cache. */
  #changes = -1;
  #cacheChanges = -1;
  /** The picture in which a main pass has seen it last. */
  #mainPicture = -1;
  status: MeshStatus = 'new';
  slot = -1;
  group: BatchGroup | null = null;
  geometry: KnownGeometry | null = null;
  /** The facts of its material, and their stamp when it was refreshed last; null with a list of materials. */
  #facts: MaterialFacts | null = null;
  #stamp = 0;
  /** Revision of its geometry, and number of the update of its matrix, as drawn in the batch. */
  #revision = -1;
  #placed = -1;
  /** The version of the rules that says whether it may join. */
  #rules = -1;
  /** The last pictures, the newest in the lowest bit: 1 where its geometry or its material had changed. */
  #changed = 0;
  groupOrder = 0;
  mask = 0;
  renderOrder = 0;
  shadows = 0;
  /** A material is made of nodes, which WebGLRenderer draws object by object. */
  hasNodes = false;
  /** One of its draws is transparent; and all are. */
  isTransparent = false;
  isOnlyTransparent = false;
  others: readonly DrawEntry[] | null = null;
  /** The id of its entry; `SceneBatches` keeps it up to date. */
  entryId = -1;
  /** As the mesh has it: one, or a list. */
  #material: Material | readonly Material[] | null = null;
  #layout = '';
  /** Null unless three draws its back, then its front: then it has to be flat to be drawn in a batch. */
  #isFlat: boolean | null = null;
  materials: readonly BatchMaterial[] = NONE;
  #versions = 0;
  isMirrored = false;
  #isSheared = false;
  range: DrawRange = NOTHING;
  known: BatchMaterial | null = null;
  piece: object | null = null;
  /** The last pass in which the draws of the renderer become draws of its batches. */
  mergedIn = -1;
  /** The last pass that draws it alone, though it has its place; the picture and the reason. */
  apartIn = -1;
  #apartPicture = -1;
  #apartReason: ApartReason | null = null;
  isLeveled = true;
  /** Whether the rules allow it in batches. */
  #mayJoin = false;
  /** Why it has to be drawn alone; null when it need not be. */
  reason: AloneReason | null = null;
  readonly owner: this = this;
  /** The frame in which it was first seen with another material than the one it joined with. */
  #swappedIn = -1;
  /** The picture, and the time, of the last change in {@link #changed}. */
  #changedAsOf = 0;
  #changedAt = 0;
  /** It changes too often: it is drawn alone until it rests. */
  #isRestless = false;

  constructor(record: ObjectRecord, scene: BatchScene) {
    this.record = record;
    this.mesh = record.object as Object3D as Mesh;
    this.#scene = scene;
  }

  /** Why the last picture drew it alone, though it has its place; null where it did not. */
  get apartReason(): ApartReason | null {
    return this.#apartPicture === this.#scene.picture ? this.#apartReason : null;
  }

  drawApart(pass: number, reason: ApartReason): void {
    this.apartIn = pass;
    this.#apartPicture = this.#scene.picture;
    this.#apartReason = reason;
    for (const { slot, group } of this.entries) if (slot >= 0 && group?.batch) group.batch.slots.apartIn[slot] = pass;
  }

  get entries(): DrawEntry[] {
    return this.others === null ? [this] : [this, ...this.others];
  }

  /**
   * Updates the status, in the first pass of a frame that sees the mesh. Nearly all stay in their batches as they are.
   * @returns false when it has to be drawn alone, even if it has a place.
   */
  refresh(pass: BatchedPass, groupOrder: number): boolean {
    const { cache, picture } = this.#scene;
    if (pass.isMain) this.#mainPicture = picture;
    if (!this.#stay(pass, groupOrder) && !this.#settle(pass, groupOrder)) return false;
    this.frame = cache.frame;
    this.#changes = pass.changes;
    this.#cacheChanges = cache.changes;
    if (this.#facts !== null) this.#stamp = this.#facts.stamp;
    return this.group !== null;
  }

  /** batched → the same: goes on with its one draw, moved to where it is by now; false when it has to settle anew. */
  #stay(pass: BatchedPass, groupOrder: number): boolean {
    const { geometry } = this;
    const { frame } = this.#scene.cache;
    if (this.status !== 'batched' || geometry === null || this.#facts === null) return false;
    if (geometry.frame !== frame) geometry.refresh(frame);
    this.#facts.look();
    return this.#isAsPlaced(groupOrder, geometry, this.#facts) && this.#follow(pass);
  }

  /** True when the batch draws it as it is, wherever. Written out, as it is asked of each mesh in view. */
  #isAsPlaced(groupOrder: number, geometry: KnownGeometry, facts: MaterialFacts): boolean {
    const { mesh, group } = this;
    const { cache, rulesVersion } = this.#scene;
    if (mesh.material !== facts.material || mesh.geometry !== geometry.geometry) return false;
    if (groupOrder !== this.groupOrder || rulesVersion !== this.#rules) return false;
    if (mesh.layers.mask !== this.mask || mesh.renderOrder !== this.renderOrder) return false;
    if (shadowsOf(mesh) !== this.shadows || whyMeshAlone(mesh) !== null) return false;
    if (geometry.revision !== this.#revision || cache.changes !== this.#cacheChanges) return false;
    if (facts.stamp !== this.#stamp) return false;
    return group?.batch?.isTinted !== true || group.batch.hasColor(this.slot, (facts.material as Colored).color);
  }

  /** Moves its draw to where the mesh is; false where draws may not move, or another batch has to draw it so. */
  #follow({ isFirst, changes }: BatchedPass): boolean {
    const { changed } = this.record;
    if (changes === this.#changes || changed === this.#placed) return true;
    if (!isFirst || this.#hasOtherPose) return false;
    this.group?.batch?.setMatrix(this.slot, this.mesh.matrixWorld);
    this.#placed = changed;
    return true;
  }

  get #hasOtherPose(): boolean {
    return isMirroring(this.mesh) !== this.isMirrored || isSheared(this.mesh) !== this.#isSheared;
  }

  /** Finds out how it is drawn from now on; false where that has to wait for the next picture. */
  #settle(pass: BatchedPass, groupOrder: number): boolean {
    const { isFirst, isMain, changes } = pass;
    const { cache, waiting, picture } = this.#scene;
    const { frame } = cache;
    if (this.reason === 'failed') return false;
    if (this.#takeSwap(frame)) {
      waiting.add(this);
      return false;
    }
    if (this.#rules !== this.#scene.rulesVersion) this.#readRules();
    this.geometry?.refresh(frame);
    for (const known of this.materials) known.refresh(frame);
    const hasMoved = this.#changes !== changes && this.#placed !== this.record.changed;
    const isSame = groupOrder === this.groupOrder && this.#isAsJoined(hasMoved);
    const isReshaped = this.geometry !== null && this.#revision !== this.geometry.revision;
    const isTurned = this.#countChange(picture, !isSame || isReshaped);
    const isAsJoined = isSame && !isTurned;
    const isChanged = hasMoved || this.#isRecolored;
    // Draws listed before need the buffers as they are. What only shadow passes have seen was not listed: it may move.
    const isListed = isMain || this.#mainPicture === picture;
    if (!isFirst && (!isAsJoined || isReshaped || (isListed && isChanged))) {
      waiting.add(this);
      return false;
    }
    if (isTurned) this.#isRestless = !this.#isRestless;
    if (!isAsJoined) this.#join(groupOrder);
    else if (isChanged || isReshaped) this.#update();
    // It takes its place together with others, as draws of one call keep their order. What has joined may have to join
    // another group, as the next of a family of materials changes what all are drawn with.
    if (this.group !== null && (!isAsJoined || this.isWaiting)) waiting.add(this);
    return true;
  }

  /** True when there are batches for it in which it has no place. */
  get isWaiting(): boolean {
    return this.status === 'joining' || this.status === 'full';
  }

  /** Called when a group of its draws has got a batch, or lost it. */
  onBatch(): void {
    if (!this.entries.every(hasBatch)) this.#become('few');
    else if (this.status === 'few') this.#become('joining');
  }

  #become(status: MeshStatus, reason: AloneReason | null = null): void {
    this.status = status;
    this.reason = reason;
    if (this.isWaiting) this.#scene.waiting.add(this);
  }

  /** Records whether a picture found it changed; true when it has begun, or ceased, to change too often. */
  #countChange(picture: number, isChanged: boolean): boolean {
    if (!isChanged && this.#changed === 0 && !this.#isRestless) return false;
    const now = performance.now();
    // A page that draws on demand may draw no picture while it rests.
    const passed = now - this.#changedAt >= REST ? PICTURES : Math.min(picture - this.#changedAsOf, PICTURES);
    if (isChanged) this.#changedAt = now;
    this.#changed = ((this.#changed << passed) | (isChanged ? 1 : 0)) & (2 ** PICTURES - 1);
    this.#changedAsOf = picture;
    const isOften = this.#isRestless ? this.#changed !== 0 : isChanged && countOnes(this.#changed) > PICTURES / 2;
    if (isOften && isChanged) this.#scene.restless();
    return isOften !== this.#isRestless;
  }

  /** Compares its materials, all of them; true when one has changed since it joined: it joins anew when it is refreshed next. */
  takeMaterialChanges(): boolean {
    for (const known of this.materials) known.compare();
    return sumVersions(this.materials) !== this.#versions;
  }

  /** Has its batches make room, so that they do that once for many meshes. */
  expect(): void {
    for (const { slot, group } of this.entries) if (slot < 0) group?.batch?.expect(this.geometry as KnownGeometry);
  }

  /** joining, full → batched; full without memory, joining when this picture has copied its share. */
  place(): void {
    let status: MeshStatus = 'batched';
    for (const entry of this.entries) {
      if (entry.slot >= 0 || entry.group?.place(entry)) continue;
      if (status !== 'full') status = this.#scene.groups.memory.share > 0 ? 'full' : 'joining';
    }
    this.#become(status);
  }

  /** Any → alone, for good: something failed at it. */
  refuse(): void {
    this.#become('alone', 'failed');
  }

  leave(): void {
    const { groups, waiting } = this.#scene;
    for (const entry of this.entries) groups.leave(entry);
    waiting.delete(this);
    this.others = null;
    this.known = null;
    this.release();
  }

  release(): void {
    this.geometry = this.#facts = null;
    for (const known of this.materials) known.release();
    this.materials = NONE;
  }

  /**
   * batched ↔ swapped: true for one picture when a mesh in a batch has another material, which may be meant for that
   * only, as for a picture of ids.
   */
  #takeSwap(frame: number): boolean {
    const { status } = this;
    if (status !== 'batched' && status !== 'swapped') return false;
    const isOwn = this.mesh.material === this.#material;
    if (!isOwn && status === 'batched') this.#swappedIn = frame;
    this.status = isOwn ? 'batched' : 'swapped';
    return !isOwn && frame === this.#swappedIn;
  }

  /** True when nothing has changed that its group and its reason depend on. */
  #isAsJoined(hasMoved: boolean): boolean {
    const { mesh, geometry, materials } = this;
    if (this.#mayJoin === (this.reason === 'notAllowed')) return false;
    if (hasMoved && this.#hasOtherPose) return false;
    if (geometry === null) return this.reason !== null && whyMeshAlone(mesh) !== null;
    if (mesh.geometry !== geometry.geometry || mesh.material !== this.#material) return false;
    if (mesh.layers.mask !== this.mask || mesh.renderOrder !== this.renderOrder) return false;
    if (shadowsOf(mesh) !== this.shadows) return false;
    if (geometry.layout !== this.#layout) return false;
    if (this.#isFlat !== null && geometry.isFlat !== this.#isFlat) return false;
    const list = Array.isArray(this.#material) ? this.#material : null;
    if (list !== null && (list.length !== materials.length || geometry.revision !== this.#revision)) return false;
    if (list?.some((one, i) => one !== materials[i].material)) return false;
    return sumVersions(materials) === this.#versions && whyMeshAlone(mesh) === null;
  }

  #readRules(): void {
    const { rules, levelRules, rulesVersion } = this.#scene;
    this.#rules = rulesVersion;
    this.#mayJoin = ruleFor(this.record, rules) ?? false;
    const isLeveled = ruleFor(this.record, levelRules) ?? true;
    if (isLeveled === this.isLeveled) return;
    this.isLeveled = isLeveled;
    for (const { slot, group } of this.entries) {
      if (slot >= 0 && group?.batch) group.batch.slots.isExact[slot] = Number(!isLeveled);
    }
    this.#scene.groups.levels?.look();
  }

  /** True when a material has another colour than a batch draws it with. */
  get #isRecolored(): boolean {
    return isRecolored(this) || this.others?.some(isRecolored) === true;
  }

  /** Any → few, joining or alone. */
  #join(groupOrder: number): void {
    const { mesh } = this;
    const { cache } = this.#scene;
    this.leave();
    this.groupOrder = groupOrder;
    const why = whyMeshAlone(mesh);
    // Only a mesh is sure to have a geometry and a material.
    if (why === null) this.#remember(cache);
    const reason = this.#mayJoin ? (why ?? this.#whyAlone() ?? (this.#isRestless ? 'restless' : null)) : 'notAllowed';
    if (reason !== null || !this.#addDraws()) this.#become('alone', reason ?? 'noGroups');
    else this.#become(this.entries.every(hasBatch) ? 'joining' : 'few');
  }

  /**
   * Adds its draws to their groups: one, or with a list of materials one for each group of its geometry that has one;
   * false for none.
   */
  #addDraws(): boolean {
    const { materials, mesh } = this;
    const groups = mesh.geometry.groups.filter(({ materialIndex }) => materials[materialIndex ?? 0] !== undefined);
    const pieces = Array.isArray(mesh.material) ? groups : [null];
    if (pieces.length === 0) return false;
    const fresh = { owner: this, slot: -1, group: null, range: NOTHING, known: null, piece: null };
    if (pieces.length > 1) this.others = pieces.slice(1).map((): DrawEntry => ({ ...fresh }));
    const { entries } = this;
    for (const [i, piece] of pieces.entries()) {
      const known = materials[piece?.materialIndex ?? 0];
      const range = this.#rangeOf(piece?.start, piece?.count);
      const group = this.#scene.groups.of(this, known, this.geometry as KnownGeometry);
      Object.assign(entries[i], { known, range, piece, group });
    }
    for (const entry of entries) entry.group?.add(entry);
    this.isTransparent = entries.some(({ group }) => group?.isTransparent);
    this.isOnlyTransparent = entries.every(({ group }) => group?.isTransparent);
    return true;
  }

  #remember(cache: MaterialGeometryCache): void {
    const { mesh } = this;
    const geometry = cache.geometry(mesh.geometry);
    this.geometry = geometry;
    this.#material = mesh.material;
    this.materials = [mesh.material].flat().map((one) => cache.material(one));
    for (const known of this.materials) known.retain();
    this.#facts = Array.isArray(mesh.material) ? null : this.materials[0].facts;
    this.hasNodes = this.materials.some(({ material }) => (material as { isNodeMaterial?: boolean }).isNodeMaterial);
    this.#versions = sumVersions(this.materials);
    this.#layout = geometry.layout;
    this.#isFlat = this.materials.some(({ isDrawnTwice }) => isDrawnTwice) ? geometry.isFlat : null;
    this.mask = mesh.layers.mask;
    this.renderOrder = mesh.renderOrder;
    this.shadows = shadowsOf(mesh);
    this.isMirrored = isMirroring(mesh);
    this.#isSheared = isSheared(mesh);
    this.#revision = geometry.revision;
    this.#placed = this.record.changed;
  }

  #whyAlone(): AloneReason | null {
    if (this.#isSheared) return 'shears';
    if (this.geometry?.reason) return this.geometry.reason;
    for (const { reason, material } of this.materials) {
      if (reason !== null && !isAccepted(this.#scene.accept, this.mesh, material)) return reason;
    }
    // Of a flat geometry one of the two draws is empty.
    return this.#isFlat === false ? 'forceSinglePass' : null;
  }

  /** Any → the same, or batched → joining: updates what batches have of it. */
  #update(): void {
    const revision = this.geometry?.revision ?? -1;
    const isReshaped = this.#revision !== revision;
    // A mesh with a list of materials joins again instead.
    if (isReshaped && this.group !== null) this.range = this.#rangeOf();
    for (const entry of this.entries) {
      const { slot, group, range, known } = entry;
      if (slot < 0 || !group?.batch) continue;
      if (isReshaped && !group.batch.updateGeometry(slot, range)) {
        group.remove(entry);
        this.#become('joining');
        continue;
      }
      group.batch.setMatrix(slot, this.mesh.matrixWorld);
      const color = known?.color ?? null;
      if (color !== null && !group.batch.hasColor(slot, color)) group.batch.setColor(slot, color);
    }
    if (isReshaped) this.#scene.groups.levels?.look();
    this.#revision = revision;
    this.#placed = this.record.changed;
  }

  /** What is drawn of a part of the geometry, by default of all of it. */
  #rangeOf(first = 0, length: number = Number.POSITIVE_INFINITY): DrawRange {
    const { index, attributes, drawRange } = this.mesh.geometry;
    const start = Math.max(first, drawRange.start);
    const end = Math.min((index ?? attributes.position).count, first + length, drawRange.start + drawRange.count);
    return { start, count: Math.max(0, end - start) };
  }
}

const NONE: readonly BatchMaterial[] = [];
/** A mesh that has changed in more than half of so many pictures is drawn alone, until it has not in as many. */
const PICTURES = 8;
/** Or for so many milliseconds. */
export const REST = 1000;

function countOnes(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function isRecolored({ slot, group, known }: DrawEntry): boolean {
  const color = slot >= 0 && known !== null ? known.color : null;
  return color !== null && group?.batch?.hasColor(slot, color) === false;
}

function hasBatch({ group }: DrawEntry): boolean {
  return group !== null && group.batch !== null;
}

function sumVersions(materials: readonly BatchMaterial[]): number {
  let sum = 0;
  for (const { version } of materials) sum += version;
  return sum;
}

function shadowsOf({ castShadow, receiveShadow }: Mesh): number {
  return (castShadow ? 1 : 0) + (receiveShadow ? 2 : 0);
}

function isMirroring({ matrixWorld }: Mesh): boolean {
  return matrixWorld.determinant() < 0;
}

/** Above this cosine between two columns of a matrix the shaders of batches would bend normals. */
const SHEAR = 1e-5;

/** True for a world matrix whose columns are not at right angles to each other. */
function isSheared({ matrixWorld: { elements: e } }: Mesh): boolean {
  const a = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
  const b = e[4] * e[4] + e[5] * e[5] + e[6] * e[6];
  const c = e[8] * e[8] + e[9] * e[9] + e[10] * e[10];
  const ab = e[0] * e[4] + e[1] * e[5] + e[2] * e[6];
  const ac = e[0] * e[8] + e[1] * e[9] + e[2] * e[10];
  const bc = e[4] * e[8] + e[5] * e[9] + e[6] * e[10];
  const most = SHEAR * SHEAR;
  return !(ab * ab <= most * a * b && ac * ac <= most * a * c && bc * bc <= most * b * c);
}
