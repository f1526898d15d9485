import { Box3, type Matrix4 } from 'three';

/** Writes the box around a transformed box, as `Box3.applyMatrix4` makes it, but zero times infinity counts as zero. */
export function transformBox(box: Box3, matrix: Matrix4, out: Float64Array, at = 0): void {
  writeBox(box, sides, 0);
  if (transformSides(sides, matrix, out, at)) return;
  const { min, max } = box;
  const isInfinite = max.x - min.x + (max.y - min.y) + (max.z - min.z) === Number.POSITIVE_INFINITY;
  writeBox(isInfinite ? carryInfinite(box, matrix) : scratch.copy(box).applyMatrix4(matrix), out, at);
}

/**
 * Writes the box around a transformed box (Arvo, Transforming Axis-Aligned Bounding Boxes, Graphics Gems, 1990).
 * Returns false, whatever it wrote, if the matrix is projective, the box empty, or a number of the result NaN.
 *
 * Each sum is evaluated in the order of `Vector3.applyMatrix4` from the smaller, or larger, of the two products of each
 * axis. Rounding is monotone, so the result is that of all eight corners. Sides are picked by arithmetic instead of
 * branches, as a processor cannot guess signs.
 */
export function transformSides(b: Float64Array, { elements: e }: Matrix4, out: Float64Array, at: number): boolean {
  if (e[3] !== 0 || e[7] !== 0 || e[11] !== 0 || e[15] !== 1) return false;
  for (let row = 0; row < 3; row++) {
    const x = e[row];
    const y = e[row + 4];
    const z = e[row + 8];
    const w = e[row + 12];
    const i = 3 * Number(x < 0);
    const j = 3 * Number(y < 0);
    const k = 3 * Number(z < 0);
    out[at + row] = x * b[i] + y * b[j + 1] + z * b[k + 2] + w;
    out[at + row + 3] = x * b[3 - i] + y * b[4 - j] + z * b[5 - k] + w;
  }
  // False for NaN, such as zero times infinity.
  return out[at] <= out[at + 3] && out[at + 1] <= out[at + 4] && out[at + 2] <= out[at + 5];
}

/** Widens a box of six numbers. Math.min and Math.max pass NaN on, which a comparison would drop. */
export function widen(out: Float64Array, by: Float64Array): void {
  for (let c = 0; c < 3; c++) {
    out[c] = Math.min(out[c], by[c]);
    out[c + 3] = Math.max(out[c + 3], by[c + 3]);
  }
}

const scratch = new Box3();
const sides = new Float64Array(6);

export function writeBox({ min, max }: Box3, out: Float64Array, at: number): void {
  min.toArray(out as unknown as number[], at);
  max.toArray(out as unknown as number[], at + 3);
}

/** Transforms a box with infinite sides: zero times infinity counts as zero. */
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
