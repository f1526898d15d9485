import * as THREE from 'three';
import { type Next, nearby, one, upTo } from '../numbers.js';
import type { Any } from '../Side.js';
import { type Act, act, actOf, actsOf, editOf, type Given } from './Act.js';

const isHelper = (object: Any): boolean => /Helper/.test(object.constructor.name);

/** Shapes, and what is known of their bounds. */
export const geometryActs = actsOf({
  geometry: editOf(
    (o) => o.isLine || o.isPoints || (o.isMesh && !o.isSkinnedMesh && !o.isBatchedMesh),
    2,
    undefined,
    (object, _v, side, { b }) => {
      // Helpers write into their geometries, which nobody would share.
      if (isHelper(object)) return false;
      if (!object.isMesh) object.geometry = side.geometry(b, (o) => (o.isLine || o.isPoints) && !isHelper(o));
      else object.geometry = b % 3 === 0 ? new THREE.BoxGeometry(1 + (b % 4), 1, 1) : side.shape(b);
      // Of a mesh that morphs, three takes the influences of the new shape on request.
      if (object.isMesh) (object as unknown as THREE.Mesh).updateMorphTargets();
      return true;
    },
  ),
  /** One vertex goes elsewhere. */
  vertex: shape(3, nearby, ({ attributes }, [x = 0, y = 0, z = 0], { b }) => {
    const position = attributes.position as THREE.BufferAttribute;
    if (position.count === 0) return false;
    return Object.assign(position.setXYZ(b % position.count, x, y, z), { needsUpdate: true });
  }),
  /** All vertices move; three computes those bounds anew that it had. */
  translate: shape(1, nearby, (geometry, [x = 0, y = 0, z = 0]) => geometry.translate(x, y, z)),
  newPositions: shape(1, nearby, (geometry, [x = 1, y = 1, z = 1]) => {
    const position = (geometry.attributes.position as THREE.BufferAttribute).clone();
    geometry.setAttribute('position', position.applyMatrix4(new THREE.Matrix4().makeTranslation(x / 2, y / 2, z / 2)));
  }),
  computeBounds: actOf(1.5, one(3), (side, [which = 0], { a }) => {
    const geometry = side.geometry(a);
    if (which !== 1) geometry.computeBoundingSphere();
    if (which !== 0) geometry.computeBoundingBox();
  }),
  forgetBounds: actOf(1, one(3), (side, [which = 0], { a }) => {
    const geometry = side.geometry(a);
    if (which !== 1) geometry.boundingSphere = null;
    if (which !== 0) geometry.boundingBox = null;
  }),
  /** Whoever measures an object has three compute bounds. */
  measure: act(1.5, (side, { a }) => new THREE.Box3().setFromObject(side.node(a))),
  /** Larger bounds than the vertices have, for shaders that move them. */
  declare: actOf(
    0.7,
    (next) => [upTo(next, 2), 2 + upTo(next, 6)],
    (side, [isBox = 0, reach = 3], { a }) => {
      const geometry = side.geometry(a);
      const corner = new THREE.Vector3(reach, reach, reach);
      const box = new THREE.Box3(corner.clone().negate(), corner);
      if (isBox) geometry.boundingBox = box;
      else geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), reach);
      side.declare(geometry, box);
    },
  ),
  drawRange: shape(
    0.7,
    (next) => [3 * upTo(next, 4), next() < 0.4 ? Number.MAX_SAFE_INTEGER : 3 * upTo(next, 8)],
    (geometry, [start = 0, count = 6]) => geometry.setDrawRange(start, count),
  ),
  influence: actOf(0.7, one(5), (side, [quarters = 0], { a }) => {
    const influences = (object: Any) => (object as unknown as Partial<THREE.Mesh>).morphTargetInfluences;
    const object = side.of(a, (o) => influences(o)?.length);
    if (object) Object.assign(influences(object) as number[], [quarters / 4]);
  }),
  morphTarget: actOf(0.7, nearby, (side, [x = 0, y = 0, z = 0], { a, b }) => {
    const { geometry } = side.of(a, (o) => o.geometry?.morphAttributes.position) ?? {};
    const target = geometry?.morphAttributes.position?.[0] as THREE.BufferAttribute | undefined;
    if (!target || !geometry) return;
    Object.assign(target.setXYZ(b % target.count, x, y, z), { needsUpdate: true });
    side.editedGeometry(geometry);
  }),
});

/** An edit of a geometry, of which the index is told where it has to be. */
function shape(
  weight: number,
  values: (next: Next) => number[],
  change: (geometry: THREE.BufferGeometry, v: number[], given: Given) => unknown,
): Act {
  return actOf(weight, values, (side, v, given) => {
    const geometry = side.geometry(given.a);
    if (change(geometry, v, given) !== false) side.editedGeometry(geometry);
  });
}
