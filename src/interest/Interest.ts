import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { inWords, readOptions } from '../core/options.js';
import { Observer } from './Observer.js';
import { atLeast, type ObserverOptions, readMask, readSettings } from './ObserverSettings.js';
import { SeenItems } from './SeenItems.js';

/**
 * Tells each observer which items it sees, and which entered and left.
 *
 * For servers, which send a client only the items in its view. An item enters a view when it comes within the radius,
 * and leaves it when it is beyond the radius by more than the hysteresis, so that items along the border do not
 * flicker. Views are exact: a test of each item would give the same. A tick takes one query per observer and one test
 * of each item found, and allocates nothing once lists have grown.
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
  /** Null until `observersOf` first needs the sightings after a tick. */
  #sightings: Sightings | null = null;
  #made = 0;
  #ticks = 0;

  /**
   * Watches the items of an index.
   * @param index Any `SpatialIndex`, such as `new Packed()`; not a `SceneIndex`. Change it as you like between ticks.
   * @throws TypeError for anything but an index.
   */
  constructor(index: SpatialIndex, options: Record<string, never> = {}) {
    readOptions(options, {}, 'Interest');
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
   */
  observe(options: ObserverOptions): Observer {
    const settings = readSettings(options);
    const birth = settings.item === undefined ? 0 : this.#birthOf(settings.item, 'Interest.observe.item');
    const observer = new Observer(settings, birth, this.#made++ % settings.every);
    this.#observers.add(observer);
    return observer;
  }

  /** Removes an observer and empties its lists. Returns false if the observer was unknown. */
  unobserve(observer: Observer): boolean {
    if (!this.#observers.delete(observer)) return false;
    observer.close();
    this.#sightings = null;
    return true;
  }

  /**
   * Gives an item a mask: observers see the item if their mask shares a bit. Default all bits. Takes effect with the
   * next tick, and ends when the item is removed.
   * @throws RangeError for an id without an item; TypeError or RangeError for anything but a mask of 32 bits.
   */
  setMask(item: number, mask: number): void {
    const own = readMask(mask, 'Interest.setMask');
    this.#birthOf(item, 'Interest.setMask.item');
    this.#items.setMask(item, own);
  }

  /**
   * Gives an item its own range, in place of the observers' radius or box.
   *
   * The range is in world units, from 0, measured to the nearest point of the item's box; observers' hysteresis, bands
   * and masks still apply. With Infinity an item is in every view, and `most` counts it before the nearest. With null
   * the observers' own range applies again. Takes effect with the next tick, and ends when the item is removed. Every
   * observer tests every item with a range, at any distance, so give a range to few items.
   * @throws RangeError for an id without an item; TypeError or RangeError for an invalid range.
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
   * @throws RangeError for an id without an item; TypeError for anything but an array that can be filled.
   */
  observersOf(item: number, out: Observer[] = []): Observer[] {
    if (!Array.isArray(out) || !Object.isExtensible(out)) {
      throw new TypeError(`Interest.observersOf.out: must be an array that can be filled, got ${inWords(out)}`);
    }
    this.#birthOf(item, 'Interest.observersOf.item');
    out.length = 0;
    if (!this.#items.isKnown(item)) return out;
    this.#sightings ??= new Sightings(this.#observers, this.#items.marks.length);
    this.#sightings.list(item, out);
    return out;
  }

  /** Updates all views. Call it once the items have moved. */
  tick(): void {
    this.#items.beginTick();
    this.#changed.length = 0;
    this.#sightings = null;
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

/** All views inverted: the observers that see each item. The limit is above all ids in view. */
class Sightings {
  readonly #observers: Observer[];
  /** By id, the start of its observers in `#observerIndices`; behind the last id, the end. */
  readonly #starts: Int32Array;
  /** Numbers of observers in `#observers`. */
  readonly #observerIndices: Int32Array;

  constructor(observers: Iterable<Observer>, limit: number) {
    this.#observers = [...observers];
    this.#starts = new Int32Array(limit + 1);
    const starts = this.#starts;
    for (const { inView } of this.#observers) for (let i = 0; i < inView.length; i++) starts[inView.ids[i]]++;
    for (let id = 1; id <= limit; id++) starts[id] += starts[id - 1];
    this.#observerIndices = new Int32Array(starts[limit]);
    // Observers go from last to first, as each is put before the observers already there.
    for (let observer = this.#observers.length - 1; observer >= 0; observer--) {
      const { ids, length } = this.#observers[observer].inView;
      for (let i = 0; i < length; i++) this.#observerIndices[--starts[ids[i]]] = observer;
    }
  }

  /** Appends the observers of an item, in the order in which they were added. */
  list(item: number, out: Observer[]): void {
    const end = this.#starts[item + 1];
    for (let i = this.#starts[item]; i < end; i++) out.push(this.#observers[this.#observerIndices[i]]);
  }
}
