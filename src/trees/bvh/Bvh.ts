import { BoxIndex } from '../../contract/BoxIndex.js';
import { grow } from '../../core/arrays.js';
import { BOUNDED, BOX, contains, copyBox, isBounded, makeEmpty } from '../../core/box.js';
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

/** Options of {@link Bvh}. */
export interface BvhOptions {
  /**
   * How far items may leave the box of their row before they are re-inserted. In world units, 0 to 2^300. A wider
   * margin makes motion cheaper and queries slower. Default 0: for each row an eighth of the mean edge of its box.
   */
  margin?: number;
  /** Build the tree by X and Z only, ignoring heights. Default false. */
  planar?: boolean;
}

export const BVH_DEFAULTS: Required<BvhOptions> = { margin: 0, planar: false };

/**
 * A dynamic bounding volume hierarchy: a binary tree of boxes, balanced after every change.
 *
 * Its leaves are rows of up to 16 neighbours. It adapts to the items, not to space, so it suits uneven sizes and
 * densities. Where everything moves, boxes grow and overlap, and queries visit more nodes until `rebuild()` or
 * `maintain`.
 *
 * @example
 * ```ts
 * import { Bvh } from 'three-scene-index/core';
 *
 * const index = new Bvh({ margin: 0.5 });
 * index.addAll(boxes);
 * console.log(index.nearest(0, 0, 0, 3).ids.slice(0, 3));
 * ```
 */
export class Bvh extends BoxIndex {
  /** @throws TypeError or RangeError that names the option. */
  constructor(options: BvhOptions = {}) {
    const { margin, planar } = readOptions(options, BVH_DEFAULTS, 'Bvh', OPTION_RANGES);
    super(new TreeStructure(new BvhLayout(margin, planar)));
  }
}

/** Most entries in a row after a build, which leaves room for later items. */
const FILL = 12;
/** Rows there is room for at first. */
const FEW_ROWS = 16;
/**
 * The default margin, as a share of the mean edge of a row's box. Where boxes move like a gas, twice as much saves four
 * in ten placements, but rays look at a third more.
 */
const MARGIN = 1 / 8;

/**
 * A binary tree of boxes over rows.
 *
 * - An item goes to the row that makes the boxes above it grow least (`nearestRow`); a full row is split in two. A row
 *   that becomes empty or thin is removed, and its sibling takes the place of their parent. On the way up from there,
 *   rotations make boxes smaller and keep the tree in balance (`BvhNodes`, with the proof).
 * - An item that moves stays in its row within the row's *fat box*, which extends beyond the box of the row by the
 *   margin at most. It changes only when items come or go, so it does not spread with items that move to its border: a
 *   row whose items drift apart thins out.
 * - The children of the root are the top of the tree and a node with the rows of unbounded items; either may be
 *   missing.
 */
export class BvhLayout implements Layout {
  readonly structure = 'bvh';
  readonly tree: Tree = new Tree(false);
  readonly ordersByGround = false;
  readonly binary: BvhNodes;
  /** Fat box of row r at 6 * r. Its coordinates are within BOUNDED; a planar one reaches that in Y. */
  fatBoxes: Float64Array = new Float64Array(FEW_ROWS * BOX);
  /** The node of unbounded items, or -1. */
  outside = -1;
  readonly #margin: number;
  readonly #planar: boolean;

  constructor(margin: number, planar: boolean) {
    this.#margin = margin;
    this.#planar = planar;
    this.binary = new BvhNodes(this.tree, planar);
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
    let child = top < 0 ? binary.addRow(ROOT) : nearestRow(nodes, top, box, this.#planar);
    const isFull = rows.sizes[nodes.row[child]] === ROW;
    if (isFull) {
      const other = binary.fork(child);
      splitRow(tree, child, other, this.#planar);
      this.#fitFatBox(child, true);
      this.#fitFatBox(other, true);
      child = nearestRow(nodes, nodes.parent[child], box, this.#planar);
    }
    tree.insertAt(child, id, box, 0);
    this.#fitFatBox(child, top < 0);
    if (isFull) binary.rebalance(nodes.parent[nodes.parent[child]]);
    return false;
  }

  canStay(slot: number, box: Float64Array): boolean {
    if (this.tree.nodeOf(slot) === this.outside) return !isBounded(box);
    return contains(this.fatBoxes, BOX * ((slot / ROW) | 0), box, 0);
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
    for (let c = nodes.first[node]; c >= 0 && nodes.row[c] >= 0; c = nodes.next[c]) this.#fitFatBox(c, false);
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
      // The tree is always in balance, so it is never outgrown.
      for (let i = 0; i < count; i++) {
        copyBox(thinBoxes, BOX * i, thinBox, 0);
        this.place(thinIds[i], thinBox);
      }
    }
  }

  arrange(ids: Int32Array, boxes: Float64Array, order: Int32Array, curve: MortonOrder): void {
    const { tree } = this;
    const { bounded } = curve;
    build(tree, ids, boxes, order, bounded, this.#planar);
    for (let row = 0; row < tree.rows.count; row++) this.#fitFatBox(tree.rows.nodes[row], true);
    this.binary.measure();
    if (bounded === order.length) return;
    this.outside = tree.addNode(ROOT);
    packRows(tree, this.outside, ids, boxes, order, bounded, order.length);
  }

  reset(items: number): void {
    this.tree.reset(items);
    this.outside = -1;
    this.binary.reset(this.tree.nodes.capacity);
    const room = BOX * this.tree.rows.sizes.length;
    if (this.fatBoxes.length < room || this.fatBoxes.length > 2 * room) this.fatBoxes = new Float64Array(room);
  }

  /** The top of the binary tree, a row node or an inner one, or -1. */
  get #top(): number {
    const { first, next } = this.tree.nodes;
    const head = first[ROOT];
    return head >= 0 && head === this.outside ? next[head] : head;
  }

  /** Updates the fat box of a row whose box has changed; of a new row on all sides, else where it does not fit. */
  #fitFatBox(child: number, isNew: boolean): void {
    const { row, box } = this.tree.nodes;
    const h = BOX * row[child];
    const o = BOX * child;
    if (h >= this.fatBoxes.length) this.fatBoxes = grow(this.fatBoxes, h + BOX);
    const fat = this.fatBoxes;
    if (isNew) makeEmpty(fat, h);
    const edges = box[o + 3] - box[o] + (box[o + 5] - box[o + 2]);
    const mean = this.#planar ? edges / 2 : (edges + (box[o + 4] - box[o + 1])) / 3;
    const margin = this.#margin > 0 ? this.#margin : MARGIN * mean;
    for (let c = 0; c < 3; c++) {
      const isFree = this.#planar && c === 1;
      const low = isFree ? -BOUNDED : Math.max(-BOUNDED, box[o + c] - margin);
      const high = isFree ? BOUNDED : Math.min(BOUNDED, box[o + c + 3] + margin);
      if (fat[h + c] > box[o + c] || fat[h + c] < low) fat[h + c] = low;
      if (fat[h + c + 3] < box[o + c + 3] || fat[h + c + 3] > high) fat[h + c + 3] = high;
    }
  }
}

/**
 * Builds a binary tree over the first `count` items that `order` names, below the root, from the top down: each part is
 * halved across its longest side until it fits a row. Nodes and rows are made in depth-first order, so neighbours in
 * the tree are neighbours in memory, and a parent has a lower number than its children. `order` is rearranged.
 */
function build(
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

const thinIds = new Int32Array(THIN);
const thinBoxes = new Float64Array(BOX * THIN);
const thinBox = new Float64Array(BOX);
