import { checkIdPairs } from '../contract/checkResults.js';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { IdPairs } from '../core/IdPairs.js';
import { sortPairs } from '../core/sortPairs.js';
import { pairs, pairsBetween } from './pairs.js';
import { treeOf } from './treeOf.js';

/**
 * Finds all pairs of items of an index whose boxes touch, each once, the lower id first; sorted by the first id, then
 * by the second.
 * @param out The list to fill, from its start; without it a new one is made.
 * @throws TypeError for an index or a list that is none.
 */
export function findPairs(index: SpatialIndex, out: IdPairs = new IdPairs()): IdPairs {
  const { tree, walk } = treeOf(index, 'findPairs');
  checkIdPairs(out, 'findPairs');
  pairs(tree, walk, out);
  sortPairs(out);
  return out;
}

/**
 * Finds all pairs of an item of `a` and an item of `b` whose boxes touch, the id of `a` first; in the order of
 * `findPairs`.
 * @param out The list to fill, from its start; without it a new one is made.
 * @throws TypeError for an index or a list that is none.
 */
export function findPairsBetween(a: SpatialIndex, b: SpatialIndex, out: IdPairs = new IdPairs()): IdPairs {
  const { tree, walk } = treeOf(a, 'findPairsBetween.a');
  const other = a === b ? { tree, walk } : treeOf(b, 'findPairsBetween.b');
  checkIdPairs(out, 'findPairsBetween');
  pairsBetween(tree, other.tree, walk, out);
  other.walk.nodesVisited = walk.nodesVisited;
  other.walk.itemsTested = walk.itemsTested;
  sortPairs(out);
  return out;
}
