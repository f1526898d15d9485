import { exchangeRows } from '../../core/storage/exchangeRows.js';
import { ROOT } from '../../core/storage/Nodes.js';
import { repackRows } from '../build/repackRows.js';
import type { LayoutMaintenance } from '../tree/LayoutMaintenance.js';
import type { BvhLayout } from './BvhLayout.js';
import { FILL } from './buildBvh.js';

/**
 * Items are placed anew as soon as they leave the fat box of their row, so none is misplaced here. But sibling rows are
 * merged when together they are no fuller than a row after a build.
 */
export const bvhMaintenance: LayoutMaintenance<BvhLayout> = {
  isMisplaced: () => false,

  pack(layout, row) {
    const { tree } = layout;
    const { nodes, rows } = tree;
    const child = rows.nodes[row];
    const parent = nodes.parent[child];
    if (parent === layout.outside) return repackRows(tree, child);
    const size = rows.sizes[row];
    tree.tightenRow(row);
    rows.dirty[row] = 0;
    if (parent === ROOT) return size;
    const sibling = nodes.first[parent] === child ? nodes.next[child] : nodes.first[parent];
    if (nodes.row[sibling] < 0 || size + rows.sizes[nodes.row[sibling]] > FILL) return size;
    tree.mergeInto(child, sibling);
    tree.dropRow(child);
    layout.makeFatBox(sibling);
    layout.binary.collapse(parent);
    return size;
  },

  exchangeRows({ tree, fatBounds }, row, to) {
    exchangeRows(tree, row, to);
    fatBounds.exchange(row, to);
  },
};
