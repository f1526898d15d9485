import { GROUP_BOXES, ROW } from '../core/box.js';
import type { BoxVolume, SphereVolume } from '../core/shapes/boxAndSphere.js';
import { type Frame, LEAST_MARGIN, MARGIN } from './PackedRows.js';

const { fround } = Math;

/**
 * A volume tested against boxes in rows, in single precision. A test says *surely outside*, *surely inside*, or *in
 * doubt*, which the exact boxes decide. "Surely" refers to what the volume says of the exact box, its own rounding
 * included.
 *
 * Each result is rounded and operations come in the order of the kernels, so both are in doubt about the same boxes.
 */
export interface RoughVolume {
  /** What kernels read, see wasm/assembly/packed. */
  readonly numbers: Float32Array;
  /** -1 when everything in the box at `at` is surely outside, else the conditions of `mask` that are in doubt. */
  node(levels: Float32Array, at: number, mask: number): number;
  /**
   * The slots of the row at `o` that are not surely outside, as bits; 16 bits higher those of them that are in doubt.
   * Bits of unused slots mean nothing.
   */
  row(rows: Float32Array, o: number, mask: number): number;
}

/** In the coordinates of rows, larger numbers are as good as infinite. */
export const FAR: number = 2 ** 60;
/** More than products of the smallest numbers lose by rounding, and too small to change most numbers. */
export const TINY: number = 2 ** -90;

/** A box. Its sides are mapped as those of items are, so only sides with equal images are in doubt, see `Frame`. */
export class RoughBox implements RoughVolume {
  /** The minimum moved downwards, the maximum upwards; then the minimum upwards, the maximum downwards. */
  readonly numbers: Float32Array = new Float32Array(12);

  set({ box }: BoxVolume, frame: Frame): void {
    const { numbers } = this;
    for (let c = 0; c < 3; c++) {
      const low = Math.min(Math.max(frame.map(box[c], c), -FAR), FAR);
      const high = Math.min(Math.max(frame.map(box[c + 3], c), -FAR), FAR);
      const below = Math.abs(low) * MARGIN + LEAST_MARGIN;
      const above = Math.abs(high) * MARGIN + LEAST_MARGIN;
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

/** A sphere: squared distances are compared with those of a slightly smaller and a slightly larger radius. */
export class RoughSphere implements RoughVolume {
  /** Centre, the square up to which a distance is surely within the radius, and that beyond which it surely is not. */
  readonly numbers: Float32Array = new Float32Array(5);

  /** @param most The largest coordinate in any row. */
  set(sphere: SphereVolume, frame: Frame, most: number): void {
    const [x, y, z, radius] = sphere.numbers;
    const { numbers } = this;
    const ownX = frame.map(x, 0);
    const ownY = frame.map(y, 1);
    const ownZ = frame.map(z, 2);
    const far = Math.max(Math.abs(ownX), Math.abs(ownY), Math.abs(ownZ));
    const r = radius * frame.scale;
    if (radius * radius === Number.POSITIVE_INFINITY) {
      // Whatever the distance is, its square is not larger.
      numbers.fill(0, 0, 3).fill(Number.POSITIVE_INFINITY, 3);
    } else if (far > FAR || r > FAR) {
      // Not a number: everything is in doubt.
      numbers.fill(Number.NaN);
    } else {
      // Centre and sides are rounded, and so is their difference: by 2^-22 of the coordinates in all, on three axes.
      const error = 2 ** -20 * (most + far) + TINY;
      numbers[0] = ownX;
      numbers[1] = ownY;
      numbers[2] = ownZ;
      numbers[3] = r > error ? (r - error) ** 2 * (1 - 2 ** -20) : -1;
      numbers[4] = (r + error) ** 2 * (1 + 2 ** -20);
    }
  }

  node(b: Float32Array, at: number, _mask: number): number {
    const q = this.numbers;
    let near = 0;
    let far = 0;
    for (let c = 0, low = at, high = at + 12; c < 3; c++, low += 4, high += 4) {
      const below = fround(b[low] - q[c]);
      const above = fround(q[c] - b[high]);
      const gap = Math.max(below, above, 0);
      const reach = Math.max(-below, -above);
      near = fround(near + fround(gap * gap));
      far = fround(far + fround(reach * reach));
    }
    if (near > q[4]) return -1;
    return far <= q[3] ? 0 : 1;
  }

  row(b: Float32Array, o: number, _mask: number): number {
    const q = this.numbers;
    const x = q[0];
    const y = q[1];
    const z = q[2];
    const within = q[3];
    const beyond = q[4];
    let bits = 0;
    for (let k = 0; k < ROW; k++) {
      const i = o + (k >> 2) * GROUP_BOXES + (k & 3);
      const dx = Math.max(fround(b[i] - x), fround(x - b[i + 12]), 0);
      const dy = Math.max(fround(b[i + 4] - y), fround(y - b[i + 16]), 0);
      const dz = Math.max(fround(b[i + 8] - z), fround(z - b[i + 20]), 0);
      const square = fround(fround(fround(dx * dx) + fround(dy * dy)) + fround(dz * dz));
      if (square > beyond) continue;
      bits |= 1 << k;
      if (!(square <= within)) bits |= 0x10000 << k;
    }
    return bits;
  }
}
