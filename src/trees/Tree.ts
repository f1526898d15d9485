import { BOX, ROW } from '../core/box.js';
import { Nodes, ROOT } from './Nodes.js';
import { Rows } from './Rows.js';

/** Rows of a node that are tried for a new copy; the newest come first. */
const ROWS_TRIED = 8;
/** A row with fewer copies hands them to its siblings. */
export const THIN_ROW = 4;
/** A row that shrinks to this size moves to the front of its list, to be tried for new copies. */
const HALF = ROW / 2;

/** The count of changes wraps around to 0 after this number. */
const CHANGES_WRAP = 2 ** 30 - 1;

/**
 * Nodes over rows: the storage of all layouts. Among the children of a node rows come before inner nodes. The layout
 * decides which node an item belongs to; the tree keeps boxes, counts and rows in order.
 */
export class Tree {
  readonly nodes: Nodes = new Nodes();
  readonly rows: Rows = new Rows();
  /** True when an item may have several copies; queries then take care to report it once. */
  readonly multiple: boolean;
  /** Greatest depth of a row below the root; sizes the stack of queries. */
  static readonly MAX_HEIGHT: number = 128;
  /** Number of copies added, removed or moved since all rows were packed. */
  changes = 0;

  constructor(multiple: boolean) {
    this.multiple = multiple;
  }

  /** Puts a copy directly under `node`, in the row tried that has room and grows least, or else in a new row. */
  insert(node: number, id: number, box: ArrayLike<number>, o: number): void {
    const { nodes, rows } = this;
    let best = -1;
    let leastGrowth = Number.POSITIVE_INFINITY;
    let tried = 0;
    for (let c = nodes.first[node]; c >= 0 && nodes.row[c] >= 0 && tried < ROWS_TRIED; c = nodes.next[c], tried++) {
      if (rows.sizes[nodes.row[c]] === ROW) continue;
      measureGrowth(nodes.box, BOX * c, box, o);
      if (best < 0 || growth[0] < leastGrowth) {
        leastGrowth = growth[0];
        best = c;
      }
      if (growth[0] === 0) break;
    }
    this.insertAt(best < 0 ? this.addRow(node, true) : best, id, box, o);
  }

  /** Puts item `id` in the row of the node `child`; the row must have room. */
  insertAt(child: number, id: number, box: ArrayLike<number>, o: number): void {
    const row = this.nodes.row[child];
    this.rows.append(row, id, box, o);
    this.#markDirty(row);
    this.nodes.widen(child, box, o);
    this.nodes.countUp(child, 1);
  }

  /** Adds a new, empty row under `node`, before or after its other children. */
  addRow(node: number, atFront: boolean): number {
    const child = this.nodes.alloc();
    this.nodes.row[child] = this.rows.alloc(child);
    this.nodes.link(child, node, atFront);
    return child;
  }

  addNode(node: number): number {
    const child = this.nodes.alloc();
    this.nodes.link(child, node, false);
    return child;
  }

  /** The node that stands for the row of a copy. */
  rowNodeOf(seat: number): number {
    return this.rows.nodes[(seat / ROW) | 0];
  }

  nodeOf(seat: number): number {
    return this.nodes.parent[this.rowNodeOf(seat)];
  }

  /**
   * Changes the box of a copy in its seat. The boxes above are widened at once, but tightened only at every 64th
   * change: finding out whether the old box was the outermost is a cache miss that would double the time of a move.
   */
  move(seat: number, box: Float64Array): void {
    this.nodes.widen(this.rowNodeOf(seat), box, 0);
    this.moveWithin(seat, box);
  }

  /** Like {@link move}, for a box that lies within the box of its row. */
  moveWithin(seat: number, box: Float64Array): void {
    const row = (seat / ROW) | 0;
    this.rows.write(seat, box, 0);
    this.#markDirty(row);
    if ((this.changes & 63) === 0) this.tightenRow(row);
  }

  /** Removes a copy. A row that becomes empty is dropped, a thin row hands its copies to its siblings. */
  remove(seat: number): void {
    const { nodes, rows } = this;
    const row = (seat / ROW) | 0;
    const child = rows.nodes[row];
    rows.remove(seat);
    this.#markDirty(row);
    nodes.countUp(child, -1);
    if (rows.sizes[row] < THIN_ROW) this.#mergeThin(row);
    if (rows.sizes[row] > 0) {
      if (rows.sizes[row] === HALF) this.#bringForward(child);
      this.tightenRow(row);
    } else {
      const node = nodes.parent[child];
      this.dropRow(child);
      nodes.tighten(node);
    }
  }

