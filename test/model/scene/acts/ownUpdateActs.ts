import { Object3D } from 'three';
import { nearby } from '../numbers.js';
import type { Any } from '../Side.js';
import { type Act, actsOf } from './Act.js';

type Update = (this: Any, force?: boolean) => void;

/** Gives an object a method of its own in place of the one its kind has, or takes it off again. */
function own(weight: number, make: (v: number[]) => Update): Act {
  return {
    weight,
    values: nearby,
    apply: (side, { a, b, v }) => {
      const object = side.object(a);
      // Who replaces the method of a root has its index no longer updated.
      if (!object || side.isResting(object) || side.roots.includes(object) || side.isPartial) return;
      if (b % 4 === 0) Reflect.deleteProperty(object, 'updateMatrixWorld');
      else object.updateMatrixWorld = make(v);
      side.edited(object);
    },
  };
}

function kindOf(object: Any): Object3D {
  return Object.getPrototypeOf(object);
}

/** Makes its own matrices and leaves those below alone. */
const updateAlone = own(
  0.7,
  ([x = 0]) =>
    function () {
      this.position.y = x;
      if (this.matrixAutoUpdate) this.updateMatrix();
      if (this.parent) this.matrixWorld.multiplyMatrices(this.parent.matrixWorld, this.matrix);
    },
);

/** Moves those below it. */
const updateChildren = own(
  0.7,
  ([x = 0, y = 0]) =>
    function (force) {
      this.children.forEach((child, i) => {
        child.position.set(x + i, y, 0);
      });
      kindOf(this).updateMatrixWorld.call(this, force);
    },
);

/** An `updateMatrixWorld` of the user's. */
export const ownUpdateActs = actsOf({
  updateSuper: own(
    1,
    ([x = 0]) =>
      function (force) {
        this.position.x = x;
        kindOf(this).updateMatrixWorld.call(this, force);
      },
  ),
  updateAlone: {
    ...updateAlone,
    apply: (side, given) => {
      if (side.hasResting || side.isNested) return;
      side.hasLoners = true;
      updateAlone.apply(side, given);
    },
  },
  updateChildren: {
    ...updateChildren,
    apply: (side, given) => {
      // Nobody moves what he has declared to be at rest.
      if (!side.object(given.a)?.children.some((child) => side.isResting(child))) updateChildren.apply(side, given);
    },
  },
  updateUnforced: own(
    0.7,
    () =>
      function () {
        Object3D.prototype.updateMatrixWorld.call(this, false);
      },
  ),
  /** Counts its calls: three makes one for each of the scene. */
  updateCounts: own(
    0.7,
    ([x = 0]) =>
      function (force) {
        this.position.z += x / 16;
        if (Math.abs(this.position.z) > 20) this.position.z = 0;
        kindOf(this).updateMatrixWorld.call(this, force);
      },
  ),
});
