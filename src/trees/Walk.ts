import type { Counters } from '../contract/Counters.js';
import { Tree } from './Tree.js';

/**
 * What walks over trees share: a stack and counters. No user code runs during a walk, so a walk of an index ends before
 * the next one begins.
 */
export class Walk implements Counters {
  // Two integers for each level on the way down. Structures keep every row within MAX_HEIGHT steps of the root.
  readonly stack: Int32Array = new Int32Array(2 * (Tree.MAX_HEIGHT + 1));
  nodesVisited = 0;
  itemsTested = 0;
}
