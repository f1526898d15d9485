import { Vector3 } from 'three';
import type { Route } from '../contract/World.js';
import { middleOfRoom, ROOM, WALK } from './museum.js';
import { MUSEUM, middleOf, streetBefore } from './plan.js';

/** Crossings on the way through the town, column and row: past the square and the museum, and back. */
const CROSSINGS: readonly (readonly [column: number, row: number])[] = [
  [4, 6],
  [4, 2],
  [6, 2],
  [6, 4],
  [2, 4],
  [2, 6],
];

/** Between points of a route, and how far from a corner it begins to turn. */
const STEP = 8;

/** Along the streets, at a brisk pace. */
export const STREETS: Route = {
  seconds: 190,
  eyes: rounded(
    CROSSINGS.map(([column, row]) => [streetBefore(column), streetBefore(row)]),
    STEP,
    6,
  ),
  ahead: 0.014,
  dip: 0,
};

/** Through the rooms of the museum. */
export const ROOMS_ROUTE: Route = {
  seconds: 150,
  eyes: rounded(
    WALK.map(([column, row]) => middleOfRoom({ x: middleOf(MUSEUM[0]), z: middleOf(MUSEUM[1]) }, column, row)),
    ROOM / 3,
    1.3,
  ),
  ahead: 0.016,
  dip: 0,
};

/** A closed path along straight lines, which leaves out its corners. */
function rounded(corners: readonly (readonly [number, number])[], step: number, cut: number): Vector3[] {
  return corners.flatMap(([x, z], i) => {
    const [u, v] = corners[(i + 1) % corners.length]!;
    const length = Math.hypot(u - x, v - z);
    const count = Math.max(1, Math.round((length - 2 * cut) / step));
    return Array.from({ length: count + 1 }, (_, k) => {
      const t = (cut + ((length - 2 * cut) * k) / count) / length;
      return new Vector3(x + (u - x) * t, 0, z + (v - z) * t);
    });
  });
}
