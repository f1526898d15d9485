import type { Object3D } from 'three';
import type { BatchedMeshState } from '../batching/BatchedMeshState.js';
import type { BatchGroup } from '../batching/BatchGroup.js';
import { batchReports } from '../batching/batchReports.js';
import { isDrawable } from '../scene/objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import { adviceOn } from './batchAdvice.js';
import { FEW, whyAlone } from './howBatched.js';
import { labelOf } from './labels.js';
import { differencesInWords, kinsOf, type NearestKin, nearestKin } from './nearestKin.js';

/** Objects that are drawn by themselves for one reason; see {@link report}. */
export interface UnbatchedReport {
  /** Why, with the name of what is in the way and its value. */
  reason: string;
  /** How many objects it is true of. */
  count: number;
  /** One of them. */
  example: Object3D;
  /** What can be done about it. */
  advice: string;
}

/**
 * Tells what of an accelerated scene is not drawn in batches, and why: a list of reasons, the most frequent first, each
 * with the number of objects, one of them, and advice. Empty where nothing is drawn in batches, and until the code for it is
 * loaded.
 *
 * It counts meshes, lines, points and sprites that the index follows, in view or not, as the last pictures found them; of a
 * LOD and the like only the parts that are no entries of their own are left out. Slow: for a look now and then.
 * @throws TypeError for what is no index, Error for an index that was disposed.
 * @example
 * for (const { count, reason, advice } of report(index)) console.log(`${count} objects: ${reason}. ${advice}`);
 */
export function report(index: SceneIndex): UnbatchedReport[] {
  const { follower } = partsOf(index, 'report');
  const batches = batchReports.get(index.root)?.made ?? null;
  if (batches === null) return [];
  const byReason = new Map<string, UnbatchedReport>();
  const nearest = nearestByGroup(batches.states);
  for (const record of follower.hierarchy.records.values()) {
    const { object } = record;
    if (!record.isEntry || !isDrawable(object) || (object as { isLOD?: boolean }).isLOD) continue;
    const member = batches.stateOf(object);
    const why = whyAlone(object, member);
    if (why === null) continue;
    const kin = why === FEW ? nearest(member as BatchedMeshState) : null;
    const reason = kin === null ? why : `${why}: they differ in ${kin.differences.map(({ name }) => name).join(', ')}`;
    const known = byReason.get(reason);
    if (known !== undefined) known.count++;
    else byReason.set(reason, { reason, count: 1, example: object, advice: adviceFor(why, object, kin) });
  }
  return [...byReason.values()].sort((a, b) => b.count - a.count);
}

function adviceFor(why: string, object: Object3D, kin: NearestKin | null): string {
  if (kin === null) return adviceOn(why);
  const what = `${labelOf(object)} differs from ${labelOf(kin.object)} in ${differencesInWords(kin)}`;
  return `${adviceOn(why)} ${what}.`;
}

/** About so many comparisons of meshes are made, and so many of one with others. */
const COMPARISONS = 20_000;
const MOST = 64;

/** Finds the nearest kin of meshes, once for all that could share a batch. */
function nearestByGroup(members: Iterable<BatchedMeshState>): (member: BatchedMeshState) => NearestKin | null {
  const all = kinsOf(members);
  const waiting = all.filter(({ part }) => !part.group?.batch).length;
  // One of them may be of the group itself.
  const kins = all.slice(0, Math.max(2, Math.min(MOST, COMPARISONS / waiting)));
  const found = new Map<BatchGroup | null, NearestKin | null>();
  return (member) => {
    const group = member.entries.find((part) => !part.group?.batch)?.group ?? null;
    let kin = found.get(group);
    if (kin === undefined) {
      kin = nearestKin(member, kins);
      found.set(group, kin);
    }
    return kin;
  };
}
