import { BOX } from '../../core/box.js';
import type { IdList } from '../../core/ids.js';
import { placeOf } from '../../core/rowLayout.js';
import type { PackedRows } from '../../packed/PackedRows.js';
import type { OcclusionBuffer } from '../OcclusionBuffer.js';

/**
 * Drops hidden ids from what a query of packed rows found, in place. Ids come in the order of their slots, so those below
 * a box of the tree follow each other: a hidden box ends all of them with one test.
 *
 * Boxes of rows, back in world coordinates, still hold their items' exact boxes. Of a low side, `low / scale + origin` is
 * at most the item's `x` before it is rounded, as rows round outwards; and rounding, which keeps order, leaves `x` as it is.
 * Higher levels hold lower ones by the same reason. So a box that is hidden as a node holds no item that is not.
 */
export function keepVisibleRows(rows: PackedRows, buffer: OcclusionBuffer, found: IdList): void {
  walk.start(rows, buffer, found);
}

class RowWalk {
  #rows!: PackedRows;
  #buffer!: OcclusionBuffer;
  #ids: Int32Array = new Int32Array(0);
  #length = 0;
  /** The next id to be looked at, and how many are kept. */
  #at = 0;
  #kept = 0;
  readonly #box = new Float64Array(BOX);

  start(rows: PackedRows, buffer: OcclusionBuffer, found: IdList): void {
    const { ids, length } = found;
    this.#rows = rows;
    this.#buffer = buffer;
    this.#ids = ids;
    this.#at = this.#kept = 0;
    // Items outside of the rows come last; their slots are negative.
    this.#length = length;
    while (this.#length > 0 && rows.slots[ids[this.#length - 1]] < 0) this.#length--;
    while (this.#at < this.#length) this.#visit(rows.top, this.#slot(this.#at) >> (4 + 2 * rows.top));
    for (this.#length = length; this.#at < length; ) this.#testItem();
    found.length = this.#kept;
  }

  #slot(i: number): number {
    return this.#rows.slots[this.#ids[i]];
  }

  /** Asks about box n of level h, then about what lies below. */
  #visit(h: number, n: number): void {
    const end = (n + 1) << (4 + 2 * h);
    if (this.#isBoxHidden(h, n)) this.#skipTo(end);
    else if (h === 0) while (this.#at < this.#length && this.#slot(this.#at) < end) this.#testItem();
    else {
      const shift = 2 + 2 * h;
      while (this.#at < this.#length) {
        const slot = this.#slot(this.#at);
        if (slot >= end) return;
        this.#visit(h - 1, slot >> shift);
      }
    }
  }

  #testItem(): void {
    const id = this.#ids[this.#at++];
    if (!this.#buffer.isHidden(this.#rows.boxes, BOX * id)) this.#ids[this.#kept++] = id;
  }

  #isBoxHidden(h: number, n: number): boolean {
    const { levels, starts, frame } = this.#rows;
    const at = starts[h] + placeOf(n);
    const box = this.#box;
    for (let c = 0; c < BOX; c++) box[c] = levels[at + 4 * c] / frame.scale + frame.origin[c % 3];
    return this.#buffer.isHidden(box, 0, true);
  }

  /** Goes on to the first id whose slot is not below `end`: in steps that double, then by halves. */
  #skipTo(end: number): void {
    let low = this.#at;
    let step = 1;
    while (low + step < this.#length && this.#slot(low + step) < end) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, this.#length);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#slot(middle) < end) low = middle;
      else high = middle;
    }
    this.#at = high;
  }
}

const walk = /* @__PURE__ */ new RowWalk();
