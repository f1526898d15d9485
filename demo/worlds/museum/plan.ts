import { CatmullRomCurve3, Vector3 } from 'three';
import { heightAt } from './land.js';

/** The height of a walker's eyes. */
const EYES = 1.55;
/** A walker looks at the hall from everywhere. */
export const LOOK_AT = new Vector3(2.2, 4.6, -9);

/** A round: from the terrace past the scans, along the edge of the woods and behind the hall. x and z. */
const WAY: readonly (readonly [x: number, z: number])[] = [
  [8.6, 17.4],
  [-2, 18.6],
  [-14, 13],
  [-24, 4],
  [-35, -8],
  [-43, -23],
  [-39, -41],
  [-24, -53],
  [-4, -58],
  [18, -57],
  [38, -46],
  [47, -28],
  [43, -8],
  [34, 8],
  [22, 17],
];
const STEPS = 240;

/** Points of the round, so close that a walker between two of them stays above the ground. */
export const ROUND: readonly Vector3[] = new CatmullRomCurve3(
  WAY.map(([x, z]) => new Vector3(x, 0, z)),
  true,
  'centripetal',
)
  .getSpacedPoints(STEPS)
  .slice(0, STEPS)
  .map(({ x, z }) => new Vector3(x, heightAt(x, z) + EYES, z));

/** Metres from the path of the round. */
export function offPath(x: number, z: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const point of ROUND) least = Math.min(least, (point.x - x) ** 2 + (point.z - z) ** 2);
  return Math.sqrt(least);
}

/** A scan, by its name in assets/scans.glb. */
export interface Place {
  readonly name: string;
  readonly at: readonly [x: number, z: number];
  /** Times its own size. */
  readonly size: number;
  /** In radians, from where it looks along z. */
  readonly turn: number;
  /** Width and height of the plinth. */
  readonly plinth: readonly [width: number, height: number];
}

/** Half of them stand on the terrace, half in the hall. */
export const PLACES: readonly Place[] = [
  { name: 'Amphora', at: [5.6, 11.6], size: 1.25, turn: 0.5, plinth: [0.75, 0.75] },
  { name: 'Ammonite', at: [9.9, 9.9], size: 1.5, turn: -0.25, plinth: [1.2, 0.45] },
  { name: 'Bust', at: [13.4, 0.7], size: 1.15, turn: 0.1, plinth: [0.8, 1.15] },
  { name: 'Colossus', at: [-3.4, 1.5], size: 2.8, turn: 0.6, plinth: [2.3, 0.3] },
  { name: 'Owl', at: [-8.2, -8.6], size: 1.3, turn: 0.5, plinth: [1.1, 0.9] },
  { name: 'Porcelain jar', at: [-3.2, -8.6], size: 1.7, turn: 0, plinth: [1, 0.9] },
  { name: 'Sea shell', at: [1.6, -8.6], size: 1.55, turn: 0.9, plinth: [1.1, 0.8] },
  { name: 'Brain coral', at: [6.4, -8.6], size: 0.96, turn: 0.4, plinth: [1.1, 0.95] },
];

/** Where the hall stands, and the middle of the terrace, along x. */
export const HALL_AT = -3;
export const TERRACE_AT = 3.2;
