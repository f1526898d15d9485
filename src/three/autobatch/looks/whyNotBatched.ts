import {
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
  type Texture,
} from 'three';
import type { Flags } from '../../objects/ObjectRecord.js';

/**
 * Who is drawn in a batch with others. Tables of conditions that are to hold and of what is said where one does not: of
 * the object and of each of its materials here, of its geometry in `whyGeometryAlone`. Batches draw surfaces as three's
 * own shaders draw them, and transparent ones in the order that the renderer gives them; whatever may be drawn in another
 * way, in another order, or may want to know when it is drawn, is drawn by itself.
 */
export type Rule<T> = readonly [(subject: T) => boolean, string];

type Callbacks = 'onBeforeRender' | 'onAfterRender' | 'onBeforeShadow' | 'onAfterShadow';
type AnyMesh = Mesh &
  Flags & { count?: number; occlusionTest?: boolean; customDistanceMaterial?: unknown; customDepthMaterial?: unknown };

const stock = Object3D.prototype as unknown as Record<Callbacks, unknown>;
const isStock = (name: Callbacks) => (mesh: AnyMesh) => (mesh as unknown as typeof stock)[name] === stock[name];

const MESH: readonly Rule<AnyMesh>[] = [
  [(o) => o.isMesh === true && !o.isLine && !o.isPoints && !o.isSprite, 'only meshes are drawn in batches'],
  [(o) => !o.isInstancedMesh && !o.isBatchedMesh && !((o.count ?? 1) > 1), 'it has instances of its own'],
  [(o) => !o.isSkinnedMesh, 'bones move its vertices'],
  [isStock('onBeforeRender'), 'it has a method onBeforeRender of its own'],
  [isStock('onAfterRender'), 'it has a method onAfterRender of its own'],
  [isStock('onBeforeShadow'), 'it has a method onBeforeShadow of its own'],
  [isStock('onAfterShadow'), 'it has a method onAfterShadow of its own'],
  [(o) => !o.customDepthMaterial && !o.customDistanceMaterial, 'its shadow has a material of its own'],
  [(o) => !o.occlusionTest, 'it takes part in an occlusion test'],
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
  [(m) => !m.wireframe, 'its material draws a wireframe, whose lines shaders of batches would shift'],
  [
    (m) => !m.normalMap || m.normalMapType !== ObjectSpaceNormalMap,
    'its material has a normal map in object space, which shaders of batches would not turn',
  ],
  [(m) => !m.alphaHash, 'its material has noise that depends on the matrix of an object'],
];

const MATERIAL: readonly Rule<AnyMaterial>[] = [
  [(m) => m.isMaterial === true && KNOWN.test(m.type), 'its material is not one of three that knows batches'],
  [(m) => !m.transmission, 'its material transmits light, which is drawn after all that does not'],
  ...SHADER,
  // What is transparent is drawn in three's own order.
  [(m) => m.transparent || m.blending === NormalBlending, 'its material blends with what is behind it'],
  [
    (m) => m.transparent || !m.stencilWrite || keepsStencil(m),
    'its material writes the stencil, where its place in the order counts',
  ],
  [(m) => m.transparent || m.colorWrite, 'its material writes no colour, so what is drawn before it counts'],
  [(m) => m.transparent || DEPTHS.has(m.depthFunc), 'its material has a depth test of its own'],
  [
    (m) => m.transparent || (m.depthTest && m.depthWrite),
    'without a depth test, and writing, its place in the order counts',
  ],
  [
    (m) => m.onBeforeRender === Material.prototype.onBeforeRender,
    'its material has a method onBeforeRender of its own',
  ],
  [
    (m) => m.isNodeMaterial === true || m.onBeforeCompile === Material.prototype.onBeforeCompile,
    'its material changes the shader in onBeforeCompile',
  ],
  [(m) => m.isNodeMaterial !== true || !hasNodes(m), 'its material has nodes of its own'],
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
  return firstBroken(MATERIAL, material as AnyMaterial);
}

/** Why a material that a pass puts in the place of others would draw another picture in batches; null when it would not. */
export function whyShaderAlone(material: Material): string | null {
  return firstBroken(SHADER, material as AnyMaterial);
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

function hasNodes(material: Material): boolean {
  const properties = material as unknown as Record<string, unknown>;
  for (const name in properties) {
    if (name.endsWith('Node') && properties[name] !== null && properties[name] !== undefined) return true;
  }
  return false;
}
