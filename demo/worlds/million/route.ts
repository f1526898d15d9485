import { Vector3 } from 'three';
import type { Route } from '../contract/World.js';

/** Round the midst, within the disk and along its arms. */
const EYES: [x: number, y: number, z: number][] = [
  [560, 14, 0],
  [400, 4, 300],
  [60, -12, 460],
  [-260, 8, 320],
  [-300, 40, 40],
  [-120, 55, -110],
  [120, 30, -130],
  [330, -6, -300],
  [560, 10, -260],
];

export const MILLION_ROUTE: Route = {
  seconds: 160,
  eyes: EYES.map(([x, y, z]) => new Vector3(x, y, z)),
  ahead: 0.06,
  dip: 0,
};
