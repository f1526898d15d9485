/**
 * Queries and edits of the rows of one index, four boxes at a time. src/packed does the same without SIMD and explains
 * it: operations are the same, in the same order, and so are the answers.
 *
 * Nothing is allocated here: arrays of rows and the room for results lie where the caller put them.
 */

export { append, take } from './packed/batch';
export { deal, gather, order } from './packed/deal';
export { move, refit, verify } from './packed/edit';
export { listStrays } from './packed/curve';
export { nearest } from './packed/nearest';
export { init, overlap } from './packed/overlap';
export { raycast } from './packed/ray';
