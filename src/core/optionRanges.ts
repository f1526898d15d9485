import type { Ranges } from './options.js';

export const OPTION_RANGES: Ranges = {
  capacity: { min: 1, max: 2 ** 20, whole: true },
  maxDepth: { min: 1, max: 64, whole: true },
  minCellSize: { min: 0, max: Number.MAX_VALUE },
  looseness: { min: 1, max: 8 },
  cellSize: { min: 0, max: 2 ** 300 },
};
