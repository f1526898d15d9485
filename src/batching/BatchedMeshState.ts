import type { Material, Mesh, Object3D } from 'three';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { ruleFor } from '../scene/objects/ruleFor.js';
import type { BatchGroup, BatchGroups, BatchKey, DrawEntry } from './BatchGroup.js';
import type { DrawRange } from './DrawSlots.js';
import type { KnownGeometry } from './KnownGeometry.js';
import type { KnownMaterial, MaterialGeometryCache } from './MaterialGeometryCache.js';
import { isFlat } from './transparentRuns.js';
import { type Accept, isAccepted, whyMeshAlone } from './whyNotBatched.js';

/** What decides how the meshes of a scene are drawn. */
export interface BatchScene {
  readonly cache: MaterialGeometryCache;
  readonly groups: BatchGroups;
  readonly accept: Accept;
  /** Whether subtrees are drawn in batches; the nearest rule at or above a mesh decides. */
  readonly rules: WeakMap<Object3D, boolean>;
  rulesVersion: number;
  /** Number of the picture; those within it count as one. */
  picture: number;
  /** Meshes to be looked at with the next picture. */
  readonly waiting: Set<BatchedMeshState>;
}

/** The pass that sees a mesh. */
interface LookPass {
  /** It is the camera's, not a shadow's. */
  readonly isMain: boolean;
  /** Nothing listed before has yet to be drawn, so meshes may join and leave batches. */
  readonly isFirst: boolean;
  /** A number that changes when any world matrix does. */
  readonly changes: number;
}

/**
 * How a mesh is drawn, as a state machine:
 *
 * | state  | the mesh is drawn         | becomes                                                                       |
 * | ------ | ------------------------- | ----------------------------------------------------------------------------- |
 * | new    | alone                     | few, next or alone, in the first pass that sees it (`#join`)                  |
 * | alone  | alone, `reason` says why  | few or next, when the reason has gone (`#join`)                               |
 * | few    | alone, its group is small | next, when the group gets a batch (`BatchGroup.add`)                          |
 * | next   | alone                     | seated or full, when the next picture begins (`seat`)                         |
 * | full   | alone, memory ran out     | seated, when there is memory (`seat`)                                         |
 * | seated | in the batch of its group | few, next or alone, when its key or its reason change (`#join`); full when it |
 * |        |                           | outgrows the memory (`#follow`); few when its group loses the batch           |
 * | away   | alone, keeps its place    | seated, when it has its own material again; else any other, in the next       |
 * |        |                           | picture (`#join`)                                                             |
 *
 * The state follows from `reason`, `group`, `slot` and `awaySince`; it is not stored. Slots are taken and freed only
 * while nothing is drawn from batches: a mesh that changes in between waits for the next picture.
 *
 * The object is also the first draw of its mesh. Fields read in each frame come first, to lie together in memory.
 */
export class BatchedMeshState implements BatchKey, DrawEntry {
  readonly record: ObjectRecord;
  readonly mesh: Mesh;
  /** The frame in which it was looked at last. */
  frame = -1;
  /** `LookPass.changes` of that look. */
  #changes = -1;
  slot = -1;
  isRefused = false;
  /** The id of its entry; `SceneBatches` keeps it up to date. */
  entryId = -1;
  group: BatchGroup | null = null;
  mask = 0;
  /** Its further draws. */
  others: readonly DrawEntry[] | null = null;
  groupOrder = 0;
  /** A material is made of nodes, which WebGLRenderer draws object by object. */
  hasNodes = false;
  renderOrder = 0;
  shadows = 0;
  geometry: KnownGeometry | null = null;
  /** As the mesh has it: one, or a list. */
  #material: Material | readonly Material[] | null = null;
  #layout = '';
  /** three draws its back, then its front, so it has to be flat to be drawn in a batch. */
  #isDrawnTwice = false;
  #isFlat = false;
  materials: readonly KnownMaterial[] = NONE;
  #versions = 0;
  isMirrored = false;
  #isSheared = false;
  /** Revision of its geometry, number of the update of its matrix, and changes of its colours, as drawn in the batch. */
  #revision = -1;
  #placed = -1;
  #tint = 0;
  range: DrawRange = NOTHING;
  known: KnownMaterial | null = null;
  piece: object | null = null;
  /** One of its draws is transparent. */
  isTransparent = false;
  /** Whether the rules allow it in batches, and the version of the rules that said so. */
  #isAllowed = false;
  #rules = -1;
  /** Why it has to be drawn alone; null when it need not be. */
  reason: string | null = null;
  /** The frame in which it was first seen with another material while seated; -1 while it has its own. */
  awaySince = -1;
  /** The last pictures, the newest in the lowest bit: 1 where its geometry or its material had changed. */
  #changed = 0;
  #changedAsOf = 0;
  /** It changes too often: it is drawn alone until it rests. */
  #isRestless = false;

