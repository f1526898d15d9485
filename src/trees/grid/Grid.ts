import { BoxIndex } from '../../contract/BoxIndex.js';
import type { StructureOptions } from '../../contract/Structure.js';
import { BOX } from '../../core/box.js';
import { OPTION_RANGES, readOptions } from '../../core/options.js';
import type { Layout } from '../Layout.js';
import { nextInDepthFirst, ROOT } from '../Nodes.js';
import { packRows } from '../packRows.js';
import { Tree } from '../Tree.js';
import { TreeStructure } from '../TreeStructure.js';
import { chooseCellSize } from './chooseCellSize.js';
import { GridCells, LEVELS } from './GridCells.js';

/**
 * Places items in an empty grid: makes their cells, sorts the items by cell, and makes rows in the order in which walks
 * visit them. `order` names the items by their positions in `ids` and `boxes`, in Morton order: so neighbouring cells
 * are made one after the other.
 */
function fillGrid(tree: Tree, cells: GridCells, ids: Int32Array, boxes: Float64Array, order: Int32Array): void {
  const nodeOf = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) nodeOf[i] = cells.nodeFor(boxes, BOX * order[i]);
  const { nodes } = tree;
  const counts = new Int32Array(nodes.count);
  for (const node of nodeOf) counts[node]++;
  const ends = new Int32Array(nodes.count);
  const walk = depthFirst(tree);
  let end = 0;
  for (const node of walk) ends[node] = end += counts[node];
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
}

/** All nodes of a tree without rows, each before those below it, as walks visit them. */
function depthFirst({ nodes }: Tree): number[] {
  const found: number[] = [];
  for (let node = ROOT; node >= 0; node = nextInDepthFirst(nodes, node)) found.push(node);
  return found;
}

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

/** Options of {@link Grid}. */
export interface GridOptions {
  /**
   * Edge of the smallest cells in world units, 0 to 2^300; items larger than that go to cells of twice, four times, ...
   * the edge. Some dozens of items in a cell are a good value; with cells far too small a grid is little better than a
   * list. Default 0: chosen from the items when many are added at once, at `rebuild()`, and when their number or
   * density has changed a lot.
   */
  cellSize?: number;
  /** Cells are square columns on XZ, unlimited in Y. Default false. */
  planar?: boolean;
}

export const GRID_DEFAULTS: Required<GridOptions> = { cellSize: 0, planar: false };

/**
 * An unlimited hierarchical grid: each item is in one cell, the one that contains its centre, of the lowest level with
 * cells as large as the item. Cells are found by a hash of their place, so a move to another cell takes constant time
 * wherever it leads (Teschner et al., Optimized Spatial Hashing for Collision Detection of Deformable Objects, 2003;
 * Eitz and Gu, Hierarchical Spatial Hashing for Real-time Collision Detection, 2007).
 *
 * Cells only say where an item is placed. Queries go by content boxes, from large cells to small ones.
 */
export class Grid extends BoxIndex {
  /** @throws TypeError or RangeError, which names the option. */
  constructor(options: GridOptions = {}) {
    const { cellSize, planar } = readOptions(options, GRID_DEFAULTS, 'Grid', OPTION_RANGES);
    super(new TreeStructure(new GridLayout(cellSize, planar)));
  }
}

/** Replaces the box in `out` by the region of a cell. A column keeps the heights of the box; the root has no region. */
export function gridRegion({ hash, edges, planar }: GridCells, node: number, out: Float64Array): void {
  if (node === ROOT) return;
  const { places, levels } = hash;
  const edge = edges[levels[node]];
  for (let c = 0; c < 3; c++) {
    if (c === 1 && planar) continue;
    out[c] = places[3 * node + c] * edge;
    out[c + 3] = (places[3 * node + c] + 1) * edge;
  }
}
