import { grow } from '../core/arrays.js';
import { BOX } from '../core/box.js';
import { ROW } from '../core/rowLayout.js';

/** A node, as `forEachNode` passes it to its visitor. Every call gets the same object: copy what you keep. */
export interface NodeView {
  /**
   * A box around everything in and below the node: minX minY minZ maxX maxY maxZ. Tight after `rebuild`; motion may
   * leave it somewhat larger for a while.
   */
  readonly box: Float64Array;
  /** The cell of the node, six numbers as in `box`. Equal to `box` in structures without cells. */
  readonly cell: Float64Array;
  /** 0 for the top node. */
  depth: number;
  /** True when no nodes are below. */
  leaf: boolean;
  /** Entries stored directly in this node. */
  items: number;
  /** Entries in this node and all nodes below it. */
  below: number;
  /**
   * Ids of the items stored directly in this node. For a `SceneIndex` the visitor's second argument turns them into
   * objects.
   */
  ids: Int32Array;
}

/** What `forEachNode` shows, copied, so that a visitor may change the index. */
export class NodeRecords {
  count = 0;
  leaves = 0;
  height = 0;
  readonly boxes: number[] = [];
  readonly cells: number[] = [];
  /** depth, own entries, entries below, leaf (0 or 1) of each node. */
  readonly facts: number[] = [];
  /** Items of the entries of all nodes, one node after the other. */
  ids: Int32Array = new Int32Array(ROW);
  /** Number of these items. */
  listed = 0;

  /** Adds a node with the box at `o`. */
  add(
    boxes: Float64Array,
    o: number,
    cell: Float64Array,
    depth: number,
    own: number[],
    below: number,
    isLeaf: boolean,
  ): void {
    for (let c = 0; c < BOX; c++) {
      this.boxes.push(boxes[o + c]);
      this.cells.push(cell[c]);
    }
    if (this.listed + own.length > this.ids.length) this.ids = grow(this.ids, this.listed + own.length);
    this.ids.set(own, this.listed);
    this.listed += own.length;
    this.facts.push(depth, own.length, below, +isLeaf);
    this.count++;
    this.leaves += +isLeaf;
    this.height = Math.max(this.height, depth);
  }

  forEach(visit: (node: NodeView) => void): void {
    const { ids } = this;
    const view = {
      box: new Float64Array(BOX),
      cell: new Float64Array(BOX),
      depth: 0,
      leaf: false,
      items: 0,
      below: 0,
      ids,
    };
    for (let i = 0, from = 0; i < this.count; i++) {
      for (let c = 0; c < BOX; c++) {
        view.box[c] = this.boxes[BOX * i + c];
        view.cell[c] = this.cells[BOX * i + c];
      }
      view.depth = this.facts[4 * i];
      view.items = this.facts[4 * i + 1];
      view.below = this.facts[4 * i + 2];
      view.leaf = this.facts[4 * i + 3] === 1;
      view.ids = ids.subarray(from, from + view.items);
      from += view.items;
      visit(view);
    }
  }
}
