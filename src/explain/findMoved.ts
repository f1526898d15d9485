import { Matrix4, Object3D } from 'three';
import { updateOf } from '../scene/follow/Motion.js';
import type { Flags } from '../scene/objects/ObjectRecord.js';

/**
 * The topmost of an object and all above it whose world matrix is not what its position, rotation, scale and parent
 * make now; null when all are. Nothing is changed. Below an object with an `updateMatrixWorld` of its own this cannot
 * be known: null.
 */
export function findMoved(object: Object3D): Object3D | null {
  const path: Object3D[] = [];
  for (let o: Object3D | null = object; o !== null; o = o.parent) path.push(o);
  for (let o = path.pop(); o !== undefined; o = path.pop()) {
    if (isUnpredictable(o)) return null;
    // The matrices above have been found to be right.
    if (o.matrixWorldAutoUpdate && !isSame(worldMatrixOf(o), o.matrixWorld)) return o;
  }
  return null;
}

const probe = new Object3D();
const world = new Matrix4();

function worldMatrixOf(object: Object3D): Matrix4 {
  let { matrix } = object;
  if (object.matrixAutoUpdate) {
    probe.position.copy(object.position);
    probe.quaternion.copy(object.quaternion);
    probe.scale.copy(object.scale);
    probe.pivot = object.pivot ?? null;
    probe.updateMatrix();
    matrix = probe.matrix;
  }
  return object.parent === null ? world.copy(matrix) : world.multiplyMatrices(object.parent.matrixWorld, matrix);
}

function isSame({ elements: a }: Matrix4, { elements: b }: Matrix4): boolean {
  // To the last bit, as three computes them in the same way. `Object.is` for NaN, `===` for zeros of both signs.
  return a.every((value, i) => value === b[i] || Object.is(value, b[i]));
}

/** Of those with a method of their own, skinned meshes and cameras get the world matrix that others get. */
function isUnpredictable(object: Object3D & Flags & { isCamera?: boolean }): boolean {
  const isOwn = updateOf(object) !== Object3D.prototype.updateMatrixWorld;
  return isOwn && !object.isSkinnedMesh && !object.isCamera;
}
