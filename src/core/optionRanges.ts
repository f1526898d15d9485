import type { Ranges } from './readOptions.js';

/** Smallest and largest legal value of each numeric option of structures and trackers. */
export const OPTION_RANGES: Ranges = {
  capacity: { min: 1, max: 2 ** 20, whole: true },
  maxDepth: { min: 1, max: 64, whole: true },
  minCellSize: { min: 0, max: Number.MAX_VALUE, whole: false },
  looseness: { min: 1, max: 8, whole: false },
  cellSize: { min: 0, max: 2 ** 300, whole: false },
  margin: { min: 0, max: 2 ** 300, whole: false },
  hysteresis: { min: 0, max: 0.99, whole: false },
};
