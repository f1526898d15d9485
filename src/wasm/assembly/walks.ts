/**
 * The walks over one tree, two boxes at a time. What they do, and why, is told in src/query (overlap, raycast, nearest) and
 * in the volumes of src/core, which do the same without SIMD: here are the same expressions over the same doubles, so the
 * answers are the same to the last bit and come in the same order.
 *
 * Nothing is allocated here: the arrays of a tree and the room for results lie where the caller put them.
 */

export { overlap } from './walk/overlap';
export { raycast } from './walk/raycast';
export { raycastFirst } from './walk/raycastFirst';
