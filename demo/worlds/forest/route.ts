import { Vector3 } from 'three';
import type { Route } from '../contract/World.js';
import { heightAt, SEA } from './land.js';

/** Nearer than this nothing is drawn, in metres. */
export const NEAR = 0.5;

/** x, z and height above the ground: round the lake, over woods and clearings. */
const ROUTE: [x: number, z: number, up: number][] = [
  [-190, 150, 20],
  [-70, 190, 15],
  [60, 140, 17],
  [190, 120, 22],
  [240, 0, 17],
  [200, -150, 22],
  [80, -190, 15],
  [-50, -120, 18],
  [-160, -160, 24],
  [-250, -20, 18],
];

export const FOREST_ROUTE: Route = {
  seconds: 150,
  eyes: ROUTE.map(([x, z, up]) => new Vector3(x, Math.max(SEA, heightAt(x, z)) + up, z)),
  ahead: 0.07,
  dip: 27,
};
