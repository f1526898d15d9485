import { copyNumbers } from '../box.js';
import { inWords, isArrayLike } from '../options.js';
import { MAX_PLANES, PLANES_VOLUME, type Volume } from './Volume.js';

/**
 * The region on the inner side of up to 30 planes; six of them are a camera's frustum.
 *
 * A box is outside when its corner farthest along some plane's normal is behind that plane: the test of three's
 * `Frustum.intersectsBox`, evaluated in the same order, so answers are the same to the last bit. Like three's test, it
 * may keep a box near a corner of the region though the two do not touch. A box is inside when its nearest corner is
 * not behind any plane (Assarsson and Möller, Optimized View Frustum Culling Algorithms for Bounding Boxes, 2000: p-
 * and n-vertices, plane masks).
 *
 * A plane with NaN in it is no condition. Signs are turned into bits without a branch: near the border of a region a
 * branch is mispredicted half of the time, which cost a third of a whole query.
 */
export class PlanesVolume implements Volume {
  readonly kind: number = PLANES_VOLUME;
  all = 0;
  /** Four numbers a plane: normal x y z, pointing inwards, and constant. */
  readonly planes: Float64Array = new Float64Array(4 * MAX_PLANES);
  /** For each plane, in x y z, the offset of the farthest corner's coordinate in a box: 0 for min, 3 for max. */
  readonly far: Int32Array = new Int32Array(3 * MAX_PLANES);

  /** Copies and checks a caller's planes: four numbers each, normal x y z and constant. */
  set(planes: ArrayLike<number>, where: string): void {
    if (!isArrayLike(planes)) {
      throw new TypeError(`${where}: planes must be a flat array of numbers, got ${inWords(planes)}`);
    }
    const { length } = planes;
    const own = this.planes;
    if (!(length >= 0 && length % 4 === 0 && length <= own.length)) {
      throw new RangeError(
        `${where}: needs four numbers per plane and at most ${MAX_PLANES} planes, got ${length} numbers`,
      );
    }
    copyNumbers(planes, 0, own, 0, length, where);
    let n = 0;
    for (let i = 0; i < length; i += 4) {
      const x = own[i];
      const y = own[i + 1];
      const z = own[i + 2];
      const constant = own[i + 3];
      if (Number.isNaN(x) || Number.isNaN(y) || Number.isNaN(z) || Number.isNaN(constant)) continue;
      own[4 * n] = x;
      own[4 * n + 1] = y;
      own[4 * n + 2] = z;
      own[4 * n + 3] = constant;
      this.far[3 * n] = x > 0 ? 3 : 0;
      this.far[3 * n + 1] = y > 0 ? 3 : 0;
      this.far[3 * n + 2] = z > 0 ? 3 : 0;
      n++;
    }
    this.all = (1 << n) - 1;
  }

  node(b: Float64Array, o: number, mask: number): number {
    const planes = this.planes;
    const far = this.far;
    let doubt = 0;
    for (let left = mask; left !== 0; left &= left - 1) {
      const p = 31 - Math.clz32(left & -left);
      const x = planes[4 * p];
      const y = planes[4 * p + 1];
      const z = planes[4 * p + 2];
      const constant = planes[4 * p + 3];
      const fx = far[3 * p];
      const fy = far[3 * p + 1];
      const fz = far[3 * p + 2];
      if (x * b[o + fx] + y * b[o + 1 + fy] + z * b[o + 2 + fz] + constant < 0) return -1;
      // Written as "not certainly inside": an infinite box gives NaN here and stays in doubt.
      doubt |= +!(x * b[o + 3 - fx] + y * b[o + 4 - fy] + z * b[o + 5 - fz] + constant >= 0) << p;
    }
    return doubt;
  }
}
