import { BoxIndex } from '../../contract/BoxIndex.js';
import { grow } from '../../core/arrays.js';
import { BOX, isBounded } from '../../core/box.js';
import { OPTION_RANGES } from '../../core/optionRanges.js';
import { readOptions } from '../../core/options.js';
import type { MortonOrder } from '../MortonOrder.js';
import { ROOT } from '../Nodes.js';
import { type Items, packRows } from '../packRows.js';
import { Tree } from '../Tree.js';
import { type Layout, TreeStructure } from '../TreeStructure.js';

/** Options of {@link Grid}. */
export interface GridOptions {
  /**
   * Edge of the smallest cells in world units, 0 to 2^300. Larger items go to cells of twice, four times, ... the edge.
   * Some dozens of items in a cell are best. With 0, the default, each build chooses it: when many items are added in
   * one call, when their number has doubled, when most lie alone in cells, by `rebuild()`, or by `maintain` if it pays.
   */
  cellSize?: number;
  /** Make cells square columns on XZ, unlimited in Y. Default false. */
  planar?: boolean;
}

export const GRID_DEFAULTS: Required<GridOptions> = { cellSize: 0, planar: false };

/**
 * A hierarchical grid without limits: a move takes constant time over any distance.
 *
 * Each item is in one cell, the cell around its centre, of the lowest tier with cells as large as the item. Cells are
 * found by a hash of their address (Teschner et al., Optimized Spatial Hashing for Collision Detection of Deformable
 * Objects, 2003; Eitz and Gu, Hierarchical Spatial Hashing for Real-time Collision Detection, 2007).
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

/** Tiers of cells, each twice as wide as in the tier below. Items larger than all cells are at the root. */
export const TIERS = 8;
/** Cells smaller than this share of their distance from the origin are not used. */
const SMALLEST_CELL = 2 ** -40;
/** Items that a cell of chosen size holds on average, at least. */
const WANTED = 12;
/** With no more nodes than this, a sparse grid is not built anew. */
const FEW_NODES = 256;
/** Numbers of the address of a cell: tier, x, y and z. */
export const ADDRESS = 4;

/**
 * Cell (x, y, z) of tier 0 goes from (x, y, z) to (x + 1, y + 1, z + 1), times the edge. A cell is a child of the cell
 * of the next tier that contains it; cells of the last tier are children of the root.
 */
export class GridLayout implements Layout {
  readonly structure = 'grid';
  readonly tree: Tree = new Tree(false);
  readonly ordersByGround: boolean;
  /** Edge of the cells of tier 0. */
  edge: number;
  /** Nodes of cells by the key of their address. Cells far apart may share a key and so a node: no answer changes. */
  readonly cells: Map<number, number> = new Map();
  /** Address of the cell of node n, at ADDRESS * n. */
  addresses: Float64Array = new Float64Array(ADDRESS * this.tree.nodes.capacity);
  /** True when the caller chose the edge. */
  readonly #isGiven: boolean;
  /** Number of nodes beyond which the grid may be sparse: 1.5 times those after the last build, at least FEW_NODES. */
  #overgrown = FEW_NODES;

  constructor(cellSize: number, planar: boolean) {
    this.#isGiven = cellSize > 0;
    this.edge = cellSize || 1;
    this.ordersByGround = planar;
  }

