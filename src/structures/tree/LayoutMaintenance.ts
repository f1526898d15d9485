import { exchangeRows } from '../../core/storage/exchangeRows.js';
import { repackRows } from '../build/repackRows.js';
import type { Layout } from './Layout.js';

/** What maintenance needs to know about a layout. */
export interface LayoutMaintenance<L extends Layout> {
  /** True when an item with a single entry under `node` would be placed elsewhere now. */
  isMisplaced(layout: L, node: number, box: Float64Array): boolean;
  /** Packs a row and others around it anew; returns the number of their entries. */
  pack(layout: L, row: number): number;
  /** Swaps two rows, and whatever the layout keeps by row. */
  exchangeRows(layout: L, row: number, to: number): void;
}

/** For a layout in which no item is ever misplaced, and which keeps nothing by row. */
export const plainMaintenance: LayoutMaintenance<Layout> = {
  isMisplaced: () => false,
  pack: ({ tree }, row) => repackRows(tree, tree.rows.nodes[row]),
  exchangeRows: ({ tree }, row, to) => exchangeRows(tree, row, to),
};
