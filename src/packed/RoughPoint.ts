import type { PointDistance } from '../core/shapes/PointDistance.js';
import type { Frame } from './Frame.js';
import type { RoughDistance } from './RoughRay.js';
import { TINY } from './RoughVolume.js';

const { fround } = Math;

/**
 * A point from which distances are measured, as it is compared with boxes in rows: squares of distances that no item in
 * a box falls below, and the largest that counts. Whatever is not a number is near enough.
 */
export class RoughPoint implements RoughDistance {
  /** What the minima of boxes are measured from, what the maxima are measured from, and the largest square. */
  readonly numbers: Float32Array = new Float32Array(7);
  readonly isSortedByGroup = false;
  readonly entry: Float32Array = new Float32Array(1);
  /** Units of rows for each unit of the world. */
  scale = 1;

  /** @param reach The largest coordinate in any row. */
  set({ point, interval }: PointDistance, frame: Frame, reach: number): void {
    let most = reach;
    for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(frame.map(point[c], c)));
    const error = 2 ** -22 * most + TINY;
    for (let c = 0; c < 3; c++) {
      this.numbers[c] = frame.map(point[c], c) + error;
      this.numbers[c + 3] = frame.map(point[c], c) - error;
    }
    this.scale = frame.scale;
    this.limit(interval[1]);
  }

  /** Sets the largest distance that counts. */
  limit(distance: number): void {
    const far = distance * this.scale * (1 + 2 ** -20) + TINY;
    this.numbers[6] = far * far * (1 + 2 ** -20);
  }

  excludes(square: number): boolean {
    return square > this.numbers[6];
  }

  meets(b: Float32Array, at: number): boolean {
    const q = this.numbers;
    const x = Math.max(fround(b[at] - q[0]), fround(q[3] - b[at + 12]), 0);
    const y = Math.max(fround(b[at + 4] - q[1]), fround(q[4] - b[at + 16]), 0);
    const z = Math.max(fround(b[at + 8] - q[2]), fround(q[5] - b[at + 20]), 0);
    this.entry[0] = fround(fround(x * x) + fround(y * y)) + fround(z * z);
    return !(this.entry[0] > q[6]);
  }
}
