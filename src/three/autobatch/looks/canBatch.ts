import type { Scene } from 'three';
import { isKnownMaterial } from './whyNotBatched.js';

/** A renderer, as far as it is asked here. */
export interface BatchRenderer {
  readonly sortObjects: boolean;
  readonly isWebGLRenderer?: boolean;
  getMRT?(): { has(name: string): boolean } | null;
  getRenderObjectFunction?(): unknown;
}

/** Materials that three's renderers and passes put in the place of others, and whose shaders know batches. */
const DEPTH = /^Mesh(Depth|Distance)Material$/;

/** True for a pass that draws objects with their own materials, or with one that knows batches, and nothing else of them. */
export function canBatch(renderer: BatchRenderer, { overrideMaterial }: Scene): boolean {
  const isShadow = (overrideMaterial as { isShadowPassMaterial?: boolean } | null)?.isShadowPassMaterial === true;
  if (isShadow) return true;
  if (overrideMaterial && !DEPTH.test(overrideMaterial.type) && !isKnownMaterial(overrideMaterial)) return false;
  // Outlines and the like look for the object itself, or draw it with other materials.
  if (renderer.getRenderObjectFunction?.()) return false;
  // It would compare each draw with what had its place in the last frame.
  return renderer.getMRT?.()?.has('velocity') !== true;
}