  constructor(record: ObjectRecord) {
    this.record = record;
    this.mesh = record.object as Object3D as Mesh;
  }

  get entries(): DrawEntry[] {
    return this.others === null ? [this] : [this, ...this.others];
  }

  /** True when every draw has its place in a batch. */
  get isSeated(): boolean {
    return this.slot >= 0 && (this.others === null || this.others.every(hasSlot));
  }

  /** True when a draw has a batch, but no place in it. */
  get isWaiting(): boolean {
    return isToBeSeated(this) || this.others?.some(isToBeSeated) === true;
  }

  /**
   * Updates the state, in the first pass of a frame that sees the mesh.
   * @returns false when it has to be drawn alone, even if it has a place.
   */
  look({ isFirst, isMain, changes }: LookPass, groupOrder: number, scene: BatchScene): boolean {
    const { frame } = scene.cache;
    if (this.#isAway(frame)) {
      scene.waiting.add(this);
      return false;
    }
    const hasMoved = this.#changes !== changes && this.#placed !== this.record.changed;
    const isSame = groupOrder === this.groupOrder && this.#isAsJoined(scene) && !(hasMoved && this.#hasOtherPose);
    const isReshaped = this.geometry !== null && this.#revision !== this.geometry.revision;
    const isTurned = this.#noteChange(scene.picture, !isSame || isReshaped);
    const isAsJoined = isSame && !isTurned;
    const isChanged = hasMoved || this.#tint !== this.#tintNow;
    // Draws listed before need the buffers as they are. A mesh that only shadow passes see was not listed: it may move.
    if (!isFirst && (!isAsJoined || isReshaped || (isMain && isChanged))) {
      scene.waiting.add(this);
      return false;
    }
    if (isTurned) this.#isRestless = !this.#isRestless;
    if (!isAsJoined) this.#join(groupOrder, scene);
    else if (isChanged || isReshaped) this.#follow();
    this.frame = frame;
    this.#changes = changes;
    if (this.group === null) return false;
    // It takes its place together with others: draws of one call keep their order.
    if (!isAsJoined || this.isWaiting) scene.waiting.add(this);
    return true;
  }

