import { BoxIndex } from '../../contract/BoxIndex.js';
import type { StructureOptions } from '../../contract/Structure.js';
import { grow } from '../../core/arrays.js';
import { BOUNDED, BOX, contains, isBounded, makeEmpty } from '../../core/box.js';
import { OPTION_RANGES, readOptions } from '../../core/options.js';
import { ROW } from '../../core/rowLayout.js';
import type { Layout } from '../Layout.js';
import type { MortonOrder } from '../MortonOrder.js';
import { ROOT } from '../Nodes.js';
import { packRow, packRows, selectMedian } from '../packRows.js';
import { THIN, Tree } from '../Tree.js';
import { TreeStructure } from '../TreeStructure.js';
import { BvhNodes } from './BvhNodes.js';
import { nearestRow, splitRow } from './insertRow.js';

/** Most entries in a row after a build, which leaves room for later items. */
const FILL = 12;

/**
 * Builds a binary tree over the first `count` items that `order` names, below the root, from the top down: each part is
 * halved across its longest side until it fits a row. Siblings have equally many rows, or one of them has one more.
 * Nodes and rows are made in depth-first order, so neighbours in the tree are neighbours in memory, and a parent has a
 * lower number than its children. `order` is rearranged.
 */
function buildBvh(
  tree: Tree,
  ids: Int32Array,
  boxes: Float64Array,
  order: Int32Array,
  count: number,
  planar: boolean,
): void {
  // Each pop leaves one waiting part and the parts halve, so 3 * 32 numbers are enough for 2^31 items.
  const pending = count > 0 ? [ROOT, 0, count] : [];
  while (pending.length > 0) {
    const to = pending.pop() as number;
    const from = pending.pop() as number;
    const parent = pending.pop() as number;
    const rows = Math.ceil((to - from) / FILL);
    if (rows === 1) {
      packRow(tree, parent, ids, boxes, order, from, to);
      continue;
    }
    const node = tree.addNode(parent);
    // The first part has no more rows than the second, so a row comes before an inner node.
    const middle = from + Math.floor(((to - from) * (rows >> 1)) / rows);
    selectMedian(boxes, order, from, to, middle, planar);
    pending.push(node, middle, to, node, from, middle);
  }
}

const FEW = 16;
/**
 * The default margin, as a share of the mean edge of a row's box. Where boxes move like a gas, twice as much saves four
 * in ten placements, but rays look at a third more.
 */
const SHARE = 1 / 8;

/**
 * For each row a *fat box* around its own box: within it, items may move and stay in the row.
 *
 * On each side, a fat box extends beyond the box of its row by the margin at most. It is checked when an item is added
 * or removed, and changes only on sides where that does not hold, or where the new item sticks out. So it does not
 * spread with items that move to its border: a row whose items drift apart thins out instead of growing.
 */
export class FatBounds {
  /** Fat box of row r at 6 * r. Its coordinates are within {@link BOUNDED}; a planar one reaches that in Y. */
  boxes: Float64Array = new Float64Array(FEW * BOX);
  readonly margin: number;
  readonly #planar: boolean;

  /** @param margin In world units; with 0 it is chosen for each row. */
  constructor(margin: number, planar: boolean) {
    this.margin = margin;
    this.#planar = planar;
  }

  /** True when the box lies in the fat box of the row. */
  holds(row: number, box: Float64Array): boolean {
    return contains(this.boxes, BOX * row, box, 0);
  }

  /** Gives a row a new fat box around the box at `o`, that of its contents. */
  make(row: number, b: Float64Array, o: number): void {
    this.#reserve(row);
    makeEmpty(this.boxes, BOX * row);
    this.fit(row, b, o);
  }

