import { BoxIndex } from '../../contract/BoxIndex.js';
import { BOX, contains, isBounded, ROW } from '../../core/box.js';
import { OPTION_RANGES } from '../../core/optionRanges.js';
import { readOptions } from '../../core/options.js';
import type { MortonOrder } from '../MortonOrder.js';
import { ROOT } from '../Nodes.js';
import { type Items, packRow, packRows, selectMedian } from '../packRows.js';
import { THIN_ROW, Tree } from '../Tree.js';
import { type Layout, TreeStructure } from '../TreeStructure.js';

/** Options of {@link Bvh}. */
export interface BvhOptions {
  /** Build the tree by X and Z only, ignoring heights. Default false. */
  planar?: boolean;
}

export const BVH_DEFAULTS: Required<BvhOptions> = { planar: false };

/**
 * A dynamic bounding volume hierarchy: a binary tree of boxes.
 *
 * Its leaves are rows of up to 16 neighbours. The tree adapts to the items, not to space, so it suits uneven sizes and
 * densities. When everything moves, boxes grow and overlap, and queries visit more nodes until `rebuild()` or
 * `maintain`.
 *
 * @example
 * ```ts
 * import { Bvh } from 'three-scene-index/core';
 *
 * const index = new Bvh();
 * index.addAll(boxes);
 * console.log(index.nearest(0, 0, 0, 3).ids.slice(0, 3));
 * ```
 */
export class Bvh extends BoxIndex {
  /** @throws TypeError or RangeError that names the option. */
  constructor(options: BvhOptions = {}) {
    const { planar } = readOptions(options, BVH_DEFAULTS, 'Bvh', OPTION_RANGES);
    super(new TreeStructure(new BvhLayout(planar)));
  }
}

/** Most copies in a row after a build, which leaves room for later items. */
const FILL = 12;
/**
 * A node is out of balance when one of its children has more than this share of its copies. If no node is, the square
 * of the number of copies halves from parent to child, and no row is deeper than 2 log2(n) below the top.
 */
const BALANCE = Math.SQRT1_2;

/**
 * A binary tree of boxes over rows.
 *
 * - An item goes down to the child whose box becomes costlier by less; a full row is split in two. A row that becomes
 *   empty or thin is removed, and its sibling replaces their parent.
 * - The tree is a *scapegoat tree* (Galperin and Rivest, Scapegoat Trees, 1993): if a row lies too deep, the lowest
 *   node above it that is out of balance is built anew, and once half of the items have gone, the whole tree is.
 *   Rebuilding takes O(log n) amortized for each item, and needs only the number of copies of each node.
 * - A moved item stays in its row within the box of the node above; no such move makes that box larger.
 * - Below the root are the top of the tree and a node with the rows of unbounded items; either may be missing.
 */
export class BvhLayout implements Layout {
  readonly structure = 'bvh';
  readonly tree: Tree = new Tree(false);
  readonly ordersByGround: boolean;
  /** The node of unbounded items, or -1. */
  outside = -1;
  /** Largest number of copies since the whole tree was built. */
  #most = 0;

  constructor(planar: boolean) {
    this.ordersByGround = planar;
  }

  insert(id: number, box: Float64Array): void {
    const { tree } = this;
    const { nodes, rows } = tree;
    if (!isBounded(box)) {
      if (this.outside < 0) this.outside = tree.addNode(ROOT);
      tree.insert(this.outside, id, box, 0);
      return;
    }
    const { top } = this;
    let child = top < 0 ? tree.addRow(ROOT, true) : this.#rowBelow(top, box);
    const isFull = rows.sizes[nodes.row[child]] === ROW;
    if (isFull) child = this.#rowBelow(this.#split(child), box);
    tree.insertAt(child, id, box, 0);
    if (isFull) this.#balance(child);
    this.#most = Math.max(this.#most, nodes.copies[ROOT]);
  }

