import { BoxIndex } from '../contract/BoxIndex.js';
import { ListLayout } from './ListLayout.js';
import { TreeStructure } from './TreeStructure.js';

/**
 * All rows in one list. Keeping it up to date costs next to nothing and a query looks at every row: the right choice
 * for a few hundred items, and the reference for all other structures.
 */
export class BruteForce extends BoxIndex {
  constructor() {
    super(new TreeStructure(new ListLayout()));
  }
}
