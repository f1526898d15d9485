import { BOX, isBounded, makeEmpty, unite } from '../core/box.js';
import { grow } from '../core/grow.js';
import { ROOT } from '../core/Nodes.js';
import { ROW } from '../core/Rows.js';
import type { CellOptions } from './CellOptions.js';
import { CELL, cellAround, doubleCell, isNested, isSmallest, octantCell, octantOf } from './cells.js';
import { packRows } from './packRows.js';
import { TreeIndex } from './TreeIndex.js';

/** In place of a limit: the node is divided. */
const DIVIDED = -1;
/** Levels that growth may add on top of `maxDepth` before the tree is built anew. */
const GROWTH = 32;

/**
 * Octree and quadtree alike: a tree of cells, each divided into its octants once it holds more than `capacity` entries
 * and division separates them. The two filings (every leaf an item touches, or one node) differ in `octants` alone, the
 * octants of a cell to which an item goes, and in what follows from it.
 *
 * - Cells only say where an item is filed. Queries go by content boxes, so they are exact wherever an item sits, an empty
 *   region costs nothing, and a quadtree on XZ has true bounds in Y.
 * - The tree is *compressed*: a child may be a smaller cell than the octant it lies in. A far outlier or a tight cluster
 *   therefore costs one level, not one for each halving between. Where an item meets a child that is too small, the
 *   smallest cell that holds both comes between; the top cell grows the same way, in any direction.
 * - Unbounded items hang at the root, beside the top cell.
 */
export abstract class CellTree extends TreeIndex {
  protected readonly options: Required<CellOptions>;
  protected cells: Float64Array = new Float64Array(16 * CELL);
  /** For each node the number of entries beyond which it tries to divide, or DIVIDED. */
  #limits = new Int32Array(16);

  protected constructor(multiple: boolean, options: Required<CellOptions>) {
    super(multiple);
    this.options = options;
  }

  /** The octants of a cell to which an item goes, as bits; 0 when it stays with the cell as a whole. */
  protected abstract octants(cells: Float64Array, o: number, box: ArrayLike<number>, p: number): number;
  /** True when the item can be filed below a cell that is part of `octant`, another cell; for the top, of no cell. */
  protected abstract fits(cells: Float64Array, o: number, box: Float64Array, octant: Float64Array | null): boolean;
  /** True when an item whose only entry is in a cell may stay there with this box, as far as the cell is concerned. */
  protected abstract keeps(cells: Float64Array, o: number, box: Float64Array): boolean;
  /** True when an item may have an entry in this cell: what `validate` asks of each entry. */
  protected abstract belongs(node: number, box: Float64Array): boolean;

