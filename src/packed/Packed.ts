import { BoxIndex } from '../contract/BoxIndex.js';
import { readOptions } from '../core/readOptions.js';
import { PackedStructure } from './PackedStructure.js';

/** Options of {@link Packed}. */
export interface PackedOptions {
  /** Order items by X and Z alone, for worlds that lie on the ground. Default false. */
  planar?: boolean;
}

export const PACKED_DEFAULTS: Required<PackedOptions> = { planar: false };

/**
 * Rows of items along a Hilbert curve, with a tree of boxes over them that needs no pointers (Kamel and Faloutsos, On
 * Packing R-trees, 1993), made to move. Boxes are tested in single precision, and those in doubt in double.
 */
export class Packed extends BoxIndex {
  /** @throws TypeError or RangeError, which names the option. */
  constructor(options: PackedOptions = {}) {
    const { planar } = readOptions(options, PACKED_DEFAULTS, 'Packed');
    super(new PackedStructure(planar));
  }
}
