import {
  BatchedMesh,
  type BufferGeometry,
  EqualDepth,
  KeepStencilOp,
  LessDepth,
  LessEqualDepth,
  Material,
  type Mesh,
  NeverDepth,
  NoBlending,
  NormalBlending,
  Object3D,
} from 'three';
import { notingCallbacks } from '../../scene/objects/methods.js';
import { type Flags, isAggregate } from '../../scene/objects/ObjectRecord.js';

/**
 * A condition for hiding others or for being hidden, and why it matters, as `explain` says it of an object for which it does
 * not hold.
 *
 * What hides has to cover its triangles with colour and depth, wherever its matrix puts them. What is hidden has to lie within
 * its bounds, be covered by whatever is nearer, and leave no other trace.
 */
export type Rule<T> = readonly [holds: (subject: T) => boolean, why: string];

export type AnyMesh = Mesh & Flags & { count?: number; occlusionTest?: boolean | undefined };
export type AnyMaterial = Material & {
  readonly isMaterial?: boolean;
  readonly isNodeMaterial?: boolean;
  transmission?: number;
  wireframe?: boolean;
  displacementMap?: object | null;
};

/** Materials of three whose shaders put vertices where matrices say, unless a rule below says otherwise; by their type. */
const KNOWN = /^Mesh(Basic|Lambert|Phong|Standard|Physical|Toon|Matcap|Normal)(Node)?Material$/;
const stock = Object3D.prototype;

/** True for an object without callbacks around its drawing. Asked of every object in view. */
export function isQuiet({ onBeforeRender, onAfterRender }: Object3D): boolean {
  return (
    onAfterRender === stock.onAfterRender &&
    (onBeforeRender === stock.onBeforeRender ||
      onBeforeRender === BatchedMesh.prototype.onBeforeRender ||
      notingCallbacks.has(onBeforeRender))
  );
}

/** For all objects that may be hidden. */
export const HIDDEN: readonly Rule<AnyMesh>[] = [
  [
    (o) => o.isMesh === true && !o.isLine && !o.isPoints && !o.isSprite,
    'only meshes are hidden: lines, points and sprites may be larger on the screen than their bounds',
  ],
  [(o) => o.frustumCulled, 'its frustumCulled is false: its bounds say nothing'],
  [isQuiet, 'its callbacks must be called'],
  [(o) => !notingCallbacks.has(o.onBeforeRender), 'its levels of detail may be larger than its bounds'],
  [(o) => !o.occlusionTest, 'it is tested for occlusion by the renderer'],
  [(o) => !hasMorphs(o), 'morph targets may move it out of its bounds'],
  [(o) => !hasMovers(o.geometry), 'instanced attributes may move it out of its bounds'],
];

/** For all materials of objects that may be hidden. */
export const COVERED: readonly Rule<AnyMaterial>[] = [
  [(m) => KNOWN.test(m.type), 'its shader may draw it elsewhere'],
  [(m) => m.onBeforeCompile === Material.prototype.onBeforeCompile, 'its onBeforeCompile may draw it elsewhere'],
  [(m) => m.onBeforeRender === Material.prototype.onBeforeRender, "its material's onBeforeRender must be called"],
  [(m) => moverOf(m) === null, 'nodes of its material may draw it elsewhere'],
  [(m) => !m.displacementMap, 'its displacementMap may move it out of its bounds'],
  [(m) => m.depthTest, 'its depthTest is false: it shows through others'],
  [(m) => DEPTHS.has(m.depthFunc), 'its depthFunc may show it behind others'],
  [(m) => !m.polygonOffset, 'its polygonOffset draws it at other depths'],
  [(m) => !m.stencilWrite || keepsStencil(m), 'it writes the stencil, behind others too'],
];

