import type { Object3D } from 'three';
import type { BatchedMeshState } from '../batching/BatchedMeshState.js';
import { batchReports } from '../batching/MeshBatching.js';
import { getOrMake } from '../core/arrays.js';
import { shadowReports } from '../passes/Pass.js';
import { describeError } from '../scene/objects/checks.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import { isDrawable } from '../three/kinds.js';
import { BATCH_REASONS, sentenceOf, whyUnbatched } from './batchReasons.js';
import { LEVEL_REASONS, whyInstancesUnleveled, whyUnleveled } from './levelReasons.js';
import { labelOf } from './reasons.js';
import { batchesOfOneImage, type SimilarMesh, SimilarMeshes, waitingDrawOf } from './SimilarMeshes.js';

/** A reason in the result of {@link report}, with the objects that have it. */
export interface UnbatchedReport {
  /** The reason, with the name and value of a property in the way. */
  reason: string;
  /** How many objects have this reason. */
  count: number;
  /** One of the objects with this reason. */
  example: Object3D;
  /** How to remove the reason. */
  advice: string;
  /** Only with levels of detail: triangles that batches drew in the last frame, and spared. */
  triangles?: { drawn: number; spared: number };
}

/**
 * Lists why objects of an accelerated scene are not drawn in batches. Also lists batches that would be one if textures
 * of the same image had the same settings, or could be compared; with `levels`, why batched objects have no levels of
 * detail, and how many triangles the levels of others spare. The most frequent reason comes first, each with the number
 * of objects, an example and advice; objects that no frame has shown come last. With `keepShadows`, lists lights by how
 * their shadow maps were drawn in the last frame, and casters that cause redraws. Empty without `batch` and
 * `keepShadows`, and until their code is loaded.
 *
 * Counts the meshes, lines, points and sprites that the index follows, in view or not, as of the last frames. Objects
 * within a LOD are left out. Slow: not for every frame.
 * @throws TypeError for anything but a `SceneIndex`, Error for a disposed one.
 * @example
 * ```ts
 * import { report } from 'three-scene-index';
 *
 * for (const { count, reason, advice } of report(index)) console.log(`${count} objects: ${reason}. ${advice}`);
 * ```
 */
export function report(index: SceneIndex): UnbatchedReport[] {
  const { follower } = partsOf(index, 'report');
  const shadows = shadowReports.get(index.root)?.report() ?? [];
  const { made: batches, isAside } = batchReports.get(index.root) ?? {};
  if (!batches) return shadows;
  const { levels } = batches.groups;
  const leveled: Object3D[] = [];
  const byReason = new Map<string, UnbatchedReport>();
  const add = (reason: string, example: Object3D, advice: string): void => {
    getOrMake(byReason, reason, () => ({ reason, count: 0, example, advice })).count++;
  };
  const similarMeshes = new SimilarMeshes(batches.states.values(), batches.textures);
  for (const record of follower.hierarchy.records.all()) {
    const { object } = record;
    if (!record.isEntry || !isDrawable(object) || (object as { isLOD?: boolean }).isLOD) continue;
    const state = batches.states.get(object);
    const instances = levels?.instances.get(object);
    if (instances !== undefined) {
      const none = whyInstancesUnleveled(instances);
      if (none === null) leveled.push(object);
      else add(`it has no levels of detail: ${none[0]}`, object, none[1]);
    }
    const why = isAside ? 'aside' : whyUnbatched(object, state);
    if (why === null) {
      const none = state && levels ? whyUnleveled(state, levels) : null;
      if (none !== null) add(`it has no levels of detail: ${LEVEL_REASONS[none][0]}`, object, LEVEL_REASONS[none][1]);
      else if (levels !== null) leveled.push(object);
      continue;
    }
    const similar = why === 'few' ? similarMeshes.to(state as BatchedMeshState) : null;
    const sentence = sentenceOf(why, object, state);
    const names = similar?.differences.map(({ name }) => name).join(', ');
    const none = similar !== null && levels !== null ? whyUnleveled(state as BatchedMeshState, levels) : null;
    const rule = none === null ? '' : `; it has no levels of detail: ${LEVEL_REASONS[none][0]}`;
    const reason = similar === null ? sentence : `${sentence}: they differ in ${names}${rule}`;
    const how =
      similar === null || byReason.has(reason) ? '' : ` ${labelOf(object)} differs from ${inDetail(similar)}.`;
    add(reason, object, BATCH_REASONS[why][1] + how);
  }
  const { states, textures } = batches;
  for (const { meshes, settings } of textures ? batchesOfOneImage(states.values(), textures) : []) {
    const names = [...new Set(settings)].join(', ');
    const how = names ? `, but differ in ${names}` : ', which cannot be compared';
    const reason = `they are drawn in ${meshes.size} batches instead of one: their textures show the same image${how}`;
    const [example] = meshes.values();
    const count = [...meshes.keys()].reduce((sum, { draws }) => sum + draws.size, 0);
    byReason.set(reason, { reason, count, example, advice: ONE_TEXTURE });
  }
  if (leveled.length > 0) {
    const triangles = batches.groups.countTriangles();
    const { drawn, spared } = triangles;
    const reason = `it is drawn by levels of detail: ${drawn} triangles in the last frame, ${spared} spared`;
    const advice = 'Nothing: these are drawn as they should be.';
    byReason.set(reason, { reason, count: leveled.length, example: leveled[0], advice, triangles });
  }
  const isUnseen = ({ reason }: UnbatchedReport): number => Number(reason === BATCH_REASONS.unseen[0]);
  return [...shadows, ...byReason.values()].sort((a, b) => isUnseen(a) - isUnseen(b) || b.count - a.count);
}

