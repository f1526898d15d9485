import type { Material, Mesh, Object3D } from 'three';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import type { BatchGroup, Common, Part } from './BatchGroup.js';
import type { DrawRange } from './buffers/DrawSlots.js';
import type { KnownGeometry } from './looks/KnownGeometry.js';
import type { KnownMaterial } from './looks/KnownMaterial.js';
import type { Looks } from './looks/Looks.js';
import { isStillPlain, whyMeshAlone } from './looks/whyNotBatched.js';
import { transparentCode } from './transparentCode.js';

/** A draw that a mesh should have. */
export interface Draw {
  readonly known: KnownMaterial;
  readonly range: DrawRange;
  readonly piece: object | null;
}

/**
 * A mesh, what it was like when it was found out how to draw it, and how: it is the first of its own draws. What is asked
 * in each frame comes first, to lie together in memory.
 */
export class Member implements Common, Part {
  readonly record: ObjectRecord;
  readonly mesh: Mesh;
  /** The frame in which it was looked at last. */
  frame = -1;
  /** The number of changes of matrices by then, of any in the scene. */
  changes = -1;
  slot = -1;
  isRefused = false;
  /** The id of its entry when it was seen last. */
  entryId = -1;
  group: BatchGroup | null = null;
  mask = 0;
  /** Its further draws. */
  others: readonly Part[] | null = null;
  groupOrder = 0;
  /** Whether a material is made of nodes, which one renderer draws object by object. */
  hasNodes = false;
  renderOrder = 0;
  shadows = 0;
  geometry: KnownGeometry | null = null;
  /** That of the mesh: one, or a list. */
  #material: Material | readonly Material[] | null = null;
  #layout = '';
  /** Three draws the back of it, and then its front, so it has to be flat to be drawn in a batch. */
  isDrawnTwice = false;
  isFlat = false;
  #isList = false;
  materials: readonly KnownMaterial[] = NONE;
  #versions = 0;
  isMirrored = false;
  isSheared = false;
  /** Revision of its geometry, and number of the update of its matrix, as they are in the batch. */
  revision = -1;
  placed = -1;
  /** The number of changes of the colours of its materials. */
  tint = 0;
  range: DrawRange = NOTHING;
  known: KnownMaterial | null = null;
  piece: object | null = null;
  /** One of its draws is transparent. */
  isTransparent = false;
  /** Whether the user allows it to be drawn in batches, and the number of the rules by which that was decided. */
  isAllowed = false;
  rules = -1;
  /** Why it is drawn by itself; null when it need not be. */
  reason: string | null = null;
  /** The frame in which it was first met with another material than that of its place; -1 while it has its own. */
  awaySince = -1;

  constructor(record: ObjectRecord) {
    this.record = record;
    this.mesh = record.object as Object3D as Mesh;
  }

  /**
   * True while a mesh that has a place is met with another material, which may be meant for a few pictures only, as for a
   * picture of ids: it is drawn by itself, and keeps its place.
   */
  isAway(frame: number): boolean {
    if (this.slot < 0 || this.mesh.material === this.#material) {
      this.awaySince = -1;
      return false;
    }
    if (this.awaySince < 0) this.awaySince = frame;
    return frame - this.awaySince < PATIENCE;
  }

