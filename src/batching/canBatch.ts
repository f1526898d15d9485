import { BatchedMesh, Material, type Scene } from 'three';
import { firstBroken, SHADER } from './whyNotBatched.js';

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
