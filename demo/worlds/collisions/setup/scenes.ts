export type SceneName = 'boxes' | 'corner' | 'rectangles';

/** What a run starts from. Equal setups make equal bodies. */
export interface Setup {
  scene: SceneName;
  /** 2: all bodies lie in the XZ plane, without height. */
  dimensions: 2 | 3;
  count: number;
  /** The world grows with the number of bodies, so that each has as much room as at the scene's own number. */
  keepDensity: boolean;
}

export interface Scene {
  title: string;
  /** Number of bodies for which `side` is meant. */
  count: number;
  /** Width of the world. */
  side: number;
  /** Share of the width within which bodies start, in the corner of least coordinates. */
  start: number;
  /** Greatest speed along each axis, units a second. */
  speed: number;
  /** Rectangles of many sizes, turned about the vertical; else boxes of 1 x 1 x 1. */
  turned: boolean;
}

export const SCENES: Record<SceneName, Scene> = {
  boxes: { title: 'Boxes in 100 × 100', count: 2000, side: 100, start: 1, speed: 8, turned: false },
  corner: { title: 'From one corner of 1000 × 1000', count: 2000, side: 1000, start: 0.1, speed: 40, turned: false },
  rectangles: { title: 'Turned rectangles', count: 100, side: 20, start: 1, speed: 1.2, turned: true },
};

/** Rectangles are turned in the plane, so they stay in it. */
export function dimensionsOf({ scene, dimensions }: Setup): 2 | 3 {
  return SCENES[scene].turned ? 2 : dimensions;
}

/** Width of the world for a setup. */
export function sideOf(setup: Setup): number {
  const { side, count } = SCENES[setup.scene];
  return setup.keepDensity ? side * (setup.count / count) ** (1 / dimensionsOf(setup)) : side;
}

/** Limit of overlapping pairs in a frame; more would only fill the memory. */
const MOST_PAIRS = 4e6;

/** The largest number of bodies, up to `most`, whose overlaps stay within the limit. */
export function mostBodies(setup: Setup, most: number): number {
  let count = most;
  while (count > 100 && expectedPairs({ ...setup, count }) > MOST_PAIRS) count = Math.floor(0.9 * count);
  return count;
}

/** Overlapping pairs of bounds to be expected at the start, where bodies are closest together. */
function expectedPairs(setup: Setup): number {
  const { start, turned } = SCENES[setup.scene];
  // Two boxes overlap along an axis in (width + width) / side of all cases; rectangles' bounds are 1.9 wide and 1.6
  // high.
  const reach = turned ? 3.5 : 2;
  return (setup.count ** 2 / 2) * Math.min(1, reach / (start * sideOf(setup))) ** dimensionsOf(setup);
}
