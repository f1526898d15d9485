import { offsetOf } from '../core/box.js';
import type { PackedItems } from './PackedItems.js';

/** Each change adds 1 / CHANGES to the number of rows owed; FEWEST_CHANGES is the number from which rows are tended. */
const CHANGES = 16;
const FEWEST_CHANGES = 4;
/** Rows owed after a call has moved most items: this share of all rows, but no fewer than LEAST_OWED. */
const SHARE_OWED = 1 / 6;
const LEAST_OWED = 40;
/** One in this many rows owed is searched for strays, which takes far longer than refitting it. */
const ROWS_PER_LOOK = 5;
/** The share of strays is an average over about this many searched items. */
const LATELY = 384;
/** A sweep pays if this share of the items are strays; beyond the share LOST no order is left. */
const ASTRAY = 1 / 16;
const LOST = 1 / 2;
/** A sweep needs this many tests per item by queries since the last sweep: the order restored would save its cost. */
const SWEEP = 16;
/** A rebuild costs as much as this many tests per item; queries may pay for this many rebuilds in advance. */
const REBUILD_COST = 64;
const CREDIT = 17;
/** The slack of rows once items move, as a share of the rows' size. */
const MOTION_SLACK = 0.05;
/** Rows whose boxes are sampled for `#giveSlack`. */
const SLACK_SAMPLE = 256;
/** Rows that are swept together. */
const SWEPT = 64;

/**
 * Keeps rows in order while items move. Each change adds to the number of rows owed. Rows owed are refitted in turn,
 * and some are searched for strays (items far from their position on the curve), which are sent back. When there are
 * many strays, `maintain` gives time and queries have paid for it, a sweep redistributes all rows. When no order is
 * left, everything is rebuilt once queries have made as many tests as a rebuild costs.
 */
export class Upkeep {
  readonly #items: PackedItems;
  /** `rebuilds` of the items when the other fields were reset. */
  #rebuild = -1;
  /** Rows owed, and rows tended so far. */
  #owed = 0;
  #tended = 0;
  /** The share of strays among the items searched lately. */
  #astray = 0;
  /** The row that a sweep has come to; 0 between sweeps. */
  #sweep = 0;
  /** The number of tests by queries from which the next sweep may start. */
  #unswept = 0;
  /** Tests by queries that do not count towards the next rebuild. */
  #unpaid = 0;

  constructor(items: PackedItems) {
    this.#items = items;
  }

  /** Notes changes, and tends some rows now and then. */
  note(count: number): void {
    const items = this.#items;
    this.#dropOutdated();
    this.#owed += count / CHANGES;
    if (this.#owed < FEWEST_CHANGES || items.rows.count === 0) return;
    this.#giveSlack();
    const from = this.#tended % items.rows.count;
    items.refit(from, this.#searchForStrays(from));
  }

  /** Refits all rows after most items were written to their seats, or rebuilds everything. */
  refitAll(): void {
    const items = this.#items;
    const { rows, state } = items;
    this.#dropOutdated();
    rows.slack = 0;
    this.#owed = Math.max(rows.count * SHARE_OWED, LEAST_OWED);
    if (rows.count > 0) this.#searchForStrays(this.#tended % rows.count);
    const price = REBUILD_COST * items.ids.size;
    const paid = Math.min(state.tested - this.#unpaid, CREDIT * price);
    // If items jump about and few queries run, a rebuild would never pay.
    if (this.#astray <= LOST || paid < price) {
      items.refit(0, rows.count);
      return;
    }
    const astray = this.#astray;
    items.rebuild();
    this.#dropOutdated();
    this.#unpaid -= paid - price;
    // Items that jump about are likely to go on: the share of strays is kept, so that the next rebuild need not wait.
    this.#astray = astray;
  }

  /** Works until nothing is left that pays, and returns true; returns false after about `budget` milliseconds. */
  run(budget: number): boolean {
    const items = this.#items;
    const { rows } = items;
    this.#dropOutdated();
    // Rows are owed or tended if anything has changed since the last rebuild.
    if (this.#owed + this.#tended === 0) return true;
    if (budget === Number.POSITIVE_INFINITY) {
      items.rebuild();
      return true;
    }
    if (this.#sweep === 0) {
      const { tested } = items.state;
      if (this.#astray <= ASTRAY || tested < this.#unswept) return true;
      this.#unswept = tested + SWEEP * items.ids.size;
    }
    const end = performance.now() + budget;
    while (this.#sweep < rows.count) {
      const from = this.#sweep;
      this.#sweep = Math.min(from + SWEPT, rows.count);
      items.redistribute(from, this.#sweep);
      if (performance.now() >= end) return false;
    }
    this.#sweep = 0;
    this.#astray = 0;
    return true;
  }

  /** Forgets everything noted before a rebuild. */
  #dropOutdated(): void {
    const items = this.#items;
    if (this.#rebuild === items.rebuilds) return;
    this.#rebuild = items.rebuilds;
    this.#unpaid = items.state.tested;
    this.#owed = this.#tended = this.#astray = this.#sweep = this.#unswept = 0;
  }

  /** Gives boxes some slack, so that items stay within them after small moves. */
  #giveSlack(): void {
    const { rows } = this.#items;
    if (rows.slack > 0) return;
    const edges: number[] = [];
    for (let row = 0; row < rows.count; row += Math.ceil(rows.count / SLACK_SAMPLE)) {
      const at = offsetOf(row);
      if (rows.sizes[row] > 0) for (let c = at; c < at + 12; c += 4) edges.push(rows.tiers[c + 12] - rows.tiers[c]);
    }
    // The slack follows the median edge, because a few rows of large boxes must not decide for all.
    rows.slack = Math.fround(MOTION_SLACK * (Float64Array.from(edges).sort()[edges.length >> 1] ?? 0));
  }

  /** Searches some of the rows owed for strays; returns the row after the last row owed. The caller refits them all. */
  #searchForStrays(from: number): number {
    const items = this.#items;
    const { sizes, count } = items.rows;
    const to = Math.min(from + Math.ceil(this.#owed), count);
    // Each turn through all rows searches other rows for strays.
    const first = from + (Math.floor(this.#tended / count) % ROWS_PER_LOOK);
    let searched = 0;
    for (let row = first; row < to; row += ROWS_PER_LOOK) searched += sizes[row];
    const strays = items.returnStrays(first, to, ROWS_PER_LOOK);
    this.#astray += (strays - this.#astray * searched) / (searched + LATELY);
    this.#owed = 0;
    this.#tended += to - from;
    return to;
  }
}
