/**
 * Work over the rows of one index, four boxes at a time. What it does, and why, is told in src/query/packed and
 * src/core/packed, which do the same without SIMD: operations are the same, in the same order, and so are the answers.
 *
 * Nothing is allocated here: arrays of rows and the room for results lie where the caller put them.
 */

export { fill, move, refit } from './packed/edit';
export { nearest } from './packed/nearest';
export { init, overlap } from './packed/overlap';
export { raycast, raycastFirst } from './packed/ray';
