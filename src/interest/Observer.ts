import { grow } from '../core/arrays.js';
import { BOX, boxesTouch } from '../core/box.js';
import { Hits } from '../core/Hits.js';
import { IdList } from '../core/ids.js';
import { readVector } from '../core/shapes/vectors.js';
import type { ObserverSettings } from './ObserverSettings.js';
import type { SeenItems } from './SeenItems.js';

// Marks of items, counted from the first of the observer's own marks; lower marks belong to other observers.
const IS_IN_VIEW = 0;
/** The item was in view, and stays. */
const STAYS = 1;
const ENTERS = 2;
/** The item is not seen, or has a range of its own: results of queries do not matter. */
const PASSED = 3;

/** A key above the negative of any squared distance. */
const ALWAYS = 1;
/** A view that was cut to the nearest items is searched within this many times their distance. */
const BEYOND_NEAREST = 1.05;

/**
 * An observer and its view, as `Interest.observe` returns it.
 *
 * The lists stay the same objects, and each tick refills them, so you may keep a list and read the current state. Do
 * not write to them.
 *
 * @example
 * ```ts
 * const told = ({ left, entered }: import('three-scene-index/interest').Observer) => [...left, ...entered];
 * ```
 */
export class Observer {
  /** Items that came into view with this tick. An id that is also in `left` now belongs to another item. */
  readonly entered: IdList = new IdList();
  /** Items that went out of view with this tick, or were removed from the index. */
  readonly left: IdList = new IdList();
  /** Ids in view that belong to another item since the last tick. They are in both `left` and `entered`. */
  readonly replaced: IdList = new IdList();
  /** All items in view, in no particular order. */
  readonly inView: IdList = new IdList();
  /**
   * Items in view that this tick has checked. Near items are checked in each tick, others in every nth. Without `every`
   * this is the list `inView` itself.
   */
  readonly due: IdList;

  readonly #settings: ObserverSettings;
  readonly #phase: number;
  /** Tells the item followed from later items with the same id; 0 for none, or once the item is gone. */
  #birth: number;
  /** Distance to the farthest of the `most` nearest items at the last cut, and 5 % more; 0 to look in all of the radius. */
  #reach = 0;

  /**
   * @internal
   * @param birth The birth of the item followed; 0 for none.
   * @param phase The one of every n ticks in which all items are checked.
   */
  constructor(settings: ObserverSettings, birth: number, phase: number) {
    this.#settings = settings;
    this.#birth = birth;
    this.#phase = phase;
    this.due = settings.every === 1 ? this.inView : new IdList();
  }

  /** The item that the observer follows; -1 for none. After a tick finds it removed, the observer stays. */
  get item(): number {
    return this.#birth === 0 ? -1 : (this.#settings.item as number);
  }

  /** Position of the observer, in world units. */
  get x(): number {
    return this.#settings.position[0];
  }

  get y(): number {
    return this.#settings.position[1];
  }

  get z(): number {
    return this.#settings.position[2];
  }

