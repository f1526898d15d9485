import { BOX } from '../core/box.js';
import { IdList } from '../core/ids.js';
import { inWords } from '../core/options.js';
import type { Finder } from './Finder.js';
import { distanceSquared } from './ItemGrid.js';
import { Nearest } from './Nearest.js';
import type { ObserverSettings } from './ObserverSettings.js';
import { OTHER, type SeenItems } from './SeenItems.js';

// What a mark says of an item, counted from the first of the observer's own marks; lower ones are those of others.
const IS_IN_VIEW = 0;
/** It was in view, and stays. */
const STAYS = 1;
const ENTERS = 2;
/** It is not seen, whatever a query finds. */
const PASSED = 3;
const MARKS = 4;
const NO_MARK = -1;

/** Sorts before all squares of distances. */
const FIRST = -1;
/** A view that was cut to the nearest is looked for within their distance, and so much of it beyond. */
const SPARE = 1.05;

/**
 * An observer and its view, as `Interest.observe` returns it.
 *
 * Its lists stay the same objects, and each tick refills them, so you may keep a list and read the current state. Do
 * not write to them.
 *
 * @example
 * ```ts
 * import type { Observer } from 'three-scene-index/interest';
 *
 * const observer: Observer = interest.observe({ item: player, radius: 60, every: 3, nearRadius: 20 });
 * interest.tick();
 * for (const id of observer.left) forget(id);
 * for (const id of observer.entered) introduce(id);
 * for (const id of observer.due) tellPosition(id);
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
   * Items in view that this tick looked at: near ones always, others every nth tick. Without `every` this is the list
   * `inView` itself.
   */
  readonly due: IdList;

  readonly #settings: ObserverSettings;
  readonly #isBall: boolean;
  readonly #phase: number;
  /** Tells the item that it goes with from later ones with the same id; 0 for none, or once that is gone. */
  #birth: number;
  /** Within this distance there were enough items in the last tick; 0 where it did not see as many as it may. */
  #reach = 0;
  readonly #position: Float64Array;

  /**
   * @internal
   * @param birth Of the item that it goes with; 0 for none.
   * @param phase In which of every n ticks all items are looked at.
   */
  constructor(settings: ObserverSettings, birth: number, phase: number) {
    this.#settings = settings;
    this.#birth = birth;
    this.#phase = phase;
    this.#position = settings.position;
    this.due = settings.every === 1 ? this.inView : new IdList();
    this.#isBall = settings.radius >= 0;
  }

  /**
   * The item that it follows; -1 for none. Also -1 after a tick finds that item removed: the observer then stays in
   * place.
   */
  get item(): number {
    return this.#birth === 0 ? -1 : (this.#settings.item as number);
  }

  /** @internal How far it sees; negative for a box. */
  get radius(): number {
    return this.#settings.radius;
  }

  /** Where it is, in world units. */
  get x(): number {
    return this.#position[0];
  }

  get y(): number {
    return this.#position[1];
  }

  get z(): number {
    return this.#position[2];
  }

  /**
   * Moves an observer that follows no item. Takes effect with the next tick.
   * @throws Error for an observer that follows an item, TypeError or RangeError unless all three are finite numbers.
   */
  moveTo(x: number, y: number, z: number): void {
    if (this.#settings.item !== undefined)
      throw new Error('Observer.moveTo: this observer follows an item; move the item instead');
    const to = [x, y, z];
    if (to.some((c) => typeof c !== 'number')) {
      throw new TypeError(`Observer.moveTo: must be numbers, got ${to.map(inWords).join(' ')}`);
    }
    if (!to.every(Number.isFinite)) throw new RangeError(`Observer.moveTo: must be finite, got ${to.join(' ')}`);
    this.#position.set(to);
  }

  /** @internal Fills the lists; true if the view has changed. */
  refresh(items: SeenItems, finder: Finder, tick: number): boolean {
    const { entered, left, replaced, inView, due } = this;
    const { every, most } = this.#settings;
    const { marks, placeOf } = finder;
    this.#follow(items);
    finder.moveTo(this.x, this.y, this.z);
    const first = marks.take(MARKS);
    entered.length = left.length = replaced.length = 0;
    if (items.hasNews) this.#dropGone(items);
    markAll(inView, placeOf, marks.all, first + IS_IN_VIEW);
    if (this.#birth !== 0) marks.all[placeOf[this.item]] = first + PASSED;
    const isFull = (tick + this.#phase) % every === 0;
    if (isFull) this.#lookAtAll(items, finder, first);
    else this.#lookNear(items, finder, first);
    if (inView.length + entered.length > most) this.#keepNearest(items, finder, first);
    else if (isFull && inView.length + entered.length < most) this.#reach = 0;
    appendAll(entered, inView);
    if (isFull && every > 1) {
      due.length = 0;
      appendAll(inView, due);
    }
    if (items.hasNews) this.#findReplaced(items, finder, first);
    return entered.length + left.length > 0;
  }

  /** @internal It sees nothing from now on. */
  close(): void {
    for (const list of [this.entered, this.left, this.replaced, this.inView, this.due]) list.length = 0;
  }

  /** Moves to its item, if that still exists and has a finite place. */
  #follow(items: SeenItems): void {
    const { item } = this;
    if (item < 0) return;
    if (items.birthOf(item) !== this.#birth) {
      this.#birth = 0;
      return;
    }
    items.readBox(item, box);
    for (let c = 0; c < 3; c++) {
      const middle = box[c] / 2 + box[c + 3] / 2;
      if (Number.isFinite(middle)) this.#position[c] = middle;
    }
  }

  /** Drops items in view that are gone, and those whose mask it does not see any more. */
  #dropGone(items: SeenItems): void {
    const { inView, left } = this;
    const { ids } = inView;
    const { news } = items;
    let n = 0;
    for (let i = 0; i < inView.length; i++) {
      const id = ids[i];
      const what = news[id];
      if (what === 0 || ((what & OTHER) === 0 && this.#isShown(items, id))) ids[n++] = id;
      else push(id, left);
    }
    inView.length = n;
  }

  #isShown(items: SeenItems, id: number): boolean {
    return (items.maskOf(id) & this.#settings.mask) !== 0;
  }

  /** Finds what enters, and drops what has gone too far. */
  #lookAtAll(items: SeenItems, finder: Finder, first: number): void {
    const { inView, entered } = this;
    const { most, radius, hysteresis } = this.#settings;
    const ranged = items.ranged.length > 0 ? this.#lookAtRanged(items, finder, first) : 0;
    const before = entered.length;
    // As many as it may see were within this distance: if they are again, what is farther away does not matter, unless it
    // has a range of its own.
    let reach = this.#reach;
    let staying = reach > 0 ? this.#look(items, finder, first, reach) : 0;
    if (reach === 0 || staying + entered.length - before < most) {
      reach = radius * (1 + hysteresis);
      staying = this.#look(items, finder, first, reach);
    }
    if (ranged + staying < inView.length) this.#dropFar(items, finder, first, reach);
  }

  /** Finds what enters within a distance; returns how many of the items in view are within it. */
  #look(items: SeenItems, finder: Finder, first: number, reach: number): number {
    const { radius, halfSize, hysteresis } = this.#settings;
    const known = first + IS_IN_VIEW;
    const within = Math.min(reach, radius);
    let staying = this.#isBall ? finder.findInBall(reach, known) : finder.findInBox(halfSize, 1 + hysteresis, known);
    const { ids, places, length } = finder;
    const marks = finder.marks.all;
    for (let i = 0; i < length; i++) {
      const place = places[i];
      const mark = marks[place];
      if (mark > known) continue;
      const square = this.#isBall ? finder.squareTo(place) : 0;
      if (mark === known) staying += Number(square <= reach * reach);
      else if (square <= within * within && this.#mayEnter(items, ids[place])) {
        marks[place] = first + ENTERS;
        push(ids[place], this.entered);
      }
    }
    return staying;
  }

  /** Of an item within the radius. */
  #mayEnter(items: SeenItems, id: number): boolean {
    if (!this.#isShown(items, id)) return false;
    return this.#isBall || this.#isInBox(items, id, 1);
  }

  /** Whether an item touches its box, or one so much larger. */
  #isInBox(items: SeenItems, id: number, share: number): boolean {
    const { halfSize } = this.#settings;
    items.readBox(id, box);
    for (let c = 0; c < 3; c++) {
      const at = this.#position[c];
      const half = halfSize[c] * share;
      if (box[c] > at + half || box[c + 3] < at - half) return false;
    }
    return true;
  }

  /** Drops what was in view and is too far away by now. */
  #dropFar(items: SeenItems, finder: Finder, first: number, reach: number): void {
    const { inView, left } = this;
    const { placeOf } = finder;
    const { ids, length } = inView;
    const marks = finder.marks.all;
    const more = 1 + this.#settings.hysteresis;
    let n = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const place = placeOf[id];
      const mark = marks[place];
      let stays = mark === first + STAYS;
      if (mark === first + IS_IN_VIEW) {
        stays = this.#isBall ? finder.squareTo(place) <= reach * reach : this.#isInBox(items, id, more);
      }
      if (stays) ids[n++] = id;
      else push(id, left);
    }
    inView.length = n;
  }

  /** Looks at all items that have ranges of their own, in place of queries; returns how many in view stay. */
  #lookAtRanged(items: SeenItems, finder: Finder, first: number): number {
    const { ranges, boxes, ranged } = items;
    const marks = finder.marks.all;
    const more = 1 + this.#settings.hysteresis;
    let staying = 0;
    for (let n = 0; n < ranged.length; n++) {
      const id = ranged.ids[n];
      const place = finder.placeOf[id];
      const mark = marks[place];
      if (mark === first + PASSED) continue;
      const isInView = mark === first + IS_IN_VIEW;
      const range = isInView ? ranges[n] * more : ranges[n];
      marks[place] = first + PASSED;
      if (distanceSquared(this.x, this.y, this.z, boxes, BOX * n) > range * range) continue;
      if (isInView) {
        marks[place] = first + STAYS;
        staying++;
      } else if (this.#isShown(items, id)) {
        marks[place] = first + ENTERS;
        push(id, this.entered);
      }
    }
    return staying;
  }

  /** Finds what enters nearby; all that is in view stays. */
  #lookNear(items: SeenItems, finder: Finder, first: number): void {
    const { due, entered } = this;
    const { radius, nearRadius } = this.#settings;
    const marks = finder.marks.all;
    const hasRanges = items.ranged.length > 0;
    due.length = 0;
    finder.findInBall(nearRadius, NO_MARK);
    const { ids, places, length, isExact } = finder;
    const all = due.reserve(length);
    let n = 0;
    for (let i = 0; i < length; i++) {
      const place = places[i];
      const mark = marks[place];
      if (mark > first + IS_IN_VIEW) continue;
      const id = ids[place];
      if (mark < first || !isExact) {
        const square = finder.squareTo(place);
        if (square > nearRadius * nearRadius) continue;
        if (mark < first) {
          const range = hasRanges ? items.rangeOf(id) : undefined;
          const reach = range ?? (this.#isBall ? radius : Number.POSITIVE_INFINITY);
          if (square > reach * reach) continue;
          if (range === undefined ? !this.#mayEnter(items, id) : !this.#isShown(items, id)) continue;
          marks[place] = first + ENTERS;
          push(id, entered);
        }
      }
      all[n++] = id;
    }
    due.length = n;
  }

  /** Cuts what is seen to the items that are always seen, then the nearest. */
  #keepNearest(items: SeenItems, finder: Finder, first: number): void {
    const { inView, entered, left, due } = this;
    const { most, every, radius } = this.#settings;
    const marks = finder.marks.all;
    const { placeOf } = finder;
    nearest.length = 0;
    addAll(inView, items, finder);
    addAll(entered, items, finder);
    const farthest = Math.sqrt(Math.max(0, nearest.select(most))) * SPARE;
    this.#reach = farthest < radius ? farthest : 0;
    for (let i = most; i < nearest.length; i++) marks[placeOf[nearest.ids[i]]] = first + PASSED;
    dropPassed(inView, finder, first, left);
    dropPassed(entered, finder, first, null);
    if (every > 1) dropPassed(due, finder, first, null);
  }

  #findReplaced(items: SeenItems, { marks, placeOf }: Finder, first: number): void {
    const { left, replaced } = this;
    for (let i = 0; i < left.length; i++) {
      const id = left.ids[i];
      if (items.isLive(id) && marks.all[placeOf[id]] === first + ENTERS) push(id, replaced);
    }
  }
}

