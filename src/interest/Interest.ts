import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { grow } from '../core/arrays.js';
import { inWords } from '../core/options.js';
import { Observer } from './Observer.js';
import { atLeast, type ObserverOptions, readMask, readSettings } from './ObserverSettings.js';
import { SeenItems } from './SeenItems.js';

/**
 * Tells each observer which items it sees, and which entered and left its view.
 *
 * For servers, which send a client only what is in its view. An item enters a view when it comes within the radius, and
 * leaves it when it is beyond the radius by more than the hysteresis, so that items along the border do not flicker.
 * Views are exact: they equal those of a test of each item. A tick takes one query per observer and one look at what it
 * finds, and allocates nothing once lists have grown.
 *
 * @example
 * ```ts
 * import { Packed } from 'three-scene-index/core';
 * import { Interest } from 'three-scene-index/interest';
 *
 * const index = new Packed();
 * const ids = index.addAll(boxes);
 * const interest = new Interest(index);
 * const view = interest.observe({ item: ids[0], radius: 60, hysteresis: 0.1 });
 * interest.tick();
 * for (const id of view.entered) console.log(id, 'came into view');
 * ```
 */
export class Interest {
  readonly #items: SeenItems;
  readonly #observers = new Set<Observer>();
  readonly #changed: Observer[] = [];
  readonly #sightings = new Sightings();
  /** Whether `#sightings` are those of the views as they are. */
  #isTurned = false;
  #made = 0;
  #ticks = 0;

  /**
   * Watches the items of an index.
   * @param index Any index. Change it as you like between ticks.
   * @throws TypeError for anything but an index.
   */
  constructor(index: SpatialIndex) {
    this.#items = new SeenItems(index);
  }

  /** All observers, in the order in which they were added. */
  get observers(): ReadonlySet<Observer> {
    return this.#observers;
  }

  /** Observers whose `entered` or `left` is not empty after the last tick. */
  get changed(): readonly Observer[] {
    return this.#changed;
  }

  /** Number of ticks so far. */
  get ticks(): number {
    return this.#ticks;
  }

  /**
   * Adds an observer, which sees nothing until the next tick.
   * @throws TypeError or RangeError that names the option.
   * @example
   * ```ts
   * const view = interest.observe({ item: player, radius: 60, hysteresis: 0.1, every: 3, nearRadius: 30, most: 255 });
   * const overview = interest.observe({ position: [0, 0, 0], halfSize: [100, 50, 100] });
   * overview.moveTo(20, 0, 0);
   * ```
   */
  observe(options: ObserverOptions): Observer {
    const settings = readSettings(options);
    const birth = settings.item === undefined ? 0 : this.#birthOf(settings.item, 'Interest.observe.item');
    const observer = new Observer(settings, birth, this.#made++ % settings.every);
    this.#observers.add(observer);
    return observer;
  }

  /** Removes an observer and empties its lists. Returns false if it was unknown. */
  unobserve(observer: Observer): boolean {
    if (!this.#observers.delete(observer)) return false;
    observer.close();
    this.#isTurned = false;
    return true;
  }

  /**
   * Gives an item a mask: observers see it if theirs shares a bit. Default all bits. Takes effect with the next tick,
   * and ends when the item is removed.
   * @throws RangeError for an id without an item; TypeError or RangeError for anything but a mask of 32 bits.
   * @example
   * ```ts
   * interest.setMask(ghost, 0b10); // seen by observers with { mask: 0b10 }, or without a mask
   * ```
   */
  setMask(item: number, mask: number): void {
    const own = readMask(mask, 'Interest.setMask.mask');
    this.#birthOf(item, 'Interest.setMask.item');
    this.#items.setMask(item, own);
  }

  /**
   * Gives an item its own range, in place of the observers' radius or box.
   *
   * In world units, from 0, measured to the nearest point of the item's box; observers' hysteresis, bands and masks
   * still apply. With Infinity an item is in every view, and `most` counts it before the nearest. With null the
   * observers' own range applies again. Takes effect with the next tick, and ends when the item is removed. Every
   * observer tests every item that has a range, wherever it is, so give a range to few items.
   * @throws RangeError for an id without an item; TypeError or RangeError for an invalid range.
   * @example
   * ```ts
   * interest.setRange(castle, 500);
   * interest.setRange(flag, Infinity); // in every view
   * interest.setRange(flag, null); // like any other item
   * ```
   */
  setRange(item: number, range: number | null): void {
    if (range !== null) atLeast(range, 0, 'Interest.setRange.range');
    this.#birthOf(item, 'Interest.setRange.item');
    this.#items.setRange(item, range);
  }

  /**
   * Lists the observers that see an item since the last tick. They come in the order in which they were added.
   *
   * The first call after a tick inverts all views, in about a tenth of the time of the tick; further calls only read.
   * @param out Emptied and filled. Default a new array.
   * @throws RangeError for an id without an item; TypeError for anything but an array.
   * @example
   * ```ts
   * for (const observer of interest.observersOf(explosion)) notify(observer);
   * ```
   */
  observersOf(item: number, out: Observer[] = []): Observer[] {
    if (!Array.isArray(out)) throw new TypeError(`Interest.observersOf.out: must be an array, got ${inWords(out)}`);
    this.#birthOf(item, 'Interest.observersOf.item');
    out.length = 0;
    if (!this.#items.isKnown(item)) return out;
    if (!this.#isTurned) this.#sightings.read(this.#observers, this.#items.limit);
    this.#isTurned = true;
    this.#sightings.list(item, out);
    return out;
  }

  /**
   * Updates all views. Call it once the items have moved.
   * @example
   * ```ts
   * index.updateAll(ids, boxes);
   * interest.tick();
   * for (const observer of interest.changed) send(observer.entered, observer.left);
   * ```
   */
  tick(): void {
    this.#items.begin();
    this.#changed.length = 0;
    this.#isTurned = false;
    for (const observer of this.#observers) {
      if (observer.refresh(this.#items, this.#ticks)) this.#changed.push(observer);
    }
    this.#items.end();
    this.#ticks++;
  }

  #birthOf(item: number, where: string): number {
    const birth = this.#items.birthOf(item);
    if (birth === 0) throw new RangeError(`${where}: no item ${inWords(item)}`);
    return birth;
  }
}

/** Who sees an item: the views of all observers turned around. */
class Sightings {
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
