import { Box3, type Frustum, type Object3D, Vector3 } from 'three';
import type { SceneIndex } from '../../../src/index.js';
import { frustumOf } from '../../helpers/passes.js';
import { validateScene } from '../../helpers/validateScene.js';
import { Difference, type Frame } from './Frame.js';
import { type Next, upTo } from './numbers.js';
import type { Any, Side } from './Side.js';
import { entryOf, isDrawn, trueBounds } from './trueBounds.js';

/** The world bounds of all entries below scene `i`, made on the plain side; those that draw nothing are left out. */
export function boxesOf(side: Side, i: number): Map<Object3D, Box3> {
  const boxes = new Map<Object3D, Box3>();
  side.roots[i].traverse((object) => {
    if (!isDrawn(object as Any) || entryOf(object, side.roots[i]) !== object) return;
    const { box } = trueBounds(object as Any, (geometry) => side.declaredOf(geometry));
    if (!box.isEmpty()) boxes.set(object, box);
  });
  return boxes;
}

/**
 * Fails unless an index is healthy and has the bounds that there must be. Where they are not exact, the box in the index
 * is put in place of the true one, for all that is compared later.
 */
export function checkBoxes({ plain, fast }: Frame, i: number, boxes: Map<Object3D, Box3>): void {
  const index = fast.indices[i];
  if (index === null) return;
  const problems = validateScene(index);
  if (problems.length > 0) throw new Difference('validate', problems.join('; '));
  const box = new Box3();
  for (const [object, { min, max }] of boxes) if (Number.isNaN(min.length() + max.length())) boxes.delete(object);
  plain.objects.forEach((object, n) => {
    const wanted = boxes.get(object);
    const found = index.getBox(fast.objects[n], box);
    if (!wanted || !found) {
      if (wanted) throw new Difference('box', `${object.name} has none, must be ${textOf(wanted)}`);
      if (found) throw new Difference('box', `${object.name} has ${textOf(found)}, must have none`);
      return;
    }
    const { declared, tolerance } = trueBounds(object, (geometry) => plain.declaredOf(geometry));
    const isRight =
      declared === null
        ? isNear(found, wanted, tolerance)
        : grown(found, tolerance).containsBox(wanted) && grown(declared, tolerance).containsBox(found);
    if (!isRight) throw new Difference('box', `of ${object.name} is ${textOf(found)}, must be ${textOf(wanted)}`);
    if (!found.equals(wanted)) wanted.copy(found);
  });
  if (index.size !== boxes.size) throw new Difference('size', `is ${index.size}, must be ${boxes.size}`);
}

/** Asks an index for what is near some place, and compares with a look at all boxes. */
export function checkQueries(frame: Frame, i: number, boxes: ReadonlyMap<Object3D, Box3>): void {
  const { plain, fast, next } = frame;
  const index = fast.indices[i];
  if (index === null) return;
  const all = [...boxes];
  // An index is asked about places that there are.
  const somewhere = all.filter(([, { min, max }]) => Number.isFinite(min.length() + max.length()));
  const [, near] = somewhere[upTo(next, somewhere.length)] ?? [null, new Box3(new Vector3(), new Vector3())];
  const place = near.min.clone();
  if (next() < 0.5) place.lerp(near.max, next());
  const reach = new Vector3(1, 1, 1).multiplyScalar([0, 0.5, 4][upTo(next, 3)]);
  const query = new Box3(place.clone().sub(reach), place.clone().add(reach));
  const those = (isFound: (box: Box3, object: Object3D) => boolean): Object3D[] =>
    all.flatMap(([object, box]) => (isFound(box, object) ? [object] : []));
  const expect = (kind: string, wanted: Object3D[], found: Object3D[]): void => {
    frame.counters.found += found.length;
    const [want, got] = [numbers(plain, wanted), numbers(fast, found)];
    if (want !== got) throw new Difference(kind, `must be ${want}, is ${got}`);
  };
  expect(
    'queryBox',
    those((box) => query.intersectsBox(box)),
    index.queryBox(query),
  );
  expect(
    'queryPoint',
    those((box) => box.containsPoint(place)),
    index.queryPoint(place),
  );
  checkNearest(index, frame, all, place, next);
}