  canStay(seat: number, box: Float64Array): boolean {
    const { nodes } = this.tree;
    const node = this.tree.nodeOf(seat);
    if (node === this.outside) return !isBounded(box);
    return node === ROOT ? isBounded(box) : contains(nodes.box, BOX * node, box, 0);
  }

  acceptsWithinRow(node: number): boolean {
    // An item among the unbounded items might have become bounded.
    return node !== this.outside;
  }

  removed(node: number): void {
    const { tree } = this;
    const { nodes, rows } = tree;
    if (node === this.outside) {
      if (tree.prune(node) !== node) this.outside = -1;
      return;
    }
    const child = nodes.first[node];
    const sibling = child < 0 ? -1 : nodes.next[child];
    if (node !== ROOT && sibling < 0) {
      this.#collapse(node);
    } else if (node !== ROOT && nodes.row[sibling] < 0 && rows.sizes[nodes.row[child]] < THIN_ROW) {
      // A thin row whose sibling is an inner node cannot hand its copies to a row: insert them anew.
      const count = tree.drainRows(node, thinIds, thinBoxes, 0);
      nodes.tighten(node);
      this.#collapse(node);
      for (let i = 0; i < count; i++) this.insert(thinIds[i], thinBoxes.subarray(BOX * i, BOX * (i + 1)));
    }
    if (2 * nodes.copies[ROOT] >= this.#most) return;
    this.#most = nodes.copies[ROOT];
    if (this.top >= 0 && nodes.row[this.top] < 0) this.#rebuild(this.top);
  }

  arrange(items: Items, { bounded }: MortonOrder): void {
    const { tree } = this;
    build(tree, ROOT, items, bounded, this.ordersByGround);
    this.#most = items.order.length;
    if (bounded === this.#most) return;
    this.outside = tree.addNode(ROOT);
    packRows(tree, this.outside, items, bounded, this.#most);
  }

  reset(): void {
    this.outside = -1;
    this.#most = 0;
  }

  /** The top node of the binary tree, which may stand for a row; -1 for none. */
  get top(): number {
    const { first, next } = this.tree.nodes;
    const head = first[ROOT];
    return head >= 0 && head === this.outside ? next[head] : head;
  }

  /** The row to which a box goes from a node downwards. */
  #rowBelow(from: number, box: Float64Array): number {
    const { box: boxes, first, next } = this.tree.nodes;
    let node = from;
    for (let a = first[node]; a >= 0; a = first[node]) {
      const b = next[a];
      writeGrowth(boxes, BOX * a, box, this.ordersByGround, 0);
      writeGrowth(boxes, BOX * b, box, this.ordersByGround, 2);
      // If both grow equally, as when both hold the box, the cheaper child gets it: else large boxes would collect all.
      const isFirst = growth[0] < growth[2] || (growth[0] === growth[2] && growth[1] <= growth[3]);
      node = isFirst ? a : b;
    }
    return node;
  }

  /** Splits a full row at the median: the cheapest split makes no better trees. Returns the node above both halves. */
  #split(child: number): number {
    const { tree } = this;
    const { nodes } = tree;
    const node = tree.addNode(nodes.parent[child]);
    nodes.link(child, node, true);
    nodes.copies[node] = ROW;
    nodes.widen(node, nodes.box, BOX * child);
    tree.drainRows(node, ofRow.ids, ofRow.boxes, 0);
    for (let i = 0; i < ROW; i++) ofRow.order[i] = i;
    selectMedian(ofRow, 0, ROW, ROW / 2, this.ordersByGround);
    packRow(tree, node, ofRow, 0, ROW / 2);
    packRow(tree, node, ofRow, ROW / 2, ROW);
    nodes.tighten(node);
    return node;
  }

  /** Replaces `node` by its only child. */
  #collapse(node: number): void {
    const { nodes } = this.tree;
    const parent = nodes.parent[node];
    const child = nodes.first[node];
    nodes.unlink(child);
    nodes.free(node);
    // Rows come before inner nodes.
    nodes.link(child, parent, nodes.row[child] >= 0);
  }

