import type { StructureOptions } from '../../contract/Structure.js';
import type { Layout } from '../Layout.js';
import { ROOT } from '../Nodes.js';
import { Tree } from '../Tree.js';
import { chooseCellSize } from './chooseCellSize.js';
import { fillGrid } from './fillGrid.js';
import { GridCells, LEVELS } from './GridCells.js';

/**
 * The cell size is chosen anew when there are this many times as many items as when it was chosen, or this many times
 * as many or as few items in a cell.
 */
const CHANGE = 4;
/** But not before at least FEW items, and one for every SHARE that there are, have been placed. */
const SHARE = 8;
const FEW = 16;

/** Each item in the cell of a grid in which its centre lies; items that are too large for any cell under the root. */
export class GridLayout implements Layout {
  readonly structure = 'grid';
  readonly options: StructureOptions;
  readonly tree: Tree = new Tree(false);
  readonly ordersByGround = false;
  readonly cells: GridCells;
  /** The edge of the smallest cells that the caller chose; 0 if it is chosen from the items. */
  readonly cellSize: number;
  /** Items there were when the cell size was chosen, items in a cell then, and items placed since. */
  #items = 0;
  #crowd = 0;
  #placed = 0;

  constructor(cellSize: number, planar: boolean) {
    this.options = { cellSize, planar };
    this.cellSize = cellSize;
    this.cells = new GridCells(this.tree, planar);
    this.cells.setEdge(cellSize > 0 ? cellSize : 1);
  }

  place(id: number, box: Float64Array, items: number): boolean {
    this.tree.insert(this.cells.nodeFor(box, 0), id, box, 0);
    this.#placed++;
    // A rebuild takes time in proportion to the items, so it costs constant time for each one placed.
    return this.cellSize === 0 && this.#placed >= FEW && this.#placed * SHARE >= items && this.#isOutgrown(items);
  }

  canStay(slot: number, box: Float64Array): boolean {
    const node = this.tree.nodeOf(slot);
    return node === ROOT ? this.cells.levelOf(box, 0) === LEVELS : this.cells.keeps(node, box);
  }

  acceptsWithinRow(node: number): boolean {
    // Items lie in their cell made twice as wide, so any box within that of a row lies in it as well. But it might be
    // too small for a cell above level 0, and under the root it might be small enough for a cell.
    return node !== ROOT && this.cells.hash.levels[node] === 0;
  }

  canStayEverywhere(): boolean {
    return false;
  }

  removed(node: number): void {
    if (node !== ROOT && this.tree.nodes.first[node] < 0) this.cells.prune(node);
  }

  arrange(ids: Int32Array, boxes: Float64Array, order: Int32Array): void {
    const { cells } = this;
    if (this.cellSize === 0 && ids.length > 0) cells.setEdge(chooseCellSize(boxes, cells.planar));
    fillGrid(this.tree, cells, ids, boxes, order);
    this.noteItems(ids.length);
  }

  /** Stores how many items there are, when the cells are right for them. */
  noteItems(items: number): void {
    this.#items = items;
    this.#crowd = items / this.cells.hash.count;
  }

  reset(items: number): void {
    this.tree.reset(items);
    this.cells.reset(this.tree.nodes.capacity);
    this.#items = this.#placed = 0;
  }

  /** True when the number or density of items is very different from when the cell size was chosen. */
  #isOutgrown(items: number): boolean {
    const crowd = items / this.cells.hash.count;
    return items >= CHANGE * this.#items || crowd > CHANGE * this.#crowd || crowd * CHANGE < this.#crowd;
  }
}
