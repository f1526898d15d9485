/**
 * Levels of detail of a geometry, made in the caller's thread: in a worker of your own, in Node, ahead of time.
 * @module
 */

// @ts-expect-error: three has no types for this module.
import { MeshoptSimplifier } from 'three/addons/libs/meshopt_simplifier.module.js';
import { type LevelSource, type Levels, levelsOf } from './batching/levels/makeLevels.js';

export type { LevelMaker } from './batching/LevelQueue.js';
export type { Cells, LevelAttribute, LevelSource, Levels } from './batching/levels/makeLevels.js';

/**
 * Makes levels of detail with meshoptimizer's simplifier, which three includes.
 *
 * An option `levels: { make }` of `accelerate` may call this function in a worker, with the source that `make` gets.
 * @param take Called with the coarse levels of a large geometry as soon as they exist, then with all levels so far.
 * @returns all levels; rejected where WebAssembly is not allowed.
 * @example
 * ```ts
 * import { makeLevels } from 'three-scene-index/levels';
 *
 * const { index, counts, errors } = await makeLevels({ positions, attributes: [], index: corners });
 * ```
 */
export async function makeLevels(source: LevelSource, take?: (levels: Levels) => void): Promise<Levels> {
  await MeshoptSimplifier.ready;
  return levelsOf(source, MeshoptSimplifier, take);
}
