import { BOX } from '../../core/box.js';
import type { Rows } from '../../core/storage/Rows.js';
import type { Tree } from '../../core/storage/Tree.js';

/** Entries drained from rows, to be divided and put into the same rows again. */
export class EntryBuffer {
  readonly ids: Int32Array;
  readonly boxes: Float64Array;
  /** Positions of the entries in `ids` and `boxes`, to be rearranged. */
  readonly order: Int32Array;
  count = 0;

  /** @param most The largest number of entries. */
  constructor(most: number) {
    this.ids = new Int32Array(most);
    this.boxes = new Float64Array(BOX * most);
    this.order = new Int32Array(most);
  }

  clear(): void {
    this.count = 0;
  }

  /** Drains a row into the buffer. */
  takeAll(rows: Rows, row: number): void {
    const start = this.count;
    this.count = rows.drain(row, this.ids, this.boxes, start);
    for (let n = start; n < this.count; n++) this.order[n] = n;
  }

  /** Puts the entries order[from] to order[to - 1] into the empty row of a node, and makes its box tight. */
  fill({ nodes, rows }: Tree, node: number, from: number, to: number): void {
    const row = nodes.row[node];
    for (let i = from; i < to; i++) rows.append(row, this.ids[this.order[i]], this.boxes, BOX * this.order[i]);
    rows.dirty[row] = 0;
    rows.tighten(row, tight);
    nodes.box.set(tight, BOX * node);
    nodes.entries[node] = to - from;
  }
}

const tight = new Float64Array(BOX);
