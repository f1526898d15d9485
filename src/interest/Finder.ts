import { grow } from '../core/arrays.js';
import { BOX } from '../core/box.js';
import { IdList } from '../core/ids.js';
import { BoxVolume, SphereVolume } from '../core/shapes/boxAndSphere.js';
import { distanceSquared, ItemGrid } from './ItemGrid.js';
import type { SeenItems } from './SeenItems.js';

/** With fewer observers than one for so many items, a grid of all items costs more than it saves. */
const ITEMS_AN_OBSERVER = 50;
/** Each observer tests each item that no cell holds. So few, and this share of all, are no reason to ask the index. */
const FEW = 16;
const SHARE = 1 / 64;
/** Cells to a radius. */
const CELLS = 3;

/**
 * Finds what observers may see: in a grid of all items where there are many observers, otherwise in the index.
 *
 * Items go by places: in a grid those near each other have places near each other, otherwise the id is the place.
 */
export class Finder {
  /** The item at a place, and the place of an item. */
  ids: Int32Array = new Int32Array(0);
  placeOf: Int32Array = new Int32Array(0);
  /** By place, what the observer whose turn it is knows of the item. */
  readonly marks: Marks = new Marks();
  /** Places of what was found last, for all below `length`. */
  places: Int32Array = new Int32Array(0);
  length = 0;
  readonly #items: SeenItems;
  readonly #grid = new ItemGrid();
  /** Each place is its own id. */
  #same = new Int32Array(0);
  #hasGrid = false;
  /** Around where it looks. */
  #x = 0;
  #y = 0;
  #z = 0;

  constructor(items: SeenItems) {
    this.#items = items;
  }

  /**
   * Looks at where the items are in this tick.
   * @param radius The usual one of all observers; 0 if there is none.
   */
  begin(observers: number, radius: number): void {
    const { count, limit } = this.#items;
    if (limit > this.places.length) {
      this.places = grow(this.places, limit);
      this.#same = this.places.map((_, i) => i);
    }
    this.marks.reserve(limit);
    this.#hasGrid = count <= ITEMS_AN_OBSERVER * observers && radius > 0 && radius < Number.POSITIVE_INFINITY;
    if (this.#hasGrid) this.#buildGrid(radius / CELLS);
    this.ids = this.#hasGrid ? this.#grid.ids : this.#same;
    this.placeOf = this.#hasGrid ? this.#grid.placeOf : this.#same;
  }

  /** Whether `findInBall` lists nothing that is farther away. */
  get isExact(): boolean {
    return !this.#hasGrid || this.#grid.isExact;
  }

  moveTo(x: number, y: number, z: number): void {
    this.#x = x;
    this.#y = y;
    this.#z = z;
  }

  /**
   * Finds what is within a radius: counts the items with the mark `known`, and lists the others. Of a grid of items that are
   * no points, it also lists some of the former instead, and some that are farther away: `squareTo` tells.
   * @param known Or -1, which no item has.
   * @returns The count.
   */
  findInBall(radius: number, known: number): number {
    if (!this.#hasGrid) {
      ball.x = this.#x;
      ball.y = this.#y;
      ball.z = this.#z;
      ball.radius = radius;
      return this.#ask(ball, known);
    }
    const grid = this.#grid;
    const { places } = this;
    const marks = this.marks.all;
    const count = grid.find(this.#x, this.#y, this.#z, radius, marks, known, places);
    let n = grid.found;
    let others = 0;
    for (let place = grid.held; place < grid.size; place++) {
      if (this.squareTo(place) > radius * radius) continue;
      if (marks[place] === known) others++;
      else places[n++] = place;
    }
    this.length = n;
    return count + others;
  }

  /** Finds what touches a box around the point, like `findInBall`. */
  findInBox(halfSize: Float64Array, share: number, known: number): number {
    const b = volume.box;
    b[0] = this.#x - halfSize[0] * share;
    b[1] = this.#y - halfSize[1] * share;
    b[2] = this.#z - halfSize[2] * share;
    b[3] = this.#x + halfSize[0] * share;
    b[4] = this.#y + halfSize[1] * share;
    b[5] = this.#z + halfSize[2] * share;
    return this.#ask(volume, known);
  }

  /** The square of the distance to the item at a place. */
  squareTo(place: number): number {
    const grid = this.#grid;
    if (this.#hasGrid && grid.isExact && place < grid.held) return grid.squareTo(place, this.#x, this.#y, this.#z);
    this.#items.readBox(this.ids[place], box);
    return distanceSquared(this.#x, this.#y, this.#z, box, 0);
  }

  #ask(region: BoxVolume | SphereVolume, known: number): number {
    this.#items.structure.overlap(region, found);
    const { ids, length } = found;
    const { places, placeOf } = this;
    const marks = this.marks.all;
    let count = 0;
    let n = 0;
    for (let i = 0; i < length; i++) {
      const place = placeOf[ids[i]];
      if (marks[place] === known) count++;
      else places[n++] = place;
    }
    this.length = n;
    return count;
  }

  #buildGrid(cell: number): void {
    const items = this.#items;
    const grid = this.#grid;
    grid.begin(items.count, items.limit, cell);
    for (let id = 0; id < items.limit; id++) {
      if (!items.isLive(id)) continue;
      items.readBox(id, box);
      grid.add(id, box);
    }
    grid.end();
    this.#hasGrid = grid.size - grid.held <= FEW + grid.size * SHARE;
  }
}

/** A byte by place. Each observer has marks of its own, above those of all before, so that nothing has to be cleared. */
class Marks {
  all: Uint8Array = new Uint8Array(0);
  #last = 0;

  reserve(count: number): void {
    if (count > this.all.length) this.all = grow(this.all, count);
  }

  /** The first of `count` marks that no place has. */
  take(count: number): number {
    if (this.#last + count > 255) {
      this.all.fill(0);
      this.#last = 0;
    }
    const first = this.#last + 1;
    this.#last += count;
    return first;
  }
}

// Filled and read within a tick, which runs no user code.
const found = new IdList();
const box = new Float64Array(BOX);
const ball = /* @__PURE__ */ new SphereVolume();
const volume = /* @__PURE__ */ new BoxVolume();