/** For objects that may hide others, besides the rules of their materials and geometry. */
export const HIDING: readonly Rule<AnyMesh>[] = [
  [(o) => o.isMesh === true && !o.isLine && !o.isPoints && !o.isSprite, 'only meshes hide others'],
  [(o) => !o.isSkinnedMesh, 'bones move its vertices'],
  [(o) => !o.isBatchedMesh, 'it is a batch of many geometries'],
  [(o) => !hasMorphs(o), 'morph targets move its vertices'],
  [isQuiet, 'its callbacks may draw it differently'],
  [(o) => o.isInstancedMesh === true || (o.count ?? 1) === 1, 'it is drawn several times, or not at all'],
  [(o) => !Array.isArray(o.material), 'it has several materials'],
  [(o) => isAffine(o.matrixWorld.elements), 'its matrix is projective, or not finite'],
  [(o) => !hasMovers(o.geometry), 'instanced attributes may move its vertices'],
];

/** For the material of an object that hides others. */
export const COVERING: readonly Rule<AnyMaterial>[] = [
  [(m) => m?.isMaterial === true && m.visible, 'its material is not visible'],
  [(m) => KNOWN.test(m.type), 'it has a shader of its own'],
  [(m) => m.onBeforeCompile === Material.prototype.onBeforeCompile, 'its onBeforeCompile changes its shader'],
  [(m) => m.onBeforeRender === Material.prototype.onBeforeRender, "its material's onBeforeRender may change it"],
  [(m) => nodeOf(m) === null, 'its material has nodes of its own'],
  [(m) => !m.displacementMap, 'a displacementMap moves its vertices'],
  [(m) => !m.wireframe, 'it is drawn as a wireframe'],
  [(m) => !m.transparent && !m.transmission, 'it can be seen through'],
  [(m) => !(m.alphaTest > 0) && !m.alphaHash && !m.alphaToCoverage, 'its alpha may cut holes into it'],
  [(m) => m.blending === NormalBlending || m.blending === NoBlending, 'it is blended with what is behind'],
  [(m) => m.colorWrite && m.depthWrite && m.depthTest, 'it does not write both colour and depth'],
  [(m) => DEPTHS.has(m.depthFunc), 'its depthFunc may draw it behind nearer objects'],
  [(m) => !m.polygonOffset, 'its polygonOffset draws it at other depths'],
  [(m) => !m.stencilWrite, 'the stencil may cut parts of it away'],
];

/**
 * For all materials in view: where one does not hold, nothing is hidden in this pass. (Between two draws callbacks may clear
 * the depth, what is behind an occluder may replace its depth, and a stencil that is written by depth counts what is drawn and then covered.)
 */
export const PEACEFUL: readonly Rule<AnyMaterial>[] = [
  [(m) => m.onBeforeRender === Material.prototype.onBeforeRender, 'has a material with an onBeforeRender'],
  [(m) => !m.stencilWrite || !m.depthTest || keepsStencil(m), 'writes the stencil depending on depth'],
  [(m) => !m.depthWrite || !m.depthTest || KEEPING.has(m.depthFunc), 'may overwrite a depth with a farther one'],
];

/** Depth tests by which the nearest wins. */
const DEPTHS: ReadonlySet<number> = new Set([LessDepth, LessEqualDepth]);

/** Depth tests by which a depth that is written is no farther than the one before. */
const KEEPING: ReadonlySet<number> = new Set([NeverDepth, EqualDepth, LessDepth, LessEqualDepth]);

/** True for a material that writes depths untested. WebGL writes none where depth is not tested, WebGPU does. */
export function writesUntested({ depthTest, depthWrite }: Material): boolean {
  return depthWrite && !depthTest;
}

/** Nodes of a material that decide where its fragments lie. Others colour them. */
const MOVERS = ['positionNode', 'vertexNode', 'geometryNode', 'depthNode', 'fragmentNode', 'outputNode'] as const;

/**
 * True when all rules of {@link COVERED} and {@link PEACEFUL} hold that can change from picture to picture, of a material of
 * a known type. Asked of every material in view, so it is written out.
 */
export function isPlain(m: AnyMaterial): boolean {
  return (
    m.depthTest &&
    (m.depthFunc === LessEqualDepth || m.depthFunc === LessDepth) &&
    !m.polygonOffset &&
    !m.stencilWrite &&
    !m.displacementMap &&
    !m.transmission &&
    m.onBeforeRender === Material.prototype.onBeforeRender &&
    m.onBeforeCompile === Material.prototype.onBeforeCompile
  );
}

