import { grow } from '../core/arrays.js';
import type { Observer } from './Observer.js';

/** Who sees an item: the views of all observers turned around. */
export class Sightings {
  #observers: Observer[] = [];
  /** The observers of item i, by their places among all, lie from `#ends[i - 1]`, or 0, up to `#ends[i]`. */
  #ends = new Int32Array(16);
  #places = new Int32Array(16);
  #limit = 0;

  /** @param limit Above all ids in view. */
  read(observers: Iterable<Observer>, limit: number): void {
    this.#observers = [...observers];
    this.#limit = limit;
    if (limit > this.#ends.length) this.#ends = grow(this.#ends, limit);
    const ends = this.#ends.fill(0, 0, limit);
    for (const { inView } of this.#observers) for (let i = 0; i < inView.length; i++) ends[inView.ids[i]]++;
    let total = 0;
    for (let id = 0; id < limit; id++) {
      total += ends[id];
      ends[id] = total;
    }
    if (total > this.#places.length) this.#places = grow(this.#places, total);
    // From the last to the first, as each goes before those that are there.
    for (let place = this.#observers.length - 1; place >= 0; place--) {
      const { ids, length } = this.#observers[place].inView;
      for (let i = 0; i < length; i++) this.#places[--ends[ids[i]]] = place;
    }
    // Now each number is where the observers of an item begin, and has to be where they end.
    for (let id = 0; id + 1 < limit; id++) ends[id] = ends[id + 1];
    if (limit > 0) ends[limit - 1] = total;
  }

  /** Appends the observers of an item, in the order in which they were added. */
  list(item: number, out: Observer[]): void {
    if (item >= this.#limit) return;
    const end = this.#ends[item];
    for (let i = item === 0 ? 0 : this.#ends[item - 1]; i < end; i++) out.push(this.#observers[this.#places[i]]);
  }
}
