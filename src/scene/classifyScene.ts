import type { Camera, Object3D } from 'three';
import { IdList } from '../core/IdList.js';
import { IdSet, subtract } from '../core/IdSet.js';
import { Visibility } from './ask/Visibility.js';
import { checkCamera, checkList } from './objects/checks.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';

/** What {@link classifyScene} fills. Arrays are overwritten. */
export interface Classification {
  /** Objects whose bounds lie in the frustum as a whole. */
  inside: Object3D[];
  /** Objects whose bounds the border of the frustum cuts, and those outside that have `frustumCulled` false. */
  intersecting: Object3D[];
  /**
   * All others that have bounds: out of view, hidden, or on other layers. Costs time for each; leave it out if you can.
   */
  culled?: Object3D[];
}

/** What one call works with; one more for each call that the getter of an object makes in the midst of another. */
class Scratch {
  readonly visibility = new Visibility();
  readonly inside = new IdList();
  readonly intersecting = new IdList();
  readonly insideMarks = new IdSet();
  readonly intersectingMarks = new IdSet();
  /** By id, all objects but those that are shown. */
  readonly others: (Object3D | null)[] = [];
}

const idle: Scratch[] = [];

/**
 * Sorts all drawables with bounds by what the camera sees of them; the lists are in the order of `cull`. What is inside
 * one of several views is inside.
 * @throws TypeError for arguments that are not legal, Error for an index that was disposed.
 */
export function classifyScene(index: SceneIndex, camera: Camera, target: Classification): void {
  const { entries, follower } = partsOf(index, 'classifyScene');
  checkCamera(camera, 'classifyScene');
  const inside = target?.inside;
  const intersecting = target?.intersecting;
  const culled = target?.culled;
  checkList(inside, 'classifyScene.inside');
  checkList(intersecting, 'classifyScene.intersecting');
  if (culled !== undefined) checkList(culled, 'classifyScene.culled');
  // Not used again when something throws in the midst.
  const scratch = idle.pop() ?? new Scratch();
  const { visibility } = scratch;
  visibility.begin();
  const { index: boxes, byId } = entries;
  for (const planes of visibility.planesOf(camera)) {
    boxes.classify(planes, scratch.inside, scratch.intersecting);
    scratch.insideMarks.addAll(scratch.inside);
    scratch.intersectingMarks.addAll(scratch.intersecting);
  }
  for (const { id } of follower.traits.neverCulled) if (id >= 0) scratch.intersectingMarks.add(id);
  subtract(scratch.intersectingMarks, scratch.insideMarks);
  scratch.intersectingMarks.drain(scratch.intersecting);
  scratch.insideMarks.drain(scratch.inside);
  visibility.take(scratch.inside, byId);
  visibility.take(scratch.intersecting, byId);
  const { others } = scratch;
  if (culled !== undefined) for (const object of byId.objects) others.push(object);
  const border = scratch.inside.length;
  inside.length = visibility.show(0, border, camera, inside);
  intersecting.length = visibility.show(border, border + scratch.intersecting.length, camera, intersecting);
  if (culled !== undefined) {
    let place = 0;
    for (const { ids, length } of [scratch.inside, scratch.intersecting]) {
      for (let i = 0; i < length; i++) if (visibility.wasShown(place++)) others[ids[i]] = null;
    }
    let n = 0;
    for (const object of others) if (object !== null) culled[n++] = object;
    culled.length = n;
    others.length = 0;
  }
  visibility.release();
  idle.push(scratch);
}
