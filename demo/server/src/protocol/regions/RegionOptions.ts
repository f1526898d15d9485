import { Packed, type SpatialIndex } from 'three-scene-index/core';
import { inWords, ownOptions, type Ranges, readNumbers } from './checks.js';

/** What a region is made with. See `Region`; margin and hysteresis are to be the same for all regions of a map. */
export interface RegionOptions {
  /**
   * How far beyond its border a region sees, in world units: as ghosts it has the entities whose boxes reach that near, of those
   * regions whose area does. Not less than the radius of its observers with their hysteresis, and that of handovers. Finite,
   * not negative.
   */
  margin: number;
  /** How far the middle of an entity has to be beyond the border to be handed over, in world units. Default 0. */
  hysteresis?: number;
  /** For how many ticks ghosts stay when their region is not heard of; from 1. Default 20. */
  ghostLifetime?: number;
  /**
   * What the items go to. It may hold other items as well, such as walls; those of entities are changed by the region alone.
   * Default `new Packed({ planar: true })`.
   */
  index?: SpatialIndex;
  /**
   * Which process this is of all that have run the region: a whole number from 1 that must be greater with each restart.
   * Default the time, in milliseconds.
   */
  incarnation?: number;
}

/** The options, checked, with defaults. */
export interface RegionSettings {
  readonly margin: number;
  readonly hysteresis: number;
  readonly ghostLifetime: number;
}

const DEFAULTS = { margin: 0, hysteresis: 0, ghostLifetime: 20, incarnation: 0 };
const RANGES: Ranges<typeof DEFAULTS> = {
  margin: { min: 0, max: 2 ** 300, whole: false },
  hysteresis: { min: 0, max: 2 ** 300, whole: false },
  ghostLifetime: { min: 1, max: 2 ** 31, whole: true },
  incarnation: { min: 1, max: Number.MAX_SAFE_INTEGER, whole: true },
};

/** Reads each option once. */
export function readRegionOptions(
  options: RegionOptions,
  where: string,
): { settings: RegionSettings; index: SpatialIndex; incarnation: number } {
  const own = ownOptions(options, where);
  const { index = new Packed({ planar: true }), ...others } = own;
  if (typeof own.margin !== 'number') {
    throw new TypeError(`${where}.margin: must be a number, got ${inWords(own.margin)}`);
  }
  const { incarnation, ...settings } = readNumbers(others, DEFAULTS, where, RANGES);
  if (typeof index?.addAll !== 'function')
    throw new TypeError(`${where}.index: must be an index, got ${inWords(index)}`);
  return { settings, index, incarnation: incarnation === 0 ? Date.now() : incarnation };
}

/** The incarnation of a region that had another one before. */
export function readIncarnation(incarnation: number | undefined, before: number, where: string): number {
  if (incarnation === undefined) return Math.max(Date.now(), before + 1);
  const own = readNumbers({ incarnation }, DEFAULTS, where, RANGES).incarnation;
  if (own <= before) throw new RangeError(`${where}.incarnation: must be greater than ${before}, got ${own}`);
  return own;
}
