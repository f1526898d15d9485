import { CatmullRomCurve3, Vector3 } from 'three';
import { heightAt } from './land.js';

/** The height of a walker's eyes. */
const EYES = 1.7;
/** What a walker looks at: the hall. */
export const LOOK_AT = new Vector3(2.2, 4, -9);

/** A round: from the terrace past the scans, along the edge of the forest and behind the hall. x and z. */
const WAY: readonly (readonly [x: number, z: number])[] = [
  [8.6, 17.4],
  [-1, 18.6],
  [-12, 13],
  [-22, 3],
  [-34, -12],
  [-37, -27],
  [-24, -41],
  [0, -45],
  [26, -39],
  [40, -21],
  [39, 0],
  [30, 15],
  [18, 20.4],
];
const STEPS = 144;

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
  { name: 'Bust', at: [5.55, 12.2], size: 1.15, turn: 0.45, plinth: [0.72, 0.95] },
  { name: 'Ammonite', at: [9.5, 9.8], size: 1.75, turn: -0.25, plinth: [1.3, 0.45] },
  { name: 'Colossus', at: [-3.3, 1.7], size: 3.7, turn: 0.6, plinth: [2.7, 0.3] },
  { name: 'Sea shell', at: [11.4, 3.4], size: 2, turn: 0.2, plinth: [1.4, 0.7] },
  { name: 'Owl', at: [-8.2, -8.6], size: 1.8, turn: 0.5, plinth: [1.1, 0.8] },
  { name: 'Porcelain jar', at: [-3.2, -8.6], size: 1.9, turn: 0, plinth: [1, 0.8] },
  { name: 'Amphora', at: [1.6, -8.6], size: 1.85, turn: 0.9, plinth: [1, 0.8] },
  { name: 'Brain coral', at: [6.4, -8.6], size: 1.9, turn: 0.4, plinth: [1.7, 0.6] },
];

/** Where the hall stands, and the middle of the terrace, along x. */
export const HALL_AT = -3;
export const TERRACE_AT = 3.2;
