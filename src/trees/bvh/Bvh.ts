import { BoxIndex } from '../../contract/BoxIndex.js';
import { OPTION_RANGES } from '../../core/optionRanges.js';
import { readOptions } from '../../core/readOptions.js';
import { TreeStructure } from '../TreeStructure.js';
import { BvhLayout } from './BvhLayout.js';

/** Options of {@link Bvh}. */
export interface BvhOptions {
  /**
   * How far items may move beyond the box of their row before they are placed anew, in world units, 0 to 2^300. A wider
   * margin saves work where much moves and makes looser boxes, which cost queries more. Default 0: for each row an
   * eighth of the mean edge of its box.
   */
  margin?: number;
  /** Build the tree by X and Z only, without regard to heights. Default false. */
  planar?: boolean;
}

export const BVH_DEFAULTS: Required<BvhOptions> = { margin: 0, planar: false };

/**
 * Dynamic bounding volume hierarchy: a binary tree of boxes over rows of up to 16 neighbours, balanced after every
 * change.
 *
 * It adapts to the items, not to space, so it suits uneven sizes and densities alike. Where everything moves, boxes
 * grow and overlap until as many items change rows as drift apart; queries then look at a quarter to a half more nodes
 * than after `rebuild()`.
 */
export class Bvh extends BoxIndex {
  /** @throws TypeError or RangeError, which names the option. */
  constructor(options: BvhOptions = {}) {
    const { margin, planar } = readOptions(options, BVH_DEFAULTS, 'Bvh', OPTION_RANGES);
    super(new TreeStructure(new BvhLayout(margin, planar)));
  }
}
