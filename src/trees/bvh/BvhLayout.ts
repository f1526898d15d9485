import type { StructureOptions } from '../../contract/Structure.js';
import { BOX, isBounded } from '../../core/box.js';
import type { Layout } from '../Layout.js';
import type { MortonOrder } from '../MortonOrder.js';
import { ROOT } from '../Nodes.js';
import { packRows } from '../packRows.js';
import { ROW } from '../Rows.js';
import { THIN, Tree } from '../Tree.js';
import { BvhNodes } from './BvhNodes.js';
import { buildBvh } from './buildBvh.js';
import { FatBounds } from './FatBounds.js';
import { nearestRow } from './nearestRow.js';
import { splitRow } from './splitRow.js';

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
