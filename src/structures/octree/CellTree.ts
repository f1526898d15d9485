import { BOX, isBounded, makeEmpty } from '../../core/box.js';
import { CELL, cellAround, doubleCell, isCell, octantCell, octantOf } from '../../core/cells.js';
import { ROOT } from '../../core/storage/Nodes.js';
import type { MortonOrder } from '../build/MortonOrder.js';
import type { PlacementRule } from '../build/PlacementRule.js';
import { packRows } from '../build/packRows.js';
import { TreeIndex } from '../tree/TreeIndex.js';
import { CellNodes, DIVIDED } from './CellNodes.js';
import type { CellOptions } from './CellOptions.js';
import { fillCells } from './fillCells.js';
import { liftCells } from './liftCells.js';
import { validateCells } from './validateCells.js';

/**
 * A tree in which cells had to be lifted has levels that a build would not need. It is outgrown once one item for so many
 * that there are has been placed since it was built, and so many at the least; so a rebuild, which takes time in
 * proportion to the items, costs constant time for each one placed.
 */
const SHARE = 2;
const FEW = 16;
/** No node can have more. */
const MOST_ENTRIES = 2 ** 31 - 1;

/**
 * Octree and quadtree alike: a tree of cells, each divided into its octants once it holds more than `capacity` entries
 * and division separates them.
 *
 * - Cells only say where an item is filed. Queries go by content boxes, so they are exact wherever an item sits, an empty
 *   region costs nothing, and a quadtree on XZ has true bounds in Y.
 * - The tree is *compressed*: a child may be a smaller cell than the octant it lies in. A far outlier or a tight cluster
 *   therefore costs one level, not one for each halving between. Where an item meets a child that is too small, the
 *   smallest cell that holds both comes between; the top cell grows the same way, in any direction. What comes to lie below
 *   `maxDepth` by that is lifted (`liftCells`).
 * - Unbounded items hang at the root, beside the top cell.
 */
export abstract class CellTree extends TreeIndex {
  protected readonly options: Required<CellOptions>;
  readonly #rule: PlacementRule;
  readonly #cells: CellNodes;
  /** Items placed since all were arranged, and whether cells have been lifted since. */
  #placed = 0;
  #isLifted = false;

  protected constructor(multiple: boolean, rule: PlacementRule, options: Required<CellOptions>) {
    super(multiple);
    this.#rule = rule;
    this.options = options;
    this.#cells = new CellNodes(this.tree, options.planar);
  }

