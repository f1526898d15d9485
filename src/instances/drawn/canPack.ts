import { type InstancedMesh, type Material, REVISION, type Scene } from 'three';
import { materialsOf, whyMaterial } from './whyAllDrawn.js';

/** The first revision whose `WebGPURenderer` asks each object for its instances. */
const REFERENCED = 187;

/** A renderer, as far as it is asked here. */
export interface PassRenderer {
  readonly isWebGLRenderer?: boolean;
  getMRT?(): { has(name: string): boolean } | null;
  getRenderObjectFunction?(): unknown;
}

/** True for a renderer that draws nothing of an instance but where it is, and by what it finds on the object alone. */
export function canPack(mesh: InstancedMesh, renderer: PassRenderer, { overrideMaterial }: Scene): boolean {
  const isShadow = (overrideMaterial as { isShadowPassMaterial?: boolean } | null)?.isShadowPassMaterial === true;
  if (overrideMaterial !== null && !isShadow && whyMaterial(overrideMaterial) !== null) return false;
  // Such materials keep to the instances of the object that they have met first.
  if (renderer.isWebGLRenderer === true) return ![...materialsOf(mesh), overrideMaterial].some(isOfNodes);
  // It tells by the number of instances at first whether they have weights of their own.
  if (mesh.morphTexture !== null || Number.parseInt(REVISION, 10) < REFERENCED) return false;
  // Outlines and the like look for the object itself, or draw it with other materials.
  if (!isShadow && renderer.getRenderObjectFunction?.()) return false;
  // It would compare each instance with what lay in the same row in the last frame.
  return renderer.getMRT?.()?.has('velocity') !== true;
}

function isOfNodes(material: Material | null): boolean {
  return (material as { isNodeMaterial?: boolean } | null)?.isNodeMaterial === true;
}
