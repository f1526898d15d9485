import type { Object3D } from 'three';
import type { BatchedMeshState } from '../batching/BatchedMeshState.js';
import { batchReports } from '../batching/batchReports.js';
import { type Flags, isAggregate } from '../scene/objects/ObjectRecord.js';
import { labelOf } from './labels.js';
import { differencesInWords, kinsOf, nearestKin } from './nearestKin.js';
import { reasonInWords } from './reasonInWords.js';

/** Said of a mesh that a batch would draw if there were more like it. */
export const FEW = 'too few others are like it';

/** A sentence that says how an object of a scene is drawn where meshes are drawn in batches; null elsewhere. */
export function howBatched(root: Object3D, object: Object3D): string | null {
  const batches = batchReports.get(root)?.made ?? null;
  if (batches === null) return null;
  const member = batches.stateOf(object);
  const reason = whyAlone(object, member);
  if (reason !== null) {
    const kin = reason === FEW ? nearestKin(member as BatchedMeshState, kinsOf(batches.states).slice(0, 1000)) : null;
    const how = kin === null ? '' : `: it differs from ${labelOf(kin.object)} in ${differencesInWords(kin)}`;
    return `It is drawn by itself, not in a batch: ${reason}${how}.`;
  }
  const sizes = (member as BatchedMeshState).entries.map(({ group }) => `${group?.batch?.size} draws`);
  return `It is drawn in ${sizes.length === 1 ? 'a batch' : `${sizes.length} batches`} of ${sizes.join(' and ')}.`;
}

/** Why an object is in no batch, as far as passes have seen it; null where it is in one. */
export function whyAlone(object: Object3D, member: BatchedMeshState | undefined): string | null {
  if (member === undefined) return whyUnseen(object);
  const { reason, geometry, entries, awaySince } = member;
  if (reason !== null) return reasonInWords(reason, member);
  if (geometry === null) return 'it is to be looked at with the next picture';
  if (awaySince >= 0) return 'its material is not the one that it joined with, to which it may go back';
  if (entries.every(({ slot }) => slot >= 0)) return null;
  if (entries.some(({ slot, isRefused }) => slot < 0 && isRefused)) return 'batches may take no more memory (maxBytes)';
  return entries.some(({ group }) => !group?.batch) ? FEW : 'it joins with the next picture';
}

function whyUnseen(object: Object3D): string {
  for (let above = object.parent; above !== null; above = above.parent) {
    const { isInstancedMesh, isBatchedMesh } = above as Flags;
    if (isAggregate(above) || isInstancedMesh || isBatchedMesh) {
      return `it lies in ${labelOf(above)}, a ${above.type}, which is drawn with all that lies in it`;
    }
  }
  return 'no picture has shown it yet';
}
