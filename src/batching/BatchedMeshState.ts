import type { Material, Mesh, Object3D } from 'three';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { BatchGroup, BatchGroups, BatchKey, DrawEntry } from './BatchGroup.js';
import type { DrawRange } from './DrawSlots.js';
import type { KnownGeometry } from './KnownGeometry.js';
import type { KnownMaterial, Looks } from './MaterialGeometryCache.js';
import { transparentCode } from './transparentCode.js';
import { type Accept, isAccepted, isStillPlain, whyMeshAlone } from './whyNotBatched.js';

/** What decides how the meshes of a scene are drawn. */
export interface BatchScene {
  readonly looks: Looks;
  readonly groups: BatchGroups;
  readonly accept: Accept;
  /** Whether objects, with all below them, are drawn in batches; the nearest at or above a mesh decides. */
  readonly rules: WeakMap<Object3D, boolean>;
  rulesVersion: number;
  /** Meshes to be looked at with the next picture. */
  readonly waiting: Set<BatchedMeshState>;
}

/** The pass in which a mesh is looked at. */
interface LookPass {
  /** It is that of the camera of a picture, not of a shadow. */
  readonly isMain: boolean;
  /** Nothing that was listed before is still to be drawn: meshes may join batches and leave them. */
  readonly isFirst: boolean;
  /** A number that changes when the world matrix of anything does. */
  readonly changes: number;
}

/**
 * How a mesh is drawn:
 *
 * | state   | is drawn                   | becomes                                                                     |
 * | ------- | -------------------------- | --------------------------------------------------------------------------- |
 * | new     | alone                      | waiting or alone, with the first pass that sees it                          |
 * | alone   | alone, `reason` says why   | waiting, when that changes                                                  |
 * | few     | alone, its group is small  | next, when the group gets a batch                                           |
 * | next    | alone, its group has one   | seated, or full, when the next picture begins                               |
 * | full    | alone, as memory ran out   | seated, when there is some                                                  |
 * | seated  | in the batch of its group  | few, next or alone, when anything changes that its group or reason depend on |
 * | away    | alone, it keeps its place  | seated, when its own material is back; else as any other change, after PATIENCE |
 *
 * Few, next and full are one to the code: `waiting`. States are derived from `reason`, `slot` and `group`, never stored.
 * Places are taken and given up only while nothing is drawn from batches.
 *
 * The object is the first of its own draws. What is asked in each frame comes first, to lie together in memory.
 */
export class BatchedMeshState implements BatchKey, DrawEntry {
  readonly record: ObjectRecord;
  readonly mesh: Mesh;
  /** The frame in which it was looked at last. */
  frame = -1;
  /** The number of changes of matrices by then, of any in the scene. */
  #changes = -1;
  slot = -1;
  isRefused = false;
  /** The id of its entry when it was seen last. */
  entryId = -1;
  group: BatchGroup | null = null;
  mask = 0;
  /** Its further draws. */
  others: readonly DrawEntry[] | null = null;
  groupOrder = 0;
  /** Whether a material is made of nodes, which WebGLRenderer draws object by object. */
  hasNodes = false;
  renderOrder = 0;
  shadows = 0;
  geometry: KnownGeometry | null = null;
  /** That of the mesh: one, or a list. */
  #material: Material | readonly Material[] | null = null;
  #layout = '';
  /** Three draws the back of it, and then its front, so it has to be flat to be drawn in a batch. */
  #isDrawnTwice = false;
  #isFlat = false;
  materials: readonly KnownMaterial[] = NONE;
  #versions = 0;
  isMirrored = false;
  #isSheared = false;
  /** Revision of its geometry, and number of the update of its matrix, as they are in the batch. */
  #revision = -1;
  #placed = -1;
  /** The number of changes of the colours of its materials. */
  #tint = 0;
  range: DrawRange = NOTHING;
  known: KnownMaterial | null = null;
  piece: object | null = null;
  /** One of its draws is transparent. */
  isTransparent = false;
  /** What the rules of the user say of it, and their version by which that was decided. */
  #isAllowed = false;
  #rules = -1;
  /** Why it is drawn alone; null when it need not be. */
  reason: string | null = null;
  /** The frame in which it was first met with another material than that of its place; -1 while it has its own. */
  awaySince = -1;

  constructor(record: ObjectRecord) {
    this.record = record;
    this.mesh = record.object as Object3D as Mesh;
  }

  /** All its draws. */
  get entries(): DrawEntry[] {
    return this.others === null ? [this] : [this, ...this.others];
  }

  /** True when every draw has its place in a batch. */
  get isSeated(): boolean {
    return this.slot >= 0 && (this.others === null || this.others.every(({ slot }) => slot >= 0));
  }

