import { exchangeRows } from '../../core/storage/exchangeRows.js';
import { repackRows } from '../build/repackRows.js';
import type { Layout } from './Layout.js';

/** What maintenance asks about a layout. */
export interface LayoutUpkeep<L extends Layout> {
  /** True when an item with a single entry under `node` has left the place where it would be placed. */
  isMisplaced(layout: L, node: number, box: Float64Array): boolean;
  /** Packs a row and others around it anew; returns the number of their entries. */
  pack(layout: L, row: number): number;
  /** Has two rows change places. */
  exchangeRows(layout: L, row: number, to: number): void;
}

/** That of a layout which leaves every item where it is, and keeps nothing by row. */
export const plainUpkeep: LayoutUpkeep<Layout> = {
  isMisplaced: () => false,
  pack: ({ tree }, row) => repackRows(tree, tree.rows.nodes[row]),
  exchangeRows: ({ tree }, row, to) => exchangeRows(tree, row, to),
};
