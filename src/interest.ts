/** Who sees whom: interest management, for servers. */

export { Interest } from './interest/Interest.js';
export type { Observer } from './interest/Observer.js';
export type { ObserverOptions } from './interest/ObserverOptions.js';
export { Region } from './interest/regions/Region.js';
export { RegionMap, type RegionMapOptions } from './interest/regions/RegionMap.js';
export type { RegionOptions } from './interest/regions/RegionOptions.js';
