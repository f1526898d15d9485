import { placeOf, ROW } from '../../core/storage/Rows.js';
import { dealRange } from './dealAround.js';
import type { PackedItems } from './PackedItems.js';

/** Changes after which some upkeep is done. */
const STRIDE = 64;
/** Changes for each row that is made to fit again, and for each row that is looked through for strays. */
const PER_REFIT = 16;
const PER_LOOK = 88;
/** The share of all rows that is looked through when items were moved in great number; and how many at least. */
const LOOKS = 1 / 32;
const LEAST_LOOKS = 8;
/** The share of the size of rows by which they may be larger than their contents once things move. */
const SLACK = 0.05;
/** Rows that tell what size rows have. */
const SAMPLE = 256;
/** A sweep begins when this share of the items looked at lately had strayed. */
const ASTRAY = 1 / 16;
/** With this share there is no order left. To deal an item anew then costs as much as to test it so many times. */
const LOST = 1 / 2;
const DEAL = 64;
/** How many such deals queries may have paid for beforehand. */
const CREDIT = 16;
/** Rows that are swept together. */
const TOGETHER = 64;

/**
 * Keeps rows in order while things move. As rows change, some in turn are made to fit their contents, and some are
 * looked through for items that have strayed from the curve, which go back to where they belong. When these turn out to
 * be many, and time is given, a sweep goes through all rows.
 */
export class Upkeep {
  readonly #items: PackedItems;
  /** The deal of all items after which the rest was noted. */
  #deal = -1;
  /** Changes since the last deal, and those for which some rows are still to be seen to. */
  #changes = 0;
  #due = 0;
  /** The rows that are next, and how many are still to be looked through. */
  #nextFit = 0;
  #nextLook = 0;
  #looks = 0;
  /** Items looked at lately, and how many of them had strayed. */
  #seen = 0;
  #astray = 0;
  /** The row that a sweep has come to, or -1. */
  #sweep = -1;
  /** What queries had tested when all was in order, less what they paid for since. */
  #testedBefore = 0;

  constructor(items: PackedItems) {
    this.#items = items;
  }

  /** Notes changes; now and then some rows are seen to. */
  note(count: number): void {
    const items = this.#items;
    this.#begin();
    this.#changes += count;
    this.#due += count;
    if (this.#due < STRIDE) return;
    const fits = Math.ceil(this.#due / PER_REFIT);
    this.#looks += this.#due / PER_LOOK;
    this.#due = 0;
    this.#giveSlack();
    const from = this.#nextLook < items.rows.count ? this.#nextLook : 0;
    this.#look();
    if (this.#nextLook > from) items.refit(from, this.#nextLook);
    const first = this.#nextFit < items.rows.count ? this.#nextFit : 0;
    this.#nextFit = Math.min(first + fits, items.rows.count);
    items.refit(first, this.#nextFit);
  }

  /** Makes all rows fit, after most items were written to their slots. */
  refitAll(count: number): void {
    const items = this.#items;
    const { rows } = items;
    this.#begin();
    this.#changes += count;
    this.#due = rows.slack = 0;
    this.#looks += Math.max(rows.count * LOOKS, LEAST_LOOKS);
    this.#look();
    // Queries must have cost as much as it will take: where all jumps about and little is asked, it would never pay.
    const isLost = this.#astray > LOST * this.#seen;
    const price = DEAL * items.ids.size;
    const left = items.walk.tested - this.#testedBefore - price;
    if (!isLost || left < 0) {
      items.refit(0, rows.count);
      return;
    }
    items.deal();
    this.#begin();
    // A single query of rows without order may cost many times what it takes to make one.
    this.#testedBefore = items.walk.tested - Math.min(left, CREDIT * price);
  }

  /** Works for `budget` milliseconds, or until nothing is left to do; returns true then. */
  run(budget: number): boolean {
    const items = this.#items;
    const { rows } = items;
    this.#begin();
    if (this.#changes === 0) return true;
    if (budget === Number.POSITIVE_INFINITY) {
      items.deal();
      return true;
    }
    if (this.#sweep < 0 && this.#astray <= ASTRAY * this.#seen) return true;
    const end = performance.now() + budget;
    for (let row = Math.max(this.#sweep, 0); row < rows.count; ) {
      const to = Math.min(row + TOGETHER, rows.count);
      dealRange(rows, items.curve, row, to);
      items.fill(row, to);
      row = to;
      this.#sweep = to;
      if (performance.now() >= end) return false;
    }
    this.#sweep = -1;
    this.#seen = this.#astray = 0;
    return true;
  }

  /** Forgets everything if all items were dealt anew since. */
  #begin(): void {
    if (this.#deal === this.#items.deals) return;
    this.#deal = this.#items.deals;
    this.#testedBefore = this.#items.walk.tested;
    this.#changes = this.#due = this.#nextFit = this.#nextLook = this.#looks = this.#seen = this.#astray = 0;
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

  /** Looks through the rows that are next, up to the last at most, for strays. Their boxes may be too large then. */
  #look(): void {
    const { rows } = this.#items;
    if (this.#nextLook >= rows.count) this.#nextLook = 0;
    const to = Math.min(this.#nextLook + Math.floor(this.#looks), rows.count);
    this.#looks = Math.min(this.#looks - Math.floor(this.#looks), 1);
    // Of what was seen earlier, ever less counts.
    if (this.#seen > ROW * 64) {
      this.#seen /= 2;
      this.#astray /= 2;
    }
    for (; this.#nextLook < to; this.#nextLook++) {
      this.#seen += rows.sizes[this.#nextLook];
      this.#astray += this.#rehouse(this.#nextLook);
    }
  }

  /** Sends the strays of a row to where they belong; returns how many there were. */
  #rehouse(row: number): number {
    const items = this.#items;
    const { rows } = items;
    let found = 0;
    for (let k = rows.sizes[row] - 1; k >= 0; k--) if (items.rehouse(rows.ids[ROW * row + k], ROW * row + k)) found++;
    return found;
  }
}
