import { GROUP_BOXES } from '../../trees/Rows.js';
import { BOX, checkBox, contains, readBox } from '../box.js';
import { inWords } from '../inWords.js';
import { BOX_VOLUME, type Volume } from './Volume.js';

/** The closed box as a region: whatever touches it belongs to it. A box without extent is a point. */
export class BoxVolume implements Volume {
  readonly kind: number = BOX_VOLUME;
  readonly all = 1;
  readonly box: Float64Array = new Float64Array(BOX);

  /** Copies and checks a caller's box. */
  set(box: ArrayLike<number>, where: string): void {
    readBox(box, this.box, where);
  }

  /** Checks a caller's point. */
  setPoint(x: number, y: number, z: number, where: string): void {
    const { box } = this;
    if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') {
      throw new TypeError(`${where}: a point is three numbers, got ${[x, y, z].map(inWords).join(' ')}`);
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

  row(b: Float64Array, o: number, size: number, _mask: number): number {
    const q = this.box;
    const minX = q[0];
    const minY = q[1];
    const minZ = q[2];
    const maxX = q[3];
    const maxY = q[4];
    const maxZ = q[5];
    let bits = 0;
    for (let k = 0; k < size; k++) {
      const i = o + (k >> 2) * GROUP_BOXES + (k & 3);
      const onX = b[i] <= maxX && b[i + 12] >= minX;
      if (onX && b[i + 8] <= maxZ && b[i + 20] >= minZ && b[i + 4] <= maxY && b[i + 16] >= minY) bits |= 1 << k;
    }
    return bits;
  }
}
