import type { Material, Mesh } from 'three';
import type { BatchedMeshState } from '../batching/BatchedMeshState.js';
import { nodeOf } from '../batching/nodeOf.js';
import { inWords } from '../core/inWords.js';
import type { Flags } from '../scene/objects/ObjectRecord.js';

/**
 * Completes why a mesh is drawn by itself.
 * @param reason The name of the property that is in the way, of the mesh or one of its materials, or a sentence.
 */
export function reasonInWords(reason: string, { mesh, materials }: BatchedMeshState): string {
  if (!/^\w+$/.test(reason)) return reason;
  if (reason === 'forceSinglePass') {
    return 'its material has transparent: true, side: DoubleSide and forceSinglePass: false';
  }
  const material = materials.find((known) => known.reason === reason)?.material;
  const subject = material ?? mesh;
  const what = material === undefined ? 'it' : 'its material';
  if (reason === 'nodes') return `${what} has its own ${nodeOf(subject as Material)}`;
  if (reason === 'type') return `${what} is of type ${material?.type ?? kindOf(mesh)}`;
  const value = (subject as unknown as Record<string, unknown>)[reason];
  if (typeof value === 'function') return `${what} has its own ${reason}`;
  return `${what} has ${reason}: ${(value as { type?: string } | null)?.type ?? inWords(value)}`;
}

/** Meshes with instances have the type of those without. */
function kindOf(mesh: Mesh & Flags): string {
  if (mesh.isInstancedMesh) return 'InstancedMesh';
  return mesh.isBatchedMesh ? 'BatchedMesh' : mesh.type;
}