  protected override place(id: number, box: Float64Array): boolean {
    if (!isBounded(box)) {
      this.tree.insert(ROOT, id, box, 0);
      return false;
    }
    const pending = [this.#topFor(box)];
    const crowded: number[] = [];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      const targets = this.#octants(node, box);
      if (targets === 0) {
        this.tree.insert(node, id, box, 0);
        if (this.#cells.isCrowded(node)) crowded.push(node);
      }
      for (let octant = 0; octant < 8; octant++) {
        if (targets & (1 << octant)) pending.push(this.#childFor(node, octant, box));
      }
    }
    for (const node of crowded) this.#divide(node);
    const { maxDepth, capacity } = this.options;
    if (this.#cells.height > maxDepth) {
      liftCells(this.tree, this.#cells, maxDepth, capacity);
      this.#isLifted = true;
    }
    this.#placed++;
    return this.#isLifted && this.#placed >= FEW && this.#placed * SHARE >= this.size;
  }

  protected override saveNode(node: number): number[] {
    const { cells } = this.#cells;
    if (node === ROOT) return [0, 0, 0, 0, 0];
    return [...cells.subarray(CELL * node, CELL * node + CELL), this.#cells.limitOf(node)];
  }

  protected override loadNode(parent: number, numbers: Float64Array, o: number, where: string): number {
    const { capacity, planar } = this.options;
    const limit = numbers[o + CELL];
    const isLimit = limit === DIVIDED || (limit >= capacity && limit <= MOST_ENTRIES && Number.isInteger(limit));
    if (!isCell(numbers, o, planar) || !isLimit) throw new RangeError(`${where}: a node has no legal cell`);
    if (parent === ROOT && this.#cells.top >= 0) throw new RangeError(`${where}: the root has two cells`);
    return this.#cells.add(parent, numbers, o, limit);
  }

  protected override canStay(slot: number, box: Float64Array): boolean {
    const node = this.tree.nodeOf(slot);
    if (node === ROOT) return !isBounded(box);
    return isBounded(box) && this.#rule.keeps(this.#cells.cells, CELL * node, box) && this.#octants(node, box) === 0;
  }

  protected override acceptsWithinRow(node: number): boolean {
    // Items keep to a region that is a box, so whatever lies between some of them does too. It might sink from a divided
    // node, though, and among unbounded items it might be bounded.
    return node !== ROOT && !this.#cells.isDivided(node);
  }

  protected override canStayEverywhere(slot: number, box: Float64Array): boolean {
    const { tree } = this;
    const cells = this.#cells;
    const { nextSlot } = tree.rows;
    if (!isBounded(box) || !this.#rule.fits(cells.cells, CELL * cells.top, box, null)) return false;
    let entries = 0;
    let s = slot;
    do {
      entries++;
      s = nextSlot[s];
    } while (s !== slot);
    let top = 0;
    PENDING[top++] = cells.top;
    while (top > 0) {
      const node = PENDING[--top];
      const targets = this.#octants(node, box);
      for (let octant = 0; octant < 8; octant++) {
        if ((targets & (1 << octant)) === 0) continue;
        const child = cells.childIn(node, octant);
        if (child < 0 || !this.#fitsChild(node, octant, child, box)) return false;
        PENDING[top++] = child;
      }
      if (targets !== 0) continue;
      // The item belongs here, so one of its entries has to be here.
      while (tree.nodeOf(s) !== node) {
        s = nextSlot[s];
        if (s === slot) return false;
      }
      s = slot;
      entries--;
    }
    return entries === 0;
  }

  protected override isMisplaced(node: number, box: Float64Array): boolean {
    // Items with a single entry of several that they might have are never kept anywhere else.
    return node !== ROOT && !this.tree.multiple && !this.#rule.fits(this.#cells.cells, CELL * node, box, null);
  }

  protected override removed(node: number): void {
    const { nodes } = this.tree;
    const { capacity } = this.options;
    const cells = this.#cells;
    let n = this.tree.prune(node);
    if (n !== ROOT && !cells.isDivided(n) && nodes.entries[n] <= capacity) cells.setLimit(n, capacity);
    // Half the capacity, so that an item that comes and goes does not divide and unite the node each time.
    let united = -1;
    for (; n !== ROOT && nodes.entries[n] <= capacity >> 1; n = nodes.parent[n]) if (cells.isDivided(n)) united = n;
    if (united >= 0) this.#unite(united);
  }

  protected override arrange(ids: Int32Array, boxes: Float64Array, order: Int32Array, curve: MortonOrder): void {
    const { bounded } = curve;
    packRows(this.tree, ROOT, ids, boxes, order, bounded, order.length);
    if (bounded === 0) return;
    const top = this.#cells.add(ROOT, curve.cell, 0, this.options.capacity);
    this.#fill(top, ids, boxes, order.subarray(0, bounded), curve);
  }

  protected override get isPlanar(): boolean {
    return this.options.planar;
  }

  protected override reset(items: number): void {
    super.reset(items);
    this.#cells.reset(this.tree.nodes.capacity);
    this.#placed = 0;
    this.#isLifted = false;
  }

  protected override cellOf(node: number, out: Float64Array): void {
    super.cellOf(node, out);
    if (node === ROOT) return;
    const { cells } = this.#cells;
    const o = CELL * node;
    for (let c = 0; c < 3; c++) {
      if (c === 1 && this.options.planar) continue;
      out[c] = cells[o + c] - cells[o + 3];
      out[c + 3] = cells[o + c] + cells[o + 3];
    }
  }

  protected override get ownBytes(): number {
    return this.#cells.bytes;
  }

  protected override validateRules(): string[] {
    return validateCells(this.tree, this.#cells, this.#rule, this.options.maxDepth);
  }

  /** The octants of a node to which an item goes, as bits; 0 when it stays with the node. */
  #octants(node: number, box: Float64Array): number {
    return this.#cells.isDivided(node) ? this.#rule.octants(this.#cells.cells, CELL * node, box, 0) : 0;
  }

  /** The top cell, made or grown as needed to hold the box. */
  #topFor(box: Float64Array): number {
    const cells = this.#cells;
    const { top } = cells;
    if (top < 0) return this.#addTop(box);
    if (this.#rule.fits(cells.cells, CELL * top, box, null)) return top;
    copyCell(cells.cells, CELL * top, cell);
    // Each round doubles the cell on the box's side, so it ends once the cell is a few times as large as both.
    while (!this.#rule.fits(cell, 0, box, null)) {
      doubleCell(cell, 0, box[0] / 2 + box[3] / 2, box[1] / 2 + box[4] / 2, box[2] / 2 + box[5] / 2);
    }
    return cells.putAbove(top, cell);
  }

  #addTop(box: Float64Array): number {
    cellAround(box, this.options.planar, cell, 0);
    return this.#cells.add(ROOT, cell, 0, this.options.capacity);
  }

  /** The cell in an octant of `node` to which the item goes, made or grown as needed. */
  #childFor(node: number, octant: number, box: Float64Array): number {
    const cells = this.#cells;
    const child = cells.childIn(node, octant);
    if (child < 0) {
      cells.octantCell(node, octant, outer);
      return cells.add(node, outer, 0, this.options.capacity);
    }
    if (this.#fitsChild(node, octant, child, box)) return child;
    // Go down from the octant towards the child as long as the item fits; it does not fit the child itself.
    const o = CELL * child;
    copyCell(outer, 0, cell);
    for (;;) {
      octantCell(cell, 0, octantOf(cell, 0, cells.cells[o], cells.cells[o + 1], cells.cells[o + 2]), smaller, 0);
      // Where borders are rounded, see cells.ts, an item may fit even a cell of the size of the child beside it.
      const isAbove = smaller[3] > cells.cells[o + 3];
      if (!isAbove || !this.#rule.fits(smaller, 0, box, outer)) return cells.putAbove(child, cell);
      copyCell(smaller, 0, cell);
    }
  }

  /** True when an item that goes to the octant can go to the child in it, which may be smaller; leaves it in `outer`. */
  #fitsChild(node: number, octant: number, child: number, box: Float64Array): boolean {
    const { cells } = this.#cells;
    this.#cells.octantCell(node, octant, outer);
    return cells[CELL * child + 3] === outer[3] || this.#rule.fits(cells, CELL * child, box, outer);
  }

  #fill(node: number, ids: Int32Array, boxes: Float64Array, order: Int32Array, curve: MortonOrder | null): void {
    fillCells(this.tree, this.#cells, this.#rule, this.options, node, ids, boxes, order, curve);
  }

  /** Divides a crowded cell, where that separates its entries. */
  #divide(node: number): void {
    const { tree } = this;
    const ids = new Int32Array(tree.nodes.entries[node]);
    const boxes = new Float64Array(BOX * ids.length);
    tree.drainRows(node, ids, boxes, 0);
    this.#fill(
      node,
      ids,
      boxes,
      ids.map((_, i) => i),
      null,
    );
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
      taken = tree.drainRows(below[i], ids, boxes, taken);
      for (let child = nodes.first[below[i]]; child >= 0; child = nodes.next[child]) below.push(child);
    }
    for (let i = below.length - 1; i > 0; i--) {
      nodes.unlink(below[i]);
      nodes.free(below[i]);
    }
    this.#cells.setLimit(node, this.options.capacity);
    nodes.setBox(node, EMPTY);
    const seen = new Set<number>();
    const order = ids.map((_, i) => i).filter((i) => !seen.has(ids[i]) && seen.add(ids[i]));
    packRows(tree, node, ids, boxes, order, 0, order.length);
  }
}

/** Nodes still to be looked at: a plain array that is never cut, so that it is not made anew. */
const PENDING: number[] = [];
const EMPTY = new Float64Array(BOX);
makeEmpty(EMPTY, 0);
const cell = new Float64Array(CELL);
const outer = new Float64Array(CELL);
const smaller = new Float64Array(CELL);

function copyCell(from: Float64Array, o: number, to: Float64Array): void {
  for (let i = 0; i < CELL; i++) to[i] = from[o + i];
}
