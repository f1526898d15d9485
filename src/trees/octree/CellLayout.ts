import type { StructureName } from '../../contract/SpatialIndex.js';
import { BOX, isBounded, makeEmpty } from '../../core/box.js';
import { CELL, cellAround, doubleCell, isSmallest, octantCell, octantOf } from '../cells.js';
import type { MortonOrder } from '../MortonOrder.js';
import { ROOT } from '../Nodes.js';
import { type Items, packRows } from '../packRows.js';
import { Tree } from '../Tree.js';
import type { Layout } from '../TreeStructure.js';
import { CellNodes, DIVIDED, liftCells } from './CellNodes.js';
import type { CellOptions, PlacementRule } from './placement.js';

/**
 * Octree and quadtree: a tree of cells, each divided into its octants once it holds more than `capacity` copies and
 * division separates them.
 *
 * - Cells only decide where items lie. Queries go by content boxes, so they are exact for any placement, and
 *   a quadtree on XZ has true bounds in Y.
 * - The tree is *compressed*: a child may be smaller than the octant it lies in, so a far outlier or a tight cluster
 *   adds 1 to the depth. If an item does not fit the child, the smallest cell that holds both is put between. The
 *   top cell grows likewise. Cells pushed below `maxDepth` are lifted (`liftCells`).
 * - Unbounded items are at the root, beside the top cell.
 */
export class CellLayout implements Layout {
  readonly structure: StructureName;
  readonly tree: Tree;
  readonly ordersByGround: boolean;
  readonly cells: CellNodes;
  readonly rule: PlacementRule;
  readonly cellOptions: Required<CellOptions>;

  constructor(structure: StructureName, rule: PlacementRule, options: Required<CellOptions>) {
    this.structure = structure;
    this.rule = rule;
    this.cellOptions = options;
    this.ordersByGround = options.planar;
    this.tree = new Tree(rule.multiple);
    this.cells = new CellNodes(this.tree, options.planar);
  }

