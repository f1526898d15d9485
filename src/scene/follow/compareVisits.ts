import type { Object3D } from 'three';
import type { ObjectRecord } from '../objects/ObjectRecord.js';

type Records = ReadonlyMap<Object3D, ObjectRecord>;

/**
 * Below zero when three visits `a` first, above when it visits `b` first: for a few objects, without a walk over all of
 * a scene. Where two ways down part, the place among siblings decides. The objects are followed, or children of such.
 */
export function compareVisits(records: Records, a: Object3D, b: Object3D): number {
  let [left, right] = [a, b];
  const difference = depthOf(records, a) - depthOf(records, b);
  for (let i = difference; i > 0; i--) left = parentOf(records, left) as Object3D;
  for (let i = difference; i < 0; i++) right = parentOf(records, right) as Object3D;
  // An object comes behind those it lies below.
  while (left !== right) {
    const [above, beside] = [parentOf(records, left), parentOf(records, right)];
    if (above === null || beside === null) return difference;
    if (above === beside) return above.children.indexOf(left) - above.children.indexOf(right);
    left = above;
    right = beside;
  }
  return difference;
}

function depthOf(records: Records, object: Object3D): number {
  let depth = 0;
  for (let o = parentOf(records, object); o !== null; o = parentOf(records, o)) depth++;
  return depth;
}

function parentOf(records: Records, object: Object3D): Object3D | null {
  const record = records.get(object);
  return record === undefined ? object.parent : (record.parent?.object ?? null);
}
