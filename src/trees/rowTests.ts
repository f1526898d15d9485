import { BOX } from '../core/box.js';
import type { BoxVolume, SphereVolume } from '../core/shapes/boxAndSphere.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import type { DistanceQuery, PointDistance } from '../core/shapes/PointDistance.js';
import { Ray } from '../core/shapes/Ray.js';
import { BOX_VOLUME, SPHERE_VOLUME, type Volume } from '../core/shapes/Volume.js';

/** The tests of `Volume.node` and `DistanceQuery.meets` for the boxes of a row at `o`: results are equal bit by bit. */

/** The seats, as bits, of boxes among the first `size` of a row that meet all conditions of `mask`. */
export function seatsIn(volume: Volume, b: Float64Array, o: number, size: number, mask: number): number {
  if (volume.kind === BOX_VOLUME) return boxInRow(volume as BoxVolume, b, o, size);
  if (volume.kind === SPHERE_VOLUME) return sphereInRow(volume as SphereVolume, b, o, size);
  return planesInRow(volume as PlanesVolume, b, o, size, mask);
}

/** The seats, as bits, of boxes within the interval of a query; writes their distances to the query by seat. */
export function seatsMet(query: DistanceQuery, b: Float64Array, o: number, size: number): number {
  return query instanceof Ray ? rayInRow(query, b, o, size) : pointToRow(query as PointDistance, b, o, size);
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
    const i = o + BOX * k;
    const onX = b[i] <= maxX && b[i + 3] >= minX;
    if (onX && b[i + 2] <= maxZ && b[i + 5] >= minZ && b[i + 1] <= maxY && b[i + 4] >= minY) bits |= 1 << k;
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
    const i = o + BOX * k;
    const dx = (x < b[i] ? b[i] : x > b[i + 3] ? b[i + 3] : x) - x;
    const dy = (y < b[i + 1] ? b[i + 1] : y > b[i + 4] ? b[i + 4] : y) - y;
    const dz = (z < b[i + 2] ? b[i + 2] : z > b[i + 5] ? b[i + 5] : z) - z;
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
    let i = o + far[3 * p];
    let j = o + 1 + far[3 * p + 1];
    let k = o + 2 + far[3 * p + 2];
    for (let seat = 0; seat < size; seat++) {
      outside |= +(x * b[i] + y * b[j] + z * b[k] + w < 0) << seat;
      i += BOX;
      j += BOX;
      k += BOX;
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
  const ax = o + side[0];
  const zx = o + 3 - side[0];
  const ay = o + 1 + side[1];
  const zy = o + 4 - side[1];
  const az = o + 2 + side[2];
  const zz = o + 5 - side[2];
  let bits = 0;
  for (let k = 0; k < size; k++) {
    const at = BOX * k;
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
    const i = o + BOX * k;
    const dx = Math.max(b[i] - x, x - b[i + 3], 0);
    const dy = Math.max(b[i + 1] - y, y - b[i + 4], 0);
    const dz = Math.max(b[i + 2] - z, z - b[i + 5], 0);
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    distances[k] = distance;
    if (distance <= farthest) bits |= 1 << k;
  }
  return bits;
}
