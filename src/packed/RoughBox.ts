import type { BoxVolume } from '../core/shapes/BoxVolume.js';
import { GROUP_BOXES, ROW } from '../trees/Rows.js';
import { AMOUNT, type Frame, SHARE } from './Frame.js';
import { FAR, type RoughVolume } from './RoughVolume.js';

/**
 * A box as a region. Its sides are mapped as those of items are: where the images of two sides differ, so do the sides,
 * in the same direction, and only where they are equal there is doubt.
 */
export class RoughBox implements RoughVolume {
  /** The minimum moved downwards, the maximum upwards; then the minimum upwards, the maximum downwards. */
  readonly numbers: Float32Array = new Float32Array(12);

  set({ box }: BoxVolume, frame: Frame): void {
    const { numbers } = this;
    for (let c = 0; c < 3; c++) {
      const low = Math.min(Math.max(frame.map(box[c], c), -FAR), FAR);
      const high = Math.min(Math.max(frame.map(box[c + 3], c), -FAR), FAR);
      const below = Math.abs(low) * SHARE + AMOUNT;
      const above = Math.abs(high) * SHARE + AMOUNT;
      numbers[c] = low - below;
      numbers[c + 3] = high + above;
      numbers[c + 6] = low + below;
      numbers[c + 9] = high - above;
    }
  }

  node(b: Float32Array, at: number, _mask: number): number {
    const q = this.numbers;
    let isWithin = true;
    for (let c = 0, low = at, high = at + 12; c < 3; c++, low += 4, high += 4) {
      if (b[low] > q[c + 9] || b[high] < q[c + 6]) return -1;
      isWithin &&= b[low] > q[c] && b[high] < q[c + 3];
    }
    return isWithin ? 0 : 1;
  }

  row(b: Float32Array, o: number, _mask: number): number {
    const q = this.numbers;
    const minX = q[6];
    const minY = q[7];
    const minZ = q[8];
    const maxX = q[9];
    const maxY = q[10];
    const maxZ = q[11];
    let bits = 0;
    for (let k = 0; k < ROW; k++) {
      const i = o + (k >> 2) * GROUP_BOXES + (k & 3);
      if (b[i] > maxX || b[i + 12] < minX || b[i + 8] > maxZ) continue;
      if (b[i + 20] < minZ || b[i + 4] > maxY || b[i + 16] < minY) continue;
      bits |= 1 << k;
      const isSureX = b[i] < maxX && b[i + 12] > minX;
      const isSureY = b[i + 4] < maxY && b[i + 16] > minY;
      if (!isSureX || !isSureY || !(b[i + 8] < maxZ && b[i + 20] > minZ)) bits |= 0x10000 << k;
    }
    return bits;
  }
}
