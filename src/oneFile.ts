/**
 * All of the main entry and of the core, for pages without a bundler: `three-scene-index.min.js`.
 * @module
 */

export * from './index.js';
// Both entries export these functions; those of `index.js` take the indices of either.
export { findPairs, findPairsBetween, forEachNode, maintain, stats } from './index.js';
export * from './standalone.js';
