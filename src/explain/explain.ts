import { type Camera, type Matrix4, Object3D, type Scene } from 'three';
import { batchReports } from '../batching/MeshBatching.js';
import { reasonsOf } from '../instances/drawn/whyAllDrawn.js';
import { occlusionReports, shadowReports } from '../passes/Pass.js';
import { stagesOf } from '../passes/Stages.js';
import type { Entries } from '../scene/follow/Entries.js';
import type { Hierarchy } from '../scene/follow/Hierarchy.js';
import { updateOf } from '../scene/follow/Motion.js';
import { checkCamera, checkObject } from '../scene/objects/checks.js';
import { holdsUpwards, type ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import { type Flags, isDrawable } from '../three/kinds.js';
import { sentenceOf } from './batchReasons.js';
import { howLeveled } from './levelReasons.js';
import { adviceFor, labelOf, whyHidden, whyLeftOut, whyNoBounds, whyNotMet, whyOutside, whyUnseen } from './reasons.js';
import { howBatched } from './report.js';

/**
 * Explains why an object is not drawn, or not found by queries and picking.
 *
 * Returns a sentence for each reason, or "It is drawn." if nothing is in the way. Further sentences tell that an object
 * is in a LOD, BundleGroup or ClippingGroup, which have rules of their own; that it is drawn although it is out of
 * view; that all instances of an `InstancedMesh` of an accelerated scene are drawn; with `batch`, which batch draws a
 * mesh, or why none does; with `levels`, which level of detail draws it, and by how many pixels the level is off in the
 * camera's last frame, or why none does. With `keepShadows`, a sentence about a light tells how its shadow map was
 * drawn last and why, and a sentence about a caster whether its shadow rests.
 *
 * With `minPixels` or `maxDistance`, a sentence says that an object was smaller or farther in the camera's last frame
 * or `cull`. With `occlusion`, a sentence says that others hid it in that frame, or why they cannot. Otherwise objects
 * in front are not considered; neither are shaders. Raycasters go by layers and bounds alone, so they hit hidden
 * objects too. The call computes everything afresh, and updates the camera's world matrix. Slow: for debugging.
 * @throws TypeError for invalid arguments, Error for a disposed index.
 * @example
 * ```ts
 * import { explain } from 'three-scene-index';
 *
 * for (const reason of explain(index, player, camera)) console.log(reason);
 * ```
 */
export function explain(index: SceneIndex, given: Object3D, camera: Camera): string[] {
  const { entries, follower, limits } = partsOf(index, 'explain');
  checkObject(given, 'explain.object');
  checkCamera(camera, 'explain.camera');
  const { hierarchy, traits } = follower;
  const record = hierarchy.recordOf(given);
  const object = record?.object ?? given;
  const path = new Set<Object3D>();
  for (let o: Object3D | null = object; o !== null; o = o.parent) {
    if (path.has(o)) return [`${labelOf(o)} is a descendant of itself: three cannot draw it.`];
    path.add(o);
  }
  if (camera.matrixWorldAutoUpdate) camera.updateWorldMatrix(true, false);
  entries.measurePostponed();
  const entry = record?.aggregate ?? null;
  const reasons = [...whyNotFollowed(object, record, hierarchy), ...whyHidden(object, camera)];
  if (entry !== null && entry !== record) {
    reasons.push(`It lies in the LOD ${labelOf(entry.object)}, which represents it in all results.`);
  }
  if (isDrawable(object)) {
    reasons.push(...whyNotMet(object, camera), ...whyUnseen(object), ...whyAllInstances(object, hierarchy));
  } else reasons.push(`It draws nothing by itself: its type is ${object.type}.`);
  if (record !== undefined && entry !== null) {
    reasons.push(...whyMoved(record, entry, entries, hierarchy), ...whyNoBounds(record, entry, entries));
    if (entry.id >= 0) reasons.push(...whyOutside(record, entry, camera, traits, entries));
  }
  if (entry !== null && !traits.neverCulled.has(entry) && isDrawable(object) && reasons.length === 0) {
    reasons.push(...whyLeftOut(entry, limits.last(camera), entries));
  }
  const occlusion = isDrawable(object) && reasons.length === 0 ? occlusionReports.get(hierarchy.root as Scene) : null;
  const hidden = occlusion?.explain(object, camera) ?? null;
  if (hidden !== null) reasons.push(hidden);
  const how = record && isDrawable(object) ? howBatched(hierarchy.root, record, reasons.length === 0) : null;
  if (how !== null) reasons.push(how);
  const batches = how === null ? null : (batchReports.get(hierarchy.root)?.made ?? null);
  const level = batches && howLeveled(object, batches.states.get(object), batches.groups.levels, camera);
  if (level !== null) reasons.push(level);
  const shadow = shadowReports.get(hierarchy.root)?.explain(object) ?? null;
  if (shadow !== null) reasons.push(shadow);
  const failures = stagesOf.get(hierarchy.root)?.why(object) ?? [];
  return [...(reasons.length > 0 ? reasons : ['It is drawn.']), ...failures];
}

function whyNotFollowed(object: Object3D, record: ObjectRecord | undefined, hierarchy: Hierarchy): string[] {
  let top = object;
  while (top !== hierarchy.root && top.parent !== null && !hierarchy.recordOf(top.parent)) top = top.parent;
  if (record !== undefined) {
    const isBelow = holdsUpwards(record, (above) => above.object === hierarchy.root);
    return isBelow ? [] : ['It is followed, but does not lie below the root of the index: it is not drawn with it.'];
  }
  const what = top === object ? 'it' : labelOf(top);
  if (top === hierarchy.root) return ['It is not followed: the root was removed by index.remove().'];
  if (top.parent === null) return ['It is not followed: it does not lie below the root of the index.'];
  if ((top as Flags).isSceneIndexHelper) return [`It is not followed: ${what} is a helper that draws an index.`];
  if (hierarchy.excluded.has(top)) return [`It is not followed: ${what} was removed by index.remove().`];
  return [
    `It is not followed: ${what} was added by hand, without an event: call index.update(), or index.add() with it if that is not enough.`,
  ];
}

function whyAllInstances(object: Object3D, { records, root }: Hierarchy): string[] {
  const why = reasonsOf.get(object);
  if (why === undefined) return [];
  const report = batchReports.get(root);
  const isWhole = (above: Object3D): boolean => {
    const record = records.get(above);
    return isDrawable(above) && (record === undefined || report?.made?.isSolitary(record) !== true);
  };
  let above = object.parent;
  while (above !== null && above !== root && !isWhole(above)) above = above.parent;
  const isBelow = above !== null && above !== root;
  const below = isBelow ? `it lies below ${labelOf(above as Object3D)}, which is drawn as a whole` : why();
  const reason = report?.isAside ? sentenceOf('aside', object) : below;
  return reason === null ? [] : [`All its instances are drawn, in view or not: ${reason}.`];
}

function whyMoved(record: ObjectRecord, entry: ObjectRecord, entries: Entries, hierarchy: Hierarchy): string[] {
  // An object that was never measured cannot have moved since.
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

/** True when three recomputes a world matrix with each update, as some matrix above is recomputed. */
function isForced({ parent }: Object3D): boolean {
  for (let o = parent; o !== null; o = o.parent) if (o.matrixAutoUpdate) return true;
  return false;
}

/**
 * The topmost of an object and its ancestors with a wrong world matrix: position, rotation, scale and parent now give
 * another one. Null for none, and at or below an object with its own `updateMatrixWorld`: its matrix is not known.
 */
function findMoved(object: Object3D): Object3D | null {
  const path: Object3D[] = [];
  for (let o: Object3D | null = object; o !== null; o = o.parent) path.push(o);
  for (let o = path.pop(); o !== undefined; o = path.pop()) {
    if (isUnpredictable(o)) return null;
    // All matrices above this object are right.
    if (o.matrixWorldAutoUpdate && !areEqual(worldMatrixOf(o), o.matrixWorld)) return o;
  }
  return null;
}

function worldMatrixOf(object: Object3D): Matrix4 {
  const { parent, matrix, position, quaternion, scale, pivot = null } = object;
  const own = { matrix: matrix.clone(), position, quaternion, scale, pivot };
  if (object.matrixAutoUpdate) Object3D.prototype.updateMatrix.call(own as Object3D);
  return parent === null ? own.matrix : own.matrix.premultiply(parent.matrixWorld);
}

function areEqual({ elements: a }: Matrix4, { elements: b }: Matrix4): boolean {
  // The test is exact, as three computes matrices in the same way: `Object.is` for NaN, `===` for zeros of both signs.
  return a.every((value, i) => value === b[i] || Object.is(value, b[i]));
}

/** True for an own `updateMatrixWorld`. Those of skinned meshes and cameras compute the matrix that three would. */
function isUnpredictable(object: Object3D & Flags & { isCamera?: boolean }): boolean {
  const isOwn = updateOf(object) !== Object3D.prototype.updateMatrixWorld;
  return isOwn && !object.isSkinnedMesh && !object.isCamera;
}
