import { ROOT } from '../../core/storage/Nodes.js';
import type { LayoutCodec } from '../tree/LayoutCodec.js';
import type { BvhLayout } from './BvhLayout.js';

/** Saves for each node whether it is that of the unbounded items. */
export const bvhCodec: LayoutCodec<BvhLayout> = {
  perNode: 1,

  saveState: () => [],

  saveNode: (layout, node) => [Number(node === layout.outside)],

  loadState() {},

  loadNode(layout, parent, numbers, o, where) {
    const node = layout.tree.addNode(parent);
    if (numbers[o] === 0) return node;
    if (parent !== ROOT || layout.outside >= 0) throw new RangeError(`${where}: unbounded items are in two places`);
    layout.outside = node;
    return node;
  },

  finish(layout) {
    layout.binary.measure();
    const { nodes, rows } = layout.tree;
    for (let row = 0; row < rows.count; row++) {
      if (nodes.parent[rows.nodes[row]] !== layout.outside) layout.makeFatBox(rows.nodes[row]);
    }
  },
};
