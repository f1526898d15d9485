import { grow } from '../../core/arrays.js';
import { BOX } from '../../core/box.js';
import { CELL, octantCell, octantOf } from '../cells.js';
import { ROOT } from '../Nodes.js';
import type { Tree } from '../Tree.js';

/** In place of a limit: the node is divided. */
const DIVIDED = -1;

/** The nodes that stand for cells, and their data. The root is no cell: below it are unbounded items and the top cell. */
export class CellNodes {
  readonly #tree: Tree;
  /** True for square columns on XZ. */
  readonly isPlanar: boolean;
  /** Cell of node n at 4 * n. Adding a cell may replace this array. */
  cells: Float64Array = new Float64Array(16 * CELL);
  /** Entries beyond which a node tries to divide, or DIVIDED. */
  limits: Int32Array = new Int32Array(16);
  /** Upper bounds of the levels of cells below each node; removals do not lower them. */
  heights: Int32Array = new Int32Array(16);

  constructor(tree: Tree, planar: boolean) {
    this.#tree = tree;
    this.isPlanar = planar;
  }

  /** The top cell, or -1: the child of the root that is not a row, always the last. */
  get top(): number {
    const { first, prev, row } = this.#tree.nodes;
    const head = first[ROOT];
    return head < 0 || row[prev[head]] >= 0 ? -1 : prev[head];
  }

  /** Levels of cells below the top, at most. */
  get height(): number {
    return this.top < 0 ? 0 : this.heights[this.top];
  }

  /** Drops all cells, and the room for more than about `nodes` of them. */
  reset(nodes: number): void {
    if (this.limits.length <= 2 * Math.max(16, nodes)) return;
    this.limits = new Int32Array(16);
    this.heights = new Int32Array(16);
    this.cells = new Float64Array(16 * CELL);
  }

  isDivided(node: number): boolean {
    return this.limits[node] === DIVIDED;
  }

  /** True when a node that is not divided has more entries than its limit. */
  isCrowded(node: number): boolean {
    return !this.isDivided(node) && this.#tree.nodes.entries[node] > this.limits[node];
  }

  setDivided(node: number): void {
    this.limits[node] = DIVIDED;
  }

  setLimit(node: number, limit: number): void {
    this.limits[node] = limit;
  }

  /** Adds a new node below `parent`, with a copy of the cell at `p` of `cell`. */
  add(parent: number, cell: Float64Array, p: number, limit: number): number {
    const node = this.#tree.addNode(parent);
    if (node >= this.limits.length) {
      this.limits = grow(this.limits, node + 1);
      this.heights = grow(this.heights, this.limits.length);
      this.cells = grow(this.cells, CELL * this.limits.length);
    }
    for (let i = 0; i < CELL; i++) this.cells[CELL * node + i] = cell[p + i];
    this.limits[node] = limit;
    this.heights[node] = 0;
    this.#raise(parent, 1);
    return node;
  }

  /** Puts a new, divided node between `child` and its parent; `cell` must hold the cell of the child. */
  putAbove(child: number, cell: Float64Array): number {
    const { nodes } = this.#tree;
    const node = this.add(nodes.parent[child], cell, 0, DIVIDED);
    nodes.unlink(child);
    nodes.link(child, node, false);
    nodes.entries[node] = nodes.entries[child];
    nodes.setBox(node, nodes.box.subarray(BOX * child, BOX * child + BOX));
    this.#raise(node, this.heights[child] + 1);
    return node;
  }

  /** Computes the levels of cells below a node from those below its children. */
  measure(node: number): void {
    const { next } = this.#tree.nodes;
    let height = 0;
    for (let child = this.firstCell(node); child >= 0; child = next[child]) {
      height = Math.max(height, this.heights[child] + 1);
    }
    this.heights[node] = height;
  }

  /** The first child of a node that is not a row; -1 for none. */
  firstCell(node: number): number {
    const { first, next, row } = this.#tree.nodes;
    let child = first[node];
    while (child >= 0 && row[child] >= 0) child = next[child];
    return child;
  }

  /** The child of `node` that lies in an octant of its cell; -1 for none. */
  childIn(node: number, octant: number): number {
    const { first, prev, row } = this.#tree.nodes;
    const head = first[node];
    // From the end, where the cells are; rows come first.
    let child = head < 0 ? -1 : prev[head];
    while (child >= 0 && row[child] < 0) {
      if (this.octantIn(node, child) === octant) return child;
      if (child === head) return -1;
      child = prev[child];
    }
    return -1;
  }

  /** The octant of the cell of `node` in which its child lies. */
  octantIn(node: number, child: number): number {
    const o = CELL * child;
    // In a planar tree both centres are at +Infinity in y; any finite y gives the lower half, the only one there is.
    return octantOf(this.cells, CELL * node, this.cells[o], this.isPlanar ? 0 : this.cells[o + 1], this.cells[o + 2]);
  }

  /** Writes an octant of the cell of `node`. */
  octantCell(node: number, octant: number, out: Float64Array): void {
    octantCell(this.cells, CELL * node, octant, out, 0);
  }

  /** Replaces the box in `out` by the region of a cell; a column keeps its heights, the root its box. */
  writeRegion(node: number, out: Float64Array): void {
    if (node === ROOT) return;
    const { cells } = this;
    const o = CELL * node;
    for (let c = 0; c < 3; c++) {
      if (c === 1 && this.isPlanar) continue;
      out[c] = cells[o + c] - cells[o + 3];
      out[c + 3] = cells[o + c] + cells[o + 3];
    }
  }

  #raise(node: number, height: number): void {
    const { parent } = this.#tree.nodes;
    for (let n = node, h = height; n > ROOT && this.heights[n] < h; n = parent[n], h++) this.heights[n] = h;
  }
}
