import { type DataTexture, FloatType, InstancedMesh, Material, type Object3D, RedFormat } from 'three';
import type { Pass } from '../../passes/Pass.js';
import { isShadowMaterial } from '../../passes/shadowPasses.js';
import { isInstanced, isPlainOfInstances } from '../../scene/objects/drawnAttributes.js';
import { countOwners } from '../../three/kinds.js';
import { type AnyMaterial, nodeOf } from '../../three/materials.js';
import { ASKS_EACH_OBJECT } from '../../three/revisions.js';

/** For meshes whose instances are culled: why all instances are drawn now; null when they are not. */
export const reasonsOf: WeakMap<Object3D, () => string | null> = new WeakMap();

/** Methods by which a page may depend on the drawn instances, or draw other instances. */
const CALLED = ['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow', 'intersectsFrustum'] as const;

/** Why passes have to draw all instances of a mesh: instances out of view might be seen or counted. Null for none. */
export function whyAllDrawn(mesh: InstancedMesh): string | null {
  const { count, instanceMatrix, instanceColor, morphTexture } = mesh;
  if ((mesh as { occlusionTest?: boolean }).occlusionTest) return 'it is tested for occlusion';
  if (!mesh.frustumCulled) return 'its frustumCulled is false';
  if (morphTexture !== null && !hasWeights(morphTexture, count)) return 'its morphTexture is not of the plain kind';
  if (!isPlainOfInstances(instanceMatrix, count)) return 'its instanceMatrix is not of the plain kind';
  if (instanceColor !== null && !isPlainOfInstances(instanceColor, count))
    return 'its instanceColor is not of the plain kind';
  for (const name of CALLED) if (mesh[name] !== InstancedMesh.prototype[name]) return `it has its own ${name}`;
  return whyGeometry(mesh) ?? materialsOf(mesh).map(whyMaterial).find(Boolean) ?? null;
}

function whyGeometry({ geometry }: InstancedMesh): string | null {
  if ((geometry as { isInstancedBufferGeometry?: boolean }).isInstancedBufferGeometry)
    return 'its geometry is instanced';
  const name = Object.keys(geometry.attributes).find((each) => isInstanced(geometry.attributes[each]));
  return name === undefined ? null : `its geometry has the instanced attribute ${name}`;
}

/** Methods by which a NodeMaterial places vertices. */
const SETUPS = ['setupPosition', 'setupVertex'] as const;

/** Why draws with a material may lie beyond the vertices, or depend on the number of an instance; null for none. */
function whyMaterial(material: Material): string | null {
  const { isShaderMaterial, isNodeMaterial, displacementMap } = material as AnyMaterial;
  if (isShaderMaterial) return 'it is drawn by a ShaderMaterial';
  if (displacementMap) return 'its material has a displacementMap';
  for (const name of ['onBeforeCompile', 'onBeforeRender'] as const) {
    if (material[name] !== Material.prototype[name]) return `its material has an ${name}`;
  }
  if (!isNodeMaterial) return null;
  // A class of the material has replaced a method of its base class.
  if (SETUPS.some((name) => countOwners(material, name) > 1)) return 'its type of material places vertices itself';
  const node = nodeOf(material);
  return node && `its material has a ${node}`;
}

function materialsOf({ material, customDepthMaterial, customDistanceMaterial }: InstancedMesh): Material[] {
  // A list of materials may have holes.
  return [material, customDepthMaterial, customDistanceMaterial].flat().filter((one) => one) as Material[];
}

/** True for a texture in memory with a row for each instance. */
function hasWeights({ image, format, type }: DataTexture, count: number): boolean {
  if (format !== RedFormat || type !== FloatType) return false;
  return image.data instanceof Float32Array && image.height >= count && image.data.length >= image.width * image.height;
}

/** True if a pass may draw another object with some of the instances: nothing asks for the mesh itself. */
export function canCompact(mesh: InstancedMesh, { renderer, scene: { overrideMaterial } }: Pass): boolean {
  const isShadow = isShadowMaterial(overrideMaterial);
  if (overrideMaterial !== null && !isShadow && whyMaterial(overrideMaterial) !== null) return false;
  // Node materials keep the instances of the first object that they met.
  if (renderer.isWebGLRenderer === true)
    return ![...materialsOf(mesh), overrideMaterial].some((m) => (m as { isNodeMaterial?: boolean })?.isNodeMaterial);
  // WebGPURenderer decides by the first number of instances whether instances have weights of their own.
  if (mesh.morphTexture !== null || !ASKS_EACH_OBJECT) return false;
  // Outlines and similar effects look for the object itself, or draw it with other materials.
  if (!isShadow && renderer.getRenderObjectFunction?.()) return false;
  // Motion vectors compare each instance with the instance in the same row in the last frame.
  return renderer.getMRT?.()?.has('velocity') !== true;
}
