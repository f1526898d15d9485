import { BOUNDED, BOX, contains, makeEmpty } from '../../core/box.js';
import { grow } from '../../core/grow.js';

const FEW = 16;
/**
 * The margin where none is given, as a share of the mean edge of a row's box. In a gas of boxes twice as much saves four
 * in ten refilings, but rays look at a third more.
 */
const SHARE = 1 / 8;

/**
 * Where the items of each row may move and stay: a *fat box* around its own.
 *
 * A fat box reaches beyond the box of what is in the row by the margin at most, on each side. It is looked at when an item
 * comes or goes, and changes only where that did not hold, or where the one that came sticks out. So it does not spread
 * with items that move to its border: a row whose items drift apart thins out instead of growing.
 */
export class FatBounds {
  /** Fat box of row r at 6 * r. Never beyond the bounds of what is placed by position; a planar one reaches them in Y. */
  boxes: Float64Array = new Float64Array(FEW * BOX);
  readonly margin: number;
  readonly #planar: boolean;

  /** A margin of 0 is chosen for each row. */
  constructor(margin: number, planar: boolean) {
    this.margin = margin;
    this.#planar = planar;
  }

  /** True when the box lies in the fat box of the row. */
  holds(row: number, box: Float64Array): boolean {
    return contains(this.boxes, BOX * row, box, 0);
  }

  /** Gives a row a fat box around the box at `o`, of what is in it. */
  make(row: number, b: Float64Array, o: number): void {
    this.#reserve(row);
    makeEmpty(this.boxes, BOX * row);
    this.fit(row, b, o);
  }

  /** Brings the fat box of a row in line with the box at `o`, of what is in it after an item came or went. */
  fit(row: number, b: Float64Array, o: number): void {
    const fat = this.boxes;
    const h = BOX * row;
    const edges = b[o + 3] - b[o] + (b[o + 5] - b[o + 2]);
    const mean = this.#planar ? edges / 2 : (edges + (b[o + 4] - b[o + 1])) / 3;
    const margin = this.margin > 0 ? this.margin : SHARE * mean;
    for (let c = 0; c < 3; c++) {
      const free = this.#planar && c === 1;
      const low = free ? -BOUNDED : Math.max(-BOUNDED, b[o + c] - margin);
      const high = free ? BOUNDED : Math.min(BOUNDED, b[o + c + 3] + margin);
      if (fat[h + c] > b[o + c] || fat[h + c] < low) fat[h + c] = low;
      if (fat[h + c + 3] < b[o + c + 3] || fat[h + c + 3] > high) fat[h + c + 3] = high;
    }
  }

  /** Has the fat boxes of two rows change places. */
  exchange(row: number, to: number): void {
    // Rows of unbounded items have none, and may be more than there is room for.
    this.#reserve(Math.max(row, to));
    const { boxes } = this;
    for (let i = BOX * row, j = BOX * to, end = i + BOX; i < end; i++, j++) {
      const side = boxes[i];
      boxes[i] = boxes[j];
      boxes[j] = side;
    }
  }

  /** Forgets all fatBounds, and makes room for about `rows` of them, no more than twice as many. */
  reset(rows: number): void {
    const wanted = BOX * Math.max(FEW, rows);
    if (this.boxes.length < wanted || this.boxes.length > 2 * wanted) this.boxes = new Float64Array(wanted);
  }

  #reserve(row: number): void {
    if (BOX * row >= this.boxes.length) this.boxes = grow(this.boxes, BOX * (row + 1));
  }
}
