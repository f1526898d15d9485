import type { Matrix4 } from 'three';

/** What rounding may leave of zero, in matrices made of rotations and positions. */
const ROUNDING = 1e-10;

/** True for a matrix that only turns and moves: it does not scale, shear or mirror. */
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
  return Math.abs(value) <= ROUNDING;
}
