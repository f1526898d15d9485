import { maintain, type SpatialIndex } from '../../src/standalone.js';

/** Calls after which the same must be there, or nothing. */
export const MAINTENANCE = {
  rebuild: (index: SpatialIndex) => index.rebuild(),
  maintain: (index: SpatialIndex) => maintain(index, Number.POSITIVE_INFINITY),
  // A tree stays as it is.
  maintainBriefly: (index: SpatialIndex) => maintain(index, 0),
  // A tree is rebuilt if it pays.
  maintainShortly: (index: SpatialIndex) => maintain(index, 0.002),
  clear: (index: SpatialIndex) => index.clear(),
};
export type Maintenance = keyof typeof MAINTENANCE;
/** Those that change no more than the order of answers, and may follow any edit. */
export type Maintain = Extract<Maintenance, `maintain${string}`>;
