import type { Matrix4, Object3D } from 'three';
import type { Flags } from '../../three/kinds.js';

/**
 * Least volume that a matrix's columns span, as a share of the product of their lengths. Below it the inverse is too
 * inexact: an error of 2⁻⁵³ grows by the reciprocal, and must stay below the margin by which picks widen boxes.
 */
const LEAST_VOLUME = 1e-5;
/** Limits of the squared lengths of columns, beyond which products of columns may overflow or vanish. */
const SHORTEST_AXIS = 1e-60;
const LONGEST_AXIS = 1e60;
/** Largest ratio of the longest column to the shortest for lines and points: beyond it squares of distances cancel. */
const LONG_TO_SHORT = 16;
/** Largest rounding error of a zero in matrices made of rotations and positions. */
const ANGLE_ROUNDING = 1e-10;

/**
 * True for a world matrix that carries rays into the object's space and hits back, so that hits lie in the object's
 * bounds. With a matrix that is projective, or almost without inverse, three finds hits anywhere.
 */
export function isFaithful(object: Object3D & Flags): boolean {
  const { matrixWorld } = object;
  // Sprites are hit in world space.
  if (object.isSprite) return !isProjective(matrixWorld) || hasNaN(matrixWorld);
  return isFaithfulMatrix(matrixWorld, Boolean(object.isLine || object.isPoints));
}

/** @param isThin Whether the object is a line or points. */
export function isFaithfulMatrix(matrix: Matrix4, isThin = false): boolean {
  // A matrix with NaN gives no bounds, so the object is in no result anyway.
  if (isProjective(matrix)) return hasNaN(matrix);
  const { elements: e } = matrix;
  const a = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
  const b = e[4] * e[4] + e[5] * e[5] + e[6] * e[6];
  const c = e[8] * e[8] + e[9] * e[9] + e[10] * e[10];
  const shortest = Math.min(a, b, c);
  const longest = Math.max(a, b, c);
  const volume =
    e[0] * (e[5] * e[10] - e[6] * e[9]) + e[1] * (e[6] * e[8] - e[4] * e[10]) + e[2] * (e[4] * e[9] - e[5] * e[8]);
  if (shortest < SHORTEST_AXIS || longest > LONGEST_AXIS) return false;
  if (volume * volume < LEAST_VOLUME * LEAST_VOLUME * a * b * c) return false;
  return !isThin || !(longest > LONG_TO_SHORT * LONG_TO_SHORT * shortest);
}

/** Upper bound of the factor by which a matrix stretches distances; NaN for a projective matrix. */
export function largestStretch(matrix: Matrix4): number {
  return isProjective(matrix) ? Number.NaN : stretchOf(matrix);
}

/**
 * Upper bound of the factor by which the first three rows of a matrix stretch distances. It is exact for columns at
 * right angles, else larger, as no eigenvalue of the products of columns exceeds the sum of a row (Gershgorin, 1931).
 */
export function stretchOf({ elements: e }: Matrix4): number {
  const ab = Math.abs(e[0] * e[4] + e[1] * e[5] + e[2] * e[6]);
  const ac = Math.abs(e[0] * e[8] + e[1] * e[9] + e[2] * e[10]);
  const bc = Math.abs(e[4] * e[8] + e[5] * e[9] + e[6] * e[10]);
  const a = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + ab + ac;
  const b = e[4] * e[4] + e[5] * e[5] + e[6] * e[6] + ab + bc;
  const c = e[8] * e[8] + e[9] * e[9] + e[10] * e[10] + ac + bc;
  return Math.sqrt(Math.max(a, b, c));
}

/** True for a matrix with a fourth row other than 0 0 0 1: it divides points by their w. */
export function isProjective({ elements: e }: Matrix4): boolean {
  return e[3] !== 0 || e[7] !== 0 || e[11] !== 0 || e[15] !== 1;
}

/** True for a matrix that only rotates and moves: it does not scale, shear or mirror. */
export function isRigid({ elements: e }: Matrix4): boolean {
  const [ax, ay, az, , bx, by, bz] = e;
  return (
    isZero(ax * ax + ay * ay + az * az - 1) &&
    isZero(bx * bx + by * by + bz * bz - 1) &&
    isZero(ax * bx + ay * by + az * bz) &&
    isZero(ay * bz - az * by - e[8]) &&
    isZero(az * bx - ax * bz - e[9]) &&
    isZero(ax * by - ay * bx - e[10])
  );
}

function isZero(value: number): boolean {
  return Math.abs(value) <= ANGLE_ROUNDING;
}

function hasNaN({ elements: e }: Matrix4): boolean {
  return Number.isNaN(e[3] + e[7] + e[11] + e[15]);
}
