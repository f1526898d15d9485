import { Box3, BoxGeometry, type BufferAttribute, Sphere, Vector3 } from 'three';
import { nearby, one, upTo } from '../numbers.js';
import { actsOf } from './Act.js';

/** Shapes, and what is known of their bounds. */
export const geometryActs = actsOf({
  geometry: {
    weight: 2,
    apply: (side, { a, b }) => {
      const object = side.of(a, (o) => o.isLine || o.isPoints || (o.isMesh && !o.isSkinnedMesh && !o.isBatchedMesh));
      if (!object) return;
      // A SkeletonHelper writes into its geometry, which nobody would share.
      if ('bones' in object) return;
      if (!object.isMesh) object.geometry = side.geometry(b, (o) => (o.isLine || o.isPoints) && !('bones' in o));
      else object.geometry = b % 3 === 0 ? new BoxGeometry(1 + (b % 4), 1, 1) : side.shape(b);
      // Of a mesh that morphs, three takes the influences of the new shape on request.
      if (object.isMesh) (object as unknown as { updateMorphTargets(): void }).updateMorphTargets();
      side.edited(object);
    },
  },
  /** One vertex goes elsewhere. */
  vertex: {
    weight: 3,
    values: nearby,
    apply: (side, { a, b, v: [x = 0, y = 0, z = 0] }) => {
      const geometry = side.geometry(a);
      const position = geometry.attributes.position as BufferAttribute;
      if (position.count === 0) return;
      position.setXYZ(b % position.count, x, y, z);
      position.needsUpdate = true;
      side.editedGeometry(geometry);
    },
  },
  /** All vertices move; three computes those bounds anew that it had. */
  translate: {
    weight: 1,
    values: nearby,
    apply: (side, { a, v: [x = 0, y = 0, z = 0] }) => {
      const geometry = side.geometry(a);
      geometry.translate(x, y, z);
      side.editedGeometry(geometry);
    },
  },
  newPositions: {
    weight: 1,
    values: nearby,
    apply: (side, { a, v: [x = 1, y = 1, z = 1] }) => {
      const geometry = side.geometry(a);
      const position = (geometry.attributes.position as BufferAttribute).clone();
      for (let i = 0; i < position.count; i++) {
        position.setXYZ(i, position.getX(i) + x / 2, position.getY(i) + y / 2, position.getZ(i) + z / 2);
      }
      geometry.setAttribute('position', position);
      side.editedGeometry(geometry);
    },
  },
  computeBounds: {
    weight: 1.5,
    values: one(3),
    apply: (side, { a, v: [which = 0] }) => {
      const geometry = side.geometry(a);
      if (which !== 1) geometry.computeBoundingSphere();
      if (which !== 0) geometry.computeBoundingBox();
    },
  },
  forgetBounds: {
    weight: 1,
    values: one(3),
    apply: (side, { a, v: [which = 0] }) => {
      const geometry = side.geometry(a);
      if (which !== 1) geometry.boundingSphere = null;
      if (which !== 0) geometry.boundingBox = null;
    },
  },
  /** Whoever measures an object has three compute bounds. */
  measure: {
    weight: 1.5,
    apply: (side, { a }) => {
      new Box3().setFromObject(side.node(a));
    },
  },
  /** Larger bounds than the vertices have, for shaders that move them. */
  declare: {
    weight: 0.7,
    values: (next) => [upTo(next, 2), 2 + upTo(next, 6)],
    apply: (side, { a, v: [isBox = 0, reach = 3] }) => {
      const geometry = side.geometry(a);
      const corner = new Vector3(reach, reach, reach);
      const box = new Box3(corner.clone().negate(), corner);
      if (isBox) geometry.boundingBox = box;
      else geometry.boundingSphere = new Sphere(new Vector3(), reach);
      side.declare(geometry, box);
    },
  },
  drawRange: {
    weight: 0.7,
    values: (next) => [3 * upTo(next, 4), next() < 0.4 ? Number.MAX_SAFE_INTEGER : 3 * upTo(next, 8)],
    apply: (side, { a, v: [start = 0, count = 6] }) => {
      const geometry = side.geometry(a);
      geometry.setDrawRange(start, count);
      side.editedGeometry(geometry);
    },
  },
  influence: {
    weight: 0.7,
    values: one(5),
    apply: (side, { a, v: [quarters = 0] }) => {
      const object = side.of(a, (o) => (o as { morphTargetInfluences?: number[] }).morphTargetInfluences?.length);
      const { morphTargetInfluences } = (object ?? {}) as { morphTargetInfluences?: number[] };
      if (morphTargetInfluences) morphTargetInfluences[0] = quarters / 4;
    },
  },
  morphTarget: {
    weight: 0.7,
    values: nearby,
    apply: (side, { a, b, v: [x = 0, y = 0, z = 0] }) => {
      const object = side.of(a, ({ geometry }) => geometry?.morphAttributes.position);
      const [target] = object?.geometry?.morphAttributes.position ?? [];
      if (!target || !object?.geometry) return;
      target.setXYZ(b % target.count, x, y, z);
      (target as BufferAttribute).needsUpdate = true;
      side.editedGeometry(object.geometry);
    },
  },
});
