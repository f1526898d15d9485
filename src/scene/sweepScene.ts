import type { Box3, Vector3 } from 'three';
import { Hits } from '../core/Hits.js';
import { coordinatesOf, isNone, type ObjectContact, sidesOf, toContact, writeHits } from './ask/BoundsQueries.js';
import { checkBox3, checkList, checkVector3 } from './objects/checks.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';

/**
 * Drawables whose bounds a box touches as it moves along, in the order in which it does; none for an empty box.
 * @param motion The way of the box.
 * @param out Overwritten.
 * @throws TypeError or RangeError for arguments that are not legal, Error for an index that was disposed.
 */
export function sweepScene(index: SceneIndex, box: Box3, motion: Vector3, out: ObjectContact[] = []): ObjectContact[] {
  const { entries } = partsOf(index, 'sweepScene');
  checkBox3(box, 'sweepScene');
  checkVector3(motion, 'sweepScene.motion');
  checkList(out, 'sweepScene.out');
  const hits = new Hits();
  if (!isNone(box)) entries.index.sweep(sidesOf(box), coordinatesOf(motion), hits);
  return writeHits(hits, entries, out, toContact);
}

/** The first of these alone, or null. */
export function sweepSceneFirst(index: SceneIndex, box: Box3, motion: Vector3): ObjectContact | null {
  const { entries } = partsOf(index, 'sweepSceneFirst');
  checkBox3(box, 'sweepSceneFirst');
  checkVector3(motion, 'sweepSceneFirst.motion');
  if (isNone(box)) return null;
  const hits = entries.index.sweepFirst(sidesOf(box), coordinatesOf(motion));
  return writeHits(hits, entries, [], toContact)[0] ?? null;
}