  /**
   * Brings its state up to date, for the first pass of a frame that sees it.
   * @returns false when it has to be drawn alone, whatever places it has.
   */
  look({ isFirst, isMain, changes }: LookPass, groupOrder: number, scene: BatchScene): boolean {
    const { frame } = scene.looks;
    if (this.#isAway(frame)) return false;
    const hasMoved = this.#changes !== changes && this.#placed !== this.record.changed;
    const isAsJoined = groupOrder === this.groupOrder && this.#isAsJoined(scene) && !(hasMoved && this.#hasOtherPose);
    const isReshaped = this.geometry !== null && this.#revision !== this.geometry.revision;
    const isChanged = hasMoved || this.#tint !== this.#tintNow;
    // What was listed before is drawn from the buffers as they are; what only shadow passes see is in no such list.
    if (!isFirst && (!isAsJoined || isReshaped || (isMain && isChanged))) {
      scene.waiting.add(this);
      return false;
    }
    if (!isAsJoined) this.#join(groupOrder, scene);
    else if (this.group !== null && (isChanged || isReshaped)) this.#follow();
    this.frame = frame;
    this.#changes = changes;
    if (this.group === null) return false;
    // Seated with the next picture, together with others like it: what is drawn at once keeps its order.
    if (this.slot < 0) scene.waiting.add(this);
    return true;
  }

  /** waiting → seated. */
  seat(): void {
    for (const entry of this.entries) entry.group?.seat(entry, this.geometry as KnownGeometry, this.mesh);
  }

  /** Any state → gone: gives up its places. */
  leave({ groups }: BatchScene): void {
    for (const entry of this.entries) groups.leave(entry);
    this.others = null;
    this.known = null;
    this.release();
  }

  /** Lets go of its geometry and its materials. */
  release(): void {
    if (this.geometry !== null) this.geometry.users--;
    this.geometry = null;
    for (const known of this.materials) known.release();
    this.materials = NONE;
  }

  /**
   * seated → away → seated: true while a seated mesh has another material, which may be meant for a few pictures only, as for
   * a picture of ids.
   */
  #isAway(frame: number): boolean {
    if (this.slot < 0 || this.mesh.material === this.#material) {
      this.awaySince = -1;
      return false;
    }
    if (this.awaySince < 0) this.awaySince = frame;
    return frame - this.awaySince < PATIENCE;
  }

  /** True when nothing has changed that its group, or its reason to be alone, depend on. */
  #isAsJoined(scene: BatchScene): boolean {
    const { mesh, geometry, materials } = this;
    const { frame } = scene.looks;
    if (this.#rules !== scene.rulesVersion) {
      if (isAllowed(mesh, scene.rules) !== this.#isAllowed) return false;
      this.#rules = scene.rulesVersion;
    }
    if (geometry === null) return this.reason !== null && whyMeshAlone(mesh) !== null;
    if (mesh.geometry !== geometry.geometry || mesh.material !== this.#material) return false;
    if (mesh.layers.mask !== this.mask || mesh.renderOrder !== this.renderOrder) return false;
    if (shadowsOf(mesh) !== this.shadows) return false;
    if (geometry.frame !== frame) geometry.look(frame);
    if (geometry.layout !== this.#layout) return false;
    if (this.#isDrawnTwice && geometry.isFlat(transparentCode()?.isFlat) !== this.#isFlat) return false;
    if (!Array.isArray(this.#material)) {
      const [only] = materials;
      if (only.frame !== frame) only.look(frame);
      if (only.version !== this.#versions) return false;
    } else if (geometry.revision !== this.#revision || this.#sumVersions(frame) !== this.#versions) return false;
    return isStillPlain(mesh);
  }

  /** The sum of the versions of its materials, as they are now; NaN when they are others. */
  #sumVersions(frame: number): number {
    const materials = this.#material as readonly Material[];
    if (materials.length !== this.materials.length) return Number.NaN;
    return this.materials.reduce((sum, known, i) => {
      return known.material === materials[i] ? sum + known.look(frame).version : Number.NaN;
    }, 0);
  }

  /** True when the world matrix mirrors or shears, and did not, or the other way round. */
  get #hasOtherPose(): boolean {
    return isMirroring(this.mesh) !== this.isMirrored || isSheared(this.mesh) !== this.#isSheared;
  }

  /** The number of changes of the colours of its materials by now. */
  get #tintNow(): number {
    const { materials } = this;
    return materials.length === 1 ? materials[0].tint : materials.reduce((sum, { tint }) => sum + tint, 0);
  }

  /** Any state → waiting or alone. */
  #join(groupOrder: number, scene: BatchScene): void {
    const { mesh, record } = this;
    this.leave(scene);
    this.awaySince = -1;
    this.groupOrder = groupOrder;
    this.#rules = scene.rulesVersion;
    this.#isAllowed = isAllowed(mesh, scene.rules);
    this.reason = whyMeshAlone(mesh);
    // What is no mesh need not have a geometry or a material.
    if (this.reason === null) this.#note(scene.looks);
    if (!this.#isAllowed) this.reason = 'it, or an object above it, is not to be drawn in batches';
    else this.reason ??= this.#whyAlone(scene.accept);
    if (this.reason !== null) return;
    const { layout } = this.geometry as KnownGeometry;
    const [first, ...others] = this.#draws().map(({ known, range, piece }): DrawEntry => {
      return { record, group: scene.groups.of(this, known, layout), range, known, slot: -1, isRefused: false, piece };
    });
    if (first === undefined) {
      this.reason = 'no group of its geometry is drawn with a material of its list';
      return;
    }
    Object.assign(this, first);
    if (others.length > 0) this.others = others;
    const { entries } = this;
    for (const entry of entries) entry.group?.add(entry, this);
    this.isTransparent = entries.some(({ group }) => group?.isTransparent);
  }

  /** Notes what its group, or its reason to be alone, depend on. */
  #note(looks: Looks): void {
    const { mesh } = this;
    const geometry = looks.geometry(mesh.geometry);
    geometry.users++;
    this.geometry = geometry;
    this.#material = mesh.material;
    this.materials = [mesh.material].flat().map((one) => looks.material(one));
    for (const known of this.materials) known.retain();
    this.#tint = this.#tintNow;
    this.hasNodes = this.materials.some((known) => (known.material as { isNodeMaterial?: boolean }).isNodeMaterial);
    this.#versions = this.materials.reduce((sum, { version }) => sum + version, 0);
    this.#layout = geometry.layout;
    this.#isDrawnTwice = this.materials.some((known) => known.isDrawnTwice);
    this.#isFlat = this.#isDrawnTwice && geometry.isFlat(transparentCode()?.isFlat);
    this.mask = mesh.layers.mask;
    this.renderOrder = mesh.renderOrder;
    this.shadows = shadowsOf(mesh);
    this.isMirrored = isMirroring(mesh);
    this.#isSheared = isSheared(mesh);
    this.#revision = geometry.revision;
    this.#placed = this.record.changed;
  }

