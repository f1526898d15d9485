import { ROOT } from '../core/Nodes.js';
import { chooseCellSize } from './chooseCellSize.js';
import { fillGrid } from './fillGrid.js';
import { GridCells, LEVELS } from './GridCells.js';
import { readOptions } from './readOptions.js';
import { type Form, TreeIndex } from './TreeIndex.js';
import { validateGrid } from './validateGrid.js';

/** Options of {@link Grid}. */
export interface GridOptions {
  /**
   * Edge of the smallest cells in world units, 0 to 2^300; items larger than that go to cells of twice, four times, ...
   * the edge. Some dozens of items to a cell are a good measure; with cells far too small a grid is little better than a
   * list. Default 0: chosen from the items when many come at once, at `rebuild()`, and when things have changed a lot.
   */
  cellSize?: number;
  /** Cells are square columns on XZ, without ends in Y. Default false. */
  planar?: boolean;
}

export const GRID_DEFAULTS: Required<GridOptions> = { cellSize: 0, planar: false };

/** The cell size is chosen anew when there are so many times as many items, or items to a cell, or so few to a cell. */
const CHANGE = 4;
/** But not before one item for so many that there are has been filed, nor before so many. */
const SHARE = 8;
const FEW = 16;

/**
 * A hierarchical grid without ends: each item lies in one cell, that with its centre, of the lowest level with cells as
 * large as the item. Cells are found by a hash of their place, so a move to another cell takes constant time wherever it
 * leads (Teschner et al., Optimized Spatial Hashing for Collision Detection of Deformable Objects, 2003; Eitz and Gu,
 * Hierarchical Spatial Hashing for Real-time Collision Detection, 2007).
 *
 * Cells only say where an item is filed. Queries go by content boxes, from large cells to small ones.
 */
export class Grid extends TreeIndex {
  readonly #cellSize: number;
  protected readonly cells: GridCells;
  /** Items there were when the cell size was chosen, how many came to a cell, and items filed since. */
  #items = 0;
  #crowd = 0;
  #filed = 0;

  constructor(options: GridOptions = {}) {
    super(false);
    const { cellSize, planar } = readOptions(options, GRID_DEFAULTS, 'Grid');
    this.#cellSize = cellSize;
    this.cells = new GridCells(this.tree, planar);
    this.cells.setEdge(cellSize > 0 ? cellSize : 1);
  }

  protected override get form(): Form {
    return { structure: 'grid', options: { cellSize: this.#cellSize, planar: this.cells.planar } };
  }

  protected override file(id: number, box: Float64Array): void {
    this.tree.insert(this.cells.nodeFor(box, 0), id, box, 0);
    this.#filed++;
    // A rebuild takes time in proportion to the items, so it costs constant time for each one filed.
    if (this.#cellSize === 0 && this.#filed >= FEW && this.#filed * SHARE >= this.size && this.#isOutgrown)
      this.rebuild();
  }

  protected override stays(slot: number, box: Float64Array): boolean {
    const node = this.tree.nodeOf(slot);
    return node === ROOT ? this.cells.levelOf(box, 0) === LEVELS : this.cells.keeps(node, box);
  }

  protected override keepsRows(node: number): boolean {
    // Items keep to the cell made twice as wide, so whatever lies between some of them does too. In a larger cell it might
    // be too small, though, and under the root small enough for a cell.
    return node !== ROOT && this.cells.hash.levels[node] === 0;
  }

  protected override strays(node: number, box: Float64Array): boolean {
    return node !== ROOT && !this.cells.isCellOf(node, box);
  }

  protected override removed(node: number): void {
    if (node !== ROOT && this.tree.nodes.first[node] < 0) this.cells.prune(node);
  }

  protected override arrange(ids: Int32Array, boxes: Float64Array, order: Int32Array): void {
    const cells = this.cells;
    if (this.#cellSize === 0 && ids.length > 0) cells.setEdge(chooseCellSize(boxes, cells.planar));
    fillGrid(this.tree, cells, ids, boxes, order);
    this.#items = ids.length;
    this.#crowd = ids.length / cells.hash.count;
  }

  protected override reset(items: number): void {
    super.reset(items);
    this.cells.reset(this.tree.nodes.capacity);
    this.#items = this.#filed = 0;
  }

  protected override cellOf(node: number, out: Float64Array): void {
    super.cellOf(node, out);
    if (node !== ROOT) this.cells.regionOf(node, out);
  }

  protected override get ownBytes(): number {
    return this.cells.bytes;
  }

  protected override validateRules(): string[] {
    return validateGrid(this.tree, this.cells);
  }

  /** True when the cell size was chosen for a world that was very different. */
  get #isOutgrown(): boolean {
    const crowd = this.size / this.cells.hash.count;
    return this.size >= CHANGE * this.#items || crowd > CHANGE * this.#crowd || crowd * CHANGE < this.#crowd;
  }
}
