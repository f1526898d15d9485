import { refuseList } from '../contract/BoxIndex.js';
import type { Counters, SpatialIndex } from '../contract/SpatialIndex.js';
import { type Structure, structureOf } from '../contract/Structure.js';
import { IdPairs, sortPairs } from '../core/IdPairs.js';
import { IdList } from '../core/ids.js';
import { BoxVolume } from '../core/shapes/boxAndSphere.js';
import { BoxTree } from './BoxTree.js';
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
  const structure = structureOf(index, 'findPairs');
  checkIdPairs(out, 'findPairs');
  const { counters } = structure;
  counters.beginQuery();
  mine.fill(structure);
  joinSelf(mine, counters, out);
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
  const left = structureOf(a, 'findPairsBetween.a');
  const right = structureOf(b, 'findPairsBetween.b');
  checkIdPairs(out, 'findPairsBetween');
  const { counters } = left;
  counters.beginQuery();
  if (FEW_BOXES * left.ids.size < right.ids.size) {
    askForEach(left, right, counters, out, 0);
  } else if (FEW_BOXES * right.ids.size < left.ids.size) {
    askForEach(right, left, counters, out, 1);
  } else {
    mine.fill(left);
    theirs.fill(right);
    joinBetween(mine, theirs, counters, out);
  }
  if (left !== right) {
    const { nodesVisited, itemsTested } = counters;
    right.counters.beginQuery();
    Object.assign(right.counters, { nodesVisited, itemsTested });
  }
  sortPairs(out);
  return out;
}

/**
 * To copy an item and put it in order takes about as long as this many tests. So if one index has this many times fewer
 * items, a query for each of its items is never much slower than a join, and mostly far faster.
 */
const FEW_BOXES = 64;

/** Adds pairs of each item of `few` with the items of `many` that touch it; `side` 0 puts `few` first, 1 last. */
function askForEach(few: Structure, many: Structure, counters: Counters, out: IdPairs, side: 0 | 1): void {
  const total = { nodesVisited: 0, itemsTested: 0 };
  out.length = 0;
  for (const id of few.ids.all()) {
    few.read(id, volume.box);
    many.overlap(volume, found);
    total.nodesVisited += many.counters.nodesVisited;
    total.itemsTested += many.counters.itemsTested;
    const ids = out.reserve(found.length);
    for (let i = 0; i < found.length; i++) {
      ids[2 * out.length + side] = id;
      ids[2 * out.length++ + 1 - side] = found.ids[i];
    }
  }
  Object.assign(counters, total);
}

function checkIdPairs(list: unknown, where: string): void {
  if (!(list instanceof IdPairs)) refuseList(where, 'an IdPairs', list);
}

// Scratch objects, filled after the last user code of a call has run.
const mine = /* @__PURE__ */ new BoxTree();
const theirs = /* @__PURE__ */ new BoxTree();
const volume = /* @__PURE__ */ new BoxVolume();
const found = /* @__PURE__ */ new IdList();