  /**
   * Moves an observer that follows no item. Takes effect with the next tick.
   * @throws Error for an observer that follows an item, TypeError or RangeError unless all three are finite numbers.
   */
  moveTo(x: number, y: number, z: number): void {
    if (this.#settings.item !== undefined)
      throw new Error('Observer.moveTo: this observer follows an item; move the item instead');
    const to = new Float64Array(3);
    readVector([x, y, z], to, 'Observer.moveTo', 'position');
    this.#settings.position.set(to);
  }

  /** @internal Fills the lists; true if the view has changed. */
  refresh(items: SeenItems, tick: number): boolean {
    const { entered, left, replaced, inView, due } = this;
    const { every, most } = this.#settings;
    this.#follow(items);
    entered.length = left.length = replaced.length = 0;
    if (items.hasNews) this.#dropGone(items);
    const first = items.takeMarks();
    const { marks } = items;
    markAll(inView, marks, first + IS_IN_VIEW);
    if (this.#birth !== 0) marks[this.item] = first + PASSED;
    const isFull = (tick + this.#phase) % every === 0;
    if (isFull) this.#lookAtAll(items, first);
    else this.#lookNear(items, first);
    appendIds(entered, inView);
    if (inView.length > most) this.#keepNearest(items, first);
    else if (isFull && inView.length < most) this.#reach = 0;
    if (isFull && every > 1) {
      due.length = 0;
      appendIds(inView, due);
    }
    if (items.hasNews) {
      for (let i = 0; i < left.length; i++) if (marks[left.ids[i]] === first + ENTERS) replaced.push(left.ids[i]);
    }
    return entered.length + left.length > 0;
  }

  /** @internal Empties all lists: the observer sees nothing from now on. */
  close(): void {
    for (const list of [this.entered, this.left, this.replaced, this.inView, this.due]) list.length = 0;
  }

  /** Moves the observer to its item, if the item still exists and has a finite position. */
  #follow(items: SeenItems): void {
    const { item } = this;
    if (item < 0) return;
    if (items.birthOf(item) !== this.#birth) {
      this.#birth = 0;
      return;
    }
    items.index.getBox(item, box);
    for (let c = 0; c < 3; c++) {
      const middle = box[c] / 2 + box[c + 3] / 2;
      if (Number.isFinite(middle)) this.#settings.position[c] = middle;
    }
  }

  /** Drops items from the view: items that are gone, and items with a mask not seen any more. */
  #dropGone({ isOther, masks }: SeenItems): void {
    const { inView, left } = this;
    const { ids } = inView;
    let n = 0;
    for (let i = 0; i < inView.length; i++) {
      const id = ids[i];
      if (isOther[id] === 0 && (masks[id] & this.#settings.mask) !== 0) ids[n++] = id;
      else left.push(id);
    }
    inView.length = n;
  }

  /** Finds entering items, and drops items that have gone too far. */
  #lookAtAll(items: SeenItems, first: number): void {
    const { inView, entered } = this;
    const { most, radius } = this.#settings;
    this.#lookAtRanged(items, first);
    const before = entered.length;
    // If `most` items are within `#reach` now, too, items farther away do not matter.
    let staying = this.#reach > 0 ? this.#look(items, first, this.#reach) : 0;
    if (this.#reach === 0 || staying + entered.length - before < most) staying += this.#look(items, first, radius);
    if (staying < inView.length) this.#dropFar(items, first);
  }

  /** Finds entering items within a distance; returns the number of items found that were in view. */
  #look(items: SeenItems, first: number, reach: number): number {
    const { entered } = this;
    const { mask } = this.#settings;
    const { index, marks, masks } = items;
    if (this.#settings.radius >= 0) index.querySphere(this.x, this.y, this.z, reach, found);
    else index.queryBox(this.#boxAround(1), found);
    const { ids, length } = found;
    let staying = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const mark = marks[id];
      if (mark === first + IS_IN_VIEW) {
        marks[id] = first + STAYS;
        staying++;
      } else if (mark < first && (masks[id] & mask) !== 0) {
        marks[id] = first + ENTERS;
        entered.push(id);
      }
    }
    return staying;
  }

  /** Finds entering items with ranges of their own. `#dropFar` decides about items with ranges that are in view. */
  #lookAtRanged(items: SeenItems, first: number): void {
    const { ranged, marks } = items;
    for (const id of ranged) {
      const isOut = marks[id] < first;
      marks[id] = first + PASSED;
      if (isOut) this.#enter(items, id, first);
    }
  }

  #dropFar(items: SeenItems, first: number): void {
    const { inView, left } = this;
    const { ids, length } = inView;
    const { marks } = items;
    const more = 1 + this.#settings.hysteresis;
    let n = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      if (marks[id] === first + STAYS) ids[n++] = id;
      else if (this.#reaches(items, id, more)) {
        marks[id] = first + STAYS;
        ids[n++] = id;
      } else left.push(id);
    }
    inView.length = n;
  }