  protected override file(id: number, box: Float64Array): void {
    if (!isBounded(box)) {
      this.tree.insert(ROOT, id, box, 0);
      return;
    }
    const { nodes } = this.tree;
    const pending = [this.#topFor(box), 0];
    const crowded: number[] = [];
    let height = 0;
    while (pending.length > 0) {
      const depth = pending.pop() as number;
      const node = pending.pop() as number;
      height = Math.max(height, depth);
      const targets = this.isDivided(node) ? this.octants(this.cells, CELL * node, box, 0) : 0;
      if (targets === 0) {
        this.tree.insert(node, id, box, 0);
        if (!this.isDivided(node) && nodes.entries[node] > this.#limits[node]) crowded.push(node);
      }
      for (let octant = 0; octant < 8; octant++) {
        if (targets & (1 << octant)) pending.push(this.#childFor(node, octant, box), depth + 1);
      }
    }
    for (const node of crowded) this.#divide(node);
    if (height > this.options.maxDepth + GROWTH) this.rebuild();
  }

  protected override stays(node: number, box: Float64Array): boolean {
    if (node === ROOT) return !isBounded(box);
    if (!isBounded(box) || !this.keeps(this.cells, CELL * node, box)) return false;
    return !this.isDivided(node) || this.octants(this.cells, CELL * node, box, 0) === 0;
  }

  protected override staysEverywhere(slot: number, box: Float64Array): boolean {
    const { tree, cells } = this;
    const { nextSlot } = tree.rows;
    const top = this.#top();
    if (!isBounded(box) || !this.fits(cells, CELL * top, box, null)) return false;
    let entries = 0;
    let s = slot;
    do {
      entries++;
      s = nextSlot[s];
    } while (s !== slot);
    const pending = [top];
    while (pending.length > 0) {
      const node = pending.pop() as number;
      const targets = this.isDivided(node) ? this.octants(cells, CELL * node, box, 0) : 0;
      for (let octant = 0; octant < 8; octant++) {
        if ((targets & (1 << octant)) === 0) continue;
        const child = this.#childIn(node, octant);
        if (child < 0) return false;
        octantCell(cells, CELL * node, octant, outer, 0);
        if (cells[CELL * child + 3] !== outer[3] && !this.fits(cells, CELL * child, box, outer)) return false;
        pending.push(child);
      }
      if (targets !== 0) continue;
      // One of the nodes the item belongs to: one of its entries has to be there.
      while (tree.nodeOf(s) !== node) {
        s = nextSlot[s];
        if (s === slot) return false;
      }
      s = slot;
      entries--;
    }
    return entries === 0;
  }

  protected override removed(node: number): void {
    const { nodes } = this.tree;
    const { capacity } = this.options;
    let n = this.tree.prune(node);
    if (n !== ROOT && !this.isDivided(n) && nodes.entries[n] <= capacity) this.#limits[n] = capacity;
    // Half the capacity, so that an item that comes and goes does not divide and unite the node each time.
    let united = -1;
    for (; n !== ROOT && nodes.entries[n] <= capacity >> 1; n = nodes.parent[n]) if (this.isDivided(n)) united = n;
    if (united >= 0) this.#unite(united);
  }

  protected override arrange(ids: Int32Array, boxes: Float64Array, order: Int32Array): void {
    const world = new Float64Array(BOX);
    makeEmpty(world, 0);
    // Moves the bounded items to the front of `order`, unbounded ones to its end.
    let bounded = 0;
    for (let i = 0; i < order.length; i++) {
      const item = order[i];
      if (!isBounded(boxes, BOX * item)) continue;
      unite(world, 0, boxes, BOX * item);
      order[i] = order[bounded];
      order[bounded++] = item;
    }
    packRows(this.tree, ROOT, ids, boxes, order, bounded, order.length);
    if (bounded === 0) return;
    const top = this.#addCell(ROOT);
    cellAround(world, this.options.planar, this.cells, CELL * top);
    this.#fill(top, ids, boxes, order.subarray(0, bounded));
  }

  protected override cellOf(node: number, out: Float64Array): void {
    super.cellOf(node, out);
    if (node === ROOT) return;
    const o = CELL * node;
    const half = this.cells[o + 3];
    for (let c = 0; c < 3; c++) {
      if (c === 1 && this.options.planar) continue;
      out[c] = this.cells[o + c] - half;
      out[c + 3] = this.cells[o + c] + half;
    }
  }

  protected override get ownBytes(): number {
    return this.cells.byteLength + this.#limits.byteLength;
  }

  protected override validateRules(): string[] {
    const { nodes, rows } = this.tree;
    const problems: string[] = [];
    const box = new Float64Array(BOX);
    const pending = this.#top() < 0 ? [] : [this.#top()];
    while (pending.length > 0) {
      const node = pending.pop() as number;
      const taken = new Set<number>();
      for (let child = nodes.first[node]; child >= 0; child = nodes.next[child]) {
        const row = nodes.row[child];
        for (let slot = row * ROW; row >= 0 && slot < row * ROW + rows.sizes[row]; slot++) {
          rows.read(slot, box, 0);
          if (!this.belongs(node, box)) problems.push(`item ${rows.ids[slot]} does not belong in cell ${node}`);
        }
        if (row >= 0) continue;
        if (!this.isDivided(node)) problems.push(`cell ${node} has a child, but is not divided`);
        const octant = this.#octantIn(node, child);
        if (taken.has(octant)) problems.push(`cell ${node} has two children in octant ${octant}`);
        taken.add(octant);
        octantCell(this.cells, CELL * node, octant, cell, 0);
        if (!isNested(cell, this.cells, CELL * child))
          problems.push(`cell ${child} sticks out of its octant of ${node}`);
        pending.push(child);
      }
    }
    return problems;
  }

  protected isDivided(node: number): boolean {
    return this.#limits[node] === DIVIDED;
  }

  /** The top cell, or -1: of the root's children the one that is not a row, always the last. */
  #top(): number {
    const { first, prev, row } = this.tree.nodes;
    const head = first[ROOT];
    return head < 0 || row[prev[head]] >= 0 ? -1 : prev[head];
  }

  /** The top cell, made or grown as needed to hold the box. */
  #topFor(box: Float64Array): number {
    const top = this.#top();
    if (top < 0) {
      const node = this.#addCell(ROOT);
      cellAround(box, this.options.planar, this.cells, CELL * node);
      return node;
    }
    if (this.fits(this.cells, CELL * top, box, null)) return top;
    copyCell(this.cells, CELL * top, cell, 0);
    // Each round doubles the cell on the box's side, so it ends once the cell is a few times as large as both.
    while (!this.fits(cell, 0, box, null)) {
      doubleCell(cell, 0, box[0] / 2 + box[3] / 2, box[1] / 2 + box[4] / 2, box[2] / 2 + box[5] / 2);
    }
    return this.#putBetween(ROOT, top);
  }

  /** The cell in an octant of `node` to which the item goes, made or grown as needed. */
  #childFor(node: number, octant: number, box: Float64Array): number {
    const child = this.#childIn(node, octant);
    octantCell(this.cells, CELL * node, octant, outer, 0);
    if (child < 0) {
      const added = this.#addCell(node);
      this.cells.set(outer, CELL * added);
      return added;
    }
    const o = CELL * child;
    if (this.cells[o + 3] === outer[3] || this.fits(this.cells, o, box, outer)) return child;
    // Go down from the octant towards the child as long as the item fits; it does not fit the child itself.
    const [x, y, z] = this.cells.subarray(o, o + 3);
    copyCell(outer, 0, cell, 0);
    for (;;) {
      octantCell(cell, 0, octantOf(cell, 0, x, y, z), smaller, 0);
      if (!this.fits(smaller, 0, box, outer)) return this.#putBetween(node, child);
      copyCell(smaller, 0, cell, 0);
    }
  }

