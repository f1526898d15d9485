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
export type Rule<T, Said = string> = readonly [(subject: T) => boolean, Said];

type Telling<T> = string | ((subject: T) => string);

/** What is said where a rule is broken, or what says it of the subject, with its values: in words only when somebody asks. */
export type Reason = string | ((subject: never) => string);

/** Names a property that is in the way, with its value. */
const named =
  (name: string, why = '') =>
  (subject: object): string =>
    `its material has ${name}: ${(subject as Record<string, unknown>)[name]}${why}`;

type Callbacks = 'onBeforeRender' | 'onAfterRender' | 'onBeforeShadow' | 'onAfterShadow';
type AnyMesh = Mesh &
  Flags & { count?: number; occlusionTest?: boolean; customDistanceMaterial?: unknown; customDepthMaterial?: unknown };

const stock = Object3D.prototype as unknown as Record<Callbacks, unknown>;
const isStock = (name: Callbacks) => (mesh: AnyMesh) => (mesh as unknown as typeof stock)[name] === stock[name];

const MESH: readonly Rule<AnyMesh, Telling<AnyMesh>>[] = [
  [
    (o) => o.isMesh === true && !o.isLine && !o.isPoints && !o.isSprite,
    (o) => `it is a ${o.type}, and only meshes are drawn in batches`,
  ],
  [
    (o) => !o.isInstancedMesh && !o.isBatchedMesh && !((o.count ?? 1) > 1),
    (o) => `it has instances of its own: it is a ${o.type}`,
  ],
  [(o) => !o.isSkinnedMesh, 'bones move its vertices: it is a SkinnedMesh'],
  [isStock('onBeforeRender'), 'it has its own onBeforeRender'],
  [isStock('onAfterRender'), 'it has its own onAfterRender'],
  [isStock('onBeforeShadow'), 'it has its own onBeforeShadow'],
  [isStock('onAfterShadow'), 'it has its own onAfterShadow'],
  [
    (o) => !o.customDepthMaterial && !o.customDistanceMaterial,
    'it has a customDepthMaterial or customDistanceMaterial',
  ],
  [(o) => !o.occlusionTest, 'it has occlusionTest: true'],
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
const SHADER: readonly Rule<AnyMaterial, Telling<AnyMaterial>>[] = [
  [(m) => !m.wireframe, named('wireframe')],
  [
    (m) => !m.normalMap || m.normalMapType !== ObjectSpaceNormalMap,
    'its material has normalMapType: ObjectSpaceNormalMap',
  ],
  [(m) => !m.alphaHash, named('alphaHash', ', whose noise depends on the matrix of an object')],
];

const MATERIAL: readonly Rule<AnyMaterial, Telling<AnyMaterial>>[] = [
  [
    (m) => m.isMaterial === true && KNOWN.test(m.type),
    (m) => `its material is a ${m.type}, which does not know batches`,
  ],
  [(m) => !m.transmission, named('transmission', ', and is drawn after all that does not transmit light')],
  ...SHADER,
  // What is transparent is drawn in three's own order.
  [(m) => m.transparent || m.blending === NormalBlending, named('blending', ', and blends with what is behind it')],
  [
    (m) => m.transparent || !m.stencilWrite || keepsStencil(m),
    named('stencilWrite', ', so its place in the order counts'),
  ],
  [(m) => m.transparent || m.colorWrite, named('colorWrite', ', so its place in the order counts')],
  [(m) => m.transparent || DEPTHS.has(m.depthFunc), named('depthFunc', ', so its place in the order counts')],
  [
    (m) => m.transparent || (m.depthTest && m.depthWrite),
    (m) =>
      `its material has depthTest: ${m.depthTest} and depthWrite: ${m.depthWrite}, so its place in the order counts`,
  ],
  [(m) => m.onBeforeRender === Material.prototype.onBeforeRender, 'its material has its own onBeforeRender'],
  [
    (m) => m.isNodeMaterial === true || m.onBeforeCompile === Material.prototype.onBeforeCompile,
    'its material has its own onBeforeCompile',
  ],
  [(m) => m.isNodeMaterial !== true || nodeOf(m) === null, (m) => `its material has its own ${nodeOf(m)}`],
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
export function whyMeshAlone(mesh: Object3D): Reason | null {
  return firstBroken(MESH, mesh as AnyMesh);
}

/** The same of a material. */
export function whyMaterialAlone(material: Material): Reason | null {
  return firstBroken(MATERIAL, material as AnyMaterial);
}

/** Why a material that a pass puts in the place of others would draw another picture in batches; null when it would not. */
export function whyShaderAlone(material: Material): Reason | null {
  return firstBroken(SHADER, material as AnyMaterial);
}

/** What is said of the first condition that does not hold; null when all do. */
export function firstBroken<T, Said>(rules: readonly Rule<T, Said>[], subject: T): Said | null {
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

/** The name of the first node that a material was given; null where it has none. */
function nodeOf(material: Material): string | null {
  const properties = material as unknown as Record<string, unknown>;
  for (const name in properties) {
    if (name.endsWith('Node') && properties[name] !== null && properties[name] !== undefined) return name;
  }
  return null;
}