  /** Finds items that enter nearby; all items in view stay. */
  #lookNear(items: SeenItems, first: number): void {
    const { due } = this;
    const { marks } = items;
    due.length = 0;
    items.index.querySphere(this.x, this.y, this.z, this.#settings.nearRadius, found);
    for (let i = 0; i < found.length; i++) {
      const id = found.ids[i];
      if (marks[id] === first + PASSED) continue;
      if (marks[id] >= first || this.#enter(items, id, first)) due.push(id);
    }
  }

  /** Adds an item to `entered` if the observer sees its mask and the item is near enough; returns false otherwise. */
  #enter(items: SeenItems, id: number, first: number): boolean {
    if ((items.masks[id] & this.#settings.mask) === 0 || !this.#reaches(items, id, 1)) return false;
    items.marks[id] = first + ENTERS;
    this.entered.push(id);
    return true;
  }

  /** True when an item is within the range that counts for it, times `share`. */
  #reaches(items: SeenItems, id: number, share: number): boolean {
    const own = items.rangeOf(id);
    if (this.#settings.radius < 0 && !(own >= 0))
      return boxesTouch(items.index.getBox(id, box), 0, this.#boxAround(share), 0);
    const range = (own >= 0 ? own : this.#settings.radius) * share;
    measureSquare(this.#settings.position, items.index.getBox(id, box), square, 0);
    return square[0] <= range * range;
  }

  /** The box that the observer sees, times `share`. */
  #boxAround(share: number): Float64Array {
    const { halfSize } = this.#settings;
    for (let c = 0; c < 3; c++) {
      around[c] = this.#settings.position[c] - halfSize[c] * share;
      around[c + 3] = this.#settings.position[c] + halfSize[c] * share;
    }
    return around;
  }

  /** Cuts the view to `most` items: items that are always seen, then the nearest. */
  #keepNearest(items: SeenItems, first: number): void {
    const { inView, entered, left, due } = this;
    const { every, most, radius } = this.#settings;
    const { marks, index } = items;
    const { ids, length } = inView;
    if (length > keys.length) keys = grow(keys, length);
    // Boxes lie all over the memory: in a loop that does nothing else the processor waits for several at a time.
    for (let i = 0; i < length; i++) measureSquare(this.#settings.position, index.getBox(ids[i], box), keys, i);
    // With keys and ids negated, the nearest items are the farthest, and of equal distances the largest ids.
    farthest.length = 0;
    for (let i = 0; i < length; i++) {
      keys[i] = items.rangeOf(ids[i]) === Number.POSITIVE_INFINITY ? ALWAYS : -keys[i];
      farthest.keepNearest(~ids[i], keys, i, length - most);
    }
    for (let i = 0; i < farthest.length; i++) {
      const id = ~farthest.ids[i];
      if (marks[id] !== first + ENTERS) left.push(id);
      marks[id] = first + PASSED;
    }
    const reach = Math.sqrt(Math.max(0, -farthest.distances[0])) * BEYOND_NEAREST;
    this.#reach = reach < radius ? reach : 0;
    dropPassed(inView, marks, first);
    dropPassed(entered, marks, first);
    if (every > 1) dropPassed(due, marks, first);
  }
}

/** Writes the squared distance to a box, by the expression of queries; a returned number might be allocated. */
function measureSquare(point: Float64Array, b: Float64Array, out: Float64Array, at: number): void {
  const x = point[0];
  const y = point[1];
  const z = point[2];
  const dx = (x < b[0] ? b[0] : x > b[3] ? b[3] : x) - x;
  const dy = (y < b[1] ? b[1] : y > b[4] ? b[4] : y) - y;
  const dz = (z < b[2] ? b[2] : z > b[5] ? b[5] : z) - z;
  out[at] = dx * dx + dy * dy + dz * dz;
}

function markAll({ ids, length }: IdList, marks: Uint8Array, mark: number): void {
  for (let i = 0; i < length; i++) marks[ids[i]] = mark;
}

function appendIds(from: IdList, to: IdList): void {
  const ids = to.reserve(from.length);
  for (let i = 0, n = to.length; i < from.length; i++) ids[n++] = from.ids[i];
  to.length += from.length;
}

function dropPassed(list: IdList, marks: Uint8Array, first: number): void {
  let n = 0;
  for (let i = 0; i < list.length; i++) if (marks[list.ids[i]] !== first + PASSED) list.ids[n++] = list.ids[i];
  list.length = n;
}

// Scratch objects, filled and read within a call of `refresh`, which runs no user code.
const found = new IdList();
const farthest = new Hits();
let keys = new Float64Array(64);
const square = new Float64Array(1);
const box = new Float64Array(BOX);
const around = new Float64Array(BOX);
