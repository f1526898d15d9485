import { copyBox } from '../core/box.js';
import type { BoxVolume } from '../core/shapes/BoxVolume.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import type { Ray } from '../core/shapes/Ray.js';
import type { SphereVolume } from '../core/shapes/SphereVolume.js';
import { BOX_VOLUME, SPHERE_VOLUME, type Volume } from '../core/shapes/Volume.js';

/** Writes the numbers of a volume in the form that kernels read. */
export function writeVolume(volume: Volume, out: Float64Array): void {
  if (volume.kind === BOX_VOLUME) copyBox((volume as BoxVolume).box, 0, out, 0);
  else if (volume.kind === SPHERE_VOLUME) writeSphere(volume as SphereVolume, out);
  else writePlanes(volume as PlanesVolume, out);
}

/** Writes the numbers of a ray: the interval, and for each axis the inverse direction, first and last. */
export function writeRay({ interval, inverse, first, last }: Ray, out: Float64Array): void {
  out[0] = interval[0];
  out[1] = interval[1];
  for (let i = 0; i < 3; i++) {
    out[2 + i] = inverse[i];
    out[5 + i] = first[i];
    out[8 + i] = last[i];
  }
}

function writeSphere({ x, y, z, radius }: SphereVolume, out: Float64Array): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = radius;
}

function writePlanes({ planes, all }: PlanesVolume, out: Float64Array): void {
  const end = 4 * (32 - Math.clz32(all));
  for (let i = 0; i < end; i++) out[i] = planes[i];
}