/** What the first broken rule says; null when all hold. */
export function firstBroken<T>(rules: readonly Rule<T>[], subject: T): string | null {
  for (const [holds, why] of rules) if (!holds(subject)) return why;
  return null;
}

/** Why an object is drawn even behind others; null when it may be hidden. A LOD goes by all that lies in it. */
export function whyNeverHidden(object: Object3D): string | null {
  if ((object as Flags).isLOD) return whyLodNeverHidden(object);
  const mesh = object as AnyMesh;
  const why = firstBroken(HIDDEN, mesh);
  if (why !== null) return why;
  for (const material of [mesh.material].flat()) {
    if (!material) continue;
    const why = firstBroken(COVERED, material as AnyMaterial);
    if (why !== null) return why;
  }
  return null;
}

function whyLodNeverHidden(lod: Object3D): string | null {
  if (!isQuiet(lod)) return 'its callbacks must be called';
  for (const child of lod.children) {
    const why = whyPartNeverHidden(child);
    if (why !== null) return why;
  }
  return null;
}

function whyPartNeverHidden(part: Object3D): string | null {
  const { isMesh, isLine, isPoints, isSprite, isLOD, isLight } = part as Flags;
  if (isLight) return 'a light lies in it';
  if (!isLOD && isAggregate(part as Flags)) return 'a group lies in it that is drawn as a whole';
  const isDrawn = isMesh || isLine || isPoints || isSprite;
  const why = isDrawn ? whyNeverHidden(part) : null;
  if (why !== null) return `something lies in it of which is said: ${why}`;
  for (const child of part.children) {
    const below = whyPartNeverHidden(child);
    if (below !== null) return below;
  }
  return null;
}

/** Why a mesh hides nothing, whatever its geometry and place; null when these decide. */
export function whyHidesNothing(object: Object3D): string | null {
  const mesh = object as AnyMesh;
  return firstBroken(HIDING, mesh) ?? firstBroken(COVERING, mesh.material as AnyMaterial);
}

/** Why nothing is hidden in a pass that draws an object; null for most objects. */
export function whyDisturbing(object: Object3D): string | null {
  if (!isQuiet(object)) return 'has callbacks around its drawing';
  for (const material of [(object as AnyMesh).material].flat()) {
    const why = material ? firstBroken(PEACEFUL, material as AnyMaterial) : null;
    if (why !== null) return why;
  }
  return null;
}

function keepsStencil({ stencilFail, stencilZFail, stencilZPass }: Material): boolean {
  return stencilFail === KeepStencilOp && stencilZFail === KeepStencilOp && stencilZPass === KeepStencilOp;
}

function hasMorphs({ geometry }: AnyMesh): boolean {
  return geometry?.morphAttributes?.position !== undefined;
}

/** True for a geometry with attributes by which shaders usually place instances of their own. */
function hasMovers(geometry: BufferGeometry | undefined): boolean {
  return (geometry as { isInstancedBufferGeometry?: boolean } | undefined)?.isInstancedBufferGeometry === true;
}

/** True for a matrix without perspective whose numbers are finite. */
export function isAffine(e: ArrayLike<number>): boolean {
  if (e[3] !== 0 || e[7] !== 0 || e[11] !== 0 || e[15] !== 1) return false;
  let sum = 0;
  for (let i = 0; i < 16; i++) sum += e[i];
  return Number.isFinite(sum);
}

/** By material the version in which no node was found. */
const plain = new WeakMap<Material, number>();

/** The name of the first node of a material; null where it has none. WebGPURenderer takes nodes of all materials. */
function nodeOf(material: AnyMaterial): string | null {
  if (plain.get(material) === material.version) return null;
  for (const name in material) if (name.endsWith('Node') && material[name as never]) return name;
  if (!material.isNodeMaterial) plain.set(material, material.version);
  return null;
}

function moverOf(material: AnyMaterial): string | null {
  return MOVERS.find((name) => (material as unknown as Record<string, unknown>)[name]) ?? null;
}