/** Asks an index what the camera sees. */
export function checkCull({ plain, fast, counters }: Frame, i: number, boxes: ReadonlyMap<Object3D, Box3>): void {
  const found = fast.indices[i]?.cull(fast.camera) ?? [];
  counters.found += found.length;
  // The index sees to the camera's matrices, wherever that is.
  plain.camera.updateWorldMatrix(true, false);
  const wanted = seenBy(plain, i, frustumOf(plain.camera), boxes);
  const [want, got] = [numbers(plain, wanted), numbers(fast, found)];
  if (want !== got) throw new Difference('cull', `must be ${want}, is ${got}`);
}

/** What the camera sees by the words of `SceneIndex.cull`. */
function seenBy(side: Side, i: number, frustum: Frustum, boxes: ReadonlyMap<Object3D, Box3>): Object3D[] {
  const seen: Object3D[] = [];
  const look = (object: Any): void => {
    if (!object.visible) return;
    if (isDrawn(object) && object.layers.test(side.camera.layers)) {
      const box = boxes.get(object);
      if (isNeverCulled(object) || (box !== undefined && frustum.intersectsBox(box))) seen.push(object);
    }
    if (!object.isLOD) for (const child of object.children) look(child as Any);
  };
  for (let o = side.roots[i].parent; o !== null; o = o.parent) if (!o.visible) return seen;
  look(side.roots[i] as Any);
  return seen;
}

function isNeverCulled(object: Any): boolean {
  if (!object.isLOD) return !object.frustumCulled || Object.hasOwn(object, 'intersectsFrustum');
  let isFound = false;
  object.traverse((part) => {
    isFound ||=
      (part as Any).isLight === true ||
      (isDrawn(part as Any) && (!part.frustumCulled || Object.hasOwn(part, 'intersectsFrustum')));
  });
  return isFound;
}

function checkNearest(index: SceneIndex, frame: Frame, all: [Object3D, Box3][], place: Vector3, next: Next): void {
  const { plain, fast } = frame;
  const count = 1 + upTo(next, 4);
  const wanted = all.map(([, box]) => box.distanceToPoint(place)).sort((a, b) => a - b);
  const found = index.nearest(place, count);
  const distances = found.map(({ distance }) => distance);
  const want = wanted.slice(0, count);
  if (want.some((d, k) => d !== distances[k]) || want.length !== distances.length) {
    throw new Difference('nearest', `must be at ${want}, are at ${distances}`);
  }
  for (const { object, distance } of found) {
    const twin = plain.objects[fast.numbers.get(object) as number];
    const box = all.find(([o]) => o === twin)?.[1];
    if (box?.distanceToPoint(place) !== distance) {
      throw new Difference('nearest', `${object.name} is said to be at ${distance}`);
    }
  }
}

function numbers(side: Side, objects: Object3D[]): string {
  return objects
    .map((object) => side.numbers.get(object) ?? Number.NaN)
    .sort((a, b) => a - b)
    .join();
}

function grown(box: Box3, by: number): Box3 {
  return box.clone().expandByScalar(by * (1 + sizeOf(box)));
}

function isNear(a: Box3, b: Box3, tolerance: number): boolean {
  if (tolerance === 0 || a.equals(b)) return a.equals(b);
  const most = tolerance * (1 + sizeOf(b));
  return a.min.distanceTo(b.min) <= most && a.max.distanceTo(b.max) <= most;
}

function sizeOf({ min, max }: Box3): number {
  return Number.isFinite(min.length() + max.length()) ? min.length() + max.length() : 0;
}

function textOf({ min, max }: Box3): string {
  return `[${min.toArray().join(' ')} to ${max.toArray().join(' ')}]`;
}
