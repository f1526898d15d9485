import type { Box3, Camera, Object3D, Vector2, Vector3 } from 'three';
import { Hits } from '../core/Hits.js';
import { IdList, IdSet, subtract } from '../core/ids.js';
import { inWords } from '../core/options.js';
import { screenPlanes } from './ask/cameraViews.js';
import { checkPoint, coordinatesOf, isNone, type ObjectContact, sidesOf, toContact, writeHits } from './ask/results.js';
import { Visibility } from './ask/Visibility.js';
import { checkBox3, checkCamera, checkList } from './objects/checks.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';

// Queries that few pages need. They are functions, so that bundles without them are smaller.

/** The lists that {@link classify} overwrites. */
export interface Classification<T extends Object3D = Object3D> {
  /** Objects whose bounds lie entirely in the frustum. */
  inside: T[];
  /** Objects whose bounds cross the border of the frustum, and objects outside with `frustumCulled` false. */
  intersecting: T[];
  /** All other objects with bounds: out of view, hidden, or on other layers. Optional, as each object costs time. */
  culled?: T[];
}

/**
 * Sorts all drawables with bounds by how much of them a camera sees. The lists are in the order of `cull`. An object
 * inside one view of an ArrayCamera is inside.
 * @throws TypeError for invalid arguments, Error for a disposed index.
 * @example
 * ```ts
 * import type { Object3D } from 'three';
 * import { classify } from 'three-scene-index';
 *
 * const inside: Object3D[] = [];
 * const intersecting: Object3D[] = [];
 * classify(index, camera, { inside, intersecting });
 * console.log(`${inside.length} objects entirely in view, ${intersecting.length} in part`);
 * ```
 */
export function classify<T extends Object3D>(index: SceneIndex<T>, camera: Camera, target: Classification<T>): void {
  const { entries, follower } = partsOf(index, 'classify');
  checkCamera(camera, 'classify');
  const { inside, intersecting, culled } = target ?? {};
  checkList(inside, 'classify', 'inside');
  checkList(intersecting, 'classify', 'intersecting');
  if (culled !== undefined) checkList(culled, 'classify', 'culled');
  const visibility = new Visibility();
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
  // All objects except the shown ones, by id. Getters of objects may change the ids from here on.
  const others = culled === undefined ? [] : [...byId.objects];
  inside.length = visibility.show(0, within.length, camera, inside);
  intersecting.length = visibility.show(within.length, within.length + cut.length, camera, intersecting);
  if (culled === undefined) return;
  let at = 0;
  for (const { ids, length } of [within, cut]) {
    for (let i = 0; i < length; i++) if (visibility.wasShown(at++)) others[ids[i]] = null;
  }
  let n = 0;
  for (const object of others) if (object !== null) culled[n++] = object as T;
  culled.length = n;
}

/** Whether a screen rectangle must hold all of an object's bounds, or any part. */
export type ScreenMode = 'contain' | 'intersect';

/**
 * Returns the drawables behind a rectangle on the screen, as a user drags it.
 *
 * The results are visible, on the camera's layers, and between its near and far planes. Objects are tested by their
 * bounds, even if `frustumCulled` is false, unlike in `cull`. An ArrayCamera counts by its own matrices, not those of
 * its views.
 * @param from A corner of the rectangle in normalised device coordinates: -1 to 1 from left to right and from bottom to
 * top. Corners may lie beyond the screen, up to 100 times its size; larger values are taken for pixels and throw.
 * @param to The opposite corner. Both corners may be equal.
 * @param mode 'intersect' (default): some part of the bounds must be behind the rectangle. 'contain': all of them must.
 * Bounds are tested against one plane after the other, as by `Frustum.intersectsBox`. So a box near an edge of the
 * region may count though it lies just outside, such as a box behind the rectangle but beyond the far plane.
 * @param out Overwritten. Default a new list.
 * @throws TypeError or RangeError for invalid arguments, Error for a disposed index.
 * @example
 * ```ts
 * import { Vector2 } from 'three';
 * import { queryScreen } from 'three-scene-index';
 *
 * // The objects inside a rectangle that a user drags over the upper right quarter of the screen.
 * const selected = queryScreen(index, camera, new Vector2(0, 0), new Vector2(1, 1), 'contain');
 * ```
 */
