import { TreeIndex } from '../tree/TreeIndex.js';
import { ListLayout } from './ListLayout.js';

/**
 * All rows in one list. Keeping it up to date costs next to nothing and a query looks at every row: the right choice
 * for a few hundred items, and the reference for all other structures.
 */
export class BruteForce extends TreeIndex {
  constructor() {
    super(new ListLayout());
  }
}