  insert(id: number, box: Float64Array): void {
    const { tree, cells } = this;
    const { maxDepth, capacity } = this.cellOptions;
    if (!isBounded(box)) {
      tree.insert(ROOT, id, box, 0);
      return;
    }
    const stack = [this.#topFor(box)];
    const crowded: number[] = [];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const targets = this.#octants(node, box);
      if (targets === 0) {
        tree.insert(node, id, box, 0);
        if (!cells.isDivided(node) && tree.nodes.copies[node] > cells.limits[node]) crowded.push(node);
      }
      for (let octant = 0; octant < 8; octant++) {
        if (targets & (1 << octant)) stack.push(this.#cellIn(node, octant, box));
      }
    }
    for (const node of crowded) this.#fill(node, tree.drainAll(node));
    if (cells.height > maxDepth) liftCells(tree, cells, maxDepth, capacity);
  }

  canStay(seat: number, box: Float64Array): boolean {
    const node = this.tree.nodeOf(seat);
    if (node === ROOT) return !isBounded(box);
    return isBounded(box) && this.rule.keeps(this.cells.cells, CELL * node, box) && this.#octants(node, box) === 0;
  }

  acceptsWithinRow(node: number): boolean {
    // The region of a node is a box, so it holds any box within the box of a row. But in a divided node the item might
    // have to go to a child, and among unbounded items it might have become bounded.
    return node !== ROOT && !this.cells.isDivided(node);
  }

  canStayEverywhere(seat: number, box: Float64Array): boolean {
    const { tree, cells, rule } = this;
    const { nextSeat } = tree.rows;
    if (!isBounded(box) || !rule.fits(cells.cells, CELL * cells.top, box, null)) return false;
    let copies = 0;
    let s = seat;
    do {
      copies++;
      s = nextSeat[s];
    } while (s !== seat);
    let top = 0;
    NODES_TO_VISIT[top++] = cells.top;
    while (top > 0) {
      const node = NODES_TO_VISIT[--top];
      const targets = this.#octants(node, box);
      for (let octant = 0; octant < 8; octant++) {
        if ((targets & (1 << octant)) === 0) continue;
        const child = cells.childIn(node, octant);
        if (child < 0 || !this.#holds(node, octant, child, box)) return false;
        NODES_TO_VISIT[top++] = child;
      }
      if (targets !== 0) continue;
      // The item belongs in this node, so one of its copies must be there.
      while (tree.nodeOf(s) !== node) {
        s = nextSeat[s];
        if (s === seat) return false;
      }
      s = seat;
      copies--;
    }
    return copies === 0;
  }

  removed(node: number): void {
    const { cells } = this;
    const { nodes } = this.tree;
    const { capacity } = this.cellOptions;
    let n = this.tree.prune(node);
    if (n !== ROOT && !cells.isDivided(n) && nodes.copies[n] <= capacity) cells.limits[n] = capacity;
    // Nodes unite at half the capacity, so that adding and removing one item does not divide and unite them each time.
    let united = -1;
    for (; n !== ROOT && nodes.copies[n] <= capacity >> 1; n = nodes.parent[n]) if (cells.isDivided(n)) united = n;
    if (united >= 0) this.#unite(united);
  }

  arrange(items: Items, { bounded, cell }: MortonOrder): void {
    const { ids, boxes, order } = items;
    packRows(this.tree, ROOT, items, bounded, order.length);
    if (bounded === 0) return;
    const top = this.cells.add(ROOT, cell, this.cellOptions.capacity);
    this.#fill(top, { ids, boxes, order: order.subarray(0, bounded) });
  }

  reset(): void {
    this.cells.reset(this.tree.nodes.capacity);
  }

  writeRegion(node: number, out: Float64Array): void {
    // A column keeps its heights, the root its box.
    if (node === ROOT) return;
    const { cells } = this.cells;
    const o = CELL * node;
    for (let c = 0; c < 3; c++) {
      if (c === 1 && this.ordersByGround) continue;
      out[c] = cells[o + c] - cells[o + 3];
      out[c + 3] = cells[o + c] + cells[o + 3];
    }
  }

  /** The top cell, made or grown as needed to hold the box. */
  #topFor(box: Float64Array): number {
    const { cells, rule } = this;
    const { top } = cells;
    if (top < 0) {
      cellAround(box, cells.isPlanar, cell, 0);
      return cells.add(ROOT, cell, this.cellOptions.capacity);
    }
    if (rule.fits(cells.cells, CELL * top, box, null)) return top;
    copyCell(cells.cells, CELL * top, cell);
    // The cell doubles towards the side of the box until it fits.
    while (!rule.fits(cell, 0, box, null)) {
      doubleCell(cell, 0, box[0] / 2 + box[3] / 2, box[1] / 2 + box[4] / 2, box[2] / 2 + box[5] / 2);
    }
    return cells.putAbove(top, cell);
  }

  /** The cell in an octant of `node` to which the item goes, made or grown as needed. */
  #cellIn(node: number, octant: number, box: Float64Array): number {
    const { cells, rule } = this;
    const child = cells.childIn(node, octant);
    octantCell(cells.cells, CELL * node, octant, outer, 0);
    if (child < 0) return cells.add(node, outer, this.cellOptions.capacity);
    if (this.#holds(node, octant, child, box)) return child;
    // Go down from the octant towards the child as long as the item fits; it does not fit the child itself.
    const o = CELL * child;
    copyCell(outer, 0, cell);
    for (;;) {
      octantCell(cell, 0, octantOf(cell, 0, cells.cells[o], cells.cells[o + 1], cells.cells[o + 2]), smaller, 0);
      // If borders are rounded, an item may fit even a cell beside the child, of the same size.
      const isAbove = smaller[3] > cells.cells[o + 3];
      if (!isAbove || !rule.fits(smaller, 0, box, outer)) return cells.putAbove(child, cell);
      copyCell(smaller, 0, cell);
    }
  }

  /** True when an item that goes to an octant of `node` can go to its child there, perhaps a smaller cell. */
  #holds(node: number, octant: number, child: number, box: Float64Array): boolean {
    const { cells } = this.cells;
    octantCell(cells, CELL * node, octant, whole, 0);
    return cells[CELL * child + 3] === whole[3] || this.rule.fits(cells, CELL * child, box, whole);
  }

