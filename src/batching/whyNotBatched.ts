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
import type { Flags } from '../scene/objects/ObjectRecord.js';
import { areShadersOwn } from './shaderTexts.js';

/** By material without nodes the version in which none was found. */
const plain = new WeakMap<Material, number>();

/**
 * The name of the first node that a material was given; null where it has none. WebGPURenderer takes nodes of materials of all
 * kinds; where they are not expected they are looked for once in each version.
 */
export function nodeOf(material: Material & { isNodeMaterial?: boolean }): string | null {
  if (plain.get(material) === material.version) return null;
  for (const name in material) if (name.endsWith('Node') && material[name as never]) return name;
  if (!material.isNodeMaterial) plain.set(material, material.version);
  return null;
}

/**
 * Who is drawn in a batch with others. Tables of conditions that are to hold and of what is said where one does not: of
 * the object and of each of its materials here, of its geometry in `whyGeometryAlone`. Batches draw surfaces as three's
 * own shaders draw them, and transparent ones in the order that the renderer gives them; whatever may be drawn in another
 * way, in another order, or may want to know when it is drawn, is drawn by itself.
 *
 * What is said is the name of the property that is in the way, which `reasonInWords` completes, or a sentence.
 */
export type Rule<T> = readonly [(subject: T) => boolean, string];

/** Methods of objects that renderers call. */
export const CALLBACKS = ['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow'] as const;
type AnyMesh = Mesh &
  Flags & { count?: number; occlusionTest?: boolean; customDistanceMaterial?: unknown; customDepthMaterial?: unknown };

const stock = Object3D.prototype as unknown as Record<(typeof CALLBACKS)[number], unknown>;

const MESH: readonly Rule<AnyMesh>[] = [
  [(o) => o.isMesh === true && !o.isLine && !o.isPoints && !o.isSprite, 'type'],
  [(o) => !o.isInstancedMesh && !o.isBatchedMesh && !o.isSkinnedMesh, 'type'],
  [(o) => !((o.count ?? 1) > 1), 'count'],
  ...CALLBACKS.map((name): Rule<AnyMesh> => [(o) => (o as unknown as typeof stock)[name] === stock[name], name]),
  [(o) => !o.customDepthMaterial, 'customDepthMaterial'],
  [(o) => !o.customDistanceMaterial, 'customDistanceMaterial'],
  [(o) => !o.occlusionTest, 'occlusionTest'],
  [(o) => [o.material].flat().every(Boolean), 'it lacks a material'],
];

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

/** Of materials that draw another picture in a batch, among them those that a pass puts in the place of others. */
const SHADER: readonly Rule<AnyMaterial>[] = [
  [(m) => !m.wireframe, 'wireframe'],
  [(m) => !m.normalMap || m.normalMapType !== ObjectSpaceNormalMap, 'normalMapType'],
  // Its noise depends on the matrix of an object.
  [(m) => !m.alphaHash, 'alphaHash'],
  [(m) => m.isNodeMaterial === true || areShadersOwn, 'ShaderChunk is patched'],
];

const MATERIAL: readonly Rule<AnyMaterial>[] = [
  [(m) => m.isMaterial === true, 'type'],
  // What transmits light is drawn after all that does not.
  [(m) => !m.transmission, 'transmission'],
  ...SHADER,
  // The place in the order counts. What is transparent is drawn in three's own order.
  [(m) => m.transparent || m.blending === NormalBlending, 'blending'],
  [(m) => m.transparent || !m.stencilWrite || keepsStencil(m), 'stencilWrite'],
  [(m) => m.transparent || m.colorWrite, 'colorWrite'],
  [(m) => m.transparent || DEPTHS.has(m.depthFunc), 'depthFunc'],
  [(m) => m.transparent || m.depthTest, 'depthTest'],
  [(m) => m.transparent || m.depthWrite, 'depthWrite'],
  [(m) => m.onBeforeRender === Material.prototype.onBeforeRender, 'onBeforeRender'],
];

