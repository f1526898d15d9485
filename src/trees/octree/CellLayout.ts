import type { StructureName } from '../../contract/SpatialIndex.js';
import { BOX, isBounded, makeEmpty } from '../../core/box.js';
import { CELL } from '../cells.js';
import type { MortonOrder } from '../MortonOrder.js';
import { ROOT } from '../Nodes.js';
import { type Items, packRows } from '../packRows.js';
import { Tree } from '../Tree.js';
import type { Layout } from '../TreeStructure.js';
import { CellNodes, liftCells } from './CellNodes.js';
import { fillCells } from './fillCells.js';
import {
  type CellOptions,
  type CellTree,
  cellInOctant,
  holdsItem,
  type PlacementRule,
  topCellFor,
} from './placement.js';

/**
 * Octree and quadtree: a tree of cells, each divided into its octants once it holds more than `capacity` entries and
 * division separates them.
 *
 * - Cells only decide where items are placed. Queries go by content boxes, so they are exact wherever an item sits, and a
 *   quadtree on XZ has true bounds in Y.
 * - The tree is *compressed*: a child may be smaller than the octant it lies in, so a far outlier or a tight cluster costs
 *   one level. For an item that does not fit the child, the smallest cell that holds both is put between. The top cell
 *   grows likewise. Cells pushed below `maxDepth` are lifted (`liftCells`).
 * - Unbounded items are at the root, beside the top cell.
 */
export class CellLayout implements Layout, CellTree {
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

  place(id: number, box: Float64Array): void {
    const { tree, cells } = this;
    const { maxDepth, capacity } = this.cellOptions;
    if (!isBounded(box)) {
      tree.insert(ROOT, id, box, 0);
      return;
    }
    const pending = [topCellFor(this, box)];
    const crowded: number[] = [];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      const targets = this.#octants(node, box);
      if (targets === 0) {
        tree.insert(node, id, box, 0);
        if (!cells.isDivided(node) && tree.nodes.entries[node] > cells.limits[node]) crowded.push(node);
      }
      for (let octant = 0; octant < 8; octant++) {
        if (targets & (1 << octant)) pending.push(cellInOctant(this, node, octant, box));
      }
    }
    for (const node of crowded) {
      const { ids, boxes } = tree.drainAll(node);
      fillCells(this, node, { ids, boxes, order: ids.map((_, i) => i) });
    }
    if (cells.height > maxDepth) liftCells(tree, cells, maxDepth, capacity);
  }

  canStay(slot: number, box: Float64Array): boolean {
    const node = this.tree.nodeOf(slot);
    if (node === ROOT) return !isBounded(box);
    return isBounded(box) && this.rule.keeps(this.cells.cells, CELL * node, box) && this.#octants(node, box) === 0;
  }

  acceptsWithinRow(node: number): boolean {
    // The region of a node is a box, so it holds any box within that of a row. But in a divided node the item might
    // have to go to a child, and among unbounded items it might have become bounded.
    return node !== ROOT && !this.cells.isDivided(node);
  }

  canStayEverywhere(slot: number, box: Float64Array): boolean {
    const { tree, cells, rule } = this;
    const { nextSlot } = tree.rows;
    if (!isBounded(box) || !rule.fits(cells.cells, CELL * cells.top, box, null)) return false;
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
        if (child < 0 || !holdsItem(this, node, octant, child, box)) return false;
        PENDING[top++] = child;
      }
      if (targets !== 0) continue;
      // The item belongs here, so one of its entries must be here.
      while (tree.nodeOf(s) !== node) {
        s = nextSlot[s];
        if (s === slot) return false;
      }
      s = slot;
      entries--;
    }
    return entries === 0;
  }

  removed(node: number): void {
    const { cells } = this;
    const { nodes } = this.tree;
    const { capacity } = this.cellOptions;
    let n = this.tree.prune(node);
    if (n !== ROOT && !cells.isDivided(n) && nodes.entries[n] <= capacity) cells.limits[n] = capacity;
    // At half the capacity, so that adding and removing one item does not divide and unite the node each time.
    let united = -1;
    for (; n !== ROOT && nodes.entries[n] <= capacity >> 1; n = nodes.parent[n]) if (cells.isDivided(n)) united = n;
    if (united >= 0) this.#unite(united);
  }

  arrange(items: Items, { bounded, cell }: MortonOrder): void {
    const { ids, boxes, order } = items;
    packRows(this.tree, ROOT, items, bounded, order.length);
    if (bounded === 0) return;
    const top = this.cells.add(ROOT, cell, this.cellOptions.capacity);
    fillCells(this, top, { ids, boxes, order: order.subarray(0, bounded) });
  }

  reset(items: number): void {
    this.tree.reset(items);
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

  /** Moves all items below a divided cell into the cell itself. */
  #unite(node: number): void {
    const { tree, cells } = this;
    const { ids, boxes } = tree.drainAll(node);
    cells.limits[node] = this.cellOptions.capacity;
    makeEmpty(empty, 0);
    tree.nodes.setBox(node, empty);
    const seen = new Set<number>();
    const order = ids.map((_, i) => i).filter((i) => !seen.has(ids[i]) && seen.add(ids[i]));
    packRows(tree, node, { ids, boxes, order }, 0, order.length);
  }

  /** The octants of a node to which an item goes, as bits; 0 when it stays in the node itself. */
  #octants(node: number, box: Float64Array): number {
    return this.cells.isDivided(node) ? this.rule.octants(this.cells.cells, CELL * node, box, 0) : 0;
  }
}

/** A stack of nodes to look at, reused. */
const PENDING: number[] = [];

const empty = new Float64Array(BOX);