  /** True when nothing of the mesh has changed by which it is decided how to draw it. */
  isAsNoted(frame: number): boolean {
    const { mesh, geometry, materials } = this;
    if (geometry === null) return this.reason !== null && whyMeshAlone(mesh) !== null;
    if (mesh.geometry !== geometry.geometry || mesh.material !== this.#material) return false;
    if (mesh.layers.mask !== this.mask || mesh.renderOrder !== this.renderOrder) return false;
    if (shadowsOf(mesh) !== this.shadows) return false;
    if (geometry.frame !== frame) geometry.look(frame);
    if (geometry.layout !== this.#layout) return false;
    if (this.isDrawnTwice && geometry.isFlat(transparentCode()?.isFlat) !== this.isFlat) return false;
    if (!this.#isList) {
      const [only] = materials;
      if (only.frame !== frame) only.look(frame);
      if (only.version !== this.#versions) return false;
    } else if (geometry.revision !== this.revision || this.#sumVersions(frame) !== this.#versions) return false;
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

  /** Has the next look find that it has changed. */
  forgetLook(): void {
    this.frame = -1;
    this.#versions = Number.NaN;
  }

  /** True when its geometry is not as it is in the batch. */
  get isReshaped(): boolean {
    return this.geometry !== null && this.revision !== this.geometry.revision;
  }

  /** True when the world matrix mirrors or shears, and did not, or the other way round. */
  get hasOtherPose(): boolean {
    return isMirroring(this.mesh) !== this.isMirrored || isSheared(this.mesh) !== this.isSheared;
  }

  /** Notes what the mesh is like, and whether it is drawn by itself. */
  note(looks: Looks): void {
    const { mesh } = this;
    this.awaySince = -1;
    this.release();
    // What is no mesh need not have a geometry or a material.
    this.reason = whyMeshAlone(mesh);
    if (this.reason !== null) return;
    this.geometry = looks.geometry(mesh.geometry);
    this.geometry.users++;
    this.#material = mesh.material;
    this.#isList = Array.isArray(mesh.material);
    const all = Array.isArray(mesh.material) ? mesh.material : [mesh.material];
    this.materials = all.map((one) => looks.material(one));
    for (const known of this.materials) known.retain();
    this.tint = this.tintNow;
    this.hasNodes = this.materials.some((known) => (known.material as { isNodeMaterial?: boolean }).isNodeMaterial);
    this.#versions = this.materials.reduce((sum, { version }) => sum + version, 0);
    this.#layout = this.geometry.layout;
    this.isDrawnTwice = this.materials.some((known) => known.isDrawnTwice);
    this.isFlat = this.isDrawnTwice && this.geometry.isFlat(transparentCode()?.isFlat);
    this.mask = mesh.layers.mask;
    this.renderOrder = mesh.renderOrder;
    this.shadows = shadowsOf(mesh);
    this.isMirrored = isMirroring(mesh);
    this.isSheared = isSheared(mesh);
    this.revision = this.geometry.revision;
    this.placed = this.record.changed;
  }

  /** Lets go of its geometry and its materials. */
  release(): void {
    if (this.geometry !== null) this.geometry.users--;
    this.geometry = null;
    for (const known of this.materials) known.release();
    this.materials = NONE;
  }

  /** The number of changes of the colours of its materials by now. */
  get tintNow(): number {
    const { materials } = this;
    return materials.length === 1 ? materials[0].tint : materials.reduce((sum, { tint }) => sum + tint, 0);
  }

  /** Its draws. */
  get parts(): Part[] {
    return this.others === null ? [this] : [this, ...this.others];
  }

  /** Brings what batches have of it up to date. */
  followChanges(): void {
    const geometry = this.geometry as KnownGeometry;
    const tint = this.tintNow;
    const isReshaped = this.revision !== geometry.revision;
    // A mesh with a list of materials joins anew instead.
    if (isReshaped) this.range = this.rangeOf();
    for (const part of this.parts) {
      const { slot, group, range, known } = part;
      if (slot < 0 || !group?.batch) continue;
      if (isReshaped && !group.batch.follow(slot, range)) {
        group.unseat(part);
        continue;
      }
      group.batch.place(slot, this.mesh.matrixWorld);
      if (this.tint !== tint && known?.color) group.batch.tint(slot, known.color);
    }
    this.tint = tint;
    this.revision = geometry.revision;
    this.placed = this.record.changed;
  }

  /** The draws that it should have: a material and a range for each. */
  draws(): Draw[] {
    const { materials, mesh } = this;
    if (!Array.isArray(mesh.material)) return [{ known: materials[0], range: this.rangeOf(), piece: null }];
    const draws: Draw[] = [];
    for (const piece of mesh.geometry.groups) {
      const known = materials[piece.materialIndex ?? 0];
      if (known !== undefined) draws.push({ known, range: this.rangeOf(piece.start, piece.count), piece });
    }
    return draws;
  }

  /** What is drawn of a part of the geometry, or of all. */
  rangeOf(first = 0, length: number = Number.POSITIVE_INFINITY): DrawRange {
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