/** Of materials whose shaders may be safe in batches, as only their author knows. */
const OWN_SHADER: readonly Rule<AnyMaterial>[] = [
  [(m) => KNOWN.test(m.type), 'type'],
  [(m) => m.isNodeMaterial === true || m.onBeforeCompile === Material.prototype.onBeforeCompile, 'onBeforeCompile'],
  [(m) => nodeOf(m) === null, 'nodes'],
];

/**
 * True when a mesh that was drawn in a batch may still be, as far as `whyMeshAlone` goes: all that can change without a
 * new object. Asked of every mesh in view, so it is written out.
 */
export function isStillPlain(mesh: Mesh): boolean {
  const { onBeforeRender, onAfterRender, onBeforeShadow, onAfterShadow } = stock;
  const any = mesh as AnyMesh;
  return (
    mesh.onBeforeRender === onBeforeRender &&
    mesh.onAfterRender === onAfterRender &&
    mesh.onBeforeShadow === onBeforeShadow &&
    mesh.onAfterShadow === onAfterShadow &&
    !any.customDepthMaterial &&
    !any.customDistanceMaterial &&
    !any.occlusionTest &&
    !((any.count ?? 1) > 1)
  );
}

/** Why a mesh is to be drawn by itself, whatever its material and geometry; null when these decide. */
export function whyMeshAlone(mesh: Object3D): string | null {
  return firstBroken(MESH, mesh as AnyMesh);
}

/** The same of a material. */
export function whyMaterialAlone(material: Material): string | null {
  return whyMaterialBarred(material) ?? firstBroken(OWN_SHADER, material as AnyMaterial);
}

/** The same, but for what is up to the author of its shader. */
function whyMaterialBarred(material: Material): string | null {
  return firstBroken(MATERIAL, material as AnyMaterial);
}

export type Accept = (mesh: Mesh, material: Material) => boolean;

let hasFailed = false;

/** True when the user vouches for a material that nothing else keeps out of batches. */
export function isAccepted(accept: Accept, mesh: Mesh, material: Material): boolean {
  if (whyMaterialBarred(material) !== null) return false;
  try {
    return accept(mesh, material) === true;
  } catch (error) {
    // A picture is being made, and it may throw for each mesh.
    if (!hasFailed) console.error('batch.accept:', error);
    hasFailed = true;
    return false;
  }
}

/** What is said of the first condition that does not hold; null when all do. */
export function firstBroken<T>(rules: readonly Rule<T>[], subject: T): string | null {
  for (const [holds, reason] of rules) if (!holds(subject)) return reason;
  return null;
}

/** True for a material with which three draws the back of each mesh, and then its front. */
export function isDrawnTwice({ transparent, side, forceSinglePass }: Material): boolean {
  return transparent && side === DoubleSide && !forceSinglePass;
}

function keepsStencil({ stencilFail, stencilZFail, stencilZPass }: Material): boolean {
  return stencilFail === KeepStencilOp && stencilZFail === KeepStencilOp && stencilZPass === KeepStencilOp;
}

/** A renderer, as far as it is asked here. */
export interface BatchRenderer {
  readonly sortObjects: boolean;
  readonly isWebGLRenderer?: boolean;
  getMRT?(): { has(name: string): boolean } | null;
  getRenderObjectFunction?(): unknown;
}

/**
 * Materials that passes put in the place of others, whose shaders know batches and do without the colours that batches
 * have.
 */
const COLORLESS = /^Mesh(Normal|Depth|Distance)Material$/;

/** From r187 on a batch keeps the matrices of the last frame, for passes that ask for velocities, and makes its lists when asked. */
export const IS_R187: boolean = '_updateDrawParameters' in BatchedMesh.prototype;

/** True for a pass that draws objects with their own materials, or with one that knows batches, and nothing else of them. */
export function canBatch(renderer: BatchRenderer, { overrideMaterial }: Scene): boolean {
  const isShadow = (overrideMaterial as { isShadowPassMaterial?: boolean } | null)?.isShadowPassMaterial === true;
  if (isShadow) return true;
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
