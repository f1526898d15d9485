import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { inWords } from '../core/options.js';
import { Observer } from './Observer.js';
import { type ObserverOptions, readMask, readSettings } from './ObserverSettings.js';
import { SeenItems } from './SeenItems.js';

/**
 * Who sees whom: which items of an index each observer sees, and what entered or left its view with the last tick. For
 * servers, which send a client only what is in its view.
 *
 * An item enters a view when it comes within the radius, and leaves it when it is beyond the radius by more than the
 * hysteresis, so that items along the border do not flicker. Views are exactly those that a test of each item would give.
 * A tick allocates nothing once lists have grown.
 */
export class Interest {
  readonly #items: SeenItems;
  readonly #observers = new Set<Observer>();
  readonly #changed: Observer[] = [];
  #made = 0;
  #ticks = 0;

  /**
   * @param index Any index; it is changed by its user, between ticks.
   * @throws TypeError for what is no index.
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

  /** How many ticks there have been. */
  get ticks(): number {
    return this.#ticks;
  }

  /**
   * Adds an observer, which sees nothing until the next tick.
   * @throws TypeError or RangeError that names the option.
   */
  observe(options: ObserverOptions): Observer {
    const settings = readSettings(options);
    const birth = settings.item === undefined ? -1 : this.#birthOf(settings.item, 'Interest.observe.item');
    const observer = new Observer(settings, birth, this.#made++ % settings.every);
    this.#observers.add(observer);
    return observer;
  }

  /** Removes an observer and empties its lists; false if it was unknown. */
  unobserve(observer: Observer): boolean {
    if (!this.#observers.delete(observer)) return false;
    observer.close();
    return true;
  }

  /**
   * Gives an item a mask, by default all bits: observers see it if theirs has a bit in common. It is dropped with the
   * item.
   */
  setMask(item: number, mask: number): void {
    const own = readMask(mask, 'Interest.setMask.mask');
    this.#birthOf(item, 'Interest.setMask.item');
    this.#items.setMask(item, own);
  }

  /** Updates all views. Call it once the items have moved. */
  tick(): void {
    this.#items.begin();
    this.#changed.length = 0;
    for (const observer of this.#observers)
      if (observer.refresh(this.#items, this.#ticks)) this.#changed.push(observer);
    this.#items.end();
    this.#ticks++;
  }

  #birthOf(item: number, where: string): number {
    const birth = this.#items.birthOf(item);
    if (birth < 0) throw new RangeError(`${where}: no item ${inWords(item)}`);
    return birth;
  }
}
