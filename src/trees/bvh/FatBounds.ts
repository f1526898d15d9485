import { BOUNDED, BOX, contains, makeEmpty } from '../../core/box.js';
import { grow } from '../../core/grow.js';

const FEW = 16;
/**
 * The default margin, as a share of the mean edge of a row's box. Where boxes move like a gas, twice as much saves four
 * in ten placements, but rays look at a third more.
 */
const SHARE = 1 / 8;

/**
 * For each row a *fat box* around its own box: within it, items may move and stay in the row.
 *
 * On each side, a fat box extends beyond the box of its row by the margin at most. It is checked when an item is added
 * or removed, and changes only on sides where that does not hold, or where the new item sticks out. So it does not
 * spread with items that move to its border: a row whose items drift apart thins out instead of growing.
 */
export class FatBounds {
  /** Fat box of row r at 6 * r. Its coordinates are within {@link BOUNDED}; a planar one reaches that in Y. */
  boxes: Float64Array = new Float64Array(FEW * BOX);
  readonly margin: number;
  readonly #planar: boolean;

  /** @param margin In world units; with 0 it is chosen for each row. */
  constructor(margin: number, planar: boolean) {
    this.margin = margin;
    this.#planar = planar;
  }

  /** True when the box lies in the fat box of the row. */
  holds(row: number, box: Float64Array): boolean {
    return contains(this.boxes, BOX * row, box, 0);
  }

  /** Gives a row a new fat box around the box at `o`, that of its contents. */
  make(row: number, b: Float64Array, o: number): void {
    this.#reserve(row);
    makeEmpty(this.boxes, BOX * row);
    this.fit(row, b, o);
  }

  /** Updates the fat box of a row after an item was added or removed; the box at `o` is that of its contents. */
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

  /** Drops all fat boxes, and makes room for about `rows` of them, at most twice as many. */
  reset(rows: number): void {
    const wanted = BOX * Math.max(FEW, rows);
    if (this.boxes.length < wanted || this.boxes.length > 2 * wanted) this.boxes = new Float64Array(wanted);
  }

  #reserve(row: number): void {
    if (BOX * row >= this.boxes.length) this.boxes = grow(this.boxes, BOX * (row + 1));
  }
}
