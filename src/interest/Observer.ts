import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { Hits } from '../core/Hits.js';
import { IdList } from '../core/ids.js';
import { inWords } from '../core/options.js';
import type { ObserverSettings } from './ObserverSettings.js';
import type { SeenItems } from './SeenItems.js';

// What a mark says of an item, counted from the first of the observer's own marks.
const WAS_IN_VIEW = 0;
const STAYS = 1;
const COMES = 2;
const IS_IN_VIEW = 3;
export const MARKS = 4;

/** Somebody who sees items; made by `Interest.observe`. Each tick refills its lists, which are to be read, not written. */
export class Observer {
  /** What came into view with this tick. An id that is also in `left` belongs to another item by now. */
  readonly entered: IdList = new IdList();
  /** What went out of view with this tick, or was removed from the index. */
  readonly left: IdList = new IdList();
  /** All that is in view. */
  inView: IdList = new IdList();
  /** What is in view and was checked in this tick: near items in every tick, the rest in every nth. */
  due: IdList = this.inView;

  readonly #settings: ObserverSettings;
  readonly #enters: ViewRange;
  readonly #stays: ViewRange;
  readonly #near: ViewRange;
  readonly #phase: number;
  /** Tells the item that it goes with from later ones with the same id. */
  readonly #birth: number;
  #before = new IdList();
  readonly #nearOnes = new IdList();
  readonly #position: Float64Array;

