import { type Intersection, type Object3D, Raycaster, Vector3 } from 'three';
import { Difference, type Frame } from './Frame.js';
import { type Next, upTo } from './numbers.js';
import type { Side } from './Side.js';

/** Casts at root `i` on both sides, in one of the ways that there are, and compares all hits. */
export function checkPicks(frame: Frame, i: number): void {
  const { plain, fast, next, counters, without } = frame;
  const cast = aim(plain, plain.roots[i], next);
  const way = upTo(next, 8);
  const n = upTo(next, 1000);
  const index = fast.indices[i];
  const whole = hitsOf(cast(plain), plain, i, 0, n).map((hit) => textOf(plain, hit));
  counters.hits += whole.length;
  if (way === 0 && index !== null && !fast.isPartial && !without.has('indexPick')) {
    const first = index.raycastFirst(cast(fast));
    compare('firstPick', whole.slice(0, 1), first === null ? [] : [textOf(fast, first)]);
  } else {
    const [wanted, found] = [plain, fast].map((side) =>
      hitsOf(cast(side), side, i, way, n).map((hit) => textOf(side, hit)),
    );
    compare(way < 5 ? 'pick' : 'pickList', wanted, found);
  }
  if (index === null || fast.isPartial || without.has('indexPick')) return;
  compare(
    'indexPick',
    whole,
    index.raycast(cast(fast)).map((hit) => textOf(fast, hit)),
  );
}

/** Casts in one of the ways that there are. */
function hitsOf(raycaster: Raycaster, side: Side, i: number, way: number, n: number): Intersection[] {
  const root = side.roots[i];
  if (way < 3) return raycaster.intersectObject(root);
  if (way < 5) return raycaster.intersectObjects(root.children);
  if (way === 5) return raycaster.intersectObjects([...root.children]);
  if (way === 6) {
    const some = root.children.filter((_, k) => k % 3 !== n % 3);
    return raycaster.intersectObjects(some, n % 2 === 0);
  }
  const object = side.object(n);
  return object ? raycaster.intersectObject(object, n % 3 > 0) : [];
}

/** A raycaster for each side, aimed at some object from somewhere near. */
function aim(plain: Side, scene: Object3D, next: Next): (side: Side) => Raycaster {
  const targets = plain.objects.filter((object) => plain.isWithin(object, scene));
  const target = new Vector3();
  const object = targets[upTo(next, targets.length)];
  if (object) target.setFromMatrixPosition(object.matrixWorld);
  const spread = (by: number): Vector3 => new Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(by);
  target.add(spread(next() < 0.5 ? 0.3 : 2));
  const origin = target.clone().add(spread(30));
  const direction = next() < 0.2 ? new Vector3(0, 0, -1) : target.sub(origin).normalize();
  const range = next() < 0.3 ? [next() * 6, 8 + next() * 20] : [0, Number.POSITIVE_INFINITY];
  const threshold = next() < 0.5 ? 1 : next() * 2;
  const mask = next() < 0.3 ? 1 + upTo(next, 3) : 1;
  return (side) => {
    const raycaster = new Raycaster(origin.clone(), direction.clone(), range[0], range[1]);
    raycaster.camera = side.camera;
    raycaster.params.Line.threshold = raycaster.params.Points.threshold = threshold;
    raycaster.layers.mask = mask;
    return raycaster;
  };
}

function textOf(side: Side, { object, distance, faceIndex, instanceId, batchId, index, point }: Intersection): string {
  const { x, y, z } = point;
  const { name } = object;
  const known = side.numbers.has(object) ? name : `${name}, which nobody knows,`;
  return `${known} at ${distance} face ${faceIndex} instance ${instanceId ?? batchId} index ${index} point ${x} ${y} ${z}`;
}

function compare(kind: string, wanted: string[], found: string[]): void {
  if (wanted.join('\n') === found.join('\n')) return;
  throw new Difference(kind, `must be\n  ${wanted.join('\n  ')}\nis\n  ${found.join('\n  ')}`);
}
