import type { StructureName } from '../contract/SpatialIndex.js';
import { NO_BOXES, NO_IDS, type Structure } from '../contract/Structure.js';
import { BOX, contains, copyBox, isBounded, ROW, unite } from '../core/box.js';
import type { Hits } from '../core/Hits.js';
import { type IdList, ItemIds } from '../core/ids.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import type { PointDistance } from '../core/shapes/PointDistance.js';
import type { Ray } from '../core/shapes/Ray.js';
import type { Volume } from '../core/shapes/Volume.js';
import { nearest } from './byDistance.js';
import { MortonOrder } from './MortonOrder.js';
import { ROOT } from './Nodes.js';
import { overlap, TreeQueryState } from './overlap.js';
import type { Items } from './packRows.js';
import type { Tree } from './Tree.js';

/** Decides where items belong, and so makes an octree, a grid or a BVH. Edits of items call it, queries never do. */
export interface Layout {
  readonly structure: StructureName;
  readonly tree: Tree;
  /** True when the Morton order of items ignores heights. */
  readonly ordersByGround: boolean;
  /** Makes the copies of a new item. */
  insert(id: number, box: Float64Array): void;
  /** True when an item with a single copy, `seat`, may keep that copy with this box. */
  canStay(seat: number, box: Float64Array): boolean;
  /** True when items under `node` may stay with any box within the box of their row. */
  acceptsWithinRow(node: number): boolean;
  /** For trees with several copies of an item: true when the item in `seat` would keep its nodes with this box. */
  canStayEverywhere?(seat: number, box: Float64Array): boolean;
  /** Cleans up after a copy under `node` was removed: the node may be empty now. */
  removed?(node: number): void;
  /** True when the tree has far more nodes than after a build. */
  isSparse?(): boolean;
  /** Places items, given in Morton order, in an empty tree; their `order` counts up from 0. */
  arrange(items: Items, curve: MortonOrder): void;
  /** Drops the layout's data beside the tree, which is empty now. */
  reset?(): void;
  /** Replaces the box in `out` by the region of a node, in layouts with cells, for nodes that stand for a cell. */
  writeRegion?(node: number, out: Float64Array): void;
}

/** From this many items on, a tree is built anew whenever it holds twice as many items as it was built with. */
const FEWEST_BUILT = 16;
/** A rebuild takes as long as this many box tests for each item. */
const REBUILD_TESTS = 32;
/** A rebuild has to wait until one in this many copies has changed. */
const CHANGED_ONE_IN = 8;

/** In `#costs`: boxes tested, and items found, by queries since `maintain` last counted them. */
const TESTS = 0;
const FINDS = 1;
/** Tests for each item found just after the last build; 0 until enough were counted. */
const RATE = 2;
/** Boxes tested since the last build beyond the RATE. */
const WASTED = 3;

/**
 * A tree of nodes over rows; its layout decides where items belong. Items added one by one make a tree of more nodes,
 * and of more copies, than needed, so it is built anew whenever its items have doubled: constant time for each item.
 *
 * Motion makes queries slower: rows spread and lie scattered. `maintain` compares the tests per item found with the
 * rate just after the last build, and rebuilds once queries have wasted as many tests as a rebuild costs.
 */
export class TreeStructure implements Structure {
  readonly name: StructureName;
  readonly layout: Layout;
  readonly tree: Tree;
  readonly ids: ItemIds = new ItemIds();
  readonly counters: TreeQueryState = new TreeQueryState();
  /** Number of items from which an insertion rebuilds the tree; number of rebuilds by insertions. */
  #outgrown = FEWEST_BUILT;
  rebuilds = 0;
  /** The numbers at TESTS, FINDS, RATE and WASTED, in an array: writing numbers to fields would allocate memory. */
  readonly #costs = new Float64Array(4);

  constructor(layout: Layout) {
    this.name = layout.structure;
    this.layout = layout;
    this.tree = layout.tree;
  }

  get isBounded(): boolean {
    return isBounded(this.tree.nodes.box, BOX * ROOT);
  }

  insert(id: number, box: Float64Array): void {
    this.layout.insert(id, box);
    if (this.ids.size < this.#outgrown && this.layout.isSparse?.() !== true) return;
    this.rebuilds++;
    this.arrange(NO_IDS, NO_BOXES);
  }

  insertAll(boxes: Float64Array): Int32Array {
    const count = boxes.length / BOX;
    const all = this.ids.size + count;
    // Placing items one by one costs a few times as much per item as arranging all.
    if (count > all >> 2) {
      const ids = this.ids.allocAll(count);
      this.arrange(ids, boxes);
      return ids;
    }
    const ids = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      copyBox(boxes, BOX * i, scratch, 0);
      // The id is allocated just before `insert`, as a rebuild reads the box of every id in use.
      ids[i] = this.ids.alloc();
      this.insert(ids[i], scratch);
    }
    return ids;
  }

