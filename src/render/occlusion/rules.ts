import { BatchedMesh, type BufferGeometry, type Material, type Mesh, Object3D } from 'three';
import { type FactRule, firstBroken, firstBrokenBy } from '../../scene/facts/factRules.js';
import { materialFacts } from '../../scene/facts/MaterialFacts.js';
import { notingCallbacks } from '../../scene/objects/notingCallbacks.js';
import { type Flags, isAggregate } from '../../three/kinds.js';
import * as FACTS from '../../three/materialBits.js';

/**
 * A condition for hiding objects or being hidden, and why it matters, as `explain` says it if the condition fails.
 *
 * An occluder has to cover its triangles with colour and depth, wherever its matrix puts them. A hidden object has to
 * lie within its bounds, be covered by any nearer object, and leave no other trace.
 */
export type OcclusionRule<T> = readonly [holds: (subject: T) => boolean, why: string];

export type OcclusionMesh = Mesh & Flags & { count?: number; occlusionTest?: boolean | undefined };
const stock = Object3D.prototype;

/** True for an object without callbacks of the page around its drawing. Called for every object in view. */
export function isQuiet({ onBeforeRender, onAfterRender }: Object3D): boolean {
  return (
    onAfterRender === stock.onAfterRender &&
    (onBeforeRender === stock.onBeforeRender ||
      onBeforeRender === BatchedMesh.prototype.onBeforeRender ||
      notingCallbacks.has(onBeforeRender))
  );
}

export const HIDDEN_RULES: readonly OcclusionRule<OcclusionMesh>[] = [
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

/** Rules for all materials of objects that may be hidden. */
export const COVERED: readonly FactRule[] = [
  [FACTS.otherShader, 'its shader may draw it elsewhere'],
  [FACTS.onBeforeCompile, 'its onBeforeCompile may draw it elsewhere'],
  [FACTS.onBeforeRender, "its material's onBeforeRender must be called"],
  [FACTS.movingNodes, 'nodes of its material may draw it elsewhere'],
  [FACTS.displaced, 'its displacementMap may move it out of its bounds'],
  [FACTS.noDepthTest, 'its depthTest is false: it shows through others'],
  [FACTS.depthFunc, 'its depthFunc may show it behind others'],
  [FACTS.polygonOffset, 'its polygonOffset draws it at other depths'],
  [FACTS.stencilWrite, 'it writes the stencil, behind others too'],
];

/** Rules for objects that may hide other objects, besides the rules of their materials and geometry. */
export const HIDING: readonly OcclusionRule<OcclusionMesh>[] = [
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

/** Rules for the material of an object that hides other objects. */
export const COVERING: readonly FactRule[] = [
  [FACTS.missing | FACTS.invisible, 'its material is not visible'],
  [FACTS.otherShader, 'it has a shader of its own'],
  [FACTS.onBeforeCompile, 'its onBeforeCompile changes its shader'],
  [FACTS.onBeforeRender, "its material's onBeforeRender may change it"],
  [FACTS.nodes, 'its material has nodes of its own'],
  [FACTS.displaced, 'a displacementMap moves its vertices'],
  [FACTS.wireframe, 'it is drawn as a wireframe'],
  [FACTS.transparent | FACTS.transmits, 'it can be seen through'],
  [FACTS.cutout, 'its alpha may cut holes into it'],
  [FACTS.blended, 'it is blended with what is behind'],
  [FACTS.noColor | FACTS.noDepthWrite | FACTS.noDepthTest, 'it does not write both colour and depth'],
  [FACTS.depthFunc, 'its depthFunc may draw it behind nearer objects'],
  [FACTS.polygonOffset, 'its polygonOffset draws it at other depths'],
  [FACTS.stencil, 'the stencil may cut parts of it away'],
];

/**
 * Rules for all materials in view: if one fails, no object is hidden in this pass. (Callbacks may clear the depth, an
 * object behind an occluder may replace its depth, and a stencil by depth counts draws that are covered later.)
 */
export const PEACEFUL: readonly FactRule[] = [
  [FACTS.onBeforeRender, 'has a material with an onBeforeRender'],
  [FACTS.stencilByDepth, 'writes the stencil depending on depth'],
  [FACTS.fartherDepth, 'may overwrite a depth with a farther one'],
];

/** Why an object is drawn even behind occluders; null when it may be hidden. A LOD depends on all objects in it. */
export function whyNeverHidden(object: Object3D): string | null {
  if ((object as Flags).isLOD && !isQuiet(object)) return 'its callbacks must be called';
  if ((object as Flags).isLOD) return object.children.map(whyPartNeverHidden).find(Boolean) ?? null;
  const mesh = object as OcclusionMesh;
  const whyMaterial = (material: Material) => (material ? firstBrokenBy(materialFacts(material).bits, COVERED) : null);
  return firstBroken(HIDDEN_RULES, mesh) ?? [mesh.material].flat().map(whyMaterial).find(Boolean) ?? null;
}

function whyPartNeverHidden(part: Object3D): string | null {
  const { isMesh, isLine, isPoints, isSprite, isLOD, isLight } = part as Flags;
  if (isLight) return 'a light lies in it';
  if (!isLOD && isAggregate(part as Flags)) return 'a clipping or bundle group lies in it that is drawn as a whole';
  const isDrawn = isMesh || isLine || isPoints || isSprite;
  const why = isDrawn ? whyNeverHidden(part) : null;
  if (why !== null) return `something lies in it of which is said: ${why}`;
  return part.children.map(whyPartNeverHidden).find(Boolean) ?? null;
}

/** Why a mesh hides nothing, whatever its geometry and position; null if it depends on those two. */
export function whyHidesNothing(object: Object3D): string | null {
  const mesh = object as OcclusionMesh;
  // A mesh without a material is not drawn.
  const facts = () => (mesh.material ? materialFacts(mesh.material as Material).bits : FACTS.missing);
  return firstBroken(HIDING, mesh) ?? firstBrokenBy(facts(), COVERING);
}

function hasMorphs({ geometry }: OcclusionMesh): boolean {
  return geometry?.morphAttributes?.position !== undefined;
}

/** True for an `InstancedBufferGeometry`: shaders usually place its instances by attributes. */
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
