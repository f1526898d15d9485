import type { Camera } from 'three';
import type { IdList } from '../core/ids.js';
import type { DrawSlots } from './DrawSlots.js';

/** How far from the origin a draw may lie: as a multiple of the height of the view at its distance. */
const REACH = 12;
/** In narrow views the same as a multiple of its distance: an origin at the nearest draw is within 2 of all others. */
const LEAST = 4;

/**
 * Finds a better origin for the matrices of a batch. Shaders move vertices in single precision, first to where they lie
 * relative to the origin of the batch and then to the eye, so they stray in proportion to the distance from the origin;
 * how much of a pixel that is depends on the distance from the eye.
 *
 * The best origin is the centre of what is nearest to the eye: with n at the origin any draw i lies within |i - eye| +
 * |n - eye| <= 2 |i - eye| of it.
 *
 * @param ids Slots that the camera sees.
 * @param origin A matrix that translates to the present one.
 * @param out Set to the new origin.
 * @returns false when the present one is good enough, or another would not be much better.
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
  const height = 2 / Math.abs(projection[5]);
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  let worst = 0;
  let stray = 0;
  for (let i = 0; i < length; i++) {
    const c = 3 * ids[i];
    // Plain three strays as much within what is large.
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
  if (nearest < 0 || !(worst > (isParallel ? REACH : Math.max(LEAST, REACH * height)))) return false;
  // Whole numbers, or what single precision can hold: shaders add it to find places in the world.
  let gain = 0;
  for (let axis = 0; axis < 3; axis++) {
    out[axis] = Math.fround(Math.round(centers[nearest + axis]));
    gain = Math.max(gain, Math.abs(out[axis] - origin[12 + axis]));
  }
  return gain > stray / 4;
}

/** From a point to the place that a matrix puts the origin to. */
function distance(points: Float64Array, at: number, matrix: ArrayLike<number>): number {
  const x = points[at] - matrix[12];
  const y = points[at + 1] - matrix[13];
  const z = points[at + 2] - matrix[14];
  return Math.sqrt(x * x + y * y + z * z);
}
