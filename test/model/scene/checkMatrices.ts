import type { Matrix4, Object3D } from 'three';
import { Difference, type Frame } from './Frame.js';

/** Fails unless all matrices are those of plain three, to the bit. Returns the largest number in them. */
export function checkMatrices({ plain, fast }: Frame): number {
  let largest = 0;
  const compare = (object: Object3D, other: Object3D): void => {
    largest = Math.max(largest, sameMatrix(object, 'matrixWorld', object.matrixWorld, other.matrixWorld));
    sameMatrix(object, 'matrix', object.matrix, other.matrix);
  };
  plain.scenes.forEach((scene, i) => {
    compare(scene, fast.scenes[i]);
  });
  plain.objects.forEach((object, i) => {
    compare(object, fast.objects[i]);
  });
  compare(plain.camera, fast.camera);
  sameMatrix(plain.camera, 'inverse', plain.camera.matrixWorldInverse, fast.camera.matrixWorldInverse);
  return largest;
}

function sameMatrix(object: Object3D, kind: string, { elements: a }: Matrix4, { elements: b }: Matrix4): number {
  let largest = 0;
  for (let i = 0; i < 16; i++) {
    if (a[i] !== b[i] && !(Number.isNaN(a[i]) && Number.isNaN(b[i]))) {
      throw new Difference(kind, `of ${object.name} must be [${a.join(' ')}], is [${b.join(' ')}]`);
    }
    // Written so that NaN counts as large.
    if (!(Math.abs(a[i]) <= largest)) largest = Number.isNaN(a[i]) ? Number.POSITIVE_INFINITY : Math.abs(a[i]);
  }
  return largest;
}
