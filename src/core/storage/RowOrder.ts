import { ROOT } from './Nodes.js';
import type { Tree } from './Tree.js';

/**
 * Brings the rows of a tree into its depth-first order, one by one, so that neighbours in the tree are neighbours in
 * memory, and stores the run of rows below each node. A round may be interrupted after any row and continued later,
 * whatever has happened to the tree meanwhile: rows that are out of order by then wait for the next round.
 */
export class RowOrder {
  readonly #tree: Tree;
  readonly #exchange: (row: number, to: number) => void;
  /** Rows 0 to #place - 1 are in place. */
  #place = 0;
  /** The node of the last row in place, ROOT before the first, and the shape of the tree for which it is valid. */
  #node = ROOT;
  #shape = -1;

  /** @param exchange Swaps two rows of the tree, and whatever else is kept by row. */
  constructor(tree: Tree, exchange: (row: number, to: number) => void) {
    this.#tree = tree;
    this.#exchange = exchange;
  }

  /** Begins a round. */
  begin(): void {
    this.#place = 0;
    this.#node = ROOT;
    this.#shape = this.#tree.nodes.shape;
  }

  /** Places the next row; false when there is none left. */
  step(): boolean {
    const { nodes } = this.#tree;
    if (this.#shape !== nodes.shape) this.#findAgain();
    const node = this.#nextRowNode();
    if (node < 0) {
      this.#end();
      return false;
    }
    this.#node = node;
    const row = nodes.row[node];
    // If the tree has changed, rows that are in place may come up again.
    if (row < this.#place) return true;
    if (row > this.#place) this.#exchange(row, this.#place);
    this.#place++;
    return true;
  }

  /** The next row node in depth-first order, or -1. Stores the runs of the nodes that are left on the way. */
  #nextRowNode(): number {
    const { first, next, parent, row } = this.#tree.nodes;
    let node = this.#node;
    if (node !== ROOT) {
      while (next[node] < 0) {
        node = parent[node];
        this.#tree.nodes.joinRuns(node);
        if (node === ROOT) return -1;
      }
      node = next[node];
    }
    while (row[node] < 0 && first[node] >= 0) node = first[node];
    return row[node] < 0 ? -1 : node;
  }

  /** Goes back to the last row in place that is still in use. */
  #findAgain(): void {
    const { nodes, rows } = this.#tree;
    while (this.#place > 0 && rows.sizes[this.#place - 1] === 0) this.#place--;
    this.#node = this.#place === 0 ? ROOT : rows.nodes[this.#place - 1];
    this.#shape = nodes.shape;
  }

  /** Cuts off the free rows, if all of them lie after the rows in use. */
  #end(): void {
    const { rows } = this.#tree;
    for (let row = 0; row < rows.count; row++) if (rows.sizes[row] > 0 !== row < this.#place) return;
    rows.trim(this.#place);
  }
}
