import type { SpatialIndex } from 'three-scene-index/core';
import { grow } from './checks.js';

/** Items that are to move together, with their boxes; it keeps its memory. */
export class MoveBatch {
  #items = new Int32Array(64);
  #boxes = new Float64Array(6 * 64);
  #length = 0;

  /** Forgets what was not applied. */
  begin(): void {
    this.#length = 0;
  }

  /** @param o Where in `box` the six numbers begin. */
  add(item: number, box: Float64Array, o = 0): void {
    if (this.#length === this.#items.length) {
      this.#items = grow(this.#items, this.#length + 1);
      this.#boxes = grow(this.#boxes, 6 * this.#items.length);
    }
    for (let c = 0; c < 6; c++) this.#boxes[6 * this.#length + c] = box[o + c];
    this.#items[this.#length++] = item;
  }

  apply(index: SpatialIndex): void {
    const count = this.#length;
    this.#length = 0;
    if (count > 0) index.updateAll(this.#items.subarray(0, count), this.#boxes.subarray(0, 6 * count));
  }
}
