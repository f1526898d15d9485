import type { Camera, Object3D, Vector2 } from 'three';
import { IdList } from '../core/IdList.js';
import { inWords } from '../core/inWords.js';
import { screenPlanes } from './ask/cameraPlanes.js';
import { Visibility } from './ask/Visibility.js';
import { checkCamera, checkList } from './objects/checks.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';

/** How much of an object's bounds a rectangle on the screen must hold: all, or any part. */
export type ScreenMode = 'contain' | 'intersect';

/**
 * What lies behind a rectangle on the screen, as a user draws it: visible drawables on the camera's layers, by their
 * bounds, between the camera's near and far planes. Unlike `cull` it goes by bounds even where `frustumCulled` is
 * false. Of an ArrayCamera its own matrices count, not those of its views.
 * @param from A corner of the rectangle in normalised device coordinates: -1 to 1 from left to right and from bottom to
 * top. Places beyond the screen are legal.
 * @param to The opposite corner; both may be equal.
 * @param mode 'intersect' (default): some part of the bounds may be behind the rectangle. 'contain': all of them must.
 * @param out Overwritten.
 * @throws TypeError or RangeError for arguments that are not legal, Error for an index that was disposed.
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
  visibility.take(found, byId);
  out.length = visibility.show(0, found.length, camera, out);
  return out;
}

function checkCorner(corner: Vector2, where: string): void {
  if (corner?.isVector2 !== true) throw new TypeError(`${where}: must be a Vector2, got ${inWords(corner)}`);
  const { x, y } = corner;
  if (!Number.isFinite(x) || !Number.isFinite(y))
    throw new RangeError(`${where}: must be finite, got ${inWords(x)} ${inWords(y)}`);
}