  insert(id: number, box: Float64Array): void {
    this.tree.insert(this.#nodeFor(box, 0), id, box, 0);
  }

  /**
   * True for a box within the cell made twice as wide, unless it is small enough for a cell a quarter as wide. So an
   * item at a border does not change cells all the time.
   */
  canStay(seat: number, box: Float64Array): boolean {
    const node = this.tree.nodeOf(seat);
    this.locate(box, 0, at);
    const [tier] = at;
    if (node === ROOT || tier === TIERS) return node === ROOT && tier === TIERS;
    const own = this.addresses[ADDRESS * node];
    const edge = this.edge * 2 ** own;
    for (let c = 0; c < 3; c++) {
      if (c === 1 && this.ordersByGround) continue;
      const middle = (this.addresses[ADDRESS * node + 1 + c] + 0.5) * edge;
      if (box[c] < middle - edge || box[c + 3] > middle + edge) return false;
    }
    return tier >= own - 1;
  }

  acceptsWithinRow(node: number): boolean {
    // A box within the box of a row lies within the cell made twice as wide. But it might be too small for a cell of a
    // higher tier, or small enough for a cell if it is at the root.
    return node !== ROOT && this.addresses[ADDRESS * node] <= 1;
  }

  removed(node: number): void {
    this.tree.prune(node, this.#forgetCell);
  }

  readonly #forgetCell = (node: number): void => {
    const o = ADDRESS * node;
    this.cells.delete(keyOf(this.addresses[o], this.addresses[o + 1], this.addresses[o + 2], this.addresses[o + 3]));
  };

  /** True when many items lie alone in cells: the edge was chosen for fewer items, or for others. */
  isSparse(): boolean {
    const { count, copies } = this.tree.nodes;
    return !this.#isGiven && count > this.#overgrown && 2 * count > copies[ROOT];
  }

  /** Makes the cells, and then their rows, in the order in which queries visit them. */
  arrange({ ids, boxes, order }: Items, { cell, bounded }: MortonOrder): void {
    const { tree } = this;
    const { nodes } = tree;
    if (!this.#isGiven && bounded > 0) this.#chooseEdge(2 * cell[3], boxes.subarray(0, BOX * bounded));
    const contents: number[][] = [];
    for (const i of order) {
      const node = this.#nodeFor(boxes, BOX * i);
      contents[node] ??= [];
      contents[node].push(i);
    }
    for (let node = ROOT; node >= 0; node = nodes.following(node)) {
      const items = contents[node];
      if (items === undefined) continue;
      packRows(tree, node, { ids, boxes, order: Int32Array.from(items) }, 0, items.length);
      // Among the children of a node, rows come before cells: moves the cells behind the new rows.
      for (let c = nodes.first[node]; nodes.row[c] < 0; c = nodes.first[node]) nodes.link(c, node, false);
    }
    this.#overgrown = Math.max(FEW_NODES, 1.5 * nodes.count);
  }

  reset(): void {
    this.cells.clear();
    this.addresses = new Float64Array(ADDRESS * this.tree.nodes.capacity);
  }

  /** Replaces the box in `out` by the region of a cell; a column keeps its heights, the root its box. */
  writeRegion(node: number, out: Float64Array): void {
    if (node === ROOT) return;
    const edge = this.edge * 2 ** this.addresses[ADDRESS * node];
    for (let c = 0; c < 3; c++) {
      if (c === 1 && this.ordersByGround) continue;
      out[c] = this.addresses[ADDRESS * node + 1 + c] * edge;
      out[c + 3] = out[c] + edge;
    }
  }

  /**
   * Writes the address of the cell for a box: the cell around its centre, of the lowest tier with cells as large as the
   * box, and large enough to be told apart at that distance from the origin. Tier TIERS has no cells.
   */
  locate(b: ArrayLike<number>, o: number, out: Float64Array): void {
    out[0] = TIERS;
    if (!isBounded(b, o)) return;
    let size = 0;
    for (let c = 0; c < 3; c++) {
      if (c === 1 && this.ordersByGround) continue;
      size = Math.max(size, b[o + c + 3] - b[o + c], -b[o + c] * SMALLEST_CELL, b[o + c + 3] * SMALLEST_CELL);
    }
    let tier = 0;
    let { edge } = this;
    for (; size > edge && tier < TIERS; edge *= 2) tier++;
    out[0] = tier;
    for (let c = 0; c < 3; c++) {
      out[1 + c] = c === 1 && this.ordersByGround ? 0 : Math.floor((b[o + c] + b[o + c + 3]) / 2 / edge);
    }
  }

  /** The node of the cell for a box, made if there is none, or the root. */
  #nodeFor(b: ArrayLike<number>, o: number): number {
    this.locate(b, o, at);
    return this.#cellAt(at[0], at[1], at[2], at[3]);
  }

  #cellAt(tier: number, x: number, y: number, z: number): number {
    if (tier === TIERS) return ROOT;
    const key = keyOf(tier, x, y, z);
    const found = this.cells.get(key);
    if (found !== undefined) return found;
    const parent = this.#cellAt(tier + 1, Math.floor(x / 2), Math.floor(y / 2), Math.floor(z / 2));
    const node = this.tree.addNode(parent);
    this.cells.set(key, node);
    if (ADDRESS * node >= this.addresses.length) this.addresses = grow(this.addresses, ADDRESS * (node + 1));
    this.addresses.set([tier, x, y, z], ADDRESS * node);
    return node;
  }

  /**
   * Halves the edge, from one that suits any items, as long as half of the items fit a cell of tier 0 and cells hold
   * WANTED items: 63 times at most. The eight cells around the origin never share a larger cell, and may hold fewer.
   */
  #chooseEdge(largest: number, boxes: Float64Array): void {
    this.edge = largest;
    for (let halvings = 32; halvings >= 1; halvings /= 2) {
      this.edge /= 2 ** halvings;
      if (!this.#isFilled(boxes)) this.edge *= 2 ** halvings;
    }
  }

  /** True when cells hold enough items. Items come in Morton order, so most share the cell of the item before. */
  #isFilled(boxes: Float64Array): boolean {
    const count = boxes.length / BOX;
    const keys = new Set<number>();
    let large = 0;
    let last = Number.NaN;
    for (let o = 0; o < boxes.length; o += BOX) {
      this.locate(boxes, o, at);
      const key = keyOf(at[0], at[1], at[2], at[3]);
      if (key !== last) keys.add(key);
      last = key;
      if (at[0] > 0) large++;
      if (keys.size > 8 + count / WANTED || 2 * large > count) return false;
    }
    return true;
  }
}

const at = new Float64Array(ADDRESS);

export function keyOf(tier: number, x: number, y: number, z: number): number {
  return tier * 0x9e3779b97 + x * 0x85ebca6b1 + y * 0xc2b2ae3d3 + z * 0xa54ff53a5;
}
