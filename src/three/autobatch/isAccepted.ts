import type { Material, Mesh } from 'three';
import { whyMaterialBarred } from './looks/whyNotBatched.js';

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
