import type { Object3D } from 'three';
import type { Flags } from './ObjectRecord.js';

/**
 * Columns nearer to one plane than this share of their lengths have an inverse in which rounding has a say: an error of
 * 2⁻⁵³ grows by the reciprocal, and must stay below the margin that picks give to boxes.
 */
const LEAST_VOLUME = 1e-5;
/** Columns of squared lengths beyond these may overflow, or vanish, where they are multiplied. */
const SHORTEST = 1e-60;
const LONGEST = 1e60;
/** A line, or points, whose longest column is longer than so many shortest: squares of distances cancel out. */
const LONG_TO_SHORT = 16;

/**
 * True for an object whose world matrix carries rays to it and hits back, so that what a ray hits lies in its bounds. Of a
 * matrix that is projective, or has no inverse or hardly one, three makes hits that mean something to itself alone.
 */
export function isFaithful(object: Object3D & Flags): boolean {
  const { elements: e } = object.matrixWorld;
  // What is NaN is in no result, for other reasons.
  if (e[3] !== 0 || e[7] !== 0 || e[11] !== 0 || e[15] !== 1) return Number.isNaN(e[3] + e[7] + e[11] + e[15]);
  // Rays are not carried to sprites.
  if (object.isSprite) return true;
  const [ax, ay, az, , bx, by, bz, , cx, cy, cz] = e;
  const a = ax * ax + ay * ay + az * az;
  const b = bx * bx + by * by + bz * bz;
  const c = cx * cx + cy * cy + cz * cz;
  const shortest = Math.min(a, b, c);
  const longest = Math.max(a, b, c);
  const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  if (shortest < SHORTEST || longest > LONGEST || volume * volume < LEAST_VOLUME * LEAST_VOLUME * a * b * c)
    return false;
  return !(object.isLine || object.isPoints) || !(longest > LONG_TO_SHORT * LONG_TO_SHORT * shortest);
}
