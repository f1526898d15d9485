import { BOX } from '../../core/box.js';
import { grow } from '../../core/grow.js';
import { ROOT } from '../../core/storage/Nodes.js';
import { ROW } from '../../core/storage/Rows.js';
import type { Tree } from '../../core/storage/Tree.js';
import type { NodeView } from '../contract/NodeView.js';

/** A copy of what `forEachNode` shows, so that a visitor may change the index. */
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

/**
 * Lists the inner nodes of a tree, parents first; rows count as contents of their node. The root only joins the tree of
 * cells and the unbounded items, so it is left out unless it has rows of its own.
 * @param cellOf Replaces the content box of a node by the region it stands for, if it has one.
 */
export function describeNodes(
  { nodes, rows }: Tree,
  cellOf: (node: number, out: Float64Array) => void = () => {},
): NodeRecords {
  const out = new NodeRecords();
  let listed = 0;
  const cell = new Float64Array(BOX);
  const pending: number[] = nodes.first[ROOT] < 0 ? [] : [ROOT, 0];
  while (pending.length > 0) {
    const depth = pending.pop() as number;
    const node = pending.pop() as number;
    let own = 0;
    let leaf = 1;
    const children: number[] = [];
    for (let child = nodes.first[node]; child >= 0; child = nodes.next[child]) {
      const row = nodes.row[child];
      if (row >= 0) {
        const size = rows.sizes[row];
        if (listed + own + size > out.ids.length) out.ids = grow(out.ids, listed + own + size);
        for (let k = 0; k < size; k++) {
          const id = rows.ids[ROW * row + k];
          // Entries that are not the primary one hold the complement.
          out.ids[listed + own + k] = id < 0 ? ~id : id;
        }
        own += size;
      } else {
        leaf = 0;
        children.push(child);
      }
    }
    const shown = node !== ROOT || own > 0;
    for (let i = children.length - 1; i >= 0; i--) pending.push(children[i], shown ? depth + 1 : depth);
    if (!shown) continue;
    listed += own;
    for (let c = 0; c < BOX; c++) cell[c] = nodes.box[BOX * node + c];
    cellOf(node, cell);
    for (let c = 0; c < BOX; c++) {
      out.boxes.push(nodes.box[BOX * node + c]);
      out.cells.push(cell[c]);
    }
    out.facts.push(depth, own, nodes.entries[node], leaf);
    out.count++;
    out.leaves += leaf;
    out.height = Math.max(out.height, depth);
  }
  return out;
}