  /** Updates the fat box of a row after an item was added or removed; the box at `o` is that of its contents. */
  fit(row: number, b: Float64Array, o: number): void {
    const fat = this.boxes;
    const h = BOX * row;
    const edges = b[o + 3] - b[o] + (b[o + 5] - b[o + 2]);
    const mean = this.#planar ? edges / 2 : (edges + (b[o + 4] - b[o + 1])) / 3;
    const margin = this.margin > 0 ? this.margin : SHARE * mean;
    for (let c = 0; c < 3; c++) {
      const free = this.#planar && c === 1;
      const low = free ? -BOUNDED : Math.max(-BOUNDED, b[o + c] - margin);
      const high = free ? BOUNDED : Math.min(BOUNDED, b[o + c + 3] + margin);
      if (fat[h + c] > b[o + c] || fat[h + c] < low) fat[h + c] = low;
      if (fat[h + c + 3] < b[o + c + 3] || fat[h + c + 3] > high) fat[h + c + 3] = high;
    }
  }

  /** Drops all fat boxes, and makes room for about `rows` of them, at most twice as many. */
  reset(rows: number): void {
    const wanted = BOX * Math.max(FEW, rows);
    if (this.boxes.length < wanted || this.boxes.length > 2 * wanted) this.boxes = new Float64Array(wanted);
  }

  #reserve(row: number): void {
    if (BOX * row >= this.boxes.length) this.boxes = grow(this.boxes, BOX * (row + 1));
  }
}

/**
 * A binary tree of boxes over rows.
 *
 * - An item goes to the row that makes the boxes above it grow least (`nearestRow`); a full row is split in two. A row
 *   that becomes empty or thin is removed, and its sibling takes the place of their parent. On the way up from there,
 *   rotations make boxes smaller and keep the tree in balance (`BvhNodes`, with the proof).
 * - An item that moves within the fat box of its row (`FatBounds`) stays there.
 * - The children of the root are the top of the tree and a node with the rows of unbounded items; either may be
 *   missing.
 */
export class BvhLayout implements Layout {
  readonly structure = 'bvh';
  readonly options: StructureOptions;
  readonly tree: Tree = new Tree(false);
  readonly ordersByGround = false;
  readonly binary: BvhNodes;
  readonly fatBounds: FatBounds;
  /** The node of unbounded items, or -1. */
  outside = -1;
  readonly #planar: boolean;

  constructor(margin: number, planar: boolean) {
    this.options = { margin, planar };
    this.#planar = planar;
    this.binary = new BvhNodes(this.tree, planar);
    this.fatBounds = new FatBounds(margin, planar);
  }

