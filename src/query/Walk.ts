import { Tree } from '../core/Tree.js';

/**
 * What walks over a tree share: a stack and counters. No user code runs during a walk, so one walk of an index ends
 * before the next begins.
 */
export class Walk {
  // Two integers for each level on the way down. Structures keep every row within MAX_HEIGHT steps of the root.
  readonly stack: Int32Array = new Int32Array(2 * (Tree.MAX_HEIGHT + 1));
  /** Nodes whose box was tested by the last query. */
  nodesVisited = 0;
  /** Entries whose box was tested by the last query. */
  itemsTested = 0;
}