const ONE_TEXTURE =
  'Give them one texture, or the same settings. Images of elements and bitmaps without transparent pixels are compared.';

function inDetail({ object, differences }: SimilarMesh): string {
  const all = differences.map(({ name, here, there }) => `${name} (${here}, there ${there})`);
  return `${labelOf(object)} in ${all.join(', ')}`;
}

/**
 * Says how an object is drawn; null in a scene without batches, and for an object neither drawn now nor ever shown.
 * @param isDrawn False for an object that may be hidden or out of view.
 */
export function howBatched(root: Object3D, record: ObjectRecord, isDrawn = true): string | null {
  const { object } = record;
  const itIs = isDrawn ? 'It is drawn' : 'When it is drawn, it is';
  const report = batchReports.get(root);
  if (!report?.isWanted) return null;
  const { made: batches, failure, isAside } = report;
  if (batches === null) {
    return failure === null
      ? `${itIs} by itself until the code that draws batches has loaded.`
      : `${itIs} by itself: the code that draws batches could not be loaded (${describeError(failure)}).`;
  }
  const state = batches.states.get(object);
  const before = whyUnbatched(object, state);
  // A rule for the object that was set since the last picture decides.
  const now = batches.isLeftOut(record) ? 'notAllowed' : before === 'notAllowed' ? 'new' : before;
  const why = isAside ? 'aside' : now;
  if (why === 'unseen' && !isDrawn) return null;
  if (why !== null) {
    const how =
      why === 'few'
        ? howFew(state as BatchedMeshState, new SimilarMeshes(batches.states.values(), batches.textures))
        : '';
    return `${itIs} by itself, not in a batch: ${sentenceOf(why, object, state)}${how}.`;
  }
  const sizes = (state as BatchedMeshState).draws.map(({ group }) => countOf(group.batch?.slots.size ?? 0));
  const textures = (state as BatchedMeshState).joined?.materials.flatMap((one) => one.textures) ?? [];
  const most = Math.max(0, ...textures.map(([, one]) => batches.textures?.twinsOf(one) ?? 0));
  const as = most > 1 ? `, as ${most} textures with equal images and settings count as one` : '';
  return `${itIs} in ${sizes.length === 1 ? 'a batch' : `${sizes.length} batches`} of ${sizes.join(' and ')}${as}.`;
}

function countOf(draws: number): string {
  return draws === 1 ? '1 draw' : `${draws} draws`;
}

/** Says how many draws are too few, and how the most similar mesh differs. */
function howFew(state: BatchedMeshState, similarMeshes: SimilarMeshes): string {
  const { draws, groups } = waitingDrawOf(state).group;
  const similar = similarMeshes.to(state);
  const count = ` (${draws.size} of the ${groups.atLeast} draws that make a batch)`;
  return similar === null ? count : `${count}: it differs from ${inDetail(similar)}`;
}
