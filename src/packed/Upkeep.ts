import { placeOf, ROW } from '../core/rowLayout.js';
import type { PackedItems } from './PackedItems.js';
import { dealRange } from './PackedItems.js';

/** Changes for each row that is tended, and rows that are tended together. */
const CHANGES = 16;
const FEWEST = 4;
/** The share of all rows, and the least number, that is tended when items were moved in great number. */
const SHARE = 1 / 6;
const LEAST = 40;
/** Of so many rows that are made to fit one is looked through for strays, which takes far longer. */
const ROWS_PER_LOOK = 5;
/** About so many rows tell how many items have strayed lately. */
const LATELY = 32;
/** The share of strays from which on a sweep is worth its time, and that at which there is no order left. */
const ASTRAY = 1 / 16;
const LOST = 1 / 2;
/** To deal an item anew costs as much as to test it so many times; queries may have paid for so many deals. */
const DEAL = 64;
const CREDIT = 17;
/** The share of the size of rows by which they may be larger than their contents once things move. */
const SLACK = 0.05;
/** Rows that tell what size rows have. */
const SAMPLE = 256;
/** Rows that are swept together. */
const SWEPT = 64;

/**
 * Keeps rows in order while things move. Changes owe rows: of these, in turn, all are made to fit their contents, and
 * some are looked through for items that have strayed from the curve, which go back to where they belong. When strays
 * turn out to be many, and time is given, a sweep goes through all rows. When no order is left, everything is dealt anew
 * once queries have paid for that with as many tests.
 */
export class Upkeep {
  readonly #items: PackedItems;
  /** The deal of all items since which the rest was noted. */
  #deal = -1;
  #isChanged = false;
  /** Rows that changes owe, and those that were tended so far. */
  #owed = 0;
  #tended = 0;
  /** The share of strays among the items looked at lately. */
  #astray = 0;
  /** The row that a sweep has come to, or -1. */
  #sweep = -1;
  /** Of what queries have tested, what pays for nothing. */
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
    items.refit(from, this.#look(from));
  }

  /** Makes all rows fit, after most items were written to their slots; or deals them anew. */
  refitAll(): void {
    const items = this.#items;
    const { rows, walk } = items;
    this.#begin();
    this.#isChanged = true;
    rows.slack = 0;
    this.#owed = Math.max(rows.count * SHARE, LEAST);
    if (rows.count > 0) this.#look(this.#tended % rows.count);
    const price = DEAL * items.ids.size;
    const paid = Math.min(walk.tested - this.#unpaid, CREDIT * price);
    // Where all jumps about and little is asked, a deal would never pay.
    if (this.#astray <= LOST || paid < price) {
      items.refit(0, rows.count);
      return;
    }
    const astray = this.#astray;
    items.deal();
    this.#begin();
    this.#unpaid -= paid - price;
    // What jumps about will go on to, so the next deal need not wait for more strays.
    this.#astray = astray;
  }

  /** Works for `budget` milliseconds, or until nothing is left to do; returns true then. */
  run(budget: number): boolean {
    const items = this.#items;
    const { rows } = items;
    this.#begin();
    if (!this.#isChanged) return true;
    if (budget === Number.POSITIVE_INFINITY) {
      items.deal();
      return true;
    }
    if (this.#sweep < 0 && this.#astray <= ASTRAY) return true;
    const end = performance.now() + budget;
    for (let row = Math.max(this.#sweep, 0); row < rows.count; ) {
      const to = Math.min(row + SWEPT, rows.count);
      dealRange(rows, items.curve, row, to);
      items.fill(row, to);
      row = to;
      this.#sweep = to;
      if (performance.now() >= end) return false;
    }
    this.#sweep = -1;
    this.#astray = 0;
    return true;
  }

  /** Forgets everything if all items were dealt anew since. */
  #begin(): void {
    const items = this.#items;
    if (this.#deal === items.deals) return;
    this.#deal = items.deals;
    this.#isChanged = false;
    this.#unpaid = items.walk.tested;
    this.#owed = this.#tended = this.#astray = 0;
    this.#sweep = -1;
  }

  /** Lets boxes have some slack, so that what moves a little stays within them. */
  #giveSlack(): void {
    const { rows } = this.#items;
    if (rows.slack > 0) return;
    const edges: number[] = [];
    for (let row = 0; row < rows.count; row += Math.ceil(rows.count / SAMPLE)) {
      const at = placeOf(row);
      if (rows.sizes[row] > 0) for (let c = at; c < at + 12; c += 4) edges.push(rows.levels[c + 12] - rows.levels[c]);
    }
    // The median, as a few rows of large boxes must not decide for all.
    rows.slack = Math.fround(SLACK * (Float64Array.from(edges).sort()[edges.length >> 1] ?? 0));
  }

  /**
   * Looks through some of the rows that are owed, up to the last of all, for strays; returns the row behind them. Boxes
   * of rows that have lost strays are too large then.
   */
  #look(from: number): number {
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

  /** Sends the strays of a row to where they belong; returns how many there were. */
  #returnStrays(row: number): number {
    const items = this.#items;
    const { rows } = items;
    let found = 0;
    for (let k = rows.sizes[row] - 1; k >= 0; k--) if (items.rehouse(rows.ids[ROW * row + k], ROW * row + k)) found++;
    return found;
  }
}
