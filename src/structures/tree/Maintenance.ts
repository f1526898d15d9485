import { BOX } from '../../core/box.js';
import type { ItemIds } from '../../core/storage/ItemIds.js';
import { ROOT } from '../../core/storage/Nodes.js';
import { RowOrder } from '../../core/storage/RowOrder.js';
import { ROW } from '../../core/storage/Rows.js';
import type { Layout } from './Layout.js';
import type { LayoutMaintenance } from './LayoutMaintenance.js';
import { removeItem } from './removeItem.js';

/**
 * The number of entries handled between two readings of the clock, some tens of microseconds of work, and the clock in
 * milliseconds. Tests replace both, so that where work is interrupted does not depend on the machine.
 */
export const pace = { stride: 256, now: (): number => performance.now() };
/** A round begins when one in this many entries has changed since the last round. */
const SHARE = 8;

/** The parts of a round; REST when none is in progress. */
const REST = 0;
const REPLACE = 1;
const PACK = 2;
const ORDER = 3;

/** In place of a number of entries: the tree is outgrown. */
const OUTGROWN = -1;

/**
 * The result of some maintenance: nothing is left to do, there is more, or the tree is outgrown and must be rebuilt.
 */
export type Progress = 'done' | 'more' | 'outgrown';

/**
 * Keeps a tree as good as new while things move, a little at a time.
 *
 * A round has three parts. Misplaced items are placed where a build would put them; rows in which something has changed
 * are packed anew; then all rows are put into the order of the tree (`RowOrder`). Each part goes through the rows by
 * number and remembers only how far it came, so the tree may change in any way between two calls. When the tree turns
 * out to be outgrown, the work ends, and the caller must rebuild the tree.
 */
export class Maintenance {
  readonly #layout: Layout;
  readonly #byLayout: LayoutMaintenance<Layout>;
  readonly #ids: ItemIds;
  readonly #order: RowOrder;
  #part = REST;
  #row = 0;
  /** Changes counted when the round began, and those that it has made itself. */
  #known = 0;

  /** @param byLayout The maintenance for this kind of layout. */
  constructor(layout: Layout, byLayout: LayoutMaintenance<Layout>, ids: ItemIds) {
    this.#layout = layout;
    this.#byLayout = byLayout;
    this.#ids = ids;
    this.#order = new RowOrder(layout.tree, (row, to) => byLayout.exchangeRows(layout, row, to));
  }

  /** Works for `budget` milliseconds, or until nothing is left to do. */
  run(budget: number): Progress {
    const { tree } = this.#layout;
    // With an infinite budget, any change starts a round.
    const least = budget === Number.POSITIVE_INFINITY ? 1 : Math.max(1, tree.nodes.entries[ROOT] / SHARE);
    // Reading the clock takes longer than everything else when nothing is left to do.
    if (this.#part === REST && tree.changes < least) return 'done';
    const { stride } = pace;
    const end = pace.now() + budget;
    while (this.#part !== REST || this.#begins(least)) {
      for (let handled = 0; handled < stride && this.#part !== REST; ) {
        const count = this.#step();
        if (count === OUTGROWN) return 'outgrown';
        handled += count;
      }
      if (pace.now() >= end) return this.#part === REST ? 'done' : 'more';
    }
    return 'done';
  }

  #begins(least: number): boolean {
    const { changes } = this.#layout.tree;
    if (changes < least) return false;
    this.#known = changes;
    this.#part = REPLACE;
    this.#row = 0;
    return true;
  }

  /** Takes one step; returns the number of entries it handled, or OUTGROWN. */
  #step(): number {
    const layout = this.#layout;
    const { tree } = layout;
    const { rows } = tree;
    if (this.#part === ORDER) {
      if (!this.#order.step()) this.#end();
      return 1;
    }
    if (this.#row >= rows.count) {
      this.#row = 0;
      if (++this.#part === ORDER) this.#order.begin();
      return 1;
    }
    const row = this.#row++;
    if (rows.sizes[row] === 0 || rows.dirty[row] === 0) return 1;
    if (this.#part === PACK) return this.#byLayout.pack(layout, row);
    const before = tree.changes;
    const handled = this.#replace(row);
    this.#known += tree.changes - before;
    return handled;
  }

  /**
   * Places misplaced items of a row where a build would put them; returns how many items it looked at, or OUTGROWN as
   * soon as an item makes the tree so.
   */
  #replace(row: number): number {
    const layout = this.#layout;
    const { nodes, rows } = layout.tree;
    const handled = rows.sizes[row];
    for (let k = handled - 1; k >= 0; k--) {
      // Placing an item may remove the row, or reuse it for others.
      if (k >= rows.sizes[row]) continue;
      const slot = row * ROW + k;
      const id = rows.ids[slot];
      if (id < 0 || rows.nextSlot[slot] >= 0) continue;
      rows.read(slot, box, 0);
      if (!this.#byLayout.isMisplaced(layout, nodes.parent[rows.nodes[row]], box)) continue;
      removeItem(layout, id);
      if (layout.place(id, box, this.#ids.size)) return OUTGROWN;
    }
    return handled;
  }

  #end(): void {
    const { tree } = this.#layout;
    this.#part = REST;
    tree.changes = Math.max(0, tree.changes - this.#known);
  }
}

const box = new Float64Array(BOX);