  place(id: number, box: Float64Array): boolean {
    const { tree, binary } = this;
    const { nodes, rows } = tree;
    if (!isBounded(box)) {
      if (this.outside < 0) this.outside = tree.addNode(ROOT);
      tree.insert(this.outside, id, box, 0);
      return false;
    }
    const top = this.#top;
    if (top < 0) {
      const child = binary.addRow(ROOT);
      tree.insertAt(child, id, box, 0);
      this.makeFatBox(child);
      return false;
    }
    const child = nearestRow(nodes, top, box, this.#planar);
    if (rows.sizes[nodes.row[child]] < ROW) {
      this.#insertAt(child, id, box);
      return false;
    }
    const other = binary.fork(child);
    const fork = nodes.parent[child];
    splitRow(tree, child, other, this.#planar);
    this.makeFatBox(child);
    this.makeFatBox(other);
    this.#insertAt(nearestRow(nodes, fork, box, this.#planar), id, box);
    binary.settle(nodes.parent[fork]);
    return false;
  }

  canStay(slot: number, box: Float64Array): boolean {
    if (this.tree.nodeOf(slot) === this.outside) return !isBounded(box);
    return this.fatBounds.holds((slot / ROW) | 0, box);
  }

  acceptsWithinRow(node: number): boolean {
    // A row's fat box holds its box. But an item among the unbounded ones might have become bounded.
    return node !== this.outside;
  }

  canStayEverywhere(): boolean {
    return false;
  }

  removed(node: number): void {
    const { tree } = this;
    const { nodes, rows } = tree;
    if (node === this.outside) {
      if (tree.prune(node) !== node) this.outside = -1;
      return;
    }
    // Entries may have moved from one row of the node to the other.
    for (let c = nodes.first[node]; c >= 0 && nodes.row[c] >= 0; c = nodes.next[c]) this.#fitFatBox(c);
    if (node === ROOT) return;
    const child = nodes.first[node];
    const sibling = nodes.next[child];
    if (sibling < 0) {
      this.binary.collapse(node);
    } else if (nodes.row[child] >= 0 && nodes.row[sibling] < 0 && rows.sizes[nodes.row[child]] < THIN) {
      // A thin row whose sibling is an inner node cannot hand its entries to a row: place them anew.
      const count = tree.drainRows(node, thinIds, thinBoxes, 0);
      nodes.tighten(node);
      this.binary.collapse(node);
      for (let i = 0; i < count; i++) {
        for (let c = 0; c < BOX; c++) thinBox[c] = thinBoxes[BOX * i + c];
        // The tree is always in balance, so it is never outgrown.
        this.place(thinIds[i], thinBox);
      }
    }
  }

  arrange(ids: Int32Array, boxes: Float64Array, order: Int32Array, curve: MortonOrder): void {
    const { tree } = this;
    const { bounded } = curve;
    buildBvh(tree, ids, boxes, order, bounded, this.#planar);
    for (let row = 0; row < tree.rows.count; row++) this.makeFatBox(tree.rows.nodes[row]);
    this.binary.measure();
    if (bounded === order.length) return;
    this.outside = tree.addNode(ROOT);
    packRows(tree, this.outside, ids, boxes, order, bounded, order.length);
  }

  reset(items: number): void {
    this.tree.reset(items);
    this.outside = -1;
    this.binary.reset(this.tree.nodes.capacity);
    this.fatBounds.reset(this.tree.rows.sizes.length);
  }

  /** The top of the binary tree, a row node or an inner one, or -1. */
  get #top(): number {
    const { first, next } = this.tree.nodes;
    const head = first[ROOT];
    return head >= 0 && head === this.outside ? next[head] : head;
  }

  #insertAt(child: number, id: number, box: Float64Array): void {
    this.tree.insertAt(child, id, box, 0);
    this.#fitFatBox(child);
  }

  /** Gives the row of a node a fat box around its contents. */
  makeFatBox(child: number): void {
    const { nodes } = this.tree;
    this.fatBounds.make(nodes.row[child], nodes.box, BOX * child);
  }

  #fitFatBox(child: number): void {
    const { nodes } = this.tree;
    this.fatBounds.fit(nodes.row[child], nodes.box, BOX * child);
  }
}

const thinIds = new Int32Array(THIN);
const thinBoxes = new Float64Array(BOX * THIN);
const thinBox = new Float64Array(BOX);

/** Options of {@link Bvh}. */
export interface BvhOptions {
  /**
   * How far items may move beyond the box of their row before they are placed anew, in world units, 0 to 2^300. A wider
   * margin saves work where much moves and makes looser boxes, which cost queries more. Default 0: for each row an
   * eighth of the mean edge of its box.
   */
  margin?: number;
  /** Build the tree by X and Z only, without regard to heights. Default false. */
  planar?: boolean;
}

export const BVH_DEFAULTS: Required<BvhOptions> = { margin: 0, planar: false };

/**
 * Dynamic bounding volume hierarchy: a binary tree of boxes over rows of up to 16 neighbours, balanced after every
 * change.
 *
 * It adapts to the items, not to space, so it suits uneven sizes and densities alike. Where everything moves, boxes
 * grow and overlap until as many items change rows as drift apart; queries then look at a quarter to a half more nodes
 * than after `rebuild()`.
 */
export class Bvh extends BoxIndex {
  /** @throws TypeError or RangeError, which names the option. */
  constructor(options: BvhOptions = {}) {
    const { margin, planar } = readOptions(options, BVH_DEFAULTS, 'Bvh', OPTION_RANGES);
    super(new TreeStructure(new BvhLayout(margin, planar)));
  }
}