function push(id: number, list: IdList): void {
  if (list.length === list.ids.length) list.reserve(1);
  list.ids[list.length++] = id;
}

function markAll({ ids, length }: IdList, placeOf: Int32Array, marks: Uint8Array, mark: number): void {
  for (let i = 0; i < length; i++) marks[placeOf[ids[i]]] = mark;
}

function appendAll(from: IdList, to: IdList): void {
  const ids = to.reserve(from.length);
  for (let i = 0, n = to.length; i < from.length; i++) ids[n++] = from.ids[i];
  to.length += from.length;
}

function addAll({ ids, length }: IdList, items: SeenItems, finder: Finder): void {
  const { placeOf } = finder;
  const hasRanges = items.ranged.length > 0;
  for (let i = 0; i < length; i++) {
    const isAlways = hasRanges && items.rangeOf(ids[i]) === Number.POSITIVE_INFINITY;
    nearest.add(ids[i], isAlways ? FIRST : finder.squareTo(placeOf[ids[i]]));
  }
}

/** Takes what is marked as passed out of a list, and appends it to `dropped`. */
function dropPassed(list: IdList, { marks, placeOf }: Finder, first: number, dropped: IdList | null): void {
  let n = 0;
  for (let i = 0; i < list.length; i++) {
    const id = list.ids[i];
    if (marks.all[placeOf[id]] !== first + PASSED) list.ids[n++] = id;
    else if (dropped !== null) push(id, dropped);
  }
  list.length = n;
}

// Filled and read within a refresh, which runs no user code.
const nearest = new Nearest();
const box = new Float64Array(BOX);