  /**
   * @internal
   * @param birth Of the item that it goes with.
   * @param phase In which of every n ticks all items are checked.
   */
  constructor(settings: ObserverSettings, birth: number, phase: number) {
    const { radius, halfSize, hysteresis, nearRadius } = settings;
    const more = 1 + hysteresis;
    this.#settings = settings;
    this.#birth = birth;
    this.#phase = phase;
    this.#position = settings.position;
    this.#enters = new ViewRange(radius, halfSize);
    this.#stays = new ViewRange(
      radius * more,
      halfSize.map((c) => c * more),
    );
    this.#near = new ViewRange(nearRadius, halfSize);
  }

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
   * Moves an observer that goes with no item; shows with the next tick.
   * @throws Error for one that does, TypeError or RangeError unless the three are finite numbers.
   */
  moveTo(x: number, y: number, z: number): void {
    if (this.#settings.item !== undefined) throw new Error('Observer.moveTo: it goes with an item');
    const to = [x, y, z];
    if (to.some((c) => typeof c !== 'number')) {
      throw new TypeError(`Observer.moveTo: must be numbers, got ${to.map(inWords).join(' ')}`);
    }
    if (!to.every(Number.isFinite)) throw new RangeError(`Observer.moveTo: must be finite, got ${to.join(' ')}`);
    this.#position.set(to);
  }

  /** @internal Fills the lists; true if the view has changed. */
  refresh(items: SeenItems, tick: number): boolean {
    this.#follow(items);
    const first = items.newMarks(MARKS);
    const { marks } = items;
    const before = this.inView;
    this.inView = this.#before;
    this.#before = before;
    for (let i = 0; i < before.length; i++) {
      if (items.isSame(before.ids[i])) marks[before.ids[i]] = first + WAS_IN_VIEW;
    }
    const isFull = (tick + this.#phase) % this.#settings.every === 0;
    found.length = 0;
    if (isFull) this.#gatherAll(items, first);
    else this.#gatherNear(items, first);
    if (found.length > this.#settings.most) this.#keepNearest(items);
    this.#compare(marks, first);
    this.due = this.inView;
    if (!isFull) this.#findNear(items);
    return this.entered.length + this.left.length > 0;
  }

  /** @internal It sees nothing from now on. */
  close(): void {
    for (const list of [this.entered, this.left, this.inView, this.#nearOnes]) list.length = 0;
    this.due = this.inView;
  }

  /** Moves to its item, if that still exists and has a finite place. */
  #follow(items: SeenItems): void {
    const { item } = this.#settings;
    if (item !== undefined && items.birthOf(item) === this.#birth) {
      items.readBox(item, box);
      for (let c = 0; c < 3; c++) {
        const middle = box[c] / 2 + box[c + 3] / 2;
        if (Number.isFinite(middle)) this.#position[c] = middle;
      }
    }
    this.#enters.moveTo(this.x, this.y, this.z);
    this.#stays.moveTo(this.x, this.y, this.z);
    this.#near.moveTo(this.x, this.y, this.z);
  }

  /** All that may be in view. */
  #gatherAll(items: SeenItems, first: number): void {
    const { marks } = items;
    this.#stays.query(items.index, candidates);
    const asks = this.#settings.hysteresis > 0;
    for (let i = 0; i < candidates.length; i++) {
      const id = candidates.ids[i];
      if (asks && marks[id] !== first + WAS_IN_VIEW) {
        items.readBox(id, box);
        if (!this.#enters.holds(box)) continue;
      }
      this.#gather(id, items, first);
    }
  }

  /** All that is near, and what was in view. */
  #gatherNear(items: SeenItems, first: number): void {
    const before = this.#before;
    this.#near.query(items.index, candidates);
    for (let i = 0; i < candidates.length; i++) {
      const id = candidates.ids[i];
      if (items.marks[id] !== first + WAS_IN_VIEW) {
        items.readBox(id, box);
        if (!this.#enters.holds(box)) continue;
      }
      this.#gather(id, items, first);
    }
    for (let i = 0; i < before.length; i++) {
      if (items.marks[before.ids[i]] === first + WAS_IN_VIEW) this.#gather(before.ids[i], items, first);
    }
  }

  #gather(id: number, items: SeenItems, first: number): void {
    const { item, mask } = this.#settings;
    if ((items.maskOf(id) & mask) === 0 || (id === item && items.birthOf(id) === this.#birth)) return;
    items.marks[id] = first + (items.marks[id] === first + WAS_IN_VIEW ? STAYS : COMES);
    found.reserve(1)[found.length++] = id;
  }

  #keepNearest(items: SeenItems): void {
    const { most } = this.#settings;
    nearest.length = 0;
    for (let i = 0; i < found.length; i++) {
      items.readBox(found.ids[i], box);
      distance[0] = this.#near.distanceSquared(box);
      nearest.keepNearest(found.ids[i], distance, 0, most);
    }
    nearest.sort();
    for (let i = 0; i < most; i++) found.ids[i] = nearest.ids[i];
    found.length = most;
  }

  /** Compares what was found with what was in view. */
  #compare(marks: Int32Array, first: number): void {
    const { entered, left, inView } = this;
    const before = this.#before;
    entered.length = left.length = inView.length = 0;
    inView.reserve(found.length);
    for (let i = 0; i < found.length; i++) {
      const id = found.ids[i];
      inView.ids[inView.length++] = id;
      if (marks[id] === first + COMES) entered.reserve(1)[entered.length++] = id;
      else marks[id] = first + IS_IN_VIEW;
    }
    for (let i = 0; i < before.length; i++) {
      if (marks[before.ids[i]] !== first + IS_IN_VIEW) left.reserve(1)[left.length++] = before.ids[i];
    }
  }

  #findNear(items: SeenItems): void {
    const { inView } = this;
    const near = this.#nearOnes;
    near.length = 0;
    for (let i = 0; i < inView.length; i++) {
      items.readBox(inView.ids[i], box);
      if (this.#near.holds(box)) near.reserve(1)[near.length++] = inView.ids[i];
    }
    this.due = near;
  }
}

/** A ball or a box around a point, with the expressions of queries. */
class ViewRange {
  readonly #radius: number;
  readonly #half: Float64Array;
  #x = 0;
  #y = 0;
  #z = 0;
  readonly #box = new Float64Array(6);

  /** @param radius Negative for a box of `halfSize`. */
  constructor(radius: number, halfSize: Float64Array) {
    this.#radius = radius;
    this.#half = halfSize;
  }

  moveTo(x: number, y: number, z: number): void {
    this.#x = x;
    this.#y = y;
    this.#z = z;
    const half = this.#half;
    const b = this.#box;
    b[0] = x - half[0];
    b[1] = y - half[1];
    b[2] = z - half[2];
    b[3] = x + half[0];
    b[4] = y + half[1];
    b[5] = z + half[2];
  }

  query(index: SpatialIndex, out: IdList): void {
    if (this.#radius >= 0) index.querySphere(this.#x, this.#y, this.#z, this.#radius, out);
    else index.queryBox(this.#box, out);
  }

  /** Whether a query would find the box. */
  holds(b: Float64Array): boolean {
    if (this.#radius >= 0) return this.distanceSquared(b) <= this.#radius * this.#radius;
    const own = this.#box;
    // biome-ignore format: aligned lines show the symmetry
    return b[0] <= own[3] && b[3] >= own[0]
        && b[1] <= own[4] && b[4] >= own[1]
        && b[2] <= own[5] && b[5] >= own[2];
  }

  /** From the middle to the nearest point of a box. */
  distanceSquared(b: Float64Array): number {
    const x = this.#x;
    const y = this.#y;
    const z = this.#z;
    const dx = (x < b[0] ? b[0] : x > b[3] ? b[3] : x) - x;
    const dy = (y < b[1] ? b[1] : y > b[4] ? b[4] : y) - y;
    const dz = (z < b[2] ? b[2] : z > b[5] ? b[5] : z) - z;
    return dx * dx + dy * dy + dz * dz;
  }
}

// Filled and read within a refresh, which runs no user code.
const candidates = new IdList();
const found = new IdList();
const nearest = new Hits();
const distance = new Float64Array(1);
const box = new Float64Array(6);
