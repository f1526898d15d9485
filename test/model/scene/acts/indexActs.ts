import { createIndex, maintain } from '../../../../src/index.js';
import { STRUCTURES } from '../../../../src/standalone.js';
import { one, upTo } from '../numbers.js';
import type { Any, Side } from '../Side.js';
import { act, actOf, actsOf } from './Act.js';

/** An object that may be declared to be at rest. */
function restable(side: Side, a: number): Any | null {
  const object = side.object(a);
  if (!object || side.isDriven(object) || side.hasLoners) return null;
  // Nor does one rest that is moved from above; see `updateChildren`.
  const { parent } = object;
  const isDriven = parent !== null && !side.roots.includes(parent) && Object.hasOwn(parent, 'updateMatrixWorld');
  return isDriven ? null : object;
}

/** Forgets what was declared by the index to be at rest within an object. */
function wake(side: Side, object: Any): void {
  for (const other of [...side.resting]) if (side.isWithin(other, object)) side.resting.delete(other);
}

/** What is done to the index: plain three hears nothing of it. */
export const indexActs = actsOf({
  /** Nothing at all, but for the frame that follows. */
  wait: act(1, () => {}),
  rest: actOf(1, one(3), (side, [off = 0], { a }) => {
    const object = restable(side, a);
    if (object === null) return;
    for (const index of side.indices) index?.setStatic(object, off === 0);
    if (off === 0) side.resting.add(object);
    else {
      object.traverse((below) => {
        below.static = false;
      });
      wake(side, object);
    }
  }),
  /** three's own flag, which plain three does not look at, and the index when it is told so. */
  flag: actOf(1, one(3), (side, [off = 0], { a }) => {
    const object = restable(side, a);
    const isStatic = off === 0;
    if (object === null || object.static === isStatic) return;
    object.static = isStatic;
    for (const index of side.indices) index?.touch(object);
    if (!isStatic) wake(side, object);
  }),
  touch: act(0.5, (side, { a }) => {
    for (const index of side.indices) index?.touch(side.node(a));
  }),
  maintain: actOf(1, one(2), ({ indices }, [isBrief = 0]) => {
    for (const index of indices) if (index !== null) maintain(index, isBrief ? 0 : Number.POSITIVE_INFINITY);
  }),
  structure: actOf(
    0.3,
    (next) => [upTo(next, 2), upTo(next, 2)],
    ({ indices }, [isSmall = 0, isPlanar = 0], { a }) => {
      const name = STRUCTURES[a % STRUCTURES.length];
      const isTree = /tree$/i.test(name);
      const options = isTree ? { capacity: isSmall ? 3 : 16, planar: isPlanar === 1 } : {};
      indices[a % indices.length]?.setStructure(createIndex(name, options));
    },
  ),
  /** A scene in a scene that has an index gets one of its own, and a group one that nobody updates but its user. */
  nest: act(1, (side, { a, b }) => {
    const inner = side.of(a, (object) => (b % 3 === 2 ? object.isGroup : object.isScene) && side.isInScene(object));
    // An index knows of no bones beyond its root, and is not updated where something above it does not come by.
    if (side.hasLoners || side.objects.some((o) => o.isSkinnedMesh)) return;
    // Updated by itself, a group has what goes by others catch up, of which the index around it hears later.
    if (inner?.isGroup && side.isEntangled) return;
    if (inner && !side.roots.includes(inner)) side.addRoot(inner);
  }),
  /** Left out of the index, and taken in again; who draws and picks must not notice. */
  leaveOut: actOf(0.3, one(2), (side, [isBack = 0], { a }) => {
    const object = side.object(a);
    // Who asks the index by itself sees to what he left out by himself.
    if (!object || side.setting.mode === 'index' || side.isEntangled) return;
    side.isPartial = true;
    side.indices.forEach((index, i) => {
      if (!side.isWithin(object, side.roots[i])) return;
      if (!isBack) index?.remove(object);
      // What is taken in below something that is not is followed wherever that goes, which three does not do.
      else if (object.parent !== null && index?.has(object.parent)) index.add(object);
    });
  }),
  dispose: act(0.2, (side, { a }) => {
    const i = a % side.roots.length;
    side.end(i);
    side.ended.add(i);
  }),
  begin: act(0.5, (side, { a }) => {
    const i = a % side.roots.length;
    if (!side.ended.delete(i)) return;
    side.begin(i);
    for (const object of side.resting) side.indices.at(i)?.setStatic(object);
  }),
});
