import {
  BatchedMesh,
  DoubleSide,
  KeepStencilOp,
  LessDepth,
  LessEqualDepth,
  Material,
  type Mesh,
  NormalBlending,
  type NormalMapTypes,
  Object3D,
  ObjectSpaceNormalMap,
  type Scene,
  type Texture,
} from 'three';
import { isShadowMaterial, type SceneRenderer } from '../passes/Pass.js';
import type { Flags } from '../scene/objects/ObjectRecord.js';
import { areShadersOwn } from './shaderTexts.js';

/**
 * Why a mesh is drawn alone: the name of a property in the way, or another code. `BATCH_REASONS` says each in words, and
 * what to do about it.
 */
export type AloneReason = MeshReason | MaterialReason | GeometryReason | PartReason | StateReason;
type MeshReason = KindReason | (typeof CALLBACKS)[number] | 'customDepthMaterial' | 'customDistanceMaterial';
type KindReason = 'notMesh' | 'instances' | 'skinned' | 'count' | 'occlusionTest' | 'noMaterial' | 'noGroups';
type MaterialReason = ShaderReason | OrderReason | DepthReason | 'materialCallback' | 'forceSinglePass';
type ShaderReason = 'shader' | 'onBeforeCompile' | 'nodes' | 'wireframe' | 'normalMapType' | 'shaderChunk';
type OrderReason = 'alphaHash' | 'transmission' | 'blending' | 'stencilWrite' | 'colorWrite';
type DepthReason = 'depthFunc' | 'depthTest' | 'depthWrite';
type GeometryReason = 'noVertices' | 'geometryInstances' | 'morphTargets' | 'emptyIndex' | 'indexRange';
type StateReason = 'notAllowed' | 'shears' | 'restless';
/** Of an attribute of the geometry, or of its index. */
export type PartReason = 'instanced' | 'storage' | 'notNumbers' | 'onUploadCallback' | 'tooShort';

/**
 * A condition for being drawn in batches, and the reason when it does not hold. Conditions for objects and materials are
 * below, those for geometries in KnownGeometry.
 *
 * Batches draw surfaces with three's own shaders, and transparent ones in the order of the renderer. What may be drawn
 * in another way or order, or may want to know when it is drawn, is drawn alone.
 */
export type Rule<T, R extends AloneReason = AloneReason> = readonly [(subject: T) => boolean, R];

/** Methods of objects that renderers call. */
export const CALLBACKS = ['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow'] as const;
type AnyMesh = Mesh &
  Flags & {
    count?: number;
    occlusionTest?: boolean | undefined;
    customDistanceMaterial?: unknown;
    customDepthMaterial?: unknown;
  };

const stock = Object3D.prototype as unknown as Record<(typeof CALLBACKS)[number], unknown>;

/** Materials of three whose shaders know batches, by their type. */
const KNOWN = /^Mesh(Basic|Lambert|Phong|Standard|Physical|Toon|Matcap|Normal)(Node)?Material$/;

type AnyMaterial = Material & {
  transmission?: number;
  wireframe?: boolean;
  normalMap?: Texture | null;
  normalMapType?: NormalMapTypes;
  isNodeMaterial?: boolean;
  isMaterial?: boolean;
};

/** Depth tests by which the nearest wins. */
const DEPTHS: ReadonlySet<number> = new Set([LessDepth, LessEqualDepth]);

/** For all materials, also for those with which a pass overrides others. */
const SHADER: readonly Rule<AnyMaterial>[] = [
  [(m) => !m.wireframe, 'wireframe'],
  [(m) => !m.normalMap || m.normalMapType !== ObjectSpaceNormalMap, 'normalMapType'],
  // Its noise depends on the matrix of an object.
  [(m) => !m.alphaHash, 'alphaHash'],
  [(m) => m.isNodeMaterial === true || areShadersOwn, 'shaderChunk'],
];

const MATERIAL: readonly Rule<AnyMaterial>[] = [
  [(m) => m.isMaterial === true, 'shader'],
  // It is drawn after everything that transmits no light.
  [(m) => !m.transmission, 'transmission'],
  ...SHADER,
  // With these the order of draws counts, and only transparent draws are in three's own.
  [(m) => m.transparent || m.blending === NormalBlending, 'blending'],
  [(m) => m.transparent || !m.stencilWrite || keepsStencil(m), 'stencilWrite'],
  [(m) => m.transparent || m.colorWrite, 'colorWrite'],
  [(m) => m.transparent || DEPTHS.has(m.depthFunc), 'depthFunc'],
  [(m) => m.transparent || m.depthTest, 'depthTest'],
  [(m) => m.transparent || m.depthWrite, 'depthWrite'],
  [(m) => m.onBeforeRender === Material.prototype.onBeforeRender, 'materialCallback'],
];