  /**
   * Moves the copies of all rows of `node` to `ids` and `boxes`, from number `start` on, and removes the rows; returns
   * the next number. Content boxes do not change: the caller refills or tightens the node.
   */
  drainRows(node: number, ids: Int32Array, boxes: Float64Array, start: number): number {
    const { nodes, rows } = this;
    let n = start;
    for (let c = nodes.first[node]; c >= 0 && nodes.row[c] >= 0; c = nodes.first[node]) {
      const row = nodes.row[c];
      nodes.countUp(c, -rows.sizes[row]);
      // Copies are removed from last to first, so that no removal moves another copy.
      while (rows.sizes[row] > 0) {
        const seat = row * ROW + rows.sizes[row] - 1;
        ids[n] = rows.itemAt(seat);
        rows.read(seat, boxes, BOX * n++);
        rows.remove(seat);
      }
      this.dropRow(c);
    }
    return n;
  }

  /** Takes out all copies at and below a node, and the rows and nodes below it; content boxes do not change. */
  drainAll(node: number): { ids: Int32Array; boxes: Float64Array; order: Int32Array } {
    const { nodes } = this;
    const ids = new Int32Array(nodes.copies[node]);
    const boxes = new Float64Array(BOX * ids.length);
    const below = [node];
    let taken = 0;
    for (let i = 0; i < below.length; i++) {
      taken = this.drainRows(below[i], ids, boxes, taken);
      for (let child = nodes.first[below[i]]; child >= 0; child = nodes.next[child]) below.push(child);
    }
    for (let i = below.length - 1; i > 0; i--) nodes.free(below[i]);
    return { ids, boxes, order: ids.map((_, i) => i) };
  }

  /** Removes `node` and nodes above while childless, each after a call of `onRemove`; returns the lowest that stays. */
  prune(node: number, onRemove?: (node: number) => void): number {
    const { nodes } = this;
    let n = node;
    while (n !== ROOT && nodes.first[n] < 0 && nodes.row[n] < 0) {
      const up = nodes.parent[n];
      onRemove?.(n);
      nodes.free(n);
      n = up;
    }
    nodes.tighten(n);
    return n;
  }

  /** Moves a row to the front of its list, unless it is tried for insertion anyway. */
  #bringForward(child: number): void {
    const { nodes } = this;
    const parent = nodes.parent[child];
    let c = nodes.first[parent];
    for (let tried = 1; tried < ROWS_TRIED && c >= 0; tried++) {
      if (c === child) return;
      c = nodes.next[c];
    }
    nodes.link(child, parent, true);
  }

  #markDirty(row: number): void {
    this.rows.dirty[row] = 1;
    this.changes = (this.changes + 1) & CHANGES_WRAP;
  }

  /** Drops everything, and makes room for about `items` items. */
  reset(items = 0): void {
    this.changes = 0;
    this.rows.reset(items);
    this.nodes.reset(Math.ceil(items / 6));
  }

  /** Makes the box of a row tight, and updates the boxes above it. */
  tightenRow(row: number): void {
    const { nodes, rows } = this;
    rows.tighten(row, tight);
    nodes.setBox(rows.nodes[row], tight);
  }

  dropRow(child: number): void {
    const { nodes, rows } = this;
    rows.free(nodes.row[child]);
    nodes.row[child] = -1;
    nodes.free(child);
  }

  /** Moves the copies of a thin row to the first rows of the same node that have room; counts above do not change. */
  #mergeThin(row: number): void {
    const { nodes, rows } = this;
    const child = rows.nodes[row];
    const parent = nodes.parent[child];
    let tried = 0;
    for (let c = nodes.first[parent]; c >= 0 && nodes.row[c] >= 0 && tried < ROWS_TRIED; c = nodes.next[c], tried++) {
      const target = nodes.row[c];
      while (c !== child && rows.sizes[row] > 0 && rows.sizes[target] < ROW) {
        const seat = row * ROW + rows.sizes[row] - 1;
        const id = rows.itemAt(seat);
        rows.read(seat, old, 0);
        rows.remove(seat);
        rows.append(target, id, old, 0);
        nodes.copies[child]--;
        nodes.copies[c]++;
        nodes.widen(c, old, 0);
        rows.dirty[target] = 1;
      }
    }
  }
}

const old = new Float64Array(BOX);
const tight = new Float64Array(BOX);
const growth = new Float64Array(1);

/** Writes to `growth` how much the edges of box a at o must grow to hold box b at p: a returned number may allocate. */
function measureGrowth(a: ArrayLike<number>, o: number, b: ArrayLike<number>, p: number): void {
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    if (b[p + i] < a[o + i]) sum += a[o + i] - b[p + i];
    if (b[p + i + 3] > a[o + i + 3]) sum += b[p + i + 3] - a[o + i + 3];
  }
  growth[0] = sum;
}
