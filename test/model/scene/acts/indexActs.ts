import { createIndex, maintainScene, STRUCTURES } from '../../../../src/index.js';
import { one, upTo } from '../numbers.js';
import { actsOf } from './Act.js';

/** What is done to the index: plain three hears nothing of it. */
export const indexActs = actsOf({
  /** Nothing at all, but for the frame that follows. */
  wait: {
    weight: 1,
    apply: () => {},
  },
  rest: {
    weight: 1,
    values: one(3),
    apply: (side, { a, v: [off = 0] }) => {
      const object = side.object(a);
      if (!object || side.isDriven(object) || side.hasLoners) return;
      // Nor does one rest that is moved from above; see `updateChildren`.
      const { parent } = object;
      if (parent !== null && !side.roots.includes(parent) && Object.hasOwn(parent, 'updateMatrixWorld')) return;
      for (const index of side.indices) index?.setStatic(object, off === 0);
      if (off === 0) side.resting.add(object);
      else for (const other of [...side.resting]) if (side.isWithin(other, object)) side.resting.delete(other);
    },
  },
  touch: {
    weight: 0.5,
    apply: (side, { a }) => {
      for (const index of side.indices) index?.touch(side.node(a));
    },
  },
  maintain: {
    weight: 1,
    values: one(2),
    apply: (side, { v: [isBrief = 0] }) => {
      for (const index of side.indices)
        if (index !== null) maintainScene(index, isBrief ? 0 : Number.POSITIVE_INFINITY);
    },
  },
  structure: {
    weight: 0.3,
    values: (next) => [upTo(next, 2), upTo(next, 2)],
    apply: (side, { a, v: [isSmall = 0, isPlanar = 0] }) => {
      const name = STRUCTURES[a % STRUCTURES.length];
      const isTree = name === 'octree' || name === 'looseOctree';
      const options = isTree ? { capacity: isSmall ? 3 : 16, planar: isPlanar === 1 } : {};
      side.indices[a % side.indices.length]?.setIndex(createIndex(name, options));
    },
  },
  /** A scene in a scene that has an index gets one of its own. */
  nest: {
    weight: 1,
    apply: (side, { a }) => {
      const inner = side.of(a, (object) => object.isScene && side.isInScene(object));
      // An index knows of no bones beyond its root, and is not updated where something above it does not come by.
      if (side.hasLoners || side.objects.some((o) => o.isSkinnedMesh)) return;
      if (inner && side.setting.mode === 'accelerate' && !side.roots.includes(inner)) side.addRoot(inner);
    },
  },
  /** Left out of the index, and taken in again; who draws and picks must not notice. */
  leaveOut: {
    weight: 0.3,
    values: one(2),
    apply: (side, { a, v: [isBack = 0] }) => {
      const object = side.object(a);
      // Who asks the index by itself sees to what he left out by himself.
      if (!object || side.setting.mode === 'index') return;
      if (side.isEntangled) return;
      side.isPartial = true;
      side.indices.forEach((index, i) => {
        if (!side.isWithin(object, side.roots[i])) return;
        if (!isBack) index?.remove(object);
        // What is taken in below something that is not is followed wherever that goes, which three does not do.
        else if (object.parent !== null && index?.has(object.parent)) index.add(object);
      });
    },
  },
  dispose: {
    weight: 0.2,
    apply: (side, { a }) => {
      const i = a % side.roots.length;
      side.end(i);
      side.ended.add(i);
    },
  },
  begin: {
    weight: 0.5,
    apply: (side, { a }) => {
      const i = a % side.roots.length;
      if (!side.ended.delete(i)) return;
      side.begin(i);
      const index = side.indices.at(i);
      for (const object of side.resting) index?.setStatic(object);
    },
  },
});