/** What the user may vouch for with `accept`. */
const OWN_SHADER: readonly Rule<AnyMaterial>[] = [
  [(m) => KNOWN.test(m.type), 'shader'],
  [(m) => m.isNodeMaterial === true || m.onBeforeCompile === Material.prototype.onBeforeCompile, 'onBeforeCompile'],
  [(m) => nodeOf(m) === null, 'nodes'],
];

/**
 * Why a mesh has to be drawn alone, whatever its materials and geometry; null when these decide. Asked of every mesh in
 * view, so it is written out.
 */
export function whyMeshAlone(object: Object3D): AloneReason | null {
  const o = object as AnyMesh;
  if (o.isMesh !== true) return 'notMesh';
  if (o.isInstancedMesh || o.isBatchedMesh) return 'instances';
  if (o.isSkinnedMesh) return 'skinned';
  if ((o.count ?? 1) > 1) return 'count';
  if (o.onBeforeRender !== stock.onBeforeRender) return 'onBeforeRender';
  if (o.onAfterRender !== stock.onAfterRender) return 'onAfterRender';
  if (o.onBeforeShadow !== stock.onBeforeShadow) return 'onBeforeShadow';
  if (o.onAfterShadow !== stock.onAfterShadow) return 'onAfterShadow';
  if (o.customDepthMaterial) return 'customDepthMaterial';
  if (o.customDistanceMaterial) return 'customDistanceMaterial';
  if (o.occlusionTest) return 'occlusionTest';
  return (Array.isArray(o.material) ? o.material.every(Boolean) : o.material) ? null : 'noMaterial';
}

/** Why meshes with a material have to be drawn alone; null when they need not be. */
export function whyMaterialAlone(material: Material): AloneReason | null {
  return firstBroken(MATERIAL, material as AnyMaterial) ?? firstBroken(OWN_SHADER, material as AnyMaterial);
}

export type Accept = (mesh: Mesh, material: Material) => boolean;

let hasFailed = false;

/** True when the user vouches for a material that only its shader keeps out of batches. */
export function isAccepted(accept: Accept, mesh: Mesh, material: Material): boolean {
  if (firstBroken(MATERIAL, material as AnyMaterial) !== null) return false;
  try {
    return accept(mesh, material) === true;
  } catch (error) {
    // Reported once, as it may throw for each mesh in each picture.
    if (!hasFailed) console.error('batch.accept:', error);
    hasFailed = true;
    return false;
  }
}

/** The reason of the first broken rule; null when all hold. */
export function firstBroken<T, R extends AloneReason>(rules: readonly Rule<T, R>[], subject: T): R | null {
  for (const [holds, reason] of rules) if (!holds(subject)) return reason;
  return null;
}

/** True for a material with which three draws the back of each mesh, then its front. */
export function isDrawnTwice({ transparent, side, forceSinglePass }: Material): boolean {
  return transparent && side === DoubleSide && !forceSinglePass;
}

function keepsStencil({ stencilFail, stencilZFail, stencilZPass }: Material): boolean {
  return stencilFail === KeepStencilOp && stencilZFail === KeepStencilOp && stencilZPass === KeepStencilOp;
}

/** Overriding materials whose shaders know batches and ignore their colours. */
const COLORLESS = /^Mesh(Normal|Depth|Distance)Material$/;

/** Since r187 batches keep the matrices of the last frame, for motion vectors, and make their lists when asked. */
export const IS_R187: boolean = '_updateDrawParameters' in BatchedMesh.prototype;

/** True for a pass that draws objects with their own materials, or overrides them with one that knows batches. */
export function canBatch(renderer: SceneRenderer, { overrideMaterial }: Scene): boolean {
  if (isShadowMaterial(overrideMaterial)) return true;
  if (overrideMaterial && !isColorless(overrideMaterial)) return false;
  // Outlines and the like look for the object itself, or draw it with other materials.
  if (renderer.getRenderObjectFunction?.()) return false;
  return IS_R187 || renderer.getMRT?.()?.has('velocity') !== true;
}

function isColorless(material: Material): boolean {
  const { type, transparent, depthTest, depthWrite, onBeforeCompile } = material;
  const isOpaque = !transparent && depthTest && depthWrite;
  const isPlain = onBeforeCompile === Material.prototype.onBeforeCompile && firstBroken(SHADER, material) === null;
  return COLORLESS.test(type) && isOpaque && isPlain;
}

/** By material the version in which no node was found. */
const plain = new WeakMap<Material, number>();

/**
 * The name of the first node of a material; null where it has none. WebGPURenderer takes nodes of all materials; where
 * none are expected they are looked for once in each version.
 */
export function nodeOf(material: Material & { isNodeMaterial?: boolean }): string | null {
  if (plain.get(material) === material.version) return null;
  for (const name in material) if (name.endsWith('Node') && material[name as never]) return name;
  if (!material.isNodeMaterial) plain.set(material, material.version);
  return null;
}