  /** Notes whether a picture found it changed; true when it has begun, or ceased, to change too often. */
  #noteChange(picture: number, isChanged: boolean): boolean {
    const passed = Math.min(picture - this.#changedAsOf, PICTURES);
    this.#changed = ((this.#changed << passed) | (isChanged ? 1 : 0)) & (2 ** PICTURES - 1);
    this.#changedAsOf = picture;
    if (this.#isRestless) return this.#changed === 0;
    return isChanged && countOnes(this.#changed) > PICTURES / 2;
  }

  /** False when a material has changed since it joined: it joins anew when it is looked at next. */
  isFresh(): boolean {
    for (const known of this.materials) known.refresh();
    return sumVersions(this.materials) === this.#versions;
  }

  /** next, full → seated or full. */
  seat(): void {
    const geometry = this.geometry as KnownGeometry;
    this.group?.seat(this, geometry, this.mesh);
    if (this.others !== null) for (const entry of this.others) entry.group?.seat(entry, geometry, this.mesh);
  }

  /** Notes what it needs in its batches, so that there is room for many at once. */
  expect(): void {
    const geometry = this.geometry as KnownGeometry;
    if (this.slot < 0) this.group?.batch?.expect(geometry);
    if (this.others !== null) for (const { slot, group } of this.others) if (slot < 0) group?.batch?.expect(geometry);
  }

  /** Frees its slots, its geometry and its materials. */
  leave({ groups }: BatchScene): void {
    groups.leave(this);
    if (this.others !== null) for (const entry of this.others) groups.leave(entry);
    this.others = null;
    this.known = null;
    this.release();
  }

  /** Frees its geometry and its materials. */
  release(): void {
    this.geometry = null;
    for (const known of this.materials) known.release();
    this.materials = NONE;
  }

  /**
   * seated ↔ away: true for one picture when a seated mesh has another material, which may be meant for that only, as
   * for a picture of ids.
   */
  #isAway(frame: number): boolean {
    if (this.slot < 0 || this.mesh.material === this.#material) {
      this.awaySince = -1;
      return false;
    }
    if (this.awaySince < 0) this.awaySince = frame;
    return frame === this.awaySince;
  }

  /** True when nothing has changed that its group and its reason depend on. */
  #isAsJoined(scene: BatchScene): boolean {
    const { mesh, geometry, materials } = this;
    const { frame } = scene.cache;
    if (this.#rules !== scene.rulesVersion) {
      if ((ruleFor(mesh, scene.rules) ?? false) !== this.#isAllowed) return false;
      this.#rules = scene.rulesVersion;
    }
    if (geometry === null) return this.reason !== null && whyMeshAlone(mesh) !== null;
    if (mesh.geometry !== geometry.geometry || mesh.material !== this.#material) return false;
    if (mesh.layers.mask !== this.mask || mesh.renderOrder !== this.renderOrder) return false;
    if (shadowsOf(mesh) !== this.shadows) return false;
    if (geometry.frame !== frame) geometry.look(frame);
    if (geometry.layout !== this.#layout) return false;
    if (this.#isDrawnTwice && geometry.isFlat(isFlat) !== this.#isFlat) return false;
    if (!Array.isArray(this.#material)) {
      const [only] = materials;
      if (only.frame !== frame) only.look(frame);
      if (only.version !== this.#versions) return false;
    } else if (geometry.revision !== this.#revision || this.#sumVersions(frame) !== this.#versions) return false;
    return whyMeshAlone(mesh) === null;
  }

  /** The sum of the versions of its list of materials; NaN when it has other materials. */
  #sumVersions(frame: number): number {
    const materials = this.#material as readonly Material[];
    if (materials.length !== this.materials.length) return Number.NaN;
    return this.materials.reduce((sum, known, i) => {
      return known.material === materials[i] ? sum + known.look(frame).version : Number.NaN;
    }, 0);
  }

  /** True when the world matrix has begun or ceased to mirror or to shear. */
  get #hasOtherPose(): boolean {
    return isMirroring(this.mesh) !== this.isMirrored || isSheared(this.mesh) !== this.#isSheared;
  }

  /** Changes of the colours of its materials by now. */
  get #tintNow(): number {
    const { materials } = this;
    return materials.length === 1 ? materials[0].tint : materials.reduce((sum, { tint }) => sum + tint, 0);
  }

  /** Any state → few, next or alone. */
  #join(groupOrder: number, scene: BatchScene): void {
    const { mesh } = this;
    this.leave(scene);
    this.awaySince = -1;
    this.groupOrder = groupOrder;
    this.#rules = scene.rulesVersion;
    this.#isAllowed = ruleFor(mesh, scene.rules) ?? false;
    this.reason = whyMeshAlone(mesh);
    // Only a mesh is sure to have a geometry and a material.
    if (this.reason === null) this.#note(scene.cache);
    if (!this.#isAllowed) this.reason = 'rule';
    else this.reason ??= this.#whyAlone(scene.accept) ?? (this.#isRestless ? RESTLESS : null);
    if (this.reason !== null) return;
    if (Array.isArray(mesh.material)) this.#joinByGroups(scene.groups);
    else {
      this.known = this.materials[0];
      this.range = this.#rangeOf();
      this.piece = null;
      this.group = scene.groups.of(this, this.known, this.geometry as KnownGeometry);
      this.group.add(this);
      this.isTransparent = this.group.isTransparent;
    }
  }

  /** A mesh with a list of materials has a draw for each group of its geometry that has one. */
  #joinByGroups(groups: BatchGroups): void {
    const { record, materials, mesh } = this;
    const draws: DrawEntry[] = [];
    for (const piece of mesh.geometry.groups) {
      const known = materials[piece.materialIndex ?? 0];
      if (known === undefined) continue;
      const range = this.#rangeOf(piece.start, piece.count);
      const group = groups.of(this, known, this.geometry as KnownGeometry);
      draws.push({ record, group, range, known, slot: -1, isRefused: false, piece });
    }
    const [first, ...others] = draws;
    if (first === undefined) {
      this.reason = 'groups';
      return;
    }
    Object.assign(this, first);
    if (others.length > 0) this.others = others;
    const { entries } = this;
    for (const entry of entries) entry.group?.add(entry);
    this.isTransparent = entries.some(({ group }) => group?.isTransparent);
  }

  /** Notes what its group and its reason depend on. */
  #note(cache: MaterialGeometryCache): void {
    const { mesh } = this;
    const geometry = cache.geometry(mesh.geometry);
    this.geometry = geometry;
    this.#material = mesh.material;
    this.materials = Array.isArray(mesh.material)
      ? mesh.material.map((one) => cache.material(one))
      : [cache.material(mesh.material)];
    this.hasNodes = this.#isDrawnTwice = false;
    for (const known of this.materials) {
      known.retain();
      this.hasNodes ||= (known.material as { isNodeMaterial?: boolean }).isNodeMaterial === true;
      this.#isDrawnTwice ||= known.isDrawnTwice;
    }
    this.#tint = this.#tintNow;
    this.#versions = sumVersions(this.materials);
    this.#layout = geometry.layout;
    this.#isFlat = this.#isDrawnTwice && geometry.isFlat(isFlat);
    this.mask = mesh.layers.mask;
    this.renderOrder = mesh.renderOrder;
    this.shadows = shadowsOf(mesh);
    this.isMirrored = isMirroring(mesh);
    this.#isSheared = isSheared(mesh);
    this.#revision = geometry.revision;
    this.#placed = this.record.changed;
  }

  /** The reason, as far as geometry and materials give one. */
  #whyAlone(accept: Accept): string | null {
    if (this.#isSheared) return 'its world matrix shears';
    if (this.geometry?.reason) return this.geometry.reason;
    for (const { reason, material } of this.materials) {
      if (reason !== null && !isAccepted(accept, this.mesh, material)) return reason;
    }
    // Of a flat geometry one of the two draws is empty.
    return this.#isDrawnTwice && !this.#isFlat ? 'forceSinglePass' : null;
  }

  /** Any state → the same, or seated → full: updates what batches have of it. */
  #follow(): void {
    const revision = this.geometry?.revision ?? -1;
    const tint = this.#tintNow;
    const isReshaped = this.#revision !== revision;
    // A mesh with a list of materials joins again instead.
    if (isReshaped && this.group !== null) this.range = this.#rangeOf();
    for (const entry of this.entries) {
      const { slot, group, range, known } = entry;
      if (slot < 0 || !group?.batch) continue;
      if (isReshaped && !group.batch.follow(slot, range)) {
        group.unseat(entry);
        continue;
      }
      group.batch.place(slot, this.mesh.matrixWorld);
      if (this.#tint !== tint && known?.color) group.batch.tint(slot, known.color);
    }
    this.#tint = tint;
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

const NONE: readonly KnownMaterial[] = [];
/** A mesh that has changed in more than half of so many pictures is drawn alone, until it has not in as many. */
const PICTURES = 8;
/** Said of it. */
export const RESTLESS = 'its geometry or material changes in most frames';
const NOTHING: DrawRange = { start: 0, count: 0 };

function countOnes(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function isToBeSeated({ slot, group }: DrawEntry): boolean {
  return slot < 0 && group !== null && group.batch !== null;
}

function hasSlot({ slot }: DrawEntry): boolean {
  return slot >= 0;
}

function sumVersions(materials: readonly KnownMaterial[]): number {
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
