import { ROOT } from './Nodes.js';
import type { Tree } from './Tree.js';

/**
 * Brings the rows of a tree into its depth-first order, one by one, so that what lies together in the tree does in
 * memory, and takes note of the runs of rows that come to lie below each node. A round may be left at any row and gone
 * on with later, whatever has happened to the tree meanwhile: what then comes out of order waits for the next round.
 */
export class RowOrder {
  readonly #tree: Tree;
  readonly #exchange: (row: number, to: number) => void;
  /** Rows that have their place: 0 to place - 1. */
  #place = 0;
  /** The node of the last of them, ROOT before the first, and the shape of the tree for which that holds. */
  #node = ROOT;
  #shape = -1;

  /** @param exchange Has two rows of the tree change places, and tells whoever keeps something by row. */
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
    // Where the tree has changed since, rows that have their place may come once more.
    if (row < this.#place) return true;
    if (row > this.#place) this.#exchange(row, this.#place);
    this.#place++;
    return true;
  }

  /** The node of the row behind that of the last one; of what the way there leaves behind, runs are noted. */
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

  /** Forgets the free rows, if all of them have come to lie behind the others. */
  #end(): void {
    const { rows } = this.#tree;
    for (let row = 0; row < rows.count; row++) if (rows.sizes[row] > 0 !== row < this.#place) return;
    rows.trim(this.#place);
  }
}
