import { BOX, contains, makeEmpty, unite } from '../box.js';
import { grow } from '../grow.js';

const FEW = 16;

/** Children looked at when a node's box is made tight again; a node with more only widens until the next rebuild. */
const TIGHTEN_FANOUT = 64;

/** The node every tree starts with. It has no parent and is never freed. */
export const ROOT = 0;

/**
 * A tree of boxes by index: each node has a parent, an ordered list of children and a *content box* that holds
 * everything below it. A node that stands for a row of items is a leaf of this tree; all others have children (only the
 * root may be bare). What the nodes mean, cells or clusters, is the business of the structure that makes them.
 */
export class Nodes {
  /** Content box of node n at 6 * n. */
  box: Float64Array = new Float64Array(FEW * BOX);
  /** Parent of each node; -1 for the root and for free nodes. */
  parent: Int32Array = new Int32Array(FEW);
  /** First child; -1 for none. */
  first: Int32Array = new Int32Array(FEW);
  /** Next sibling; -1 for the last. */
  next: Int32Array = new Int32Array(FEW);
  /** Previous sibling; for a first child the last one, so that both ends of a list are at hand. */
  prev: Int32Array = new Int32Array(FEW);
  /** The row this node stands for; -1 for a node with children. */
  row: Int32Array = new Int32Array(FEW);
  /** Entries in rows at or below each node. */
  entries: Int32Array = new Int32Array(FEW);
  /**
   * The rows below node n, as a *run*: all from runs[2 * n] up to runs[2 * n + 1], exclusive, and no others. An end of 0
   * means that they lie scattered, or that nobody has looked. Where a node has no run, none above it has one.
   */
  runs: Int32Array = new Int32Array(2 * FEW);
  /** Grows whenever a node is hung somewhere or taken off: while it is the same, so is the tree but for its boxes. */
  shape = 0;
  /** Nodes handed out so far, free ones included. */
  count = 0;

  /** The first of the free nodes, which are a list by `next`; -1 for none. */
  firstFree = -1;

  constructor() {
    this.reset();
  }

  /** Takes a node that stands for nothing and hangs nowhere yet. */
  alloc(): number {
    let node = this.firstFree;
    if (node >= 0) {
      this.firstFree = this.next[node];
    } else {
      node = this.count++;
      if (node === this.parent.length) this.#double();
    }
    this.parent[node] = this.first[node] = this.next[node] = this.row[node] = -1;
    this.entries[node] = 0;
    this.runs[2 * node + 1] = 0;
    makeEmpty(this.box, BOX * node);
    return node;
  }

  /** Gives back a node that hangs nowhere and has no children. */
  free(node: number): void {
    this.parent[node] = -1;
    this.next[node] = this.firstFree;
    this.firstFree = node;
  }

  /** Hangs `node` below `parent`, before or after the children that are there. Boxes and counts are not touched. */
  link(node: number, parent: number, atFront: boolean): void {
    const { first, next, prev } = this;
    const head = first[parent];
    this.shape++;
    this.breakRuns(parent);
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

  /** Takes `node` off its parent's list. */
  unlink(node: number): void {
    const { first, next, prev, parent } = this;
    const up = parent[node];
    const after = next[node];
    const head = first[up];
    this.shape++;
    this.breakRuns(up);
    if (head === node) first[up] = after;
    else next[prev[node]] = after;
    if (after >= 0) prev[after] = prev[node];
    else if (head !== node) prev[head] = prev[node];
    parent[node] = next[node] = -1;
  }

  /**
   * Takes note of the run of a node with children, once they have theirs: those that follow one another make up one of its
   * own.
   */
  joinRuns(node: number): void {
    const { first, next, row, runs } = this;
    let start = -1;
    let end = -1;
    for (let child = first[node]; child >= 0; child = next[child]) {
      const isRow = row[child] >= 0;
      const from = isRow ? row[child] : runs[2 * child];
      const to = isRow ? from + 1 : runs[2 * child + 1];
      if (to === 0 || (end >= 0 && from !== end)) return;
      if (end < 0) start = from;
      end = to;
    }
    runs[2 * node] = start;
    runs[2 * node + 1] = end;
  }

  /** Forgets the runs of a node and of all above it. */
  breakRuns(node: number): void {
    const { parent, runs } = this;
    for (let n = node; n >= 0 && runs[2 * n + 1] > 0; n = parent[n]) runs[2 * n + 1] = 0;
  }

  /** Adds `delta` to the entry counts of `node` and everything above it. */
  countUp(node: number, delta: number): void {
    for (let n = node; n >= 0; n = this.parent[n]) this.entries[n] += delta;
  }

  /** Widens the box of `node` and of everything above it to hold the box at `o`. */
  widen(node: number, box: ArrayLike<number>, o: number): void {
    // Above a node that holds the box, every node does.
    for (let n = node; n >= 0 && !contains(this.box, BOX * n, box, o); n = this.parent[n])
      unite(this.box, BOX * n, box, o);
  }

  /** Sets one side of a node's box to that of `b`, and brings the same side of the boxes above it in line. */
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

  /** Sets the box of a node, and brings those above it in line. */
  setBox(node: number, b: ArrayLike<number>): void {
    for (let side = 0; side < BOX; side++) this.#setSide(node, side, b);
  }

  /** Makes the box of a node with children tight, and those above it right. */
  tighten(node: number): void {
    for (let side = 0; side < BOX; side++) this.#outermost(node, side, tight);
    this.setBox(node, tight);
  }

  /**
   * Writes one side of a box: the outermost value among the children of a node; with very many children, what it was.
   * Written, as a number that a call returns is allocated where the call is not inlined.
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

  /** Steps from the root down to `node`. */
  depth(node: number): number {
    let depth = 0;
    for (let n = this.parent[node]; n >= 0; n = this.parent[n]) depth++;
    return depth;
  }

  /** Forgets everything but a bare root, and makes room for about `nodes` nodes, no more than twice as many. */
  reset(nodes = 0): void {
    const wanted = Math.max(FEW, nodes);
    if (this.parent.length < wanted || this.parent.length > 2 * wanted) {
      this.box = new Float64Array(BOX * wanted);
      this.parent = new Int32Array(wanted);
      this.first = new Int32Array(wanted);
      this.next = new Int32Array(wanted);
      this.prev = new Int32Array(wanted);
      this.row = new Int32Array(wanted);
      this.entries = new Int32Array(wanted);
      this.runs = new Int32Array(2 * wanted);
    }
    this.count = 0;
    this.shape++;
    this.firstFree = -1;
    this.alloc();
  }

  /** Nodes there is room for. */
  get capacity(): number {
    return this.parent.length;
  }

  #double(): void {
    this.box = grow(this.box, 0);
    this.parent = grow(this.parent, 0);
    this.first = grow(this.first, 0);
    this.next = grow(this.next, 0);
    this.prev = grow(this.prev, 0);
    this.row = grow(this.row, 0);
    this.entries = grow(this.entries, 0);
    this.runs = grow(this.runs, 0);
  }
}

const tight = new Float64Array(BOX);
const found = new Float64Array(BOX);
