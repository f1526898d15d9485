import type { Material, Mesh, Object3D } from 'three';
import type { BatchedMeshState, MeshStatus } from '../batching/BatchedMeshState.js';
import type { BatchGroup } from '../batching/BatchGroup.js';
import { type BatchReport, batchReports } from '../batching/MeshBatching.js';
import { inWords } from '../core/options.js';
import { describeError } from '../scene/objects/checks.js';
import { nodeOf } from '../scene/objects/materialFacts.js';
import { type Flags, isAggregate, isDrawable } from '../scene/objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import { adviceOn, differencesInWords, kinsOf, type NearestKin, nearestKin } from './batchAdvice.js';
import { labelOf } from './reasons.js';

/** Why a mesh is drawn by itself that a batch would draw if there were more like it. */
const TOO_FEW = 'too few others are similar';

/** Said of meshes that `index.batch` leaves out. */
const NOT_ALLOWED = 'batches are switched off for it or an ancestor';
/** What is said for words that are not names of properties. */
const SENTENCES: Readonly<Record<string, string>> = {
  rule: NOT_ALLOWED,
  material: 'it lacks a material',
  groups: 'no group of its geometry is drawn with a material of its list',
};

/** Said of all meshes, and of all instances. */
export const ASIDE =
  "the drawingPipeline of the renderer is not three's standard one, and decides how meshes are drawn";

/** Said of a mesh that was never in view. */
const UNSEEN = 'no frame has shown it yet';

/** Said of a mesh that nothing was decided about yet. */
const NOT_YET = 'it is checked in the next frame';

/** What is said of a mesh by how it is drawn, where nothing about itself is in the way. */
const SAID_OF: Readonly<Record<MeshStatus, string | null>> = {
  new: NOT_YET,
  alone: null,
  few: TOO_FEW,
  joining: 'it joins in the next frame',
  full: 'batches have reached their memory limit (maxBytes)',
  batched: null,
  swapped: 'its material differs from the one it joined with, and may be restored',
};

const NO_BATCHES: Pick<BatchReport, 'made' | 'isAside'> = { made: null, isAside: false };

/** Objects that are drawn individually for one reason, from {@link report}. */
export interface UnbatchedReport {
  /** The reason, with the name and value of the property in the way. */
  reason: string;
  /** How many objects have this reason. */
  count: number;
  /** One of them. */
  example: Object3D;
  /** What to do about it. */
  advice: string;
}

/**
 * Lists why objects of an accelerated scene are not drawn in batches. Most frequent reason first, each with the number
 * of objects, an example and advice; objects that no frame has shown come last. Empty without `batch`, and until its
 * code is loaded.
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
  const { made: batches, isAside } = batchReports.get(index.root) ?? NO_BATCHES;
  if (batches === null) return [];
  const byReason = new Map<string, UnbatchedReport>();
  const nearest = nearestByGroup(batches.states);
  for (const record of follower.hierarchy.records.values()) {
    const { object } = record;
    if (!record.isEntry || !isDrawable(object) || (object as { isLOD?: boolean }).isLOD) continue;
    const state = batches.stateOf(object);
    const why = isAside ? ASIDE : whyAlone(object, state);
    if (why === null) continue;
    const kin = why === TOO_FEW ? nearest(state as BatchedMeshState) : null;
    const reason = kin === null ? why : `${why}: they differ in ${kin.differences.map(({ name }) => name).join(', ')}`;
    const known = byReason.get(reason);
    if (known !== undefined) known.count++;
    else byReason.set(reason, { reason, count: 1, example: object, advice: adviceFor(why, object, kin) });
  }
  const isUnseen = ({ reason }: UnbatchedReport): number => Number(reason === UNSEEN);
  return [...byReason.values()].sort((a, b) => isUnseen(a) - isUnseen(b) || b.count - a.count);
}

function adviceFor(why: string, object: Object3D, kin: NearestKin | null): string {
  if (kin === null) return adviceOn(why);
  const what = `${labelOf(object)} differs from ${labelOf(kin.object)} in ${differencesInWords(kin)}`;
  return `${adviceOn(why)} ${what}.`;
}

/** About so many comparisons of meshes are made in all, and at most so many for one mesh. */
const COMPARISONS = 20_000;
const MOST_PER_MESH = 64;

