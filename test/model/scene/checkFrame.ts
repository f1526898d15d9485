import { type Box3, type Camera, type Object3D, Vector3 } from 'three';
import { checkMatrices } from './checkMatrices.js';
import { checkPasses } from './checkPasses.js';
import { checkPicks } from './checkPicks.js';
import { boxesOf, checkBoxes, checkCull, checkQueries } from './checkQueries.js';
import { checkTree } from './checkTree.js';
import type { Frame } from './Frame.js';
import { upTo } from './numbers.js';
import type { Side } from './Side.js';

/** Beyond this, numbers are so large that nothing near is told apart; scripts are left there. */
const LARGEST = 1e5;

/**
 * One frame on both sides: matrices are updated as a renderer does, then everything is compared.
 * @returns false when the scene has grown beyond all measure, so that the script is to end.
 */
export function checkFrame(frame: Frame): boolean {
  const { plain, fast, setting, next, without } = frame;
  const force = next() < 0.05;
  const eyes = placeCamera(frame);
  for (const side of [plain, fast]) {
    side.scenes.forEach((scene, i) => {
      const index = side.indices[i];
      if (index && setting.mode === 'index') index.update();
      else scene.updateMatrixWorld(force);
    });
    for (const index of side.indices) if (setting.upkeepMs > 0) index?.maintain(Number.POSITIVE_INFINITY);
    for (const camera of [side.camera, side.flat, side.pair]) if (camera.parent === null) camera.updateMatrixWorld();
  }
  if (!(checkMatrices(frame) < LARGEST)) return false;
  for (const side of [plain, fast]) side.computeSpheres();
  const isFlat = hasFlat(plain);
  const boxes = plain.roots.map((_, i) => boxesOf(plain, i));
  const isAsked = plain.roots.map((root, i) => !fast.isPartial && plain.isInScene(root) && fast.indices[i] !== null);
  const each = (check: (i: number, bounds: Map<Object3D, Box3>) => void): void => {
    for (let i = 0; i < boxes.length; i++) check(i, boxes[i]);
  };
  each((i, bounds) => {
    if (isAsked[i]) checkBoxes(frame, i, bounds);
  });
  each((i, bounds) => {
    if (isAsked[i]) checkQueries(frame, i, bounds);
    if (i < plain.scenes.length && !without.has('passes')) checkPasses(frame, i, bounds, eyes);
    if (!plain.isInScene(plain.roots[i]) || isFlat || without.has('picks')) return;
    for (let ray = 0; ray < 2; ray++) checkPicks(frame, i);
  });
  checkTree(frame);
  // Last, as it may make matrices of what is above the camera.
  each((i, bounds) => {
    if (isAsked[i]) checkCull(frame, i, bounds);
  });
  frame.counters.frames++;
  return true;
}

/** Somewhere near what there is, unless it lies in the scene. Returns what is looked through in this frame. */
function placeCamera({ plain, fast, next }: Frame): Camera[] {
  const place = new Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(36);
  const target = new Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(20);
  const object = plain.objects[upTo(next, 1000) % plain.objects.length];
  if (object && next() < 0.5) target.setFromMatrixPosition(object.matrixWorld);
  if (!(target.length() < LARGEST)) target.set(0, 0, 0);
  const which = (['camera', 'camera', 'camera', 'camera', 'camera', 'pair', 'flat'] as const)[upTo(next, 7)];
  for (const side of [plain, fast]) {
    for (const camera of [side.camera, side.flat, side.pair]) {
      if (camera.parent !== null) continue;
      camera.position.copy(place);
      camera.lookAt(target);
    }
    side.pair.cameras.forEach((view, v) => {
      view.position.copy(place).y += 9 * v;
      view.lookAt(target);
      view.updateMatrixWorld();
    });
    side.pair.layers.mask = side.flat.layers.mask = side.camera.layers.mask;
  }
  return [plain[which], fast[which]];
}

/** True when something has no inverse, or hardly one: see `flatten`. */
function hasFlat({ objects }: Side): boolean {
  return objects.some(({ matrixWorld }) => !(Math.abs(matrixWorld.determinant()) > 1e-9));
}
