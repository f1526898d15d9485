/**
 * Interest management for servers: which observers see which items.
 * @module
 */

export { Interest } from './interest/Interest.js';
export type { Observer } from './interest/Observer.js';
export type { ObserverOptions } from './interest/ObserverSettings.js';
