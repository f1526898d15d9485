import { BOX, checkBox, contains, readBox } from '../box.js';
import { inWords } from '../options.js';
import { BOX_VOLUME, SPHERE_VOLUME, type Volume } from './Volume.js';
import { checkReach } from './vectors.js';

/** A closed box as a region: every box that touches it belongs to it. A box without extent is a point. */
export class BoxVolume implements Volume {
  readonly kind: number = BOX_VOLUME;
  readonly all = 1;
  readonly box: Float64Array = new Float64Array(BOX);

  set(box: ArrayLike<number>, where: string): void {
    readBox(box, this.box, where);
  }

  setPoint(x: number, y: number, z: number, where: string): void {
    const { box } = this;
    if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') {
      throw new TypeError(`${where}: a point must be three numbers, got ${[x, y, z].map(inWords).join(' ')}`);
    }
    box[0] = box[3] = x;
    box[1] = box[4] = y;
    box[2] = box[5] = z;
    checkBox(box, 0, where);
  }

  node(b: Float64Array, o: number, _mask: number): number {
    const q = this.box;
    if (b[o] > q[3] || b[o + 1] > q[4] || b[o + 2] > q[5] || b[o + 3] < q[0] || b[o + 4] < q[1] || b[o + 5] < q[2]) {
      return -1;
    }
    return contains(q, 0, b, o) ? 0 : 1;
  }
}

/** A closed ball. A box belongs to it when its nearest point is within the radius, as in `Sphere.intersectsBox`. */
export class SphereVolume implements Volume {
  readonly kind: number = SPHERE_VOLUME;
  readonly all = 1;
  /** Centre and radius, in an array: fields, read one by one, would be copied to the heap for each row. */
  readonly numbers: Float64Array = new Float64Array(4);

  set(x: number, y: number, z: number, radius: number, where: string): void {
    checkReach(x, y, z, radius, where, 'centre', 'radius');
    const { numbers } = this;
    numbers[0] = x;
    numbers[1] = y;
    numbers[2] = z;
    numbers[3] = radius;
  }

  node(b: Float64Array, o: number, _mask: number): number {
    const { numbers } = this;
    const x = numbers[0];
    const y = numbers[1];
    const z = numbers[2];
    const rr = numbers[3] * numbers[3];
    const dx = (x < b[o] ? b[o] : x > b[o + 3] ? b[o + 3] : x) - x;
    const dy = (y < b[o + 1] ? b[o + 1] : y > b[o + 4] ? b[o + 4] : y) - y;
    const dz = (z < b[o + 2] ? b[o + 2] : z > b[o + 5] ? b[o + 5] : z) - z;
    if (!(dx * dx + dy * dy + dz * dz <= rr)) return -1;
    const fx = Math.max(x - b[o], b[o + 3] - x);
    const fy = Math.max(y - b[o + 1], b[o + 4] - y);
    const fz = Math.max(z - b[o + 2], b[o + 5] - z);
    return fx * fx + fy * fy + fz * fz <= rr ? 0 : 1;
  }
}
