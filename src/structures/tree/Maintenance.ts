import { ROOT } from '../../core/storage/Nodes.js';
import { RowOrder } from '../../core/storage/RowOrder.js';
import type { Tree } from '../../core/storage/Tree.js';

/**
 * How many entries are handled between two looks at the clock, which takes some tens of microseconds, and the clock in
 * milliseconds. Tests put in others, so that where work is broken off does not depend on the machine.
 */
export const pace = { stride: 256, now: (): number => performance.now() };
/** A round begins when one entry for so many that there are has changed since the last. */
const SHARE = 8;

/** Whether a round is on, and which of its parts. */
const REST = 0;
const REFILE = 1;
const PACK = 2;
const ORDER = 3;

/** In place of a number of items: the structure is outgrown, and to be rebuilt. */
export const OUTGROWN = -1;

/** What maintenance asks of a structure. */
export interface Maintained {
  /**
   * Files items of a row anew that have left the place where a build would file them; returns how many it looked at, or
   * OUTGROWN as soon as an item makes it so.
   */
  refile(row: number): number;
  /** Packs a row and others of its node anew; returns the number of their entries. */
  pack(row: number): number;
  /** Has two rows change places. */
  exchange(row: number, to: number): void;
  /** Builds the structure anew, and calls `begin`. */
  rebuild(): void;
}

/**
 * Keeps a tree as good as new while things move, a little at a time.
 *
 * A round has three parts. Items that have strayed from where a build would file them go back there; rows in which
 * something has changed are packed anew; then all rows are put into the order of the tree (`RowOrder`). Each part goes
 * through the rows by their numbers, of which nothing is remembered but how far it came: so the tree may change as it
 * likes between two calls. A structure that turns out to be outgrown is rebuilt, which is the end of the round: nothing is
 * left to do then, and no row is where it was.
 */
export class Maintenance {
  readonly #tree: Tree;
  readonly #structure: Maintained;
  readonly #order: RowOrder;
  #part = REST;
  #row = 0;
  /** Changes that were known when the round began, and those that it made itself. */
  #known = 0;

  constructor(tree: Tree, structure: Maintained) {
    this.#tree = tree;
    this.#structure = structure;
    this.#order = new RowOrder(tree, (row, to) => structure.exchange(row, to));
  }

  /** Works for so many milliseconds, or until there is nothing to do; returns true in the latter case. */
  run(budget: number): boolean {
    // With no end in sight even little is worth a round.
    const least = budget === Number.POSITIVE_INFINITY ? 1 : Math.max(1, this.#tree.nodes.entries[ROOT] / SHARE);
    // To look at the clock takes longer than all the rest where nothing is left to do.
    if (this.#part === REST && this.#tree.changes < least) return true;
    const { stride } = pace;
    const end = pace.now() + budget;
    while (this.#part !== REST || this.#begins(least)) {
      for (let handled = 0; handled < stride && this.#part !== REST; ) handled += this.#step();
      if (pace.now() >= end) return this.#part === REST;
    }
    return true;
  }

  /** Takes note of the order of a tree that has just been filled. */
  begin(): void {
    this.#part = REST;
    this.#order.begin();
    while (this.#order.step());
  }

  #begins(least: number): boolean {
    const { changes } = this.#tree;
    if (changes < least) return false;
    this.#known = changes;
    this.#part = REFILE;
    this.#row = 0;
    return true;
  }

  /** Takes one step; returns how many entries that concerned. */
  #step(): number {
    const { rows } = this.#tree;
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
    if (this.#part === PACK) return this.#structure.pack(row);
    const before = this.#tree.changes;
    const handled = this.#structure.refile(row);
    if (handled === OUTGROWN) {
      this.#structure.rebuild();
      return this.#tree.nodes.entries[ROOT];
    }
    this.#known += this.#tree.changes - before;
    return handled;
  }

  #end(): void {
    const tree = this.#tree;
    this.#part = REST;
    tree.changes = Math.max(0, tree.changes - this.#known);
  }
}
