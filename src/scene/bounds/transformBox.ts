import { Box3, type Matrix4 } from 'three';

/**
 * Writes the box around the transformed box, six numbers from `at` on (Arvo, Transforming Axis-Aligned Bounding Boxes, Graphics Gems, 1990).
 *
 * Each sum is evaluated in the order of `Vector3.applyMatrix4` from the smaller, or larger, of the two products of each
 * axis. Rounding is monotone, so the result is bit for bit that of `Box3.applyMatrix4`, eight corners and all.
 */
export function transformBox(box: Box3, matrix: Matrix4, out: Float64Array, at = 0): void {
  const e = matrix.elements;
  const { min, max } = box;
  const isAffine = e[3] === 0 && e[7] === 0 && e[11] === 0 && e[15] === 1;
  const size = max.x - min.x + (max.y - min.y) + (max.z - min.z);
  if (size === Number.POSITIVE_INFINITY || !isAffine) {
    writeBox(
      size === Number.POSITIVE_INFINITY ? carryInfinite(box, matrix) : scratch.copy(box).applyMatrix4(matrix),
      out,
      at,
    );
    return;
  }
  for (let row = 0; row < 3; row++) {
    const ax = e[row] * min.x;
    const bx = e[row] * max.x;
    const ay = e[row + 4] * min.y;
    const by = e[row + 4] * max.y;
    const az = e[row + 8] * min.z;
    const bz = e[row + 8] * max.z;
    // Math.min and Math.max let NaN through.
    out[at + row] = Math.min(ax, bx) + Math.min(ay, by) + Math.min(az, bz) + e[row + 12];
    out[at + row + 3] = Math.max(ax, bx) + Math.max(ay, by) + Math.max(az, bz) + e[row + 12];
  }
}

/** Makes a box of six numbers empty. */
export function makeEmpty(out: Float64Array): void {
  out.fill(Number.POSITIVE_INFINITY, 0, 3).fill(Number.NEGATIVE_INFINITY, 3, 6);
}

/** Widens a box of six numbers; unlike a comparison, Math.min and Math.max let NaN through. */
export function widen(out: Float64Array, by: Float64Array): void {
  for (let c = 0; c < 3; c++) {
    out[c] = Math.min(out[c], by[c]);
    out[c + 3] = Math.max(out[c + 3], by[c + 3]);
  }
}

const scratch = new Box3();

function writeBox({ min, max }: Box3, out: Float64Array, at: number): void {
  min.toArray(out as unknown as number[], at);
  max.toArray(out as unknown as number[], at + 3);
}

/** Transforms a box with infinite sides, where zero times infinity is zero. */
function carryInfinite(box: Box3, matrix: Matrix4): Box3 {
  const e = matrix.elements;
  const times = (a: number, b: number): number => (a === 0 ? 0 : a * b);
  for (let row = 0; row < 3; row++) {
    let low = e[row + 12];
    let high = low;
    for (let c = 0; c < 3; c++) {
      const a = times(e[row + 4 * c], box.min.getComponent(c));
      const b = times(e[row + 4 * c], box.max.getComponent(c));
      low += Math.min(a, b);
      high += Math.max(a, b);
    }
    scratch.min.setComponent(row, low);
    scratch.max.setComponent(row, high);
  }
  return scratch;
}
