import { Tree } from '../core/Tree.js';

/**
 * What walks over a tree share: a stack, counters, and the marks that keep an item with several entries from being
 * reported twice. No user code runs during a walk, so one walk of an index ends before the next begins.
 */
export class Walk {
  // Two integers for each level on the way down. Structures keep every row within MAX_HEIGHT steps of the root.
  readonly stack: Int32Array = new Int32Array(2 * (Tree.MAX_HEIGHT + 1));
  /** Nodes whose box was tested by the last query. */
  nodesVisited = 0;
  /** Entries whose box was tested by the last query. */
  itemsTested = 0;

  #marks = new Uint32Array(0);
  #query = 0;

  /** Sets the counters to zero, and starts a new set of marks for a tree with multiple entries. */
  begin(tree: Tree): void {
    this.nodesVisited = 0;
    this.itemsTested = 0;
    if (!tree.multiple) return;
    if (this.#marks.length < tree.rows.firstSlot.length) {
      this.#marks = new Uint32Array(tree.rows.firstSlot.length);
      this.#query = 0;
    }
    if (++this.#query > 0xffffffff) {
      this.#marks.fill(0);
      this.#query = 1;
    }
  }

  /** Marks an item; false when this query has marked it before. */
  mark(id: number): boolean {
    if (this.#marks[id] === this.#query) return false;
    this.#marks[id] = this.#query;
    return true;
  }
}
