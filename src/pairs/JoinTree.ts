import type { Nodes } from '../trees/Nodes.js';
import type { Rows } from '../trees/Rows.js';

/** What joins read of a tree: its nodes from the root on, and their rows. A `Tree` is one. */
export interface JoinTree {
  readonly nodes: Pick<Nodes, 'count' | 'box' | 'first' | 'next' | 'row' | 'entries'>;
  readonly rows: JoinRows;
  /** See `Tree.changes`. */
  readonly changes: number;
}

export type JoinRows = Pick<Rows, 'count' | 'boxes' | 'ids' | 'sizes'>;
