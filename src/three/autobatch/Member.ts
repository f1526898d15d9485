import type { Material, Mesh, Object3D } from 'three';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import type { Common, Part } from './BatchGroup.js';
import type { KnownGeometry } from './KnownGeometry.js';
import type { KnownMaterial } from './KnownMaterial.js';
import type { Looks } from './Looks.js';
import type { DrawRange } from './MeshBatch.js';
import { whyMeshAlone } from './whyNotBatched.js';

/** A mesh, what it was like when it was found out how to draw it, and how. */
export class Member implements Common {
  readonly record: ObjectRecord;
  readonly mesh: Mesh;
  /** Why it is drawn by itself; null when it need not be. */
  reason: string | null = null;
  /** Its draws; none for a mesh that is drawn by itself. */
  parts: readonly Part[] = NONE;
  /** The frame in which it was looked at last. */
  frame = -1;
  /** Revision of its geometry, and number of the update of its matrix, as they are in the batch. */
  revision = -1;
  placed = -1;
  geometry: KnownGeometry | null = null;
  materials: readonly KnownMaterial[] = [];
  mask = 0;
  renderOrder = 0;
  groupOrder = 0;
  shadows = 0;
  isMirrored = false;
  #material: Material | readonly Material[] | null = null;
  #versions = 0;
  #layout = '';
  #rules = -1;

  constructor(record: ObjectRecord) {
    this.record = record;
    this.mesh = record.object as Object3D as Mesh;
  }

  /**
   * True when nothing has changed by which it is decided how to draw the mesh.
   * @param rules A number that changes with what the user allows.
   */
  isAsNoted({ frame }: Looks, rules: number): boolean {
    const { mesh, geometry, materials } = this;
    if (geometry === null || mesh.geometry !== geometry.geometry || mesh.material !== this.#material) return false;
    if (mesh.layers.mask !== this.mask || mesh.renderOrder !== this.renderOrder) return false;
    if (shadowsOf(mesh) !== this.shadows || rules !== this.#rules) return false;
    if (geometry.look(frame).layout !== this.#layout) return false;
    let versions = 0;
    for (let i = 0; i < materials.length; i++) {
      versions += materials[i].look(frame).version;
      // A list of materials may get others in their places.
      if (materials.length > 1 && materials[i].material !== (this.#material as readonly Material[])[i]) return false;
    }
    if (versions !== this.#versions || (materials.length > 1 && geometry.revision !== this.revision)) return false;
    if (this.placed !== this.record.changed && isMirroring(mesh) !== this.isMirrored) return false;
    return this.reason !== null || whyMeshAlone(mesh) === null;
  }

  /** Notes what the mesh is like. */
  note(looks: Looks, rules: number): void {
    const { mesh } = this;
    this.#rules = rules;
    this.#material = mesh.material;
    const all = Array.isArray(mesh.material) ? mesh.material : [mesh.material];
    this.materials = all.filter(Boolean).map((one) => looks.material(one));
    this.#versions = this.materials.reduce((sum, { version }) => sum + version, 0);
    this.geometry = looks.geometry(mesh.geometry);
    this.#layout = this.geometry.layout;
    this.mask = mesh.layers.mask;
    this.renderOrder = mesh.renderOrder;
    this.shadows = shadowsOf(mesh);
    this.isMirrored = isMirroring(mesh);
    this.revision = this.geometry.revision;
    this.placed = this.record.changed;
  }

  /** The draws of the mesh: a material and a range for each. */
  draws(): { known: KnownMaterial; range: DrawRange }[] {
    const { materials, mesh } = this;
    if (!Array.isArray(mesh.material)) return [{ known: materials[0], range: this.range() }];
    const draws: { known: KnownMaterial; range: DrawRange }[] = [];
    for (const { start, count, materialIndex = 0 } of mesh.geometry.groups) {
      const known = materials[materialIndex];
      if (known !== undefined) draws.push({ known, range: this.range(start, count) });
    }
    return draws;
  }

  /** What is drawn of a part of the geometry, or of all. */
  range(first = 0, length = Number.POSITIVE_INFINITY): DrawRange {
    const { index, attributes, drawRange } = this.mesh.geometry;
    const start = Math.max(first, drawRange.start);
    const end = Math.min((index ?? attributes.position).count, first + length, drawRange.start + drawRange.count);
    return { start, count: Math.max(0, end - start) };
  }
}

const NONE: readonly Part[] = [];

function shadowsOf({ castShadow, receiveShadow }: Mesh): number {
  return (castShadow ? 1 : 0) + (receiveShadow ? 2 : 0);
}

function isMirroring({ matrixWorld }: Mesh): boolean {
  return matrixWorld.determinant() < 0;
}
