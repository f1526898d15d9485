import type { Camera } from 'three';
import type { IdList } from '../core/ids.js';
import { farthestFromOrigin, viewHeight } from '../passes/batchOrigin.js';
import type { DrawSlots } from './DrawSlots.js';

/**
 * Finds a better origin for the matrices of a batch. Shaders move vertices in single precision, first relative to the
 * origin of the batch, then to the eye. So their error grows with the distance from the origin, and its size in pixels
 * shrinks with the distance from the eye.
 *
 * The best origin is the centre n of the draw nearest to the eye: any draw i is within |i - eye| + |n - eye| <= 2 |i -
 * eye| of it.
 *
 * @param ids Slots that the camera sees.
 * @param origin The matrix of the present origin.
 * @param out Set to the new origin.
 * @returns false when the present origin is good enough, or the best is not much better.
 */
export function findOrigin(
  { ids, length }: IdList,
  { centers, radii }: DrawSlots,
  origin: ArrayLike<number>,
  camera: Camera,
  out: Float64Array,
): boolean {
  const eye = camera.matrixWorld.elements;
  const projection = camera.projectionMatrix.elements;
  const isParallel = projection[15] === 1;
  const height = viewHeight(projection);
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  let worst = 0;
  let stray = 0;
  for (let i = 0; i < length; i++) {
    const c = 3 * ids[i];
    // Within large objects plain three is as inexact.
    const size = radii[ids[i]] + distance(centers, c, eye);
    if (size < least) {
      least = size;
      nearest = c;
    }
    const offset = distance(centers, c, origin);
    const ratio = offset / (isParallel ? radii[ids[i]] + height : size);
    if (ratio > worst) {
      worst = ratio;
      stray = offset;
    }
  }
  if (nearest < 0 || !(worst > farthestFromOrigin(projection))) return false;
  // Exact in single precision: shaders add it to find places in the world.
  let gain = 0;
  for (let axis = 0; axis < 3; axis++) {
    out[axis] = Math.fround(Math.round(centers[nearest + axis]));
    gain = Math.max(gain, Math.abs(out[axis] - origin[12 + axis]));
  }
  return gain > stray / 4;
}

/** Between a point and the translation of a matrix. */
function distance(points: Float64Array, at: number, matrix: ArrayLike<number>): number {
  const x = points[at] - matrix[12];
  const y = points[at + 1] - matrix[13];
  const z = points[at + 2] - matrix[14];
  return Math.sqrt(x * x + y * y + z * z);
}