/** Finds the nearest kin of meshes, once for all meshes that could share a batch. */
function nearestByGroup(states: Iterable<BatchedMeshState>): (state: BatchedMeshState) => NearestKin | null {
  const all = kinsOf(states);
  const waiting = all.filter(({ entry }) => !entry.group?.batch).length;
  // One of them may be of the group itself.
  const kins = all.slice(0, Math.max(2, Math.min(MOST_PER_MESH, COMPARISONS / waiting)));
  const found = new Map<BatchGroup | null, NearestKin | null>();
  return (state) => {
    const group = state.entries.find((entry) => !entry.group?.batch)?.group ?? null;
    let kin = found.get(group);
    if (kin === undefined) {
      kin = nearestKin(state, kins);
      found.set(group, kin);
    }
    return kin;
  };
}

/**
 * A sentence that says how an object of a scene is drawn where meshes are drawn in batches; null elsewhere.
 * @param isDrawn False for an object that may be hidden or out of view.
 */
export function howBatched(root: Object3D, object: Object3D, isDrawn = true): string | null {
  const itIs = isDrawn ? 'It is drawn' : 'When it is drawn, it is';
  const report = batchReports.get(root);
  if (!report?.isWanted) return null;
  const { made: batches } = report;
  if (batches === null) {
    return report.failure === null
      ? `${itIs} by itself until the code that draws batches has loaded.`
      : `${itIs} by itself: the code that draws batches could not be loaded (${describeError(report.failure)}).`;
  }
  if (report.isAside) return `${itIs} by itself, not in a batch: ${ASIDE}.`;
  const state = batches.stateOf(object);
  // What was decided since the last picture counts.
  const before = whyAlone(object, state);
  const reason = batches.isLeftOut(object) ? NOT_ALLOWED : before === NOT_ALLOWED ? NOT_YET : before;
  if (reason === UNSEEN && !isDrawn) return null;
  if (reason !== null) {
    const isFew = state !== undefined && reason === TOO_FEW;
    const kin = isFew ? nearestKin(state, kinsOf(batches.states).slice(0, 1000)) : null;
    const how = kin === null ? '' : `: it differs from ${labelOf(kin.object)} in ${differencesInWords(kin)}`;
    return `${itIs} by itself, not in a batch: ${isFew ? withCount(reason, state) : reason}${how}.`;
  }
  const sizes = (state as BatchedMeshState).entries.map(({ group }) => `${group?.batch?.size} draws`);
  return `${itIs} in ${sizes.length === 1 ? 'a batch' : `${sizes.length} batches`} of ${sizes.join(' and ')}.`;
}

/** Says how many are too few. */
function withCount(reason: string, { entries }: BatchedMeshState): string {
  const group = entries.find((entry) => !entry.group?.batch)?.group as BatchGroup;
  return `${reason} (${group.entries.size} of the ${group.groups.atLeast} draws that make a batch)`;
}

/** Why an object is in no batch, as far as passes have seen it; null where it is in one. */
function whyAlone(object: Object3D, state: BatchedMeshState | undefined): string | null {
  if (state === undefined) return whyUnseen(object);
  return state.reason === null ? SAID_OF[state.status] : reasonInWords(state.reason, state);
}

function whyUnseen(object: Object3D): string {
  for (let above = object.parent; above !== null; above = above.parent) {
    const { isInstancedMesh, isBatchedMesh } = above as Flags;
    if (isAggregate(above) || isInstancedMesh || isBatchedMesh) {
      return `it lies in ${labelOf(above)}, a ${above.type}, which is drawn with all that lies in it`;
    }
  }
  return UNSEEN;
}

/**
 * Completes why a mesh is drawn by itself.
 * @param reason A word, as the name of the property that is in the way, of the mesh or one of its materials, or a
 *   sentence.
 */
function reasonInWords(reason: string, { mesh, materials }: BatchedMeshState): string {
  if (!/^\w+$/.test(reason)) return reason;
  if (Object.hasOwn(SENTENCES, reason)) return SENTENCES[reason];
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
