import { type Material, Mesh, type Object3D, type Scene } from 'three';
import { isShadowMaterial } from '../passes/shadowPasses.js';
import type { CALLBACKS } from '../passes/withoutChildren.js';
import { type FactRule, firstBrokenBy } from '../scene/facts/factRules.js';
import { materialFacts } from '../scene/facts/MaterialFacts.js';
import type { Flags } from '../three/kinds.js';
import * as FACTS from '../three/materialBits.js';
import { orderBits } from '../three/materials.js';
import type { SceneRenderer } from '../three/renderer.js';
import { IS_R187 } from '../three/revisions.js';
import { areShadersSeen, compiledWithout, DIGESTS, KnownShaders, withoutComments } from '../three/shaders.js';

/** Why a mesh is drawn alone: a property's name, or another code. `BATCH_REASONS` has words and advice for each. */
export type AloneReason = MeshReason | MaterialReason | GeometryReason | PartReason | StateReason;
/** Why a mesh is drawn alone in one pass, although it has a slot in a batch. */
export type ApartReason = 'sameTriangles' | 'drawOrder' | 'farView';
type MeshReason = KindReason | (typeof CALLBACKS)[number] | 'intersectsFrustum' | CustomReason;
type CustomReason = 'customDepthMaterial' | 'customDistanceMaterial';
type KindReason = 'notMesh' | 'instances' | 'skinned' | 'count' | 'occlusionTest' | 'noMaterial' | 'noGroups';
type MaterialReason = ShaderReason | OrderReason | DepthReason | 'materialCallback' | 'forceSinglePass';
type ShaderReason = 'shader' | 'onBeforeCompile' | 'nodes' | 'wireframe' | 'normalMapType' | ChunkReason;
type ChunkReason = 'shaderChunk' | 'unseenChunks';
type OrderReason = 'alphaHash' | 'transmission' | 'blending' | 'stencilWrite' | 'colorWrite';
type DepthReason = 'depthFunc' | 'depthTest' | 'depthWrite';
type GeometryReason = 'noVertices' | 'geometryInstances' | 'morphTargets' | 'emptyIndex' | 'indexRange';
type StateReason = 'notAllowed' | 'shears' | 'restless' | 'failed';
/** Why an attribute of the geometry, or its index, keeps a mesh out of batches. */
export type PartReason = 'instanced' | 'storage' | 'notNumbers' | 'onUploadCallback' | 'tooShort';

/**
 * A condition for being drawn in batches, and the reason when it does not hold. Conditions for objects and materials
 * are below, those for geometries in KnownGeometry.
 *
 * Batches draw surfaces with three's own shaders, and transparent ones in the order of the renderer. A mesh that may be
 * drawn in another way or order, or may want to know when it is drawn, is drawn alone.
 */
export type BatchRule<T, R extends AloneReason = AloneReason> = readonly [(subject: T) => boolean, R];

type BatchableMesh = Mesh &
  Flags & {
    count?: number;
    occlusionTest?: boolean | undefined;
    customDistanceMaterial?: unknown;
    customDepthMaterial?: unknown;
  };

const stock = Mesh.prototype;

/** Names that differ in shaders of batches: three's own shaders handle them, in the few texts that use any. */
const DIFFERENT = /\b(model\w*Matrix|normalMatrix|diffuse|vColor|gl_\w+ID)\b|batching/i;

/** Names that no program of a batch defines, such as names that libraries add for instances of their own. */
const UNDEFINED = /^USE_(INSTANCING|SKINNING|MORPH)/;

/** Words of the names that three's programs define. A page defines other names, for some of its materials. */
const THREES =
  /ALPHA|ANISO|BATCH|CLEAR|CLIPPING|COLOR|DEPTH|DIS|DITHER|ENV|FLAT|FOG|GL_|HAS_|HIGH_|IOR|IRID|LAMBERT|LIGHT|MAP|MATCAP|NUM_|OPAQUE|PHONG|PHYSICAL|POINTS|RE_|RETRO|ROUGH|SHEEN|SIDED|SIZE|SPECULAR|STANDARD|TANGENT|TONE|TOON|TRANSMI|UNROLL|UV|VIDEO|saturate|texture/;

