import { BOX } from '../core/box.js';
import { IdList } from '../core/IdList.js';
import { ItemIds } from '../core/ItemIds.js';
import { ROW } from '../trees/Rows.js';
import { dealAll, FULL } from './dealAll.js';
import { dealAround, roomNear } from './dealAround.js';
import { HilbertCurve } from './HilbertCurve.js';
import { NOWHERE, PackedRows, PENDING } from './PackedRows.js';
import { PackedWalk } from './PackedWalk.js';

/** Items in a row after items have outgrown their rows; fewer than after a rebuild, so that this comes seldom. */
const ROOMY = 9;
/** With fewer items in a row than this, on average, there are too many rows. */
const SPARSE = 4;
/** An item more rows than this from its place has strayed. */
const NEAR = 2;

/** The items of a packed structure, and where they are: in rows along a curve, or outside of these. */
export class PackedItems {
  readonly ids: ItemIds = new ItemIds();
  readonly rows: PackedRows = new PackedRows();
  readonly curve: HilbertCurve;
  readonly walk: PackedWalk = new PackedWalk();
  /** How often all items were dealt anew. */
  deals = 0;
  /** Items placed beyond the ends of the curve, or outside of the rows, since the last deal. */
  #strays = 0;
  readonly #left = new IdList();

  constructor(planar: boolean) {
    this.curve = new HilbertCurve(planar);
  }

  /** Fills rows that were dealt anew, from one to before another, with boxes. */
  fill(from: number, to: number): void {
    if (!this.walk.kernel?.fill(this.rows, from, to)) this.rows.fill(from, to);
    this.refit(from, to);
  }

  /** Puts items whose boxes have changed where they belong. When most have, all rows are made to fit afterwards. */
  settleAll(ids: ArrayLike<number>, areMost: boolean): void {
    const { rows } = this;
    const left = this.#left;
    left.length = 0;
    if (!this.walk.kernel?.move(rows, ids, areMost, left)) rows.move(ids, areMost, left);
    for (let i = 0; i < left.length; i++) this.settle(left.ids[i]);
  }

  /** Makes the boxes of rows fit their contents. */
  refit(from: number, to: number): void {
    if (!this.walk.kernel?.refit(this.rows, from, to)) this.rows.refit(from, to);
  }

  /** Moves an item that is far from where a build would put it to there, or near there; true if it is so. */
  rehouse(id: number, slot: number): boolean {
    const { rows } = this;
    const { firstKeys, count } = rows;
    const row = slot >> 4;
    const key = this.curve.keyOf(rows.boxes, BOX * id);
    const isAfter = row < NEAR || key >= firstKeys[row - NEAR];
    if (isAfter && (row + NEAR + 1 >= count || key < firstKeys[row + NEAR + 1])) return false;
    const wanted = rows.rowOf(key);
    const distance = Math.abs(wanted - row);
    const to = roomNear(rows, wanted);
    if (to >= 0 && Math.abs(to - wanted) < distance) {
      rows.measure(id);
      rows.take(slot);
      rows.give(to, id);
    }
    return true;
  }

  /** Puts an item whose box has changed where it belongs: it stays, if it can. */
  settle(id: number): void {
    const { rows } = this;
    const slot = rows.slots[id];
    const isForRows = rows.measure(id);
    if (slot < 0 && !isForRows) return;
    if (slot < 0 || !isForRows) {
      this.take(id);
      this.house(id);
      return;
    }
    rows.write(slot);
    const row = slot >> 4;
    if (rows.holds(row)) return;
    const wanted = rows.rowOf(this.curve.keyOf(rows.boxes, BOX * id));
    if (this.curve.misses(rows.boxes, BOX * id) && this.#countStray()) return;
    const to = wanted === row ? row : roomNear(rows, wanted);
    if (to < 0 || to === row) {
      rows.widen(row);
      return;
    }
    rows.take(slot);
    rows.give(to, id);
  }

  /** Puts an item that is nowhere into a row, or outside of the rows. */
  house(id: number): void {
    const { rows, curve } = this;
    rows.slots[id] = PENDING;
    if (rows.count === 0) {
      this.#outgrow();
      return;
    }
    const isForRows = rows.measure(id);
    if ((!isForRows || curve.misses(rows.boxes, BOX * id)) && this.#countStray()) return;
    if (!isForRows) {
      rows.addOutside(id);
      return;
    }
    const wanted = rows.rowOf(curve.keyOf(rows.boxes, BOX * id));
    let to = roomNear(rows, wanted);
    if (to < 0) {
      const range = dealAround(rows, curve, wanted);
      if (range === null) {
        this.#outgrow();
        return;
      }
      this.fill(range.from, range.to);
      rows.measure(id);
      to = roomNear(rows, rows.rowOf(curve.keyOf(rows.boxes, BOX * id)));
    }
    if (to < 0) this.#outgrow();
    else rows.give(to, id);
  }

  /** Takes an item from where it is. */
  take(id: number): void {
    const { rows } = this;
    const slot = rows.slots[id];
    if (slot >= 0) rows.take(slot);
    else rows.removeOutside(id);
  }

  /** Counts an item for which rows were not made; true if there are so many that all items were dealt anew. */
  #countStray(): boolean {
    this.#strays++;
    if (this.#strays <= ROW + this.ids.size / 4) return false;
    this.#outgrow();
    return true;
  }

  #outgrow(): void {
    this.deal(this.ids.size, ROOMY);
  }

  /** Deals all items anew. */
  deal(items: number = this.ids.size, perRow: number = FULL): void {
    dealAll(this.rows, this.curve, items, this.ids.limit, perRow);
    this.fill(0, this.rows.count);
    this.#strays = 0;
    this.deals++;
  }

  /** Removes an item for good. */
  remove(id: number): void {
    const { rows } = this;
    this.take(id);
    rows.slots[id] = NOWHERE;
    const items = this.ids.size - 1;
    if (rows.count > 1 && items < SPARSE * rows.count) this.deal(items);
  }

  /** Drops all items. */
  clear(): void {
    const { rows } = this;
    rows.clear();
    this.#strays = 0;
    this.deals++;
    this.walk.kernel?.release(rows);
  }
}
