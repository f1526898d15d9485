import { placeOf, ROW } from '../core/rowLayout.js';
import type { PackedItems } from './PackedItems.js';

/** Changes for each row owed, and how many are tended together. */
const CHANGES = 16;
const FEWEST = 4;
/** The share of all rows, and the least number, that is owed when most items were moved at once. */
const SHARE = 1 / 6;
const LEAST = 40;
/** One in so many of the rows owed is searched for strays, which takes far longer than to refit it. */
const ROWS_PER_LOOK = 5;
/** About so many rows tell the share of strays. */
const LATELY = 32;
/** The share of strays from which a sweep is worth its time, and that at which no order is left. */
const ASTRAY = 1 / 16;
const LOST = 1 / 2;
/** A rebuild costs as much as so many tests of each item; queries may pay for so many rebuilds in advance. */
const REBUILD = 64;
const CREDIT = 17;
/** The slack of rows once things move, as a share of their size. */
const SLACK = 0.05;
/** Rows from which their size is estimated. */
const SAMPLE = 256;
/** Rows that are swept together. */
const SWEPT = 64;

/**
 * Keeps rows in order while things move. Each change owes a share of a row. The rows owed are refitted in turn, and some
 * searched for strays, items far from their place on the curve, which are sent back. When strays are many and `maintain`
 * gives time, a sweep redistributes all rows. When no order is left, everything is rebuilt once queries have paid for
 * that with as many tests.
 */
export class Upkeep {
  readonly #items: PackedItems;
  /** The rebuild since which the rest was noted. */
  #rebuild = -1;
  #isChanged = false;
  /** Rows that changes owe, and those that were tended so far. */
  #owed = 0;
  #tended = 0;
  /** The share of strays among the items searched lately. */
  #astray = 0;
  /** The row that a sweep has come to, or -1. */
  #sweep = -1;
  /** Tests by queries that pay for nothing. */
  #unpaid = 0;

  constructor(items: PackedItems) {
    this.#items = items;
  }

  /** Notes changes; now and then some rows are tended. */
  note(count: number): void {
    const items = this.#items;
    this.#begin();
    this.#isChanged = true;
    this.#owed += count / CHANGES;
    if (this.#owed < FEWEST || items.rows.count === 0) return;
    this.#giveSlack();
    const from = this.#tended % items.rows.count;
    items.refit(from, this.#searchForStrays(from));
  }

  /** Refits all rows after most items were written to their slots, or rebuilds everything. */
  refitAll(): void {
    const items = this.#items;
    const { rows, state } = items;
    this.#begin();
    this.#isChanged = true;
    rows.slack = 0;
    this.#owed = Math.max(rows.count * SHARE, LEAST);
    if (rows.count > 0) this.#searchForStrays(this.#tended % rows.count);
    const price = REBUILD * items.ids.size;
    const paid = Math.min(state.tested - this.#unpaid, CREDIT * price);
    // Where everything jumps about and few queries run, a rebuild would never pay.
    if (this.#astray <= LOST || paid < price) {
      items.refit(0, rows.count);
      return;
    }
    const astray = this.#astray;
    items.rebuild();
    this.#begin();
    this.#unpaid -= paid - price;
    // What jumps about will go on to, so the next rebuild need not wait for more strays.
    this.#astray = astray;
  }

  /** Works for `budget` milliseconds, or until nothing is left to do; returns true then. */
  run(budget: number): boolean {
    const items = this.#items;
    const { rows } = items;
    this.#begin();
    if (!this.#isChanged) return true;
    if (budget === Number.POSITIVE_INFINITY) {
      items.rebuild();
      return true;
    }
    if (this.#sweep < 0 && this.#astray <= ASTRAY) return true;
    const end = performance.now() + budget;
    for (let row = Math.max(this.#sweep, 0); row < rows.count; ) {
      const to = Math.min(row + SWEPT, rows.count);
      items.redistribute(row, to);
      row = to;
      this.#sweep = to;
      if (performance.now() >= end) return false;
    }
    this.#sweep = -1;
    this.#astray = 0;
    return true;
  }

  /** Forgets everything noted before a rebuild. */
  #begin(): void {
    const items = this.#items;
    if (this.#rebuild === items.rebuilds) return;
    this.#rebuild = items.rebuilds;
    this.#isChanged = false;
    this.#unpaid = items.state.tested;
    this.#owed = this.#tended = this.#astray = 0;
    this.#sweep = -1;
  }

  /** Gives boxes some slack, so that what moves a little stays within them. */
  #giveSlack(): void {
    const { rows } = this.#items;
    if (rows.slack > 0) return;
    const edges: number[] = [];
    for (let row = 0; row < rows.count; row += Math.ceil(rows.count / SAMPLE)) {
      const at = placeOf(row);
      if (rows.sizes[row] > 0) for (let c = at; c < at + 12; c += 4) edges.push(rows.levels[c + 12] - rows.levels[c]);
    }
    // The median, because a few rows of large boxes must not decide for all.
    rows.slack = Math.fround(SLACK * (Float64Array.from(edges).sort()[edges.length >> 1] ?? 0));
  }

  /**
   * Searches some of the rows owed, up to the last of all, for strays, and returns the row after them. They are still to
   * be refitted.
   */
  #searchForStrays(from: number): number {
    const { sizes, count } = this.#items.rows;
    const turn = Math.floor(this.#tended / count);
    const to = Math.min(from + Math.ceil(this.#owed), count);
    for (let row = from; row < to; row++) {
      if ((row + turn) % ROWS_PER_LOOK !== 0 || sizes[row] === 0) continue;
      const size = sizes[row];
      this.#astray += (this.#returnStrays(row) / size - this.#astray) / LATELY;
    }
    this.#owed = 0;
    this.#tended += to - from;
    return to;
  }

  /** Sends the strays of a row back; returns how many there were. */
  #returnStrays(row: number): number {
    const items = this.#items;
    const { rows } = items;
    let found = 0;
    for (let k = rows.sizes[row] - 1; k >= 0; k--)
      if (items.returnStray(rows.ids[ROW * row + k], ROW * row + k)) found++;
    return found;
  }
}
