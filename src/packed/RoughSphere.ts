import type { SphereVolume } from '../core/shapes/SphereVolume.js';
import { GROUP_BOXES, ROW } from '../trees/Rows.js';
import type { Frame } from './Frame.js';
import { FAR, type RoughVolume, TINY } from './RoughVolume.js';

const { fround } = Math;

/** A ball as a region: squares of distances are compared with those of a somewhat smaller and a somewhat larger radius. */
export class RoughSphere implements RoughVolume {
  /** Centre, the square up to which a distance is surely within the radius, and that beyond which it surely is not. */
  readonly numbers: Float32Array = new Float32Array(5);

  /** @param reach The largest coordinate in any row. */
  set({ x, y, z, radius }: SphereVolume, frame: Frame, reach: number): void {
    const { numbers } = this;
    const center = [frame.map(x, 0), frame.map(y, 1), frame.map(z, 2)];
    const far = Math.max(Math.abs(center[0]), Math.abs(center[1]), Math.abs(center[2]));
    const r = radius * frame.scale;
    if (radius * radius === Number.POSITIVE_INFINITY) {
      // Whatever the distance is, its square is not larger.
      numbers.fill(0, 0, 3).fill(Number.POSITIVE_INFINITY, 3);
    } else if (far > FAR || r > FAR) {
      // Not a number: everything is in doubt.
      numbers.fill(Number.NaN);
    } else {
      // Centre and sides are rounded, and so is their difference: by 2^-22 of the coordinates in all, on three axes.
      const error = 2 ** -20 * (reach + far) + TINY;
      numbers.set(center);
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
