import { QUAD, QUAD_BOXES, ROW } from '../core/box.js';
import type { BoxVolume, SphereVolume } from '../core/shapes/boxAndSphere.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import { MAX_PLANES } from '../core/shapes/Volume.js';
import { type Frame, LEAST_MARGIN, SIDE_MARGIN } from './PackedRows.js';

const { fround } = Math;

/**
 * A volume tested against boxes in rows, in single precision. A test says *surely outside*, *surely inside*, or *in
 * doubt*; exact boxes decide doubts. "Surely" means that the volume's own test of the exact box, rounding included,
 * says the same.
 *
 * Each result is rounded, and operations have the order of the kernels, so that both are in doubt about the same boxes.
 */
export interface RoughVolume {
  /** The numbers that kernels read, see wasm/assembly/packed. */
  readonly numbers: Float32Array;
  /** -1 when everything in the box at `at` is surely outside, else the conditions of `mask` that are in doubt. */
  node(tiers: Float32Array, at: number, mask: number): number;
  /** Bits of seats not surely outside; 16 bits higher, bits of seats in doubt. Bits of unused seats mean nothing. */
  row(rows: Float32Array, o: number, mask: number): number;
}

/** In the coordinates of rows, larger numbers are as good as infinite. */
export const FAR: number = 2 ** 60;
/** More than the rounding error of products of the smallest numbers, and too small to change most numbers. */
export const TINY: number = 2 ** -90;

/** A box. Its sides are mapped like sides of items, so only sides with equal images are in doubt, see `Frame`. */
export class RoughBox implements RoughVolume {
  /** The minimum moved downwards, the maximum upwards; then the minimum upwards, the maximum downwards. */
  readonly numbers: Float32Array = new Float32Array(12);

