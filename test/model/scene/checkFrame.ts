import { type Box3, type Camera, type LOD, type Object3D, type SkinnedMesh, Vector3 } from 'three';
import { maintain } from '../../../src/index.js';
import { checkMatrices } from './checkMatrices.js';
import { checkPasses } from './checkPasses.js';
import { checkPicks } from './checkPicks.js';
import { boxesOf, checkBoxes, checkCull, checkQueries } from './checkQueries.js';
import { checkTree } from './checkTree.js';
import type { Frame } from './Frame.js';
import { upTo } from './numbers.js';
import type { Any, Side } from './Side.js';

/** Beyond this, numbers are so large that nothing near is told apart; scripts are left there. */
const LARGEST = 1e5;

type Bounds = Map<Object3D, Box3>;

/**
 * One frame on both sides: one scene after the other is updated and drawn as by a renderer, and everything is compared.
 * @returns false when the scenes have grown beyond all measure, so that the script is to end.
 */
export function checkFrame(frame: Frame): boolean {
  const { plain, fast, next, without } = frame;
  const eyes = placeCamera(frame);
  // An index by itself is not told.
  const force = next() < 0.05 && frame.setting.mode === 'accelerate';
  const asked: [number, Bounds][] = [];
  for (let i = 0; i < plain.scenes.length; i++) {
    // Who owns its matrices need not have them made: it is drawn by those that are there.
    const isOwned = !plain.scenes[i].matrixWorldAutoUpdate && frame.setting.mode === 'accelerate';
    const isAsIs = isOwned && !plain.isNested && next() < 0.5;
    for (const side of [plain, fast]) update(side, i, force, isAsIs);
    plain.roots.forEach((root, r) => {
      const isOwn = !(root as Any).isScene && fast.indices[r] !== null && plain.isWithin(root, plain.scenes[i]);
      if (isOwn) for (const side of [plain, fast]) side.refresh(r);
    });
    if (!(checkMatrices(frame) < LARGEST)) return false;
    // What is in no index at the time, none has seen.
    plain.roots.forEach((root, r) => {
      if (fast.indices[r] !== null && plain.isWithin(root, plain.scenes[i])) plain.history.note(plain, root);
    });
    if (!without.has('spheres')) for (const side of [plain, fast]) side.computeSpheres();
    checkScene(frame, i, eyes, asked, isAsIs);
  }
  checkTree(frame);
  // Last, as it may make matrices of what is above the camera.
  for (const [i, bounds] of asked) checkCull(frame, i, bounds);
  frame.counters.frames++;
  return true;
}

function update(side: Side, i: number, force: boolean, isAsIs: boolean): void {
  const { mode, isMaintained } = side.setting;
  touchBoned(side);
  const index = side.indices[i];
  if (index && mode === 'index') index.update();
  else if (!isAsIs) side.scenes[i].updateMatrixWorld(force);
  for (const any of side.indices) if (isMaintained && any !== null) maintain(any, Number.POSITIVE_INFINITY);
  for (const camera of [side.camera, side.flat, side.pair]) if (camera.parent === null) camera.updateMatrixWorld();
}

/** Bones that lie in no scene move unnoticed: of something at rest users have to tell. */
function touchBoned(side: Side): void {
  for (const object of side.hasResting ? side.objects : []) {
    if (!object.isSkinnedMesh || !side.isResting(object)) continue;
    const { bones } = (object as unknown as SkinnedMesh).skeleton;
    if (!bones.every((bone) => side.isInScene(bone))) side.edited(object);
  }
}

/** Compares a scene that was just updated, and what else in it has an index. @param asked Gets those of its indices. */
function checkScene(frame: Frame, i: number, eyes: Camera[], asked: [number, Bounds][], isAsIs: boolean): void {
  const { plain, fast, next, without } = frame;
  const within = plain.roots.flatMap((root, r) => (plain.isWithin(root, plain.scenes[i]) ? [r] : []));
  const mine: [number, Bounds][] = [];
  for (const r of within) {
    if (!fast.isPartial && fast.indices[r] !== null) mine.push([r, boxesOf(plain, r)]);
  }
  const ask = (): void => {
    for (const [r, bounds] of mine) checkBoxes(frame, r, bounds);
    for (const [r, bounds] of mine) checkQueries(frame, r, bounds);
    asked.push(...mine);
  };
  // Renderers and raycasters must not live by what questions found out.
  const isAskedFirst = next() < 0.5 && !isAsIs;
  if (isAskedFirst) ask();
  const bounds = mine.find(([r]) => r === i)?.[1] ?? boxesOf(plain, i);
  settleStrayLevels(plain, eyes[0]);
  settleStrayLevels(fast, eyes[1]);
  if (!without.has('passes')) checkPasses(frame, i, bounds, eyes);
  if (!hasFlat(plain) && !without.has('picks')) {
    for (const r of within) for (let ray = 0; ray < 2; ray++) checkPicks(frame, r);
  }
  if (!isAskedFirst) ask();
}

/**
 * What lies elsewhere than in the LOD that has it among its levels, and behind that, a renderer shows or hides in the
 * picture in which it comes to the LOD; by an index, which lists what is in view at once, in the next.
 */
function settleStrayLevels({ objects }: Side, eye: Camera): void {
  for (const object of objects) {
    if (!object.isLOD) continue;
    const lod = object as unknown as LOD;
    if (lod.autoUpdate && lod.levels.some(({ object: level }) => level.parent !== lod)) lod.update(eye);
  }
}

/** Somewhere near what there is, unless it lies in the scene. Returns what is looked through in this frame. */
function placeCamera({ plain, fast, next }: Frame): Camera[] {
  const place = new Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(36);
  const target = new Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(20);
  const object = plain.objects[upTo(next, 1000) % plain.objects.length];
  if (object && next() < 0.8) target.setFromMatrixPosition(object.matrixWorld);
  if (!(target.length() < LARGEST)) target.set(0, 0, 0);
  if (next() < 0.5) place.multiplyScalar(0.5).add(target);
  const which = (['camera', 'camera', 'camera', 'camera', 'written', 'pair', 'flat'] as const)[upTo(next, 7)];
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
    const [{ projectionMatrix, matrixWorldInverse }] = side.pair.cameras;
    side.written.matrixWorldInverse.copy(matrixWorldInverse);
    side.written.projectionMatrix.copy(projectionMatrix);
    if (place.x > 0) {
      side.written.matrixWorldInverse.identity();
      side.written.projectionMatrix.multiply(matrixWorldInverse);
    }
    for (const camera of [side.pair, side.flat, side.written]) camera.layers.mask = side.camera.layers.mask;
  }
  return [plain[which], fast[which]];
}

/** True when something has no inverse, or hardly one: see `flatten`. */
export function hasFlat({ objects }: Side): boolean {
  return objects.some(({ matrixWorld }) => !(Math.abs(matrixWorld.determinant()) > 1e-9));
}