  /** If a row lies too deep, builds anew the lowest node above it that is out of balance. */
  #balance(child: number): void {
    const { parent, copies } = this.tree.nodes;
    const { top } = this;
    let depth = 0;
    for (let n = child; n !== top; n = parent[n]) depth++;
    if (depth <= 2 * Math.log2(copies[top])) return;
    let n = child;
    while (n !== top && copies[n] <= BALANCE * copies[parent[n]]) n = parent[n];
    this.#rebuild(n === top ? top : parent[n]);
  }

  /** Builds a node and all below it anew. */
  #rebuild(node: number): void {
    const { tree } = this;
    const { nodes } = tree;
    const parent = nodes.parent[node];
    const items = tree.drainAll(node);
    nodes.free(node);
    build(tree, parent, items, items.ids.length, this.ordersByGround);
    nodes.tighten(parent);
    const made = nodes.prev[nodes.first[parent]];
    if (nodes.row[made] >= 0) nodes.link(made, parent, true);
  }
}

/**
 * Builds a binary tree over the first `count` items that `order` names, below `above`, from the top down: each part is
 * halved across its longest side until it fits a row. Nodes and rows are made in depth-first order, so neighbours in
 * the tree are neighbours in memory, and a parent has a lower number than its children.
 */
function build(tree: Tree, above: number, items: Items, count: number, planar: boolean): void {
  // Each pop leaves one waiting part and the parts halve, so 3 * 32 numbers are enough for 2^31 items.
  const stack = count > 0 ? [above, 0, count] : [];
  while (stack.length > 0) {
    const to = stack.pop() as number;
    const from = stack.pop() as number;
    const parent = stack.pop() as number;
    const rows = Math.ceil((to - from) / FILL);
    if (rows === 1) {
      packRow(tree, parent, items, from, to);
      continue;
    }
    const node = tree.addNode(parent);
    // The first part has no more rows than the second, so a row comes before an inner node.
    const middle = from + Math.floor(((to - from) * (rows >> 1)) / rows);
    selectMedian(items, from, to, middle, planar);
    stack.push(node, middle, to, node, from, middle);
  }
}

/**
 * Writes to `growth`, from `at` on, by how much the cost of the box at o grows to hold box `b`, and its present cost.
 * The cost is in proportion to visits by queries: to the surface for rays (MacDonald and Booth, Heuristics for Ray
 * Tracing Using Space Subdivision, 1990). A box with a single extent has no surface, even a long box; so a share of
 * the squares of the edges is added, which hardly changes the order of solid boxes. In a planar world all heights count
 * as 0. Numbers returned by a call that is not inlined would be allocated on the heap.
 */
function writeGrowth(a: Float64Array, o: number, b: Float64Array, planar: boolean, at: number): void {
  const x = a[o + 3] - a[o];
  const y = planar ? 0 : a[o + 4] - a[o + 1];
  const z = a[o + 5] - a[o + 2];
  const wideX = (a[o + 3] > b[3] ? a[o + 3] : b[3]) - (a[o] < b[0] ? a[o] : b[0]);
  const wideY = planar ? 0 : (a[o + 4] > b[4] ? a[o + 4] : b[4]) - (a[o + 1] < b[1] ? a[o + 1] : b[1]);
  const wideZ = (a[o + 5] > b[5] ? a[o + 5] : b[5]) - (a[o + 2] < b[2] ? a[o + 2] : b[2]);
  const cost = x * y + y * z + z * x + (x * x + y * y + z * z) / 8;
  const wide = wideX * wideY + wideY * wideZ + wideZ * wideX + (wideX * wideX + wideY * wideY + wideZ * wideZ) / 8;
  growth[at] = wide - cost;
  growth[at + 1] = cost;
}

/** Growth and cost of one child, then of the other child. */
const growth = new Float64Array(4);
const ofRow: Items = { ids: new Int32Array(ROW), boxes: new Float64Array(BOX * ROW), order: new Int32Array(ROW) };
const thinIds = new Int32Array(THIN_ROW);
const thinBoxes = new Float64Array(BOX * THIN_ROW);
