import { grow } from '../core/arrays.js';

/** Finds the nearest of some items: a quickselect, in time that grows with their number alone on average. */
export class Nearest {
  ids: Int32Array = new Int32Array(64);
  #keys: Float64Array = new Float64Array(64);
  length = 0;

  /** @param key Its distance, or whatever orders like it; equal keys are ordered by id. */
  add(id: number, key: number): void {
    const n = this.length++;
    if (n === this.ids.length) {
      this.ids = grow(this.ids, n + 1);
      this.#keys = grow(this.#keys, this.ids.length);
    }
    this.ids[n] = id;
    this.#keys[n] = key;
  }

  /** Puts the nearest `count`, in any order, before the others, and returns the largest of their keys. */
  select(count: number): number {
    let low = 0;
    let high = this.length - 1;
    // What belongs among the first `count` is below `low` or between the two, the others above `high` or between.
    while (low < high) {
      const middle = (low + high) >>> 1;
      this.#order(low, middle);
      this.#order(middle, high);
      this.#order(low, middle);
      const split = this.#part(low, high, this.#keys[middle], this.ids[middle]);
      if (split < count) low = split + 1;
      if (split >= count - 1) high = split - 1;
    }
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) if (this.#keys[i] > most) most = this.#keys[i];
    return most;
  }

  /** Parts what lies between two places at the pivot, one of them, and returns where that ends up. */
  #part(low: number, high: number, key: number, id: number): number {
    const keys = this.#keys;
    const { ids } = this;
    let i = low;
    let j = high;
    for (;;) {
      while (keys[i] < key || (keys[i] === key && ids[i] < id)) i++;
      while (keys[j] > key || (keys[j] === key && ids[j] > id)) j--;
      if (i >= j) return j;
      this.#swap(i, j);
    }
  }

  #order(i: number, j: number): void {
    const keys = this.#keys;
    if (keys[i] > keys[j] || (keys[i] === keys[j] && this.ids[i] > this.ids[j])) this.#swap(i, j);
  }

  #swap(i: number, j: number): void {
    const keys = this.#keys;
    const { ids } = this;
    const key = keys[i];
    const id = ids[i];
    keys[i] = keys[j];
    ids[i] = ids[j];
    keys[j] = key;
    ids[j] = id;
  }
}
