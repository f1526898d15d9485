import { gstime, jday, sunPos } from 'satellite.js';
import { Vector3 } from 'three';

/**
 * Kilometres of a unit of the world. Its axes: x to the vernal equinox, y to the north; it does not turn with the
 * Earth.
 */
export const UNIT = 1000;
export const EARTH_RADIUS = 6371 / UNIT;

/** When second 0 is: within a day or so after the orbits were measured. */
export const BEGIN = new Date('2022-02-22T18:00:00Z');
export const BEGIN_DAY = jday(BEGIN);

const DAY = 86400;

/** How far the Earth has turned: the angle from the vernal equinox to the meridian of Greenwich. */
export function earthAngle(seconds: number): number {
  return gstime(BEGIN_DAY + seconds / DAY);
}

/** Unit vector to the sun. */
export function sunDirection(seconds: number, target: Vector3): Vector3 {
  const [x, y, z] = sunPos(BEGIN_DAY + seconds / DAY).rsun as [number, number, number];
  return target.set(x, z, -y).normalize();
}

/** Where a place on the ground is before the Earth has turned. Degrees. */
export function groundPoint(latitude: number, longitude: number, target: Vector3): Vector3 {
  const up = (latitude * Math.PI) / 180;
  const east = (longitude * Math.PI) / 180;
  return target.set(Math.cos(up) * Math.cos(east), Math.sin(up), -Math.cos(up) * Math.sin(east));
}

/** Position of the sun and rotation of the Earth, for all drawings. */
export class Sky {
  /** Unit vector to the sun. */
  readonly sun = new Vector3();
  angle = 0;

  constructor() {
    this.moveTo(0);
  }

  moveTo(seconds: number): void {
    sunDirection(seconds, this.sun);
    this.angle = earthAngle(seconds);
  }
}
