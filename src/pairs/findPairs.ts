import { refuseList } from '../contract/BoxIndex.js';
import type { Counters, SpatialIndex } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/Structure.js';
import { IdPairs, sortPairs } from '../core/IdPairs.js';
import type { PackedStructure } from '../packed/Packed.js';
import type { TreeStructure } from '../trees/TreeStructure.js';
import { type JoinTree, treeOfRows } from './JoinTree.js';
import { joinBetween, joinSelf } from './joinTrees.js';

/**
 * Finds all pairs of items whose boxes touch, each once. The lower id comes first; pairs are sorted by first, then
 * second id.
 * @param out The list to fill. Default a new one.
 * @throws TypeError for anything but an index and a list.
 * @example
 * ```ts
 * import { findPairs } from 'three-scene-index/core';
 *
 * for (const [a, b] of findPairs(index).toArray()) console.log(`${a} touches ${b}`);
 * ```
 */
export function findPairs(index: SpatialIndex, out: IdPairs = new IdPairs()): IdPairs {
  const { tree, counters } = treeOf(index, 'findPairs');
  checkIdPairs(out, 'findPairs');
  joinSelf(tree, counters, out);
  sortPairs(out);
  return out;
}

/**
 * Finds all touching pairs of an item of `a` and an item of `b`. The id of `a` comes first; pairs are sorted by first,
 * then second id.
 * @param out The list to fill. Default a new one.
 * @throws TypeError for anything but two indices and a list.
 * @example
 * ```ts
 * import { findPairsBetween, Packed } from 'three-scene-index/core';
 *
 * const players = new Packed();
 * const zones = new Packed();
 * for (const [player, zone] of findPairsBetween(players, zones).toArray()) console.log(player, zone);
 * ```
 */
export function findPairsBetween(a: SpatialIndex, b: SpatialIndex, out: IdPairs = new IdPairs()): IdPairs {
  const { tree, counters } = treeOf(a, 'findPairsBetween.a');
  const other = a === b ? { tree, counters } : treeOf(b, 'findPairsBetween.b');
  checkIdPairs(out, 'findPairsBetween');
  joinBetween(tree, other.tree, counters, out);
  other.counters.nodesVisited = counters.nodesVisited;
  other.counters.itemsTested = counters.itemsTested;
  sortPairs(out);
  return out;
}

/** The tree of an index and the counters of its queries; packed rows are copied to a tree. */
function treeOf(index: SpatialIndex, where: string): { tree: JoinTree; counters: Counters } {
  const structure = structureOf(index, where);
  if (structure.name !== 'packed') return structure as TreeStructure;
  const { rows, state } = (structure as PackedStructure).items;
  state.begin();
  return { tree: treeOfRows(rows), counters: state };
}

function checkIdPairs(list: unknown, where: string): void {
  if (!(list instanceof IdPairs)) refuseList(where, 'an IdPairs', list);
}
