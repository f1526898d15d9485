import { GROUP, GROUP_BOXES } from '../core/box.js';
import type { BoxVolume, SphereVolume } from '../core/shapes/boxAndSphere.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import type { DistanceQuery, PointDistance } from '../core/shapes/PointDistance.js';
import { Ray } from '../core/shapes/Ray.js';
import { BOX_VOLUME, SPHERE_VOLUME, type Volume } from '../core/shapes/Volume.js';

/** What `Volume.node` and `DistanceQuery.meets` say of one box, for the boxes of a row at `o`: the same numbers, bit by bit. */

/** The slots, as bits, of the first `size` boxes of a row that meet all conditions of `mask`. */
export function slotsIn(volume: Volume, b: Float64Array, o: number, size: number, mask: number): number {
  if (volume.kind === BOX_VOLUME) return boxInRow(volume as BoxVolume, b, o, size);
  if (volume.kind === SPHERE_VOLUME) return sphereInRow(volume as SphereVolume, b, o, size);
  return planesInRow(volume as PlanesVolume, b, o, size, mask);
}

/** The slots, as bits, of those within the interval of a query, whose distances are written to it by slot. */
export function slotsMet(query: DistanceQuery, b: Float64Array, o: number, size: number): number {
  return query instanceof Ray ? rayInRow(query, b, o, size) : pointToRow(query as PointDistance, b, o, size);
}

/** The slots, as bits, of the boxes of a row that fulfil all conditions of `mask` as a whole. */
export function rowInside(
  { planes, far }: PlanesVolume,
  b: Float64Array,
  o: number,
  size: number,
  mask: number,
): number {
  let inside = -1;
  for (let left = mask; left !== 0; left &= left - 1) {
    const p = 31 - Math.clz32(left & -left);
    const x = planes[4 * p];
    const y = planes[4 * p + 1];
    const z = planes[4 * p + 2];
    const w = planes[4 * p + 3];
    const i = o + 3 * GROUP - GROUP * far[3 * p];
    const j = o + 4 * GROUP - GROUP * far[3 * p + 1];
    const k = o + 5 * GROUP - GROUP * far[3 * p + 2];
    for (let slot = 0; slot < size; slot++) {
      const at = (slot >> 2) * GROUP_BOXES + (slot & 3);
      if (!(x * b[i + at] + y * b[j + at] + z * b[k + at] + w >= 0)) inside &= ~(1 << slot);
    }
  }
  return inside & ((1 << size) - 1);
}

function boxInRow({ box: q }: BoxVolume, b: Float64Array, o: number, size: number): number {
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

function sphereInRow({ numbers }: SphereVolume, b: Float64Array, o: number, size: number): number {
  const x = numbers[0];
  const y = numbers[1];
  const z = numbers[2];
  const rr = numbers[3] * numbers[3];
  let bits = 0;
  for (let k = 0; k < size; k++) {
    const i = o + (k >> 2) * GROUP_BOXES + (k & 3);
    const dx = (x < b[i] ? b[i] : x > b[i + 12] ? b[i + 12] : x) - x;
    const dy = (y < b[i + 4] ? b[i + 4] : y > b[i + 16] ? b[i + 16] : y) - y;
    const dz = (z < b[i + 8] ? b[i + 8] : z > b[i + 20] ? b[i + 20] : z) - z;
    if (dx * dx + dy * dy + dz * dz <= rr) bits |= 1 << k;
  }
  return bits;
}

function planesInRow({ planes, far }: PlanesVolume, b: Float64Array, o: number, size: number, mask: number): number {
  const all = (1 << size) - 1;
  let outside = 0;
  for (let left = mask; left !== 0; left &= left - 1) {
    const p = 31 - Math.clz32(left & -left);
    const x = planes[4 * p];
    const y = planes[4 * p + 1];
    const z = planes[4 * p + 2];
    const w = planes[4 * p + 3];
    let i = o + GROUP * far[3 * p];
    let j = o + GROUP + GROUP * far[3 * p + 1];
    let k = o + 2 * GROUP + GROUP * far[3 * p + 2];
    for (let slot = 0; slot < size; slot += GROUP) {
      const d0 = x * b[i] + y * b[j] + z * b[k] + w;
      const d1 = x * b[i + 1] + y * b[j + 1] + z * b[k + 1] + w;
      const d2 = x * b[i + 2] + y * b[j + 2] + z * b[k + 2] + w;
      const d3 = x * b[i + 3] + y * b[j + 3] + z * b[k + 3] + w;
      outside |= (+(d0 < 0) | (+(d1 < 0) << 1) | (+(d2 < 0) << 2) | (+(d3 < 0) << 3)) << slot;
      i += GROUP_BOXES;
      j += GROUP_BOXES;
      k += GROUP_BOXES;
    }
    if ((~outside & all) === 0) return 0;
  }
  return ~outside & all;
}

function rayInRow(ray: Ray, b: Float64Array, o: number, size: number): number {
  const { distances, interval, inverse, first, last, side } = ray;
  const near = interval[0];
  const far = interval[1];
  const ix = inverse[0];
  const iy = inverse[1];
  const iz = inverse[2];
  const fx = first[0];
  const fy = first[1];
  const fz = first[2];
  const lx = last[0];
  const ly = last[1];
  const lz = last[2];
  const ax = o + GROUP * side[0];
  const zx = o + GROUP * (3 - side[0]);
  const ay = o + GROUP * (1 + side[1]);
  const zy = o + GROUP * (4 - side[1]);
  const az = o + GROUP * (2 + side[2]);
  const zz = o + GROUP * (5 - side[2]);
  let bits = 0;
  for (let k = 0; k < size; k++) {
    const at = (k >> 2) * GROUP_BOXES + (k & 3);
    let enter = near;
    let leave = far;
    const x0 = (b[ax + at] - fx) * ix;
    if (x0 > enter) enter = x0;
    const x1 = (b[zx + at] - lx) * ix;
    if (x1 < leave) leave = x1;
    if (enter > leave) continue;
    const y0 = (b[ay + at] - fy) * iy;
    if (y0 > enter) enter = y0;
    const y1 = (b[zy + at] - ly) * iy;
    if (y1 < leave) leave = y1;
    if (enter > leave) continue;
    const z0 = (b[az + at] - fz) * iz;
    if (z0 > enter) enter = z0;
    const z1 = (b[zz + at] - lz) * iz;
    if (z1 < leave) leave = z1;
    if (enter > leave || enter === Number.POSITIVE_INFINITY) continue;
    distances[k] = enter;
    bits |= 1 << k;
  }
  return bits;
}

function pointToRow({ distances, point, interval }: PointDistance, b: Float64Array, o: number, size: number): number {
  const x = point[0];
  const y = point[1];
  const z = point[2];
  const farthest = interval[1];
  let bits = 0;
  for (let k = 0; k < size; k++) {
    const i = o + (k >> 2) * GROUP_BOXES + (k & 3);
    const dx = Math.max(b[i] - x, x - b[i + 12], 0);
    const dy = Math.max(b[i + 4] - y, y - b[i + 16], 0);
    const dz = Math.max(b[i + 8] - z, z - b[i + 20], 0);
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    distances[k] = distance;
    if (distance <= farthest) bits |= 1 << k;
  }
  return bits;
}
