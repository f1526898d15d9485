import { BoxIndex } from '../../contract/BoxIndex.js';
import { BOX } from '../../core/box.js';
import { OPTION_RANGES, readOptions } from '../../core/options.js';
import type { Layout } from '../Layout.js';
import { ROOT } from '../Nodes.js';
import { packRows } from '../packRows.js';
import { Tree } from '../Tree.js';
import { TreeStructure } from '../TreeStructure.js';
import { chooseCellSize } from './chooseCellSize.js';
import { GridCells, LEVELS } from './GridCells.js';

/** Options of {@link Grid}. */
export interface GridOptions {
  /**
   * Edge of the smallest cells in world units, 0 to 2^300. Larger items go to cells of twice, four times, ... the edge.
   * Some dozens of items in a cell are best. Default 0: chosen from the items when many are added at once, at
   * `rebuild()`, and when their number or density has changed a lot.
   */
  cellSize?: number;
  /** Make cells square columns on XZ, unlimited in Y. Default false. */
  planar?: boolean;
}

export const GRID_DEFAULTS: Required<GridOptions> = { cellSize: 0, planar: false };

/**
 * A hierarchical grid without limits: a move takes constant time, wherever it leads.
 *
 * Each item is in one cell, the one that contains its centre, of the lowest level with cells as large as the item.
 * Cells are found by a hash of their place (Teschner et al., Optimized Spatial Hashing for Collision Detection of
 * Deformable Objects, 2003; Eitz and Gu, Hierarchical Spatial Hashing for Real-time Collision Detection, 2007).
 *
 * Cells only decide where an item is stored. Queries go by content boxes, from large cells to small ones.
 *
 * @example
 * ```ts
 * import { Grid } from 'three-scene-index/core';
 *
 * const index = new Grid({ cellSize: 16 });
 * const id = index.add([0, 0, 0, 1, 1, 1]);
 * index.update(id, [500, 0, 500, 501, 1, 501]);
 * ```
 */
export class Grid extends BoxIndex {
  /** @throws TypeError or RangeError that names the option. */
  constructor(options: GridOptions = {}) {
    const { cellSize, planar } = readOptions(options, GRID_DEFAULTS, 'Grid', OPTION_RANGES);
    super(new TreeStructure(new GridLayout(cellSize, planar)));
  }
}

/** A chosen cell size is outgrown with this many times the items, or this many times as many or as few per cell. */
const CHANGE = 4;
/** But not before FEWEST_PLACED items, and one for every PLACED_SHARE that there are, have been placed. */
const FEWEST_PLACED = 16;
const PLACED_SHARE = 8;

/** Each item in the cell of a grid in which its centre lies; items that are too large for any cell under the root. */
export class GridLayout implements Layout {
  readonly structure = 'grid';
  readonly tree: Tree = new Tree(false);
  readonly ordersByGround = false;
  readonly cells: GridCells;
  /** True when the caller chose the edge of the smallest cells. */
  readonly #isGiven: boolean;
  /** Items there were when the cell size was chosen, items in a cell then, and items placed since. */
  #items = 0;
  #crowd = 0;
  #placed = 0;

  constructor(cellSize: number, planar: boolean) {
    this.#isGiven = cellSize > 0;
    this.cells = new GridCells(this.tree, planar);
    this.cells.setEdge(cellSize || 1);
  }

  place(id: number, box: Float64Array, items: number): boolean {
    this.tree.insert(this.cells.nodeFor(box, 0), id, box, 0);
    this.#placed++;
    if (this.#isGiven || this.#placed < FEWEST_PLACED || this.#placed * PLACED_SHARE < items) return false;
    // A rebuild takes time in proportion to the items, so it costs constant time for each one placed.
    const crowd = items / this.cells.count;
    return items >= CHANGE * this.#items || crowd > CHANGE * this.#crowd || crowd * CHANGE < this.#crowd;
  }

  canStay(slot: number, box: Float64Array): boolean {
    const node = this.tree.nodeOf(slot);
    return node === ROOT ? this.cells.levelOf(box, 0) === LEVELS : this.cells.keeps(node, box);
  }

  acceptsWithinRow(node: number): boolean {
    // Items lie in their cell made twice as wide, and so does any box within that of a row. But it might be too small
    // for a cell above level 0, or small enough for a cell if it is under the root.
    return node !== ROOT && this.cells.levels[node] === 0;
  }

  canStayEverywhere(): boolean {
    return false;
  }

  removed(node: number): void {
    if (node !== ROOT && this.tree.nodes.first[node] < 0) this.cells.prune(node);
  }

  /**
   * Makes the cells, sorts the items by cell, and makes rows in the order in which walks visit them. The items come in
   * Morton order, so neighbouring cells are made one after the other.
   */
  arrange(ids: Int32Array, boxes: Float64Array, order: Int32Array): void {
    const { tree, cells } = this;
    const { nodes } = tree;
    if (!this.#isGiven && ids.length > 0) cells.setEdge(chooseCellSize(boxes, cells.planar));
    const nodeOf = order.map((i) => cells.nodeFor(boxes, BOX * i));
    const counts = new Int32Array(nodes.count);
    for (const node of nodeOf) counts[node]++;
    const ends = new Int32Array(nodes.count);
    const walk: number[] = [];
    for (let node = ROOT, end = 0; node >= 0; node = nodes.following(node)) {
      walk.push(node);
      ends[node] = end += counts[node];
    }
    const sorted = new Int32Array(order.length);
    // From the end, so that items of a cell stay in order while `ends` become starts.
    for (let i = order.length - 1; i >= 0; i--) sorted[--ends[nodeOf[i]]] = order[i];
    for (const node of walk) {
      if (counts[node] === 0) continue;
      packRows(tree, node, ids, boxes, sorted, ends[node], ends[node] + counts[node]);
      // Rows come before cells.
      for (let c = nodes.first[node]; nodes.row[c] < 0; c = nodes.first[node]) {
        nodes.unlink(c);
        nodes.link(c, node, false);
      }
    }
    this.#items = ids.length;
    this.#crowd = ids.length / cells.count;
  }

  reset(items: number): void {
    this.tree.reset(items);
    this.cells.reset(this.tree.nodes.capacity);
    this.#items = this.#placed = 0;
  }
}
