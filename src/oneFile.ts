/**
 * All of the main entry and of the core, for pages without a bundler: `three-scene-index.min.js`.
 * @module
 */

export * from './index.js';
// Functions of both entries, which take the indices of either.
export { findPairs, findPairsBetween, forEachNode, maintain, stats } from './index.js';
export * from './standalone.js';
