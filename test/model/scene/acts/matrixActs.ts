import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import { one, place } from '../numbers.js';
import type { Any } from '../Side.js';
import { actOf, actsOf, edit } from './Act.js';

function matrixOf([x = 0, y = 0, z = 0]: number[], kind: number): Matrix4 {
  if (kind % 3 === 0) return new Matrix4().makeTranslation(x, y, z);
  const turn = new Quaternion().setFromEuler(new Euler(x / 5, y / 5, z / 5));
  return new Matrix4().compose(new Vector3(x, y, z), turn, new Vector3(1, kind % 3, 1));
}

/** Matrices and their flags, by hand. */
export const matrixActs = actsOf({
  /** Written while three makes it anew: nothing should come of it. */
  matrix: edit(1, place, ({ matrix }, v, _side, { b }) => matrix.copy(matrixOf(v, b))),
  handMatrix: edit(4, place, (object, v, _side, { b }) => {
    object.matrixAutoUpdate = false;
    object.matrix.copy(matrixOf(v, b));
    if (b % 2) object.matrixWorldNeedsUpdate = true;
  }),
  /** Goes on with whatever matrix the object has, or back to the one that three makes. */
  autoMatrix: edit(2, one(2), (object, [on = 0], side) => {
    // While its matrix is another's, three would write into that: nobody does so on purpose.
    if (on === 1 && side.isShared(object)) return false;
    return Object.assign(object, { matrixAutoUpdate: on === 1 });
  }),
  autoWorld: edit(2, one(3), (object, [on = 1]) => Object.assign(object, { matrixWorldAutoUpdate: on > 0 })),
  world: edit(3, place, ({ matrixWorld }, v, _side, { b }) => matrixWorld.copy(matrixOf(v, b))),
  handWorld: edit(2, place, (object, v, _side, { b }) => {
    object.matrixWorldAutoUpdate = false;
    object.matrixWorld.copy(matrixOf(v, b));
  }),
  needsUpdate: edit(1.5, one(2), (object, [on = 1]) => Object.assign(object, { matrixWorldNeedsUpdate: on === 1 })),
  /** As helpers of three do. Never of an object above or below, whose matrices would grow without end. */
  shareWorld: edit(3, undefined, (object, _v, side, { b }) => {
    const other = side.object(b) as Any;
    if (side.isWithin(object, other) || side.isWithin(other, object)) return false;
    // What is written into the matrix would go to the other's.
    if (side.isResting(object) || side.isResting(other) || side.isPartial) return false;
    return Object.assign(object, { matrixAutoUpdate: false, matrix: other.matrixWorld });
  }),
  shareLocal: edit(1, undefined, (object, _v, side, { b }) => {
    const other = side.object(b) as Any;
    if (side.isResting(object) || side.isResting(other) || side.isPartial) return false;
    return Object.assign(object, { matrixAutoUpdate: false, matrix: other.matrix });
  }),
  unshare: edit(1.5, undefined, (object) => Object.assign(object, { matrix: new Matrix4(), matrixAutoUpdate: true })),
  updateMatrix: edit(1, undefined, (object, _v, side) => !side.isShared(object) && object.updateMatrix()),
  updateMatrixWorld: actOf(1.5, one(2), (side, [force = 0], { a }) => side.object(a)?.updateMatrixWorld(force === 1)),
  updateWorldMatrix: actOf(1.5, one(4), (side, [which = 1], { a }) =>
    side.object(a)?.updateWorldMatrix((which & 1) !== 0, (which & 2) !== 0),
  ),
  sceneAutoMatrix: actOf(0.4, one(2), ({ scenes }, [on = 0], { a }) =>
    Object.assign(scenes[a % scenes.length], { matrixAutoUpdate: on === 1 }),
  ),
  sceneAutoWorld: actOf(0.4, one(2), ({ scenes }, [on = 0], { a }) =>
    Object.assign(scenes[a % scenes.length], { matrixWorldAutoUpdate: on === 1 }),
  ),
  sceneWorld: actOf(0.3, place, ({ scenes }, v, { a, b }) =>
    scenes[a % scenes.length].matrixWorld.copy(matrixOf(v, b)),
  ),
});
