import { grow } from '../../core/arrays.js';
import { BOX, makeEmpty, unite } from '../../core/box.js';
import { ROOT } from '../Nodes.js';
import type { Tree } from '../Tree.js';

/** Nodes there is room for at first. */
const FEW_NODES = 16;

/** Levels by which the heights of siblings may differ. */
export const SLOPE = 2;

/**
 * The shape of a binary tree of rows, and what keeps it in shape: the height of each node, and rotations.
 *
 * The heights of siblings differ by SLOPE = 2 at most. So a tree of height h has at least R(h) rows, with R(0) = 1,
 * R(1) = 2, R(2) = 3, and R(h) = R(h - 1) + R(h - 3) from there on. R(h) >= 2^(h/2): it holds for those three, and
 * 2^((h-1)/2) + 2^((h-3)/2) = 1.06 * 2^(h/2). No row is empty, so the height of n items is 2 * log2(n) at most, in
 * whatever order they come and go.
 *
 * An item that comes or goes changes the height at one place by 1: a row becomes a node with two rows, or a node gives
 * way to its child. From there upwards nodes are rotated: a child changes places with a child of its sibling, where
 * that makes boxes cheaper (Kensler, Tree Rotations for Improving Bounding Volume Hierarchies, 2008) or where heights
 * differ by more than SLOPE. A rotation is legal when `down` and `stay`, and `up` and the new `inner`, are within
 * SLOPE.
 *
 *        node                  node
 *       /    \                /    \
 *    down    inner    ->    up     inner
 *           /     \               /     \
 *         up     stay          down    stay
 *
 * As long as the height of a node changes by 1 at most, the children of the next one up differ by SLOPE + 1 at most.
 * - If they differ by 3, having heights h and h + 3, only the higher can be `inner`: else `stay` were too far below `down`.
 *   Its children have heights h to h + 2, one of them h + 2. With that one as `up` the rotation is legal: `inner` gets a
 *   height of h + 1 to h + 3. Any legal one makes the node h + 3 or h + 4 high; it was h + 3 if `inner` has grown, h + 4 if
 *   `down` has shrunk.
 * - Else the rotation may be left out. It changes the height of the node by 1 at most, but would it do so on top of the
 *   change from below? If a child has grown to c and raised the node, its sibling has o < c. To raise the node again,
 *   `down` would have to be that child, and `up`, of o - 1 at most, would be 3 below the new `inner` of c + 1. If a child has
 *   shrunk to c and lowered the node, its sibling has c or c - 1. To lower the node again, the new `inner` would have to be
 *   c - 1 high, which it is not with either of them below.
 */
export class BvhNodes {
  readonly #tree: Tree;
  readonly #planar: boolean;
  /** Steps from each node down to the lowest row. Adding a node may replace this array. */
  heights: Uint8Array = new Uint8Array(FEW_NODES);

  constructor(tree: Tree, planar: boolean) {
    this.#tree = tree;
    this.#planar = planar;
  }

  /** Adds a new, empty row under `parent`, before its other children. */
  addRow(parent: number): number {
    const child = this.#tree.addRow(parent, true);
    this.#setHeight(child, 0);
    return child;
  }

  /**
   * Replaces a row node by a new inner node, with the row node and a new, empty row as children; returns the new row
   * node.
   */
  fork(child: number): number {
    const { nodes } = this.#tree;
    const node = this.#tree.addNode(nodes.parent[child]);
    nodes.unlink(child);
    nodes.link(child, node, true);
    nodes.entries[node] = nodes.entries[child];
    nodes.widen(node, nodes.box, BOX * child);
    this.#setHeight(node, 1);
    return this.addRow(node);
  }

  /** Replaces `node` by its only child. */
  collapse(node: number): void {
    const { nodes } = this.#tree;
    const parent = nodes.parent[node];
    const child = nodes.first[node];
    nodes.unlink(child);
    nodes.unlink(node);
    nodes.free(node);
    this.#hang(child, parent);
    this.rebalance(parent);
  }

  /** Updates heights from `node` upwards, after the height of one child has changed by 1, and rotates. */
  rebalance(node: number): void {
    const { parent } = this.#tree.nodes;
    for (let n = node; n !== ROOT; n = parent[n]) this.#rebalanceNode(n);
  }

  /** Computes all heights, in a tree where parents have lower numbers than their children. */
  measure(): void {
    const { count, capacity, parent } = this.#tree.nodes;
    if (this.heights.length < count) this.heights = new Uint8Array(capacity);
    this.heights.fill(0);
    for (let node = count - 1; node > ROOT; node--) {
      const up = parent[node];
      this.heights[up] = Math.max(this.heights[up], this.heights[node] + 1);
    }
  }

  /** Drops the heights of all nodes, and the room for more than about `nodes` of them. */
  reset(nodes: number): void {
    if (this.heights.length > 2 * Math.max(FEW_NODES, nodes)) this.heights = new Uint8Array(FEW_NODES);
  }

