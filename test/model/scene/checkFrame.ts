import { Vector3 } from 'three';
import { checkMatrices } from './checkMatrices.js';
import { checkPasses } from './checkPasses.js';
import { checkPicks } from './checkPicks.js';
import { boxesOf, checkBoxes, checkQueries } from './checkQueries.js';
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
  placeCamera(frame);
  for (const side of [plain, fast]) {
    side.scenes.forEach((scene, i) => {
      const index = side.indices[i];
      if (index && setting.mode === 'index') index.update();
      else scene.updateMatrixWorld(force);
      if (index && setting.upkeepMs > 0) index.maintain(Number.POSITIVE_INFINITY);
    });
    if (side.camera.parent === null) side.camera.updateMatrixWorld();
  }
  const largest = checkMatrices(frame);
  if (!(largest < LARGEST)) return false;
  for (const side of [plain, fast]) side.computeSpheres();
  const isFlat = hasFlat(plain);
  plain.scenes.forEach((_, i) => {
    const boxes = boxesOf(plain, i);
    checkBoxes(frame, i, boxes);
    checkQueries(frame, i, boxes);
    if (!without.has('passes')) checkPasses(frame, i, boxes);
    if (!isFlat && !without.has('picks')) for (let ray = 0; ray < 2; ray++) checkPicks(frame, i);
  });
  frame.counters.frames++;
  return true;
}

/** Somewhere near what there is, unless it lies in the scene. */
function placeCamera({ plain, fast, next }: Frame): void {
  const place = new Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(36);
  const target = new Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(20);
  const object = plain.objects[upTo(next, 1000) % plain.objects.length];
  if (object && next() < 0.5) target.setFromMatrixPosition(object.matrixWorld);
  if (!(target.length() < LARGEST)) target.set(0, 0, 0);
  if (plain.camera.parent !== null) return;
  for (const { camera } of [plain, fast]) {
    camera.position.copy(place);
    camera.lookAt(target);
  }
}

/** True when something has no inverse, or hardly one: see `flatten`. */
function hasFlat({ objects }: Side): boolean {
  return objects.some(({ matrixWorld }) => !(Math.abs(matrixWorld.determinant()) > 1e-9));
}
