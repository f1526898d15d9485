import type { Material, Mesh } from 'three';
import type { MaterialFacts } from '../scene/facts/MaterialFacts.js';
import type { KnownGeometry } from './KnownGeometry.js';
import type { BatchMaterial, MaterialGeometryCache } from './MaterialGeometryCache.js';
import { type Accept, type AloneReason, isAccepted, whyMeshAlone } from './whyNotBatched.js';

/** The properties of a mesh that decide about its batch, copied when the mesh joined. */
export class JoinedWith {
  readonly material: Material | readonly Material[];
  readonly geometry: KnownGeometry;
  readonly mask: number;
  readonly renderOrder: number;
  /** The `renderOrder` of the THREE.Group in which the mesh lies. */
  readonly groupOrder: number;
  /** 1 for casting shadows, plus 2 for receiving them. */
  readonly shadows: number;
  /** The facts of the material; null with a list of materials. */
  readonly facts: MaterialFacts | null;
  /** The stamp of the facts when last compared, with `#changes` of the cache and `#revision` of the geometry. */
  #stamp = -1;
  #changes = -1;
  #revision = -1;
  readonly materials: readonly BatchMaterial[];
  /** Whether a material is made of nodes: WebGLRenderer draws node materials object by object. */
  readonly hasNodes: boolean;
  readonly isMirrored: boolean;
  readonly #isSheared: boolean;
  readonly #layout: string;
  /** Whether the geometry is flat, as batches require if three draws its back, then its front; else null. */
  readonly #isFlat: boolean | null;
  readonly #versions: number;

  constructor(mesh: Mesh, groupOrder: number, cache: MaterialGeometryCache) {
    this.material = mesh.material;
    this.geometry = cache.geometry(mesh.geometry);
    this.mask = mesh.layers.mask;
    this.renderOrder = mesh.renderOrder;
    this.groupOrder = groupOrder;
    this.shadows = shadowsOf(mesh);
    this.materials = [mesh.material].flat().map((one) => cache.material(one));
    for (const known of this.materials) known.retain();
    this.facts = Array.isArray(mesh.material) ? null : this.materials[0].facts;
    this.hasNodes = this.materials.some(({ material }) => (material as { isNodeMaterial?: boolean }).isNodeMaterial);
    this.isMirrored = isMirroring(mesh);
    this.#isSheared = isSheared(mesh);
    this.#layout = this.geometry.layout;
    this.#isFlat = this.materials.some(({ isDrawnTwice }) => isDrawnTwice) ? this.geometry.isFlat : null;
    this.#versions = sumVersions(this.materials);
  }

  /** True while the mesh still has all these properties, wherever it lies. Written out: each mesh in view is tested. */
  fits(mesh: Mesh, groupOrder: number): boolean {
    if (mesh.material !== this.material || mesh.geometry !== this.geometry.geometry) return false;
    if (mesh.layers.mask !== this.mask || mesh.renderOrder !== this.renderOrder) return false;
    if (groupOrder !== this.groupOrder || shadowsOf(mesh) !== this.shadows) return false;
    return whyMeshAlone(mesh) === null && (this.facts !== null || this.#hasAllOf(mesh.material as Material[]));
  }

  #hasAllOf(list: readonly Material[]): boolean {
    const { materials } = this;
    return list.length === materials.length && list.every((one, i) => one === materials[i].material);
  }

  /** True when the present matrix of the mesh requires another batch, or rules out all batches. */
  hasOtherPose(mesh: Mesh): boolean {
    return isMirroring(mesh) !== this.isMirrored || isSheared(mesh) !== this.#isSheared;
  }

  /**
   * Compares the geometry and the materials with their last known state.
   * @param isBatched Whether a batch draws with them: otherwise changes of materials may be found a few frames later.
   * @returns false when the mesh has to join anew.
   */
  refresh(cache: MaterialGeometryCache, isBatched: boolean): boolean {
    const { geometry, facts } = this;
    if (geometry.frame !== cache.frame) geometry.refresh(cache.frame);
    const isSame = geometry.revision === this.#revision && cache.changes === this.#changes;
    return (isBatched && isSame && facts?.look().stamp === this.#stamp) || this.#compare(cache);
  }

  #compare(cache: MaterialGeometryCache): boolean {
    const { geometry, facts, materials } = this;
    for (const known of materials) known.refresh(cache.frame);
    const isSame = sumVersions(materials) === this.#versions && geometry.layout === this.#layout;
    if (!isSame || (this.#isFlat !== null && geometry.isFlat !== this.#isFlat)) return false;
    if (facts !== null) this.#stamp = facts.stamp;
    this.#changes = cache.changes;
    this.#revision = geometry.revision;
    return true;
  }

  /** Compares all materials; true when one has changed: the mesh joins anew at its next refresh. */
  takeMaterialChanges(): boolean {
    for (const known of this.materials) known.compare();
    return sumVersions(this.materials) !== this.#versions;
  }

  /** Why the mesh has to be drawn alone; null when it need not be. */
  whyAlone(mesh: Mesh, accept: Accept): AloneReason | null {
    if (this.#isSheared) return 'shears';
    if (this.geometry.reason) return this.geometry.reason;
    for (const { reason, material } of this.materials) {
      if (reason !== null && !isAccepted(accept, mesh, material)) return reason;
    }
    // A camera sees either the back or the front of a flat geometry: one of its two draws is empty.
    return this.#isFlat === false ? 'forceSinglePass' : null;
  }

  release(): void {
    for (const known of this.materials) known.release();
  }
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
