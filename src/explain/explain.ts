import type { Camera, Object3D } from 'three';
import { batchReports } from '../batching/MeshBatching.js';
import { reasonsOf } from '../instances/drawn/whyAllDrawn.js';
import type { Entries } from '../scene/follow/Entries.js';
import type { Hierarchy } from '../scene/follow/Hierarchy.js';
import { checkCamera, checkObject } from '../scene/objects/checks.js';
import { type Flags, isDrawable, type ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import { findMoved } from './findMoved.js';
import { adviceFor, labelOf, whyHidden, whyNoBounds, whyNotMet, whyOutside, whyUnseen } from './reasons.js';
import { howBatched } from './report.js';

/**
 * Tells why an object is not drawn for a camera, or not found by queries and picking: sentences, one for each reason,
 * to be read by people. None: nothing is in the way. An object in a LOD, BundleGroup or ClippingGroup has a sentence in
 * any case, as these go by rules of their own, and so has one out of view that is drawn all the same, and an
 * `InstancedMesh` of an accelerated scene whose instances are all drawn where others are drawn by instances. Where meshes are
 * drawn in batches, a sentence says in which, or why in none.
 *
 * What lies in front of an object, shaders and the like are not known. Raycasters go by layers and bounds alone: they
 * hit what is hidden as well. Everything is looked at anew, and nothing is changed. Slow: for hunting a fault.
 * @throws TypeError for arguments that are not legal, Error for an index that was disposed.
 */
export function explain(index: SceneIndex, object: Object3D, camera: Camera): string[] {
  const { entries, follower } = partsOf(index, 'explain');
  checkObject(object, 'explain.object');
  checkCamera(camera, 'explain.camera');
  const { hierarchy, traits } = follower;
  const path = new Set<Object3D>();
  for (let o: Object3D | null = object; o !== null; o = o.parent) {
    if (path.has(o)) return [`${labelOf(o)} lies below itself: three cannot draw it.`];
    path.add(o);
  }
  if (camera.matrixWorldAutoUpdate) camera.updateWorldMatrix(true, false);
  entries.settle();
  const record = hierarchy.records.get(object);
  const entry = record?.aggregate ?? null;
  const reasons = [...whyNotFollowed(object, hierarchy), ...whyHidden(object, camera)];
  if (entry !== null && entry !== record) {
    reasons.push(`It lies in the LOD ${labelOf(entry.object)}, which stands for it in all results.`);
  }
  if (!isDrawable(object)) reasons.push(`It draws nothing by itself: its type is ${object.type}.`);
  else {
    const { root } = hierarchy;
    reasons.push(...whyNotMet(object, camera), ...whyUnseen(object));
    reasons.push(...whyAllInstances(object, hierarchy));
    const how = howBatched(root, object);
    if (how !== null) reasons.push(how);
  }
  if (record === undefined || entry === null) return reasons;
  reasons.push(...whyMoved(record, entry, entries, hierarchy), ...whyNoBounds(record, entry, entries));
  if (entry.id >= 0) reasons.push(...whyOutside(record, entry, camera, traits, entries));
  return reasons;
}

function whyNotFollowed(object: Object3D, hierarchy: Hierarchy): string[] {
  let top = object;
  while (top !== hierarchy.root && top.parent !== null && !hierarchy.records.has(top.parent)) top = top.parent;
  if (hierarchy.records.has(object)) {
    let above: Object3D | null = object;
    while (above !== null && above !== hierarchy.root) above = above.parent;
    return above ? [] : ['It is followed, but does not lie below the root of the index: it is not drawn with it.'];
  }
  const what = top === object ? 'it' : labelOf(top);
  if (top === hierarchy.root) return ['It is not followed: the root was left out by remove().'];
  if (top.parent === null) return ['It is not followed: it does not lie below the root of the index.'];
  if ((top as Flags).isSceneIndexHelper) return [`It is not followed: ${what} is a helper that draws an index.`];
  if (hierarchy.excluded.has(top)) return [`It is not followed: ${what} was left out by remove().`];
  return [
    `It is not followed: ${what} came without an event, by hand: call index.update(), and index.add() with it where that changes nothing.`,
  ];
}

function whyAllInstances(object: Object3D, { records, root }: Hierarchy): string[] {
  const why = reasonsOf.get(object);
  if (why === undefined) return [];
  const batches = batchReports.get(root)?.made ?? null;
  const isWhole = (above: Object3D): boolean => {
    const record = records.get(above);
    return isDrawable(above) && (record === undefined || batches?.isSolitary(record) !== true);
  };
  let above = object.parent;
  while (above !== null && above !== root && !isWhole(above)) above = above.parent;
  const isBelow = above !== null && above !== root;
  const reason = isBelow ? `it lies below ${labelOf(above as Object3D)}, which is drawn as a whole` : why();
  return reason === null ? [] : [`All its instances are drawn, in view or not: ${reason}.`];
}

function whyMoved(record: ObjectRecord, entry: ObjectRecord, entries: Entries, hierarchy: Hierarchy): string[] {
  // What was never measured has no place that it could have moved from.
  const moved = entry.id >= 0 || entries.quarantined.has(entry) ? findMoved(record.object) : null;
  if (moved === null) return [];
  const isItself = moved === record.object;
  const what = isItself ? 'It' : `${labelOf(moved)}, above it,`;
  if (!moved.matrixAutoUpdate && !moved.matrixWorldNeedsUpdate && !isForced(moved)) {
    return [`${what} has a matrix that was set by hand: set its matrixWorldNeedsUpdate.`];
  }
  const mover = hierarchy.records.get(moved);
  return [`${what} moved after the last update${mover?.isStatic ? ', though it is static' : ''}: ${adviceFor(mover)}.`];
}

/** True when three makes a world matrix anew with each update, as something above is made anew. */
function isForced({ parent }: Object3D): boolean {
  for (let o = parent; o !== null; o = o.parent) if (o.matrixAutoUpdate) return true;
  return false;
}
