import { lengthen } from '../core/arrays.js';
import { BOX, contains, makeEmpty, unite } from '../core/box.js';

/** Initial room, in nodes. */
const FIRST_NODES = 16;

/** A node with more children is not tightened: its box only widens until the next rebuild. */
const TIGHTEN_FANOUT = 64;

/** The root has no parent and is never freed. */
export const ROOT = 0;

/**
 * A tree of nodes addressed by index: each has a parent, an ordered list of children and a *content box* that holds
 * everything below it. A leaf stands for a row of items; every other node but the root has children. The layout decides
 * whether nodes stand for cells or for clusters.
 */
export class Nodes {
  /** Content box of node n at 6 * n. */
  box: Float64Array = new Float64Array(FIRST_NODES * BOX);
  /** Parent of each node; -1 for the root and for free nodes. */
  parent: Int32Array = new Int32Array(FIRST_NODES);
  /** First child; -1 for none. */
  first: Int32Array = new Int32Array(FIRST_NODES);
  /** Next sibling; -1 for the last. */
  next: Int32Array = new Int32Array(FIRST_NODES);
  /** Previous sibling; for a first child the last sibling. */
  prev: Int32Array = new Int32Array(FIRST_NODES);
  /** The row this node stands for; -1 for a node with children. */
  row: Int32Array = new Int32Array(FIRST_NODES);
  /** Number of copies in rows at or below each node. */
  copies: Int32Array = new Int32Array(FIRST_NODES);
  /** Number of different nodes allocated so far, free nodes included. */
  count = 0;

  /** The first free node, or -1. Free nodes are a list linked by `next`. */
  firstFree = -1;

  constructor() {
    this.reset();
  }

  /** Allocates a node without a parent, children or a row. */
  alloc(): number {
    let node = this.firstFree;
    if (node >= 0) {
      this.firstFree = this.next[node];
    } else {
      node = this.count++;
      if (node === this.parent.length) this.#resize(2 * node, node);
    }
    this.parent[node] = this.first[node] = this.next[node] = this.row[node] = -1;
    this.copies[node] = 0;
    makeEmpty(this.box, BOX * node);
    return node;
  }

  /** Unlinks a node that has no children, and frees it. */
  free(node: number): void {
    this.unlink(node);
    this.next[node] = this.firstFree;
    this.firstFree = node;
  }

  /** Makes `node` the first or the last child of `parent`, and of no other node. Boxes and counts are not updated. */
  link(node: number, parent: number, atFront: boolean): void {
    const { first, next, prev } = this;
    if (this.parent[node] >= 0) this.unlink(node);
    const head = first[parent];
    this.parent[node] = parent;
    next[node] = -1;
    if (head < 0) {
      first[parent] = prev[node] = node;
    } else if (atFront) {
      next[node] = head;
      prev[node] = prev[head];
      prev[head] = node;
      first[parent] = node;
    } else {
      prev[node] = prev[head];
      next[prev[head]] = node;
      prev[head] = node;
    }
  }

  unlink(node: number): void {
    const { first, next, prev, parent } = this;
    const up = parent[node];
    const after = next[node];
    const head = first[up];
    if (head === node) first[up] = after;
    else next[prev[node]] = after;
    if (after >= 0) prev[after] = prev[node];
    else if (head !== node) prev[head] = prev[node];
    parent[node] = next[node] = -1;
  }

  /** Adds `delta` to the copy counts of `node` and everything above it. */
  countUp(node: number, delta: number): void {
    for (let n = node; n >= 0; n = this.parent[n]) this.copies[n] += delta;
  }

  /** Widens the box of `node` and of everything above it to hold the box at `o`. */
  widen(node: number, box: ArrayLike<number>, o: number): void {
    // If a node holds the box, so do all nodes above it.
    for (let n = node; n >= 0 && !contains(this.box, BOX * n, box, o); n = this.parent[n])
      unite(this.box, BOX * n, box, o);
  }

  /** Sets one side of a node's box to the same side of `b`, and updates that side of the boxes above it. */
  #setSide(node: number, side: number, b: ArrayLike<number>): void {
    const { box, parent } = this;
    let value = b[side];
    for (let n = node; ; n = parent[n]) {
      const old = box[BOX * n + side];
      if (old === value) return;
      box[BOX * n + side] = value;
      const up = parent[n];
      if (up < 0) return;
      const outer = box[BOX * up + side];
      const sticksOut = side < 3 ? value < outer : value > outer;
      if (sticksOut) continue;
      // Only the child whose side was the outermost can move its parent's side inwards.
      if (old !== outer) return;
      this.#outermost(up, side, found);
      value = found[side];
    }
  }

  /** Sets the box of a node, and updates the boxes above it. */
  setBox(node: number, b: ArrayLike<number>): void {
    for (let side = 0; side < BOX; side++) this.#setSide(node, side, b);
  }

  /** Makes the box of a node with children tight, and updates the boxes above it. */
  tighten(node: number): void {
    for (let side = 0; side < BOX; side++) this.#outermost(node, side, tight);
    this.setBox(node, tight);
  }

  /**
   * Writes the outermost value of one side among the children of a node to `out`; with more than TIGHTEN_FANOUT
   * children, the node's present value. A number returned by a call that is not inlined would be allocated on the heap.
   */
  #outermost(node: number, side: number, out: Float64Array): void {
    const { box, first, next } = this;
    let value = side < 3 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    let seen = 0;
    for (let child = first[node]; child >= 0; child = next[child]) {
      if (++seen > TIGHTEN_FANOUT) {
        value = box[BOX * node + side];
        break;
      }
      const v = box[BOX * child + side];
      if (side < 3 ? v < value : v > value) value = v;
    }
    out[side] = value;
  }

  /** The next node after `node` in depth-first order, parents before their children; -1 after the last. */
  following(node: number): number {
    const { first, next, parent } = this;
    if (first[node] >= 0) return first[node];
    let n = node;
    while (n >= 0 && next[n] < 0) n = parent[n];
    return n < 0 ? -1 : next[n];
  }

  /** Drops everything but the root, and makes room for about `nodes` nodes. */
  reset(nodes = 0): void {
    const wanted = Math.max(FIRST_NODES, nodes);
    if (this.parent.length < wanted || this.parent.length > 2 * wanted) {
      this.#resize(wanted, 0);
    }
    this.count = 0;
    this.firstFree = -1;
    this.alloc();
  }

  get capacity(): number {
    return this.parent.length;
  }

  /** Makes room for a number of nodes; the first `kept` nodes stay. */
  #resize(nodes: number, kept: number): void {
    this.box = lengthen(this.box.subarray(0, BOX * kept), BOX * nodes);
    for (const name of ['parent', 'first', 'next', 'prev', 'row', 'copies'] as const)
      this[name] = lengthen(this[name].subarray(0, kept), nodes);
  }
}

const tight = new Float64Array(BOX);
const found = new Float64Array(BOX);