  /** Puts items in and below an empty cell; divides cells if that separates items. Rows are made depth-first. */
  #fill(start: number, { ids, boxes, order: all }: Items): void {
    const { tree, cells } = this;
    const { capacity, maxDepth, minCellSize } = this.cellOptions;
    const { parent } = tree.nodes;
    let depthOfStart = -1;
    for (let n = parent[start]; n >= 0; n = parent[n]) depthOfStart++;
    // The stack of cells to fill, each with the items order[from] to order[to - 1].
    const stack = [{ node: start, depth: depthOfStart, order: all, from: 0, to: all.length }];
    for (let task = stack.pop(); task !== undefined; task = stack.pop()) {
      const { node, depth, order, from, to } = task;
      const crowded = to - from > capacity;
      const divisible = crowded && depth < maxDepth && !isSmallest(cells.cells, CELL * node, minCellSize);
      const sorted = divisible ? this.#sortByOctant(node, boxes, order.subarray(from, to)) : null;
      if (sorted === null) {
        packRows(tree, node, { ids, boxes, order }, from, to);
        // Division is tried again at twice the size; trying at each insertion would take quadratic time.
        cells.limits[node] = crowded ? 2 * (to - from) : capacity;
        continue;
      }
      const [byOctant, starts] = sorted;
      cells.limits[node] = DIVIDED;
      packRows(tree, node, { ids, boxes, order: byOctant }, starts[STAY], starts[STAY + 1]);
      const children: typeof stack = [];
      for (let octant = 0; octant < STAY; octant++) {
        const first = starts[octant];
        const last = starts[octant + 1];
        if (first === last) continue;
        octantCell(cells.cells, CELL * node, octant, cell, 0);
        if (last - first === to - from) this.#shrink(cell, boxes, byOctant.subarray(first, last));
        const child = cells.add(node, cell, capacity);
        children.push({ node: child, depth: depth + 1, order: byOctant, from: first, to: last });
      }
      // Cells are popped from the end, and rows must be made in the order of queries: the first child first.
      stack.push(...children.reverse());
    }
  }

  /** Shrinks a cell to the smallest part of itself to which all of the items go. */
  #shrink(cell: Float64Array, boxes: Float64Array, items: Int32Array): void {
    const { rule } = this;
    // At the origin a cell may shrink a thousand times; if all boxes are equal, it is enough to test one box.
    const asked = areBoxesEqual(boxes, items) ? items.subarray(0, 1) : items;
    while (!isSmallest(cell, 0, this.cellOptions.minCellSize)) {
      const octants = rule.octants(cell, 0, boxes, BOX * items[0]);
      // All items must go to one octant, a single bit.
      if (octants === 0 || (octants & (octants - 1)) !== 0) return;
      for (const i of asked) if (rule.octants(cell, 0, boxes, BOX * i) !== octants) return;
      octantCell(cell, 0, 31 - Math.clz32(octants), cell, 0);
    }
  }

  /**
   * Sorts items by the octants they go to; null if division would not help.
   * @returns the items octant by octant; the start of each octant, and the end of the last.
   */
  #sortByOctant(node: number, boxes: Float64Array, items: Int32Array): [order: Int32Array, starts: Int32Array] | null {
    const { cells, rule } = this;
    if (targets.length < items.length) targets = new Uint8Array(items.length);
    const sizes = new Int32Array(STAY + 1);
    for (let i = 0; i < items.length; i++) {
      const octants = rule.octants(cells.cells, CELL * node, boxes, BOX * items[i]);
      targets[i] = octants;
      if (octants === 0) sizes[STAY]++;
      for (let left = octants; left !== 0; left &= left - 1) sizes[31 - Math.clz32(left & -left)]++;
    }
    const starts = new Int32Array(STAY + 2);
    for (let g = 0; g <= STAY; g++) starts[g + 1] = starts[g] + sizes[g];
    const total = starts[STAY + 1];
    // Division does not help if no item goes to an octant, or if most items would go to several octants.
    if (starts[STAY] === 0 || total > 2 * items.length) return null;
    const order = new Int32Array(total);
    const next = starts.slice();
    for (let i = 0; i < items.length; i++) {
      if (targets[i] === 0) order[next[STAY]++] = items[i];
      for (let left = targets[i]; left !== 0; left &= left - 1) {
        order[next[31 - Math.clz32(left & -left)]++] = items[i];
      }
    }
    return [order, starts];
  }

  /** Moves all items below a divided cell into the cell itself. */
  #unite(node: number): void {
    const { tree, cells } = this;
    const { ids, boxes, order: all } = tree.drainAll(node);
    cells.limits[node] = this.cellOptions.capacity;
    makeEmpty(empty, 0);
    tree.nodes.setBox(node, empty);
    const seen = new Set<number>();
    const order = all.filter((i) => !seen.has(ids[i]) && seen.add(ids[i]));
    packRows(tree, node, { ids, boxes, order }, 0, order.length);
  }

  /** The octants of a node to which an item goes, as bits; 0 when it stays in the node itself. */
  #octants(node: number, box: Float64Array): number {
    return this.cells.isDivided(node) ? this.rule.octants(this.cells.cells, CELL * node, box, 0) : 0;
  }
}

/** The stack of nodes to visit, reused. */
const NODES_TO_VISIT: number[] = [];

/** Stands for the cell itself, after the numbers of its eight octants. */
const STAY = 8;

/** The octants of each item, by the last call of `#sortByOctant`. */
let targets = new Uint8Array(1024);

function areBoxesEqual(boxes: Float64Array, order: Int32Array): boolean {
  const first = BOX * order[0];
  for (const i of order) {
    for (let c = 0; c < BOX; c++) if (boxes[BOX * i + c] !== boxes[first + c]) return false;
  }
  return true;
}

function copyCell(from: Float64Array, o: number, to: Float64Array): void {
  for (let i = 0; i < CELL; i++) to[i] = from[o + i];
}

const cell = new Float64Array(CELL);
const outer = new Float64Array(CELL);
const smaller = new Float64Array(CELL);
const whole = new Float64Array(CELL);
const empty = new Float64Array(BOX);
