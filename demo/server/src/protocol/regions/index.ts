/** A world in several processes: each runs a region, sees beyond its border as ghosts, and hands over who crosses it. */

export { Region } from './Region.js';
export { RegionMap, type RegionMapOptions } from './RegionMap.js';
export type { RegionOptions } from './RegionOptions.js';
