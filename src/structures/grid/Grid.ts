import { BOUNDED } from '../../core/box.js';
import { readOptions } from '../../core/readOptions.js';
import { ROOT } from '../../core/storage/Nodes.js';
import { type IndexDescriptor, TreeIndex } from '../tree/TreeIndex.js';
import { chooseCellSize } from './chooseCellSize.js';
import { fillGrid } from './fillGrid.js';
import { GridCells, LEVELS } from './GridCells.js';
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

  protected override get descriptor(): IndexDescriptor {
    return { structure: 'grid', options: { cellSize: this.#cellSize, planar: this.cells.planar } };
  }

  protected override saveState(): number[] {
    return [this.cells.edges[0], this.cells.top];
  }

  protected override saveNode(node: number): number[] {
    const { levels, places } = this.cells.hash;
    return node === ROOT ? [0, 0, 0, 0] : [levels[node], ...places.subarray(3 * node, 3 * node + 3)];
  }

  protected override loadState([edge, top]: Float64Array, where: string): void {
    const isEdge = edge > 0 && edge <= BOUNDED && (this.#cellSize === 0 || edge === this.#cellSize);
    if (!isEdge || !isLevel(top)) throw new RangeError(`${where}: no grid has cells of ${edge} up to level ${top}`);
    this.cells.setEdge(edge);
    this.cells.top = top;
  }

  protected override loadNode(parent: number, numbers: Float64Array, o: number, where: string): number {
    const [level, x, y, z] = numbers.subarray(o, o + 4);
    const isPlace = [x, y, z].every(Number.isSafeInteger) && !(this.cells.planar && y !== 0);
    if (!isLevel(level) || !isPlace || this.cells.hash.find(level, x, y, z) > 0) {
      throw new RangeError(`${where}: no grid has a cell at ${x} ${y} ${z} of level ${level}, or there are two`);
    }
    return this.cells.add(parent, level, x, y, z);
  }

  protected override loaded(): void {
    this.#items = this.size;
    this.#crowd = this.size / this.cells.hash.count;
  }

  protected override place(id: number, box: Float64Array): boolean {
    this.tree.insert(this.cells.nodeFor(box, 0), id, box, 0);
    this.#filed++;
    // A rebuild takes time in proportion to the items, so it costs constant time for each one filed.
    return this.#cellSize === 0 && this.#filed >= FEW && this.#filed * SHARE >= this.size && this.#isOutgrown;
  }

  protected override canStay(slot: number, box: Float64Array): boolean {
    const node = this.tree.nodeOf(slot);
    return node === ROOT ? this.cells.levelOf(box, 0) === LEVELS : this.cells.keeps(node, box);
  }

  protected override acceptsWithinRow(node: number): boolean {
    // Items keep to the cell made twice as wide, so whatever lies between some of them does too. In a larger cell it might
    // be too small, though, and under the root small enough for a cell.
    return node !== ROOT && this.cells.hash.levels[node] === 0;
  }

  protected override isMisplaced(node: number, box: Float64Array): boolean {
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

function isLevel(level: number): boolean {
  return Number.isInteger(level) && level >= 0 && level < LEVELS;
}
