import { Vector3 } from 'three';
import { angles, nearby, one, place, scales } from '../numbers.js';
import type { Any } from '../Side.js';
import { actsOf } from './Act.js';

/** Position, quaternion, scale and pivot. Scenes may be moved as well, rarely. */
export const transformActs = actsOf({
  position: {
    weight: 10,
    values: place,
    apply: (side, { a, v: [x = 0, y = 0, z = 0] }) => {
      const object = side.object(a);
      object?.position.set(x, y, z);
      if (object) side.edited(object);
    },
  },
  nudge: {
    weight: 6,
    values: nearby,
    apply: (side, { a, v: [x = 0, y = 0, z = 0] }) => {
      const object = side.object(a);
      object?.position.add(new Vector3(x / 8, y / 8, z / 8));
      if (object) side.edited(object);
    },
  },
  rotation: {
    weight: 5,
    values: angles,
    apply: (side, { a, v: [x = 0, y = 0, z = 0] }) => {
      const object = side.object(a);
      object?.rotation.set(x, y, z);
      if (object) side.edited(object);
    },
  },
  quaternion: {
    weight: 2,
    values: angles,
    apply: (side, { a, v: [x = 0, y = 0, z = 0] }) => {
      const object = side.object(a);
      object?.quaternion.set(x, y, z, 1).normalize();
      if (object) side.edited(object);
    },
  },
  scale: {
    weight: 4,
    values: scales,
    apply: (side, { a, v: [x = 1, y = 1, z = 1] }) => {
      const object = side.object(a);
      object?.scale.set(x, y, z);
      if (object) side.edited(object);
    },
  },
  /** Without an inverse: three hits such things at places that are no numbers, so that picks are not compared. */
  flatten: {
    weight: 0.3,
    values: one(3),
    apply: (side, { a, v: [axis = 0] }) => {
      const object = side.object(a);
      object?.scale.setComponent(axis, 0);
      if (object) side.edited(object);
    },
  },
  pivot: {
    weight: 2,
    values: nearby,
    apply: (side, { a, b, v: [x = 0, y = 0, z = 0] }) => {
      const object = side.object(a) as (Any & { pivot: Vector3 | null }) | undefined;
      if (!object) return;
      if (b % 4 === 0) object.pivot = null;
      else if (object.pivot && b % 4 === 1) object.pivot.set(x, y, z);
      else object.pivot = new Vector3(x, y, z);
      side.edited(object);
    },
  },
  /** Moved, matrices made, and moved back before anyone looks. */
  thereAndBack: {
    weight: 2,
    values: place,
    apply: (side, { a, b, v: [x = 0, y = 0, z = 0] }) => {
      const object = side.object(a);
      if (!object) return;
      const before = object.position.clone();
      object.position.set(x, y, z);
      if (b % 2) object.updateMatrixWorld();
      else object.updateWorldMatrix(true, false);
      object.position.copy(before);
      side.edited(object);
    },
  },
  moveScene: {
    weight: 0.7,
    values: nearby,
    apply: (side, { a, b, v: [x = 0, y = 0, z = 0] }) => {
      const scene = side.scenes[a % side.scenes.length];
      if (b % 3 === 0) scene.rotation.set(x, y, z);
      else scene.position.set(x, y, z);
      side.edited(scene);
    },
  },
});
