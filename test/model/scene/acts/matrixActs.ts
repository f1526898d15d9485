import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import { one, place } from '../numbers.js';
import { actsOf } from './Act.js';

function matrixOf([x = 0, y = 0, z = 0]: number[], kind: number): Matrix4 {
  if (kind % 3 === 0) return new Matrix4().makeTranslation(x, y, z);
  const turn = new Quaternion().setFromEuler(new Euler(x / 5, y / 5, z / 5));
  return new Matrix4().compose(new Vector3(x, y, z), turn, new Vector3(1, kind % 3, 1));
}

/** Matrices and their flags, by hand. */
export const matrixActs = actsOf({
  /** Written while three makes it anew: nothing should come of it. */
  matrix: {
    weight: 1,
    values: place,
    apply: (side, { a, b, v }) => {
      const object = side.object(a);
      object?.matrix.copy(matrixOf(v, b));
      if (object) side.edited(object);
    },
  },
  handMatrix: {
    weight: 4,
    values: place,
    apply: (side, { a, b, v }) => {
      const object = side.object(a);
      if (!object) return;
      object.matrixAutoUpdate = false;
      object.matrix.copy(matrixOf(v, b));
      if (b % 2) object.matrixWorldNeedsUpdate = true;
      side.edited(object);
    },
  },
  /** Goes on with whatever matrix the object has, or back to the one that three makes. */
  autoMatrix: {
    weight: 2,
    values: one(2),
    apply: (side, { a, v: [on = 0] }) => {
      const object = side.object(a);
      // While its matrix is another's, three would write into that: nobody does so on purpose.
      if (!object || (on === 1 && side.isShared(object))) return;
      object.matrixAutoUpdate = on === 1;
      side.edited(object);
    },
  },
  autoWorld: {
    weight: 2,
    values: one(3),
    apply: (side, { a, v: [on = 1] }) => {
      const object = side.object(a);
      if (!object) return;
      object.matrixWorldAutoUpdate = on > 0;
      side.edited(object);
    },
  },
  world: {
    weight: 3,
    values: place,
    apply: (side, { a, b, v }) => {
      const object = side.object(a);
      object?.matrixWorld.copy(matrixOf(v, b));
      if (object) side.edited(object);
    },
  },
  handWorld: {
    weight: 2,
    values: place,
    apply: (side, { a, b, v }) => {
      const object = side.object(a);
      if (!object) return;
      object.matrixWorldAutoUpdate = false;
      object.matrixWorld.copy(matrixOf(v, b));
      side.edited(object);
    },
  },
  needsUpdate: {
    weight: 1.5,
    values: one(2),
    apply: (side, { a, v: [on = 1] }) => {
      const object = side.object(a);
      if (!object) return;
      object.matrixWorldNeedsUpdate = on === 1;
      side.edited(object);
    },
  },
  /** As helpers of three do. Never of an object above or below, whose matrices would grow without end. */
  shareWorld: {
    weight: 3,
    apply: (side, { a, b }) => {
      const object = side.object(a);
      const other = side.object(b);
      if (!object || !other || side.isWithin(object, other) || side.isWithin(other, object)) return;
      // What is written into the matrix would go to the other's.
      if (side.isResting(object) || side.isResting(other) || side.isPartial) return;
      object.matrixAutoUpdate = false;
      object.matrix = other.matrixWorld;
      side.edited(object);
    },
  },
  shareLocal: {
    weight: 1,
    apply: (side, { a, b }) => {
      const object = side.object(a);
      const other = side.object(b);
      if (!object || !other || side.isResting(object) || side.isResting(other) || side.isPartial) return;
      object.matrixAutoUpdate = false;
      object.matrix = other.matrix;
      side.edited(object);
    },
  },
  unshare: {
    weight: 1.5,
    apply: (side, { a }) => {
      const object = side.object(a);
      if (!object) return;
      object.matrix = new Matrix4();
      object.matrixAutoUpdate = true;
      side.edited(object);
    },
  },
  updateMatrix: {
    weight: 1,
    apply: (side, { a }) => {
      const object = side.object(a);
      if (!object || side.isShared(object)) return;
      object.updateMatrix();
      side.edited(object);
    },
  },
  updateMatrixWorld: {
    weight: 1.5,
    values: one(2),
    apply: (side, { a, v: [force = 0] }) => {
      side.object(a)?.updateMatrixWorld(force === 1);
    },
  },
  updateWorldMatrix: {
    weight: 1.5,
    values: one(4),
    apply: (side, { a, v: [which = 1] }) => {
      side.object(a)?.updateWorldMatrix((which & 1) !== 0, (which & 2) !== 0);
    },
  },
  sceneAutoMatrix: {
    weight: 0.4,
    values: one(2),
    apply: (side, { a, v: [on = 0] }) => {
      side.scenes[a % side.scenes.length].matrixAutoUpdate = on === 1;
    },
  },
  sceneAutoWorld: {
    weight: 0.4,
    values: one(2),
    apply: (side, { a, v: [on = 0] }) => {
      side.scenes[a % side.scenes.length].matrixWorldAutoUpdate = on === 1;
    },
  },
  sceneWorld: {
    weight: 0.3,
    values: place,
    apply: (side, { a, b, v }) => {
      side.scenes[a % side.scenes.length].matrixWorld.copy(matrixOf(v, b));
    },
  },
});
