/**
 * Queries and edits of the rows of one index, four boxes at a time. src/packed explains them, and has the same
 * operations without SIMD, in the same order and with the same answers.
 *
 * The kernel allocates nothing: the caller lays out the arrays of rows and the room for results.
 */

export { append, take } from './packed/batch';
export { deal, gather, order } from './packed/deal';
export { move, refit, verify } from './packed/edit';
export { listStrays } from './packed/curve';
export { nearest } from './packed/nearest';
export { init, overlap } from './packed/overlap';
export { raycast } from './packed/ray';
