import type { Object3D } from 'three';
import type { IdPairs } from '../core/IdPairs.js';
import { findPairs, findPairsBetween } from '../pairs/findPairs.js';
import type { Entries } from './follow/Entries.js';
import { checkList } from './objects/checks.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';

/**
 * All pairs of drawables whose bounds touch, each once; an object and one below it are a pair like others.
 * @param out Overwritten.
 * @throws TypeError for an index or a list that is none, Error for an index that was disposed.
 */
export function findObjectPairs(index: SceneIndex, out: [Object3D, Object3D][] = []): [Object3D, Object3D][] {
  const { entries } = partsOf(index, 'findObjectPairs');
  checkList(out, 'findObjectPairs.out');
  return writePairs(findPairs(entries.index), entries, entries, out);
}

/**
 * All pairs of a drawable of one index, first, and one of another, whose bounds touch.
 * @param out Overwritten.
 * @throws TypeError for an index or a list that is none, Error for an index that was disposed.
 */
export function findObjectPairsBetween(
  a: SceneIndex,
  b: SceneIndex,
  out: [Object3D, Object3D][] = [],
): [Object3D, Object3D][] {
  const { entries } = partsOf(a, 'findObjectPairsBetween', 'a');
  const { entries: others } = partsOf(b, 'findObjectPairsBetween', 'b');
  checkList(out, 'findObjectPairsBetween.out');
  return writePairs(findPairsBetween(entries.index, others.index), entries, others, out);
}

function writePairs(
  { ids, length }: IdPairs,
  { byId: left }: Entries,
  { byId: right }: Entries,
  out: [Object3D, Object3D][],
): [Object3D, Object3D][] {
  for (let i = 0; i < length; i++) {
    out[i] = [left.objects[ids[2 * i]] as Object3D, right.objects[ids[2 * i + 1]] as Object3D];
  }
  out.length = length;
  return out;
}
