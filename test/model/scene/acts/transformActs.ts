import { Vector3 } from 'three';
import { angles, nearby, one, place, scales } from '../numbers.js';
import { actOf, actsOf, edit } from './Act.js';

/** Position, quaternion, scale and pivot. Scenes may be moved as well, rarely. */
export const transformActs = actsOf({
  position: edit(10, place, ({ position }, [x = 0, y = 0, z = 0]) => position.set(x, y, z)),
  nudge: edit(6, nearby, ({ position }, [x = 0, y = 0, z = 0]) => position.add(new Vector3(x / 8, y / 8, z / 8))),
  rotation: edit(5, angles, ({ rotation }, [x = 0, y = 0, z = 0]) => rotation.set(x, y, z)),
  quaternion: edit(2, angles, (o, [x = 0, y = 0, z = 0]) => o.quaternion.set(x, y, z, 1).normalize()),
  scale: edit(4, scales, ({ scale }, [x = 1, y = 1, z = 1]) => scale.set(x, y, z)),
  /** Without an inverse: three hits such things at places that are no numbers, so that picks are not compared. */
  flatten: edit(0.3, one(3), ({ scale }, [axis = 0]) => scale.setComponent(axis, 0)),
  pivot: edit(2, nearby, (object, [x = 0, y = 0, z = 0], _side, { b }) => {
    if (b % 4 === 0) object.pivot = null;
    else if (object.pivot && b % 4 === 1) object.pivot.set(x, y, z);
    else object.pivot = new Vector3(x, y, z);
  }),
  /** Moved, matrices made, and moved back before anyone looks. */
  thereAndBack: edit(2, place, (object, [x = 0, y = 0, z = 0], side, { b }) => {
    const before = object.position.clone();
    object.position.set(x, y, z);
    if (b % 2) object.updateMatrixWorld();
    else object.updateWorldMatrix(true, false);
    object.position.copy(before);
    // What is at rest below has other matrices now.
    object.traverse((below) => side.edited(below));
  }),
  moveScene: actOf(0.7, nearby, (side, [x = 0, y = 0, z = 0], { a, b }) => {
    const scene = side.scenes[a % side.scenes.length];
    if (b % 3 === 0) scene.rotation.set(x, y, z);
    else scene.position.set(x, y, z);
    side.edited(scene);
  }),
});
