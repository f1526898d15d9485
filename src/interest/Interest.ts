import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { inWords } from '../core/options.js';
import { Observer } from './Observer.js';
import { type ObserverOptions, readMask, readReach } from './ObserverSettings.js';
import { SeenItems } from './SeenItems.js';

/**
 * Who sees whom, tick by tick: what each observer sees of the items of an index, and what has entered or left its view since
 * the tick before. For servers, which send a client only what is in its view.
 *
 * An item enters a view when it is within reach of the observer and leaves it when it is out of reach by more than the
 * hysteresis, so that what goes along a border does not come and go. Views are those that a test of each item would give.
 * A tick allocates nothing once lists have the size that they need.
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

  /** All observers, in the order in which they came. */
  get observers(): ReadonlySet<Observer> {
    return this.#observers;
  }

  /** Those whose view has changed with the last tick: in `entered` or `left` of each is something. */
  get changed(): readonly Observer[] {
    return this.#changed;
  }

  /** How many ticks there have been. */
  get ticks(): number {
    return this.#ticks;
  }

  /**
   * Takes in an observer, who sees nothing until the next tick.
   * @throws TypeError or RangeError for options that are not legal.
   */
  observe(options: ObserverOptions): Observer {
    const reach = readReach(options);
    const birth = reach.item === undefined ? -1 : this.#birthOf(reach.item, 'Interest.observe.item');
    const observer = new Observer(reach, birth, this.#made++ % reach.every);
    this.#observers.add(observer);
    return observer;
  }

  /** Lets an observer go, and empties its lists; false if it was none. */
  unobserve(observer: Observer): boolean {
    if (!this.#observers.delete(observer)) return false;
    observer.close();
    return true;
  }

  /**
   * Gives an item a mask: observers see it if theirs has a bit in common. Items have all bits until then. The mask goes with
   * the item.
   */
  setMask(item: number, mask: number): void {
    const own = readMask(mask, 'Interest.setMask.mask');
    this.#birthOf(item, 'Interest.setMask.item');
    this.#items.setMask(item, own);
  }

  /** Looks what each observer sees now. To be called once the items have moved. */
  tick(): void {
    this.#items.begin();
    this.#changed.length = 0;
    for (const observer of this.#observers) if (observer.look(this.#items, this.#ticks)) this.#changed.push(observer);
    this.#items.end();
    this.#ticks++;
  }

  #birthOf(item: number, where: string): number {
    const birth = this.#items.birthOf(item);
    if (birth < 0) throw new RangeError(`${where}: no item ${inWords(item)}`);
    return birth;
  }
}