  /** Gives an item a new box: in place if its copies may stay, else by placing it anew. */
  move(id: number, box: Float64Array): void {
    const { tree, layout } = this;
    const { firstSeat, nextSeat } = tree.rows;
    const seat = firstSeat[id];
    if (!tree.multiple || nextSeat[seat] < 0) {
      const child = tree.rowNodeOf(seat);
      if (contains(tree.nodes.box, BOX * child, box, 0) && layout.acceptsWithinRow(tree.nodes.parent[child])) {
        tree.moveWithin(seat, box);
        return;
      }
      if (layout.canStay(seat, box)) {
        tree.move(seat, box);
        return;
      }
    } else if (layout.canStayEverywhere?.(seat, box)) {
      let s = seat;
      do {
        tree.move(s, box);
        s = nextSeat[s];
      } while (s !== seat);
      return;
    }
    this.remove(id);
    this.insert(id, box);
  }

  moveAll(ids: ArrayLike<number>, boxes: Float64Array): void {
    for (let i = 0, o = 0; i < ids.length; i++, o += BOX) {
      copyBox(boxes, o, scratch, 0);
      this.move(ids[i], scratch);
    }
  }

  /** The cells of a tree cannot follow an arbitrary motion, so the tree is rebuilt. */
  translate(_x: number, _y: number, _z: number, ids: Int32Array, boxes: Float64Array): void {
    this.clear();
    this.arrange(ids, boxes);
  }

  remove(id: number): void {
    const { tree, layout } = this;
    for (let seat = tree.rows.firstSeat[id]; seat >= 0; seat = tree.rows.firstSeat[id]) {
      const node = tree.nodeOf(seat);
      tree.remove(seat);
      layout.removed?.(node);
    }
  }

  removeAll(ids: Int32Array): void {
    for (let i = 0; i < ids.length; i++) this.remove(ids[i]);
  }

  arrange(newIds: Int32Array, newBoxes: Float64Array): void {
    const { layout } = this;
    const { rows } = layout.tree;
    const items = this.ids.size;
    const held = items - newIds.length;
    let ids = newIds;
    let boxes = newBoxes;
    if (held > 0) {
      ids = new Int32Array(items);
      boxes = new Float64Array(BOX * items);
      for (let id = 0, n = 0; n < held; id++) {
        if (rows.firstSeat[id] < 0) continue;
        rows.read(rows.firstSeat[id], boxes, BOX * n);
        ids[n++] = id;
      }
      ids.set(newIds, held);
      boxes.set(newBoxes, BOX * held);
    }
    this.clear(items);
    // Ids and boxes are copied in Morton order, so that the layout reads memory sequentially.
    const curve = new MortonOrder(boxes, layout.ordersByGround);
    const { order } = curve;
    const sortedIds = new Int32Array(ids.length);
    const sortedBoxes = new Float64Array(boxes.length);
    for (let i = 0, o = 0; i < order.length; i++, o += BOX) {
      sortedIds[i] = ids[order[i]];
      copyBox(boxes, BOX * order[i], sortedBoxes, o);
      order[i] = i;
    }
    layout.arrange({ ids: sortedIds, boxes: sortedBoxes, order }, curve);
  }

  /** Drops everything, and makes room for about `items` items. */
  clear(items = 0): void {
    this.#outgrown = Math.max(FEWEST_BUILT, 2 * items);
    this.#costs.fill(0);
    this.tree.reset(items);
    this.layout.reset?.();
  }

  maintain(budget: number): boolean {
    const { changes, nodes } = this.tree;
    const items = this.ids.size;
    const costs = this.#costs;
    if (costs[RATE] > 0) costs[WASTED] = Math.max(0, costs[WASTED] + costs[TESTS] - costs[FINDS] * costs[RATE]);
    else if (costs[TESTS] >= items && items > 0) costs[RATE] = costs[TESTS] / costs[FINDS];
    if (costs[RATE] > 0) costs[TESTS] = costs[FINDS] = 0;
    const pays = costs[WASTED] > REBUILD_TESTS * items && changes * CHANGED_ONE_IN > nodes.copies[ROOT];
    if (budget === Number.POSITIVE_INFINITY ? changes === 0 : !pays) return true;
    if (budget === 0) return false;
    this.arrange(NO_IDS, NO_BOXES);
    return true;
  }

  read(id: number, out: Float64Array): void {
    const { rows } = this.tree;
    rows.read(rows.firstSeat[id], out, 0);
  }

  uniteAll(out: Float64Array): void {
    const { rows } = this.tree;
    for (let row = 0; row < rows.count; row++) {
      if (rows.sizes[row] === 0) continue;
      rows.tighten(row, scratch);
      unite(out, 0, scratch, 0);
    }
  }

  overlap(volume: Volume, out: IdList): void {
    overlap(this.tree, volume, this.counters, out);
    this.#count(out.length);
  }

  classify(planes: PlanesVolume, intersecting: IdList, inside: IdList): void {
    overlap(this.tree, planes, this.counters, intersecting, inside);
    this.#count(intersecting.length + inside.length);
  }

  raycast(ray: Ray, count: number, out: Hits): void {
    nearest(this.tree, ray, count, this.counters, out);
    this.#count(out.length);
  }

  nearest(point: PointDistance, count: number, out: Hits): void {
    nearest(this.tree, point, count, this.counters, out);
    out.sort();
    this.#count(out.length);
  }

  /** Counts the tests and finds of the last query, and ROW finds more, as most queries search a row in vain. */
  #count(found: number): void {
    this.#costs[TESTS] += this.counters.nodesVisited + this.counters.itemsTested;
    this.#costs[FINDS] += found + ROW;
  }
}

const scratch = new Float64Array(BOX);
