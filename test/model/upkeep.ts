import type { SpatialIndex } from '../../src/core.js';

/** Calls after which the same must be there, or nothing. */
export const UPKEEP = {
  rebuild: (index: SpatialIndex) => index.rebuild(),
  maintain: (index: SpatialIndex) => index.maintain(Number.POSITIVE_INFINITY),
  // No time at all is enough for a first step, and for no more.
  maintainBriefly: (index: SpatialIndex) => index.maintain(0),
  clear: (index: SpatialIndex) => index.clear(),
};
export type Upkeep = keyof typeof UPKEEP;