export function queryScreen<T extends Object3D>(
  index: SceneIndex<T>,
  camera: Camera,
  from: Vector2,
  to: Vector2,
  mode: ScreenMode = 'intersect',
  out: T[] = [],
): T[] {
  const { entries } = partsOf(index, 'queryScreen');
  checkCamera(camera, 'queryScreen');
  checkCorner(from, 'queryScreen.from');
  checkCorner(to, 'queryScreen.to');
  checkList(out, 'queryScreen');
  if (mode !== 'contain' && mode !== 'intersect') {
    throw new RangeError(`queryScreen.mode: must be "contain" or "intersect", got ${inWords(mode)}`);
  }
  warnOfPixels(index, from, to);
  const { index: boxes, byId } = entries;
  const planes = screenPlanes(camera, from, to, new Float64Array(24));
  const found = new IdList();
  if (mode === 'contain') boxes.classify(planes, found, new IdList());
  else boxes.queryPlanes(planes, found);
  const visibility = new Visibility();
  visibility.collect(found, byId);
  out.length = visibility.show(0, found.length, camera, out);
  return out;
}

function checkCorner(corner: Vector2, where: string): void {
  if (corner?.isVector2 !== true)
    throw new TypeError(`${where}: must be a Vector2 of device coordinates, -1 to 1, got ${inWords(corner)}`);
  const { x, y } = corner;
  if (!(Math.abs(x) <= FARTHEST_CORNER && Math.abs(y) <= FARTHEST_CORNER))
    throw new RangeError(`${where}: ${expectedAt(x, y)}`);
}

/** Warns if both corners look like pixels, which find nothing: a drag begins on the screen, and may end beyond it. */
function warnOfPixels(index: SceneIndex, from: Vector2, to: Vector2): void {
  const isBeyond = ({ x, y }: Vector2): boolean => x > BEYOND && y > BEYOND;
  if (!isBeyond(from) || !isBeyond(to) || warned.has(index)) return;
  warned.add(index);
  console.warn(`queryScreen: nothing is there: ${expectedAt(from.x, from.y)}`);
}

function expectedAt(x: number, y: number): string {
  const got = `${inWords(x)}, ${inWords(y)}`;
  return `must be normalised device coordinates, -1 to 1; of pixels (2 * x / width - 1, 1 - 2 * y / height), got ${got}`;
}

/** Largest distance of a corner from the middle of the screen, which ends at 1. */
const FARTHEST_CORNER = 100;
/** A corner with both coordinates above this is most likely in pixels. */
const BEYOND = 2;
const warned = new WeakSet<SceneIndex>();

/**
 * Returns the drawables whose bounds a moving box touches, first contact first. None for an empty box.
 * @param motion From the start of the box to its end. The box of an object in the index also finds that object: leave
 * the object out of the result.
 * @param out Overwritten. Default a new list.
 * @throws TypeError or RangeError for invalid arguments, Error for a disposed index.
 * @example
 * ```ts
 * import { Box3, Vector3 } from 'three';
 * import { sweep } from 'three-scene-index';
 *
 * const box = new Box3().setFromObject(player);
 * const contacts = sweep(index, box, new Vector3(0, 0, -5)).filter(({ object }) => object !== player);
 * if (contacts.length > 0) console.log('blocked at', contacts[0].time);
 * ```
 */
export function sweep<T extends Object3D>(
  index: SceneIndex<T>,
  box: Box3,
  motion: Vector3,
  out: ObjectContact<T>[] = [],
): ObjectContact<T>[] {
  const { entries } = partsOf(index, 'sweep');
  checkBox3(box, 'sweep');
  checkPoint(motion, 'sweep', 'motion');
  checkList(out, 'sweep');
  const hits = new Hits();
  if (!isNone(box)) entries.index.sweep(sidesOf(box), coordinatesOf(motion), hits);
  return writeHits(hits, entries, out, toContact<T>);
}