  #rebalanceNode(node: number): void {
    const { heights } = this;
    const { first, next } = this.#tree.nodes;
    const a = first[node];
    const b = next[a];
    let most = Math.abs(heights[a] - heights[b]) > SLOPE ? Number.NEGATIVE_INFINITY : 0;
    let up = -1;
    let down = -1;
    for (let k = 0; k < 4; k++) {
      const inner = k < 2 ? a : b;
      if (heights[inner] === 0) continue;
      const other = k < 2 ? b : a;
      const head = first[inner];
      const candidate = k & 1 ? next[head] : head;
      const stay = k & 1 ? head : next[head];
      if (!this.#isLegal(other, candidate, stay)) continue;
      const gain = this.#gain(inner, other, stay);
      if (gain <= most) continue;
      most = gain;
      up = candidate;
      down = other;
    }
    if (up >= 0) this.#rotate(node, down, up);
    this.#measureNode(node);
  }

  /** True when `down` may change places with `up`, a child of its sibling, the other child of which is `stay`. */
  #isLegal(down: number, up: number, stay: number): boolean {
    const { heights } = this;
    const inner = 1 + Math.max(heights[down], heights[stay]);
    return Math.abs(heights[down] - heights[stay]) <= SLOPE && Math.abs(inner - heights[up]) <= SLOPE;
  }

  /** How much cheaper the box of `inner` becomes when it holds `down` and `stay`. */
  #gain(inner: number, down: number, stay: number): number {
    const { box } = this.#tree.nodes;
    return costOf(box, BOX * inner, this.#planar) - costOfUnion(box, BOX * down, box, BOX * stay, this.#planar);
  }

  #rotate(node: number, down: number, up: number): void {
    const { nodes } = this.#tree;
    const inner = nodes.parent[up];
    nodes.unlink(down);
    nodes.unlink(up);
    this.#hang(up, node);
    this.#hang(down, inner);
    const a = nodes.first[inner];
    const b = nodes.next[a];
    makeEmpty(nodes.box, BOX * inner);
    unite(nodes.box, BOX * inner, nodes.box, BOX * a);
    unite(nodes.box, BOX * inner, nodes.box, BOX * b);
    nodes.entries[inner] = nodes.entries[a] + nodes.entries[b];
    this.#measureNode(inner);
  }

  #measureNode(node: number): void {
    const { heights } = this;
    const { first, next } = this.#tree.nodes;
    const child = first[node];
    heights[node] = 1 + Math.max(heights[child], heights[next[child]]);
  }

  /** Adds a node to the children of another; rows come before inner nodes. */
  #hang(node: number, parent: number): void {
    const { nodes } = this.#tree;
    nodes.link(node, parent, nodes.row[node] >= 0);
  }

  #setHeight(node: number, height: number): void {
    if (node >= this.heights.length) this.heights = grow(this.heights, node + 1);
    this.heights[node] = height;
  }
}

/**
 * The cost of a box in a tree, in proportion to how often queries visit it: for rays that is its surface (MacDonald and
 * Booth, Heuristics for Ray Tracing Using Space Subdivision, 1990). A box with a single extent has no surface, however
 * long it is; so a share of the squares of the edges is added, which hardly changes the order of solid boxes. In a
 * planar world all heights count as 0.
 */
export function costOf(b: Float64Array, o: number, planar: boolean): number {
  return costOfEdges(b[o + 3] - b[o], planar ? 0 : b[o + 4] - b[o + 1], b[o + 5] - b[o + 2]);
}

/** The cost of the box around box a at o and box b at p. */
export function costOfUnion(a: Float64Array, o: number, b: Float64Array, p: number, planar: boolean): number {
  const x = (a[o + 3] > b[p + 3] ? a[o + 3] : b[p + 3]) - (a[o] < b[p] ? a[o] : b[p]);
  const z = (a[o + 5] > b[p + 5] ? a[o + 5] : b[p + 5]) - (a[o + 2] < b[p + 2] ? a[o + 2] : b[p + 2]);
  if (planar) return costOfEdges(x, 0, z);
  return costOfEdges(x, (a[o + 4] > b[p + 4] ? a[o + 4] : b[p + 4]) - (a[o + 1] < b[p + 1] ? a[o + 1] : b[p + 1]), z);
}

/**
 * Writes to `out`, from `at` on, by how much the cost of the box at o grows to hold box `b`, and its present cost.
 * Numbers returned by a call that is not inlined would be allocated on the heap.
 */
export function writeGrowth(
  a: Float64Array,
  o: number,
  b: Float64Array,
  planar: boolean,
  out: Float64Array,
  at: number,
): void {
  const x = a[o + 3] - a[o];
  const y = planar ? 0 : a[o + 4] - a[o + 1];
  const z = a[o + 5] - a[o + 2];
  const wideX = (a[o + 3] > b[3] ? a[o + 3] : b[3]) - (a[o] < b[0] ? a[o] : b[0]);
  const wideY = planar ? 0 : (a[o + 4] > b[4] ? a[o + 4] : b[4]) - (a[o + 1] < b[1] ? a[o + 1] : b[1]);
  const wideZ = (a[o + 5] > b[5] ? a[o + 5] : b[5]) - (a[o + 2] < b[2] ? a[o + 2] : b[2]);
  const cost = x * y + y * z + z * x + (x * x + y * y + z * z) / 8;
  const wide = wideX * wideY + wideY * wideZ + wideZ * wideX + (wideX * wideX + wideY * wideY + wideZ * wideZ) / 8;
  out[at] = wide - cost;
  out[at + 1] = cost;
}

function costOfEdges(x: number, y: number, z: number): number {
  return x * y + y * z + z * x + (x * x + y * y + z * z) / 8;
}
