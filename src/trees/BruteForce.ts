import { BoxIndex } from '../contract/BoxIndex.js';
import { readOptions } from '../core/options.js';
import { ROOT } from './Nodes.js';
import { type Items, packRows } from './packRows.js';
import { Tree } from './Tree.js';
import { type Layout, TreeStructure } from './TreeStructure.js';

/**
 * A plain list that every query scans. Updates cost next to nothing. The right choice for a few hundred items, and the
 * reference for all other structures.
 *
 * @example
 * ```ts
 * import { BruteForce } from 'three-scene-index/core';
 *
 * const few = new BruteForce();
 * few.addAll(boxes);
 * console.log(few.queryPoint(0, 0, 0).toArray());
 * ```
 */
export class BruteForce extends BoxIndex {
  constructor(options: Record<string, never> = {}) {
    readOptions(options, {}, 'BruteForce');
    super(new TreeStructure(new ListLayout()));
  }
}

/** Keeps every item under the root. */
class ListLayout implements Layout {
  readonly structure = 'bruteForce';
  readonly tree: Tree = new Tree(false);
  readonly ordersByGround = false;

  insert(id: number, box: Float64Array): void {
    this.tree.insert(ROOT, id, box, 0);
  }

  canStay(): boolean {
    return true;
  }

  acceptsWithinRow(): boolean {
    return true;
  }

  arrange(items: Items): void {
    packRows(this.tree, ROOT, items, 0, items.order.length);
  }
}