  /** Hangs `child` below a new node between it and its parent, with the cell in `cell`. */
  #putBetween(parent: number, child: number): number {
    const { nodes } = this.tree;
    const node = this.#addCell(parent);
    copyCell(cell, 0, this.cells, CELL * node);
    this.#limits[node] = DIVIDED;
    nodes.unlink(child);
    nodes.link(child, node, false);
    nodes.entries[node] = nodes.entries[child];
    nodes.setBox(node, nodes.box.subarray(BOX * child, BOX * child + BOX));
    return node;
  }

  #addCell(parent: number): number {
    const node = this.tree.addNode(parent);
    if (node >= this.#limits.length) {
      this.#limits = grow(this.#limits, node + 1);
      this.cells = grow(this.cells, CELL * this.#limits.length);
    }
    this.#limits[node] = this.options.capacity;
    return node;
  }

  #childIn(node: number, octant: number): number {
    const { nodes } = this.tree;
    // From the end, where the cells are; rows come first.
    let child = nodes.first[node] < 0 ? -1 : nodes.prev[nodes.first[node]];
    while (child >= 0 && nodes.row[child] < 0) {
      if (this.#octantIn(node, child) === octant) return child;
      if (child === nodes.first[node]) return -1;
      child = nodes.prev[child];
    }
    return -1;
  }

  #octantIn(node: number, child: number): number {
    const { cells } = this;
    // In a planar tree both centres are at +Infinity in y; "not above" is what is meant.
    const y = this.options.planar ? 0 : cells[CELL * child + 1];
    return octantOf(cells, CELL * node, cells[CELL * child], y, cells[CELL * child + 2]);
  }

  /** Divides a crowded cell, where that separates its entries. */
  #divide(node: number): void {
    const { tree } = this;
    const ids = new Int32Array(tree.nodes.entries[node]);
    const boxes = new Float64Array(BOX * ids.length);
    tree.takeRows(node, ids, boxes, 0);
    this.#fill(
      node,
      ids,
      boxes,
      ids.map((_, i) => i),
    );
  }

  /** Files items in and below a cell without entries, dividing as needed. Rows are made in depth-first order. */
  #fill(start: number, ids: Int32Array, boxes: Float64Array, all: Int32Array): void {
    const { capacity, maxDepth, minCellSize } = this.options;
    const pending = [{ node: start, depth: this.tree.nodes.depth(start) - 1, order: all }];
    for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
      const { node, depth, order } = task;
      const crowded = order.length > capacity;
      const groups =
        crowded && depth < maxDepth && !isSmallest(this.cells, CELL * node, minCellSize)
          ? this.#group(node, boxes, order)
          : null;
      if (groups === null) {
        packRows(this.tree, node, ids, boxes, order, 0, order.length);
        // What could not be divided now is tried again at twice the size, or all insertions would cost its square.
        this.#limits[node] = crowded ? 2 * order.length : capacity;
        continue;
      }
      this.#limits[node] = DIVIDED;
      packRows(this.tree, node, ids, boxes, groups[STAY], 0, groups[STAY].length);
      for (let octant = 7; octant >= 0; octant--) {
        const group = groups[octant];
        if (group.length === 0) continue;
        const child = this.#addCell(node);
        octantCell(this.cells, CELL * node, octant, this.cells, CELL * child);
        if (group.length === order.length) this.#shrink(child, boxes, group);
        pending.push({ node: child, depth: depth + 1, order: group });
      }
    }
  }

  /** Sorts items by the octants of a cell they go to, those that stay last; null where a division would be of no use. */
  #group(node: number, boxes: Float64Array, order: Int32Array): Int32Array[] | null {
    const targets = new Uint8Array(order.length);
    const counts = new Int32Array(9);
    for (let i = 0; i < order.length; i++) {
      const octants = this.octants(this.cells, CELL * node, boxes, BOX * order[i]);
      targets[i] = octants;
      if (octants === 0) counts[STAY]++;
      for (let left = octants; left !== 0; left &= left - 1) counts[31 - Math.clz32(left & -left)]++;
    }
    const total = counts.reduce((sum, count) => sum + count);
    // Division is of no use where nothing sinks, and where most items would come to lie in several octants.
    if (counts[STAY] === order.length || total > 2 * order.length) return null;
    const groups = Array.from(counts, (count) => new Int32Array(count));
    counts.fill(0);
    for (let i = 0; i < order.length; i++) {
      if (targets[i] === 0) groups[STAY][counts[STAY]++] = order[i];
      for (let left = targets[i]; left !== 0; left &= left - 1) {
        const octant = 31 - Math.clz32(left & -left);
        groups[octant][counts[octant]++] = order[i];
      }
    }
    return groups;
  }

  /** Makes a cell the smallest below it to which all of these items go. */
  #shrink(node: number, boxes: Float64Array, order: Int32Array): void {
    const o = CELL * node;
    while (!isSmallest(this.cells, o, this.options.minCellSize)) {
      const octants = this.octants(this.cells, o, boxes, BOX * order[0]);
      // A single bit, and the same for all.
      if (octants === 0 || (octants & (octants - 1)) !== 0) return;
      for (const i of order) if (this.octants(this.cells, o, boxes, BOX * i) !== octants) return;
      octantCell(this.cells, o, 31 - Math.clz32(octants), this.cells, o);
    }
  }

  /** Takes all that is below a divided cell into the cell itself. */
  #unite(node: number): void {
    const { tree } = this;
    const { nodes } = tree;
    const ids = new Int32Array(nodes.entries[node]);
    const boxes = new Float64Array(BOX * ids.length);
    const below = [node];
    let taken = 0;
    for (let i = 0; i < below.length; i++) {
      taken = tree.takeRows(below[i], ids, boxes, taken);
      for (let child = nodes.first[below[i]]; child >= 0; child = nodes.next[child]) below.push(child);
    }
    for (let i = below.length - 1; i > 0; i--) {
      nodes.unlink(below[i]);
      nodes.free(below[i]);
    }
    this.#limits[node] = this.options.capacity;
    nodes.setBox(node, EMPTY);
    const seen = new Set<number>();
    const order = ids.map((_, i) => i).filter((i) => !seen.has(ids[i]) && seen.add(ids[i]));
    packRows(tree, node, ids, boxes, order, 0, order.length);
  }
}

/** The group of items that stay with a cell, behind those of its eight octants. */
const STAY = 8;

const EMPTY = new Float64Array(BOX);
makeEmpty(EMPTY, 0);
const cell = new Float64Array(CELL);
const outer = new Float64Array(CELL);
const smaller = new Float64Array(CELL);

function copyCell(from: Float64Array, o: number, to: Float64Array, p: number): void {
  for (let i = 0; i < CELL; i++) to[p + i] = from[o + i];
}