/** Names that are defined only by a page's own materials, in patches that matter. */
const ownNames = new Set<string>();

/** three's shaders that draw batches and their shadows. */
export const batchShaders: KnownShaders = /* @__PURE__ */ new KnownShaders(
  ['basic', 'lambert', 'phong', 'physical', 'toon', 'matcap', 'normal', 'depth', 'distance'],
  (all) => {
    const empty = new Set<string>();
    const defined = all.flatMap(({ text }) => Array.from(text.matchAll(/#\s*define\s+(\w+)/g), ([, name]) => name));
    const bare = all.map(({ name, text: commented }) => {
      const text = withoutComments(commented);
      const takeUndefined = (word: string): boolean => {
        if (UNDEFINED.test(word)) return true;
        if (THREES.test(word) || defined.includes(word)) return false;
        if (DIFFERENT.test(text)) ownNames.add(word);
        return true;
      };
      const compiled = compiledWithout(takeUndefined, text).replace(/^\s*/, '');
      if (compiled === '') empty.add(name);
      return compiled;
    });
    const without = (text: string): string =>
      text.replace(/#include +<(.+?)>/g, (include, name) => (empty.has(name) ? '' : include)).replace(/\s/g, '');
    // A chunk of vertex and fragment shaders counts once.
    return [...new Set(bare.filter((text) => DIFFERENT.test(text)).map(without))].join();
  },
  DIGESTS.batches,
);

/** Rules for all materials, also for materials with which a pass overrides others. */
const SHADER: readonly FactRule<MaterialReason>[] = [
  [FACTS.wireframe, 'wireframe'],
  [FACTS.objectNormals, 'normalMapType'],
  // The noise of alphaHash depends on the matrix of an object.
  [FACTS.alphaHash, 'alphaHash'],
];

/** Rules for opaque materials: a broken one makes the order of draws count, and only transparent draws keep three's. */
const OPAQUE_RULES: readonly FactRule<MaterialReason>[] = [
  [FACTS.blending, 'blending'],
  [FACTS.stencilWrite, 'stencilWrite'],
  [FACTS.noColor, 'colorWrite'],
  [FACTS.depthFunc, 'depthFunc'],
  [FACTS.noDepthTest, 'depthTest'],
  [FACTS.noDepthWrite, 'depthWrite'],
];

const MATERIAL_RULES: readonly FactRule<MaterialReason>[] = [
  [FACTS.missing, 'shader'],
  // A transmissive material is drawn after everything that transmits no light.
  [FACTS.transmits, 'transmission'],
  [FACTS.onBeforeRender, 'materialCallback'],
];

/** Why a mesh is drawn alone; null when materials and geometry decide. Written out, as every mesh in view is tested. */
export function whyMeshAlone(object: Object3D): AloneReason | null {
  const o = object as BatchableMesh;
  if (o.isMesh !== true) return 'notMesh';
  if (o.isInstancedMesh || o.isBatchedMesh) return 'instances';
  if (o.isSkinnedMesh) return 'skinned';
  if ((o.count ?? 1) > 1) return 'count';
  if (o.onBeforeRender !== stock.onBeforeRender) return 'onBeforeRender';
  if (o.onAfterRender !== stock.onAfterRender) return 'onAfterRender';
  if (o.onBeforeShadow !== stock.onBeforeShadow) return 'onBeforeShadow';
  if (o.onAfterShadow !== stock.onAfterShadow) return 'onAfterShadow';
  if (o.intersectsFrustum !== stock.intersectsFrustum) return 'intersectsFrustum';
  if (o.customDepthMaterial) return 'customDepthMaterial';
  if (o.customDistanceMaterial) return 'customDistanceMaterial';
  if (o.occlusionTest) return 'occlusionTest';
  return (Array.isArray(o.material) ? o.material.every(Boolean) : o.material) ? null : 'noMaterial';
}

/** True for a material of opaque draws whose position in the drawing order counts. */
export function dependsOnOrder(material: Material): boolean {
  return !material.transparent && material.visible && firstBrokenBy(orderBits(material), OPAQUE_RULES) !== null;
}

/** Why meshes with a material have to be drawn alone; null when they need not be. */
export function whyMaterialAlone(material: Material): MaterialReason | null {
  const { bits: facts } = materialFacts(material);
  return whyNeverAccepted(facts) ?? (definesOwn(material) ? 'shaderChunk' : whyShaderAlone(facts));
}

/** True for a material with a define that switches on code a page has patched into three's shaders. */
function definesOwn({ defines }: Material): boolean {
  for (const name in defines) if (ownNames.has(name)) return batchShaders.areCompiled;
  return false;
}

function whyNeverAccepted(facts: number): MaterialReason | null {
  const isOpaque = (facts & FACTS.transparent) === 0;
  return (
    firstBrokenBy(facts, MATERIAL_RULES) ??
    whyNotOverriding(facts) ??
    (isOpaque ? firstBrokenBy(facts, OPAQUE_RULES) : null)
  );
}

const CHUNK_REASON: ChunkReason = areShadersSeen ? 'shaderChunk' : 'unseenChunks';

function whyNotOverriding(facts: number): MaterialReason | null {
  const why = firstBrokenBy(facts, SHADER);
  return why ?? (batchShaders.areOwn || (facts & FACTS.ofNodes) !== 0 ? null : CHUNK_REASON);
}

/** Why the shader of a material keeps it out of batches; the user may vouch for the shader with `accept`. */
function whyShaderAlone(facts: number): MaterialReason | null {
  if ((facts & FACTS.otherShader) !== 0) return 'shader';
  if ((facts & FACTS.onBeforeCompile) !== 0 && (facts & FACTS.ofNodes) === 0) return 'onBeforeCompile';
  return (facts & FACTS.nodes) === 0 ? null : 'nodes';
}

export type Accept = (mesh: Mesh, material: Material) => boolean;

let hasFailed = false;

/** True when the user vouches for a material that only its shader keeps out of batches. */
export function isAccepted(accept: Accept, mesh: Mesh, material: Material): boolean {
  if (whyNeverAccepted(materialFacts(material).bits) !== null) return false;
  try {
    return accept(mesh, material) === true;
  } catch (error) {
    // Errors are reported once, as `accept` may throw for each mesh in each picture.
    if (!hasFailed) console.error('batch.accept:', error);
    hasFailed = true;
    return false;
  }
}

/** Overriding materials whose shaders know batches and ignore their colours. */
const COLORLESS = /^Mesh(Normal|Depth|Distance)Material$/;

/** True unless a pass draws with one material that knows no batches, or for an effect that needs each object. */
export function canBatch(renderer: SceneRenderer, { overrideMaterial }: Scene): boolean {
  if (isShadowMaterial(overrideMaterial)) return true;
  if (overrideMaterial) batchShaders.refresh(renderer);
  if (overrideMaterial && !isColorless(overrideMaterial)) return false;
  // Outlines and similar effects look for the object itself, or draw it with other materials.
  if (renderer.getRenderObjectFunction?.()) return false;
  return IS_R187 || renderer.getMRT?.()?.has('velocity') !== true;
}

function isColorless(material: Material): boolean {
  const { bits: facts } = materialFacts(material);
  const { transparent, noDepthTest, noDepthWrite, onBeforeCompile } = FACTS;
  if ((facts & (transparent | noDepthTest | noDepthWrite | onBeforeCompile)) !== 0) return false;
  return COLORLESS.test(material.type) && whyNotOverriding(facts) === null;
}