  set({ box }: BoxVolume, frame: Frame): this {
    const { numbers } = this;
    for (let c = 0; c < 3; c++) {
      const low = Math.min(Math.max(frame.map(box[c], c), -FAR), FAR);
      const high = Math.min(Math.max(frame.map(box[c + 3], c), -FAR), FAR);
      const below = Math.abs(low) * SIDE_MARGIN + LEAST_MARGIN;
      const above = Math.abs(high) * SIDE_MARGIN + LEAST_MARGIN;
      numbers[c] = low - below;
      numbers[c + 3] = high + above;
      numbers[c + 6] = low + below;
      numbers[c + 9] = high - above;
    }
    return this;
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
      const i = o + (k >> 2) * QUAD_BOXES + (k & 3);
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

/** A sphere: squared distances are compared with the squares of a slightly smaller and a slightly larger radius. */
export class RoughSphere implements RoughVolume {
  /** Centre; the largest square of a distance surely within the radius, and of a distance not surely beyond it. */
  readonly numbers: Float32Array = new Float32Array(5);

  /** @param most The largest coordinate in any row. */
  set(sphere: SphereVolume, frame: Frame, most: number): this {
    const [x, y, z, radius] = sphere.numbers;
    const { numbers } = this;
    const ownX = frame.map(x, 0);
    const ownY = frame.map(y, 1);
    const ownZ = frame.map(z, 2);
    const far = Math.max(Math.abs(ownX), Math.abs(ownY), Math.abs(ownZ));
    const r = radius * frame.scale;
    if (radius * radius === Number.POSITIVE_INFINITY) {
      // No distance has a larger square than Infinity: everything is surely inside.
      numbers.fill(0, 0, 3).fill(Number.POSITIVE_INFINITY, 3);
    } else if (far > FAR || r > FAR) {
      // NaN puts everything in doubt.
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
    return this;
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
      const i = o + (k >> 2) * QUAD_BOXES + (k & 3);
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

/** Numbers of a plane. */
const PLANE = 6;

/**
 * The inner side of up to 30 planes. A corner is surely on one side of a plane when its distance exceeds the error of
 * all roundings together, the roundings of the exact test included.
 */
export class RoughPlanes implements RoughVolume {
  /** For each plane: normal, constant, and the error, negative and positive. */
  readonly numbers: Float32Array = new Float32Array(PLANE * MAX_PLANES);

  /** @param most The largest coordinate in any row. */
  set({ planes, all }: PlanesVolume, { origin, scale }: Frame, most: number): this {
    const count = 32 - Math.clz32(all);
    const { numbers } = this;
    for (let p = 0, i = 0, o = 0; p < count; p++, i += 4, o += PLANE) {
      const x = planes[i];
      const y = planes[i + 1];
      const z = planes[i + 2];
      const w = planes[i + 3];
      const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
      // The unit is a power of two, so that normals keep their bits, and have about unit length in rows.
      const unit = largest > 0 ? 2 ** -Math.min(Math.max(Math.floor(Math.log2(largest)), -1000), 1000) : 1;
      const perUnit = unit * scale;
      const constant = (x * origin[0] + y * origin[1] + z * origin[2] + w) * perUnit;
      const sum = Math.abs(x) + Math.abs(y) + Math.abs(z);
      // The largest terms of the exact test. Rounding costs the test, and `constant`, at most 2^-51 of these terms.
      const terms =
        (Math.abs(x * origin[0]) + Math.abs(y * origin[1]) + Math.abs(z * origin[2]) + Math.abs(w)) * perUnit;
      const spread = sum * unit * most;
      // The largest sum of the exact test; if it is infinite, `0 * largestSum` is NaN.
      const largestSum = sum * (most / scale + Math.abs(origin[0]) + Math.abs(origin[1]) + Math.abs(origin[2]));
      // Single precision rounds normal, constant, sides, three products and three sums, by 9 * 2^-24 in all.
      const error =
        2 ** -20 * (spread + Math.min(Math.abs(constant), FAR)) + 2 ** -49 * (terms + spread) + TINY + 0 * largestSum;
      // NaN leaves everything in doubt, here and in the constant of a plane too large to add up.
      numbers[o] = x * unit;
      numbers[o + 1] = y * unit;
      numbers[o + 2] = z * unit;
      numbers[o + 3] = Math.min(Math.max(constant, -FAR), FAR);
      numbers[o + 4] = -error * (1 + 2 ** -20);
      numbers[o + 5] = error * (1 + 2 ** -20);
    }
    return this;
  }

  node(b: Float32Array, at: number, mask: number): number {
    const { numbers } = this;
    let doubt = 0;
    for (let left = mask; left !== 0; left &= left - 1) {
      const p = 31 - Math.clz32(left & -left);
      const o = PLANE * p;
      const x = numbers[o];
      const y = numbers[o + 1];
      const z = numbers[o + 2];
      const w = numbers[o + 3];
      const i = x > 0 ? at + 12 : at;
      const j = y > 0 ? at + 16 : at + 4;
      const k = z > 0 ? at + 20 : at + 8;
      const far = fround(fround(fround(x * b[i]) + fround(y * b[j])) + fround(fround(z * b[k]) + w));
      if (far < numbers[o + 4]) return -1;
      const l = 2 * at + 12 - i;
      const m = 2 * at + 20 - j;
      const n = 2 * at + 28 - k;
      const near = fround(fround(fround(x * b[l]) + fround(y * b[m])) + fround(fround(z * b[n]) + w));
      if (!(near >= numbers[o + 5])) doubt |= 1 << p;
    }
    return doubt;
  }

  /** Tests the farthest corner of each seat's box; with an `other` of 12 the nearest, to tell boxes wholly inside. */
  row(b: Float32Array, o: number, mask: number, other = 0): number {
    const { numbers } = this;
    let outside = 0;
    let doubt = 0;
    for (let left = mask; left !== 0; left &= left - 1) {
      const at = PLANE * (31 - Math.clz32(left & -left));
      const x = numbers[at];
      const y = numbers[at + 1];
      const z = numbers[at + 2];
      const w = numbers[at + 3];
      const low = numbers[at + 4];
      const high = numbers[at + 5];
      let i = o + (x > 0 ? 12 - other : other);
      let j = o + 4 + (y > 0 ? 12 - other : other);
      let k = o + 8 + (z > 0 ? 12 - other : other);
      for (let seat = 0; seat < ROW; seat += QUAD) {
        const d0 = fround(fround(fround(x * b[i]) + fround(y * b[j])) + fround(fround(z * b[k]) + w));
        const d1 = fround(fround(fround(x * b[i + 1]) + fround(y * b[j + 1])) + fround(fround(z * b[k + 1]) + w));
        const d2 = fround(fround(fround(x * b[i + 2]) + fround(y * b[j + 2])) + fround(fround(z * b[k + 2]) + w));
        const d3 = fround(fround(fround(x * b[i + 3]) + fround(y * b[j + 3])) + fround(fround(z * b[k + 3]) + w));
        outside |= (+(d0 < low) | (+(d1 < low) << 1) | (+(d2 < low) << 2) | (+(d3 < low) << 3)) << seat;
        doubt |= (+!(d0 >= high) | (+!(d1 >= high) << 1) | (+!(d2 >= high) << 2) | (+!(d3 >= high) << 3)) << seat;
        i += QUAD_BOXES;
        j += QUAD_BOXES;
        k += QUAD_BOXES;
      }
    }
    const bits = ~outside & 0xffff;
    return bits | ((bits & doubt) << 16);
  }
}