  /** Of a mesh that was noted. */
  #whyAlone(accept: Accept): string | null {
    if (this.#isSheared) return 'its world matrix shears';
    if (this.geometry?.reason) return this.geometry.reason;
    for (const { reason, material } of this.materials) {
      if (reason !== null && !isAccepted(accept, this.mesh, material)) return reason;
    }
    // With a flat geometry one of the two draws is empty.
    return this.#isDrawnTwice && !this.#isFlat ? 'forceSinglePass' : null;
  }

  /** seated → seated: brings what batches have of it up to date. */
  #follow(): void {
    const { revision } = this.geometry as KnownGeometry;
    const tint = this.#tintNow;
    const isReshaped = this.#revision !== revision;
    // A mesh with a list of materials joins anew instead.
    if (isReshaped) this.range = this.#rangeOf();
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

  /** The draws that it should have: a material and a range for each. */
  #draws(): { known: KnownMaterial; range: DrawRange; piece: object | null }[] {
    const { materials, mesh } = this;
    if (!Array.isArray(mesh.material)) return [{ known: materials[0], range: this.#rangeOf(), piece: null }];
    return mesh.geometry.groups.flatMap((piece) => {
      const known = materials[piece.materialIndex ?? 0];
      return known ? { known, range: this.#rangeOf(piece.start, piece.count), piece } : [];
    });
  }

  /** What is drawn of a part of the geometry, or of all. */
  #rangeOf(first = 0, length: number = Number.POSITIVE_INFINITY): DrawRange {
    const { index, attributes, drawRange } = this.mesh.geometry;
    const start = Math.max(first, drawRange.start);
    const end = Math.min((index ?? attributes.position).count, first + length, drawRange.start + drawRange.count);
    return { start, count: Math.max(0, end - start) };
  }
}

const NONE: readonly KnownMaterial[] = [];
/** Pictures in a row with another material after which a mesh gives its place up. */
const PATIENCE = 4;
const NOTHING: DrawRange = { start: 0, count: 0 };

function isAllowed(mesh: Object3D, rules: WeakMap<Object3D, boolean>): boolean {
  for (let o: Object3D | null = mesh; o !== null; o = o.parent) {
    const isBatched = rules.get(o);
    if (isBatched !== undefined) return isBatched;
  }
  return false;
}

function shadowsOf({ castShadow, receiveShadow }: Mesh): number {
  return (castShadow ? 1 : 0) + (receiveShadow ? 2 : 0);
}

function isMirroring({ matrixWorld }: Mesh): boolean {
  return matrixWorld.determinant() < 0;
}

/** Most that the cosine between two columns of a matrix may be, so that shaders of batches carry normals as they should. */
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
