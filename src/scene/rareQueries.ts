import type { Box3, Camera, Object3D, Vector2, Vector3 } from 'three';
import { Hits } from '../core/Hits.js';
import { IdList, IdSet, subtract } from '../core/ids.js';
import { inWords } from '../core/options.js';
import { coordinatesOf, isNone, type ObjectContact, sidesOf, toContact, writeHits } from './ask/BoundsQueries.js';
import { screenPlanes } from './ask/cameraPlanes.js';
import { Visibility } from './ask/Visibility.js';
import { checkBox3, checkCamera, checkList, checkVector3 } from './objects/checks.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';

// Queries that not every page needs: functions, so that bundles without them are smaller.

/** What {@link classifyScene} fills. Arrays are overwritten. */
export interface Classification {
  /** Objects whose bounds lie entirely in the frustum. */
  inside: Object3D[];
  /** Objects whose bounds the border of the frustum cuts, and those outside with `frustumCulled` false. */
  intersecting: Object3D[];
  /** All others with bounds: out of view, hidden, or on other layers. Costs time for each; leave it out if you can. */
  culled?: Object3D[];
}

/**
 * Sorts all drawables with bounds by what the camera sees of them; the lists are in the order of `cull`. An object
 * inside one view of an ArrayCamera is inside.
 * @throws TypeError for invalid arguments, Error for an index that was disposed.
 */
export function classifyScene(index: SceneIndex, camera: Camera, target: Classification): void {
  const { entries, follower } = partsOf(index, 'classifyScene');
  checkCamera(camera, 'classifyScene');
  const { inside, intersecting, culled } = target ?? {};
  checkList(inside, 'classifyScene.inside');
  checkList(intersecting, 'classifyScene.intersecting');
  if (culled !== undefined) checkList(culled, 'classifyScene.culled');
  const visibility = new Visibility();
  visibility.begin();
  const { index: boxes, byId } = entries;
  const within = new IdList();
  const cut = new IdList();
  const withinMarks = new IdSet();
  const cutMarks = new IdSet();
  for (const planes of visibility.planesOf(camera)) {
    boxes.classify(planes, within, cut);
    withinMarks.addAll(within);
    cutMarks.addAll(cut);
  }
  for (const { id } of follower.traits.neverCulled) if (id >= 0) cutMarks.add(id);
  subtract(cutMarks, withinMarks);
  cutMarks.drain(cut);
  withinMarks.drain(within);
  visibility.collect(within, byId);
  visibility.collect(cut, byId);
  // By id, all objects but those that are shown. Getters of objects may change the ids from here on.
  const others = culled === undefined ? [] : [...byId.objects];
  inside.length = visibility.show(0, within.length, camera, inside);
  intersecting.length = visibility.show(within.length, within.length + cut.length, camera, intersecting);
  if (culled === undefined) return;
  let place = 0;
  for (const { ids, length } of [within, cut]) {
    for (let i = 0; i < length; i++) if (visibility.wasShown(place++)) others[ids[i]] = null;
  }
  let n = 0;
  for (const object of others) if (object !== null) culled[n++] = object;
  culled.length = n;
}

/** How much of an object's bounds a rectangle on the screen must hold: all, or any part. */
export type ScreenMode = 'contain' | 'intersect';

/**
 * Drawables behind a rectangle on the screen, as a user draws it: those that are visible and on the camera's layers, by
 * their bounds, between the camera's near and far planes. Unlike in `cull`, bounds count even where `frustumCulled` is
 * false. Of an ArrayCamera its own matrices count, not those of its views.
 * @param from A corner of the rectangle in normalised device coordinates: -1 to 1 from left to right and from bottom to
 * top. Corners beyond the screen are legal.
 * @param to The opposite corner; both may be equal.
 * @param mode 'intersect' (default): some part of the bounds must be behind the rectangle. 'contain': all of them must.
 * @param out Overwritten.
 * @throws TypeError or RangeError for invalid arguments, Error for an index that was disposed.
 */
export function queryScreen(
  index: SceneIndex,
  camera: Camera,
  from: Vector2,
  to: Vector2,
  mode: ScreenMode = 'intersect',
  out: Object3D[] = [],
): Object3D[] {
  const { entries } = partsOf(index, 'queryScreen');
  checkCamera(camera, 'queryScreen');
  checkCorner(from, 'queryScreen.from');
  checkCorner(to, 'queryScreen.to');
  checkList(out, 'queryScreen.out');
  if (mode !== 'contain' && mode !== 'intersect') {
    throw new RangeError(`queryScreen.mode: must be contain or intersect, got ${inWords(mode)}`);
  }
  const { index: boxes, byId } = entries;
  const planes = screenPlanes(camera, from, to, new Float64Array(24));
  const found = new IdList();
  if (mode === 'contain') boxes.classify(planes, found, new IdList());
  else boxes.queryPlanes(planes, found);
  const visibility = new Visibility();
  visibility.begin();
  visibility.collect(found, byId);
  out.length = visibility.show(0, found.length, camera, out);
  return out;
}

function checkCorner(corner: Vector2, where: string): void {
  if (corner?.isVector2 !== true) throw new TypeError(`${where}: must be a Vector2, got ${inWords(corner)}`);
  const { x, y } = corner;
  if (!Number.isFinite(x) || !Number.isFinite(y))
    throw new RangeError(`${where}: must be finite, got ${inWords(x)} ${inWords(y)}`);
}

/**
 * Drawables whose bounds a box touches as it moves, in that order; none for an empty box.
 * @param motion From where the box is to where it ends.
 * @param out Overwritten.
 * @throws TypeError or RangeError for invalid arguments, Error for an index that was disposed.
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

/** The first drawable whose bounds a box touches as it moves, or null. See {@link sweepScene}. */
export function sweepSceneFirst(index: SceneIndex, box: Box3, motion: Vector3): ObjectContact | null {
  const { entries } = partsOf(index, 'sweepSceneFirst');
  checkBox3(box, 'sweepSceneFirst');
  checkVector3(motion, 'sweepSceneFirst.motion');
  if (isNone(box)) return null;
  const hits = entries.index.sweepFirst(sidesOf(box), coordinatesOf(motion));
  return writeHits(hits, entries, [], toContact)[0] ?? null;
}
