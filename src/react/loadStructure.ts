import { inWords } from '../core/inWords.js';
import type { SpatialIndex } from '../structures/contract/SpatialIndex.js';
import { STRUCTURES, type StructureName } from '../structures/contract/structureNames.js';

/** Each structure is a chunk of its own, so that a page loads none that it does not name. */
const LOADERS: Readonly<Record<StructureName, () => Promise<SpatialIndex>>> = {
  bruteForce: async () => new (await import('../structures/list/BruteForce.js')).BruteForce(),
  bvh: async () => new (await import('../structures/bvh/Bvh.js')).Bvh(),
  grid: async () => new (await import('../structures/grid/Grid.js')).Grid(),
  looseOctree: async () => new (await import('../structures/octree/LooseOctree.js')).LooseOctree(),
  octree: async () => new (await import('../structures/octree/Octree.js')).Octree(),
  packed: async () => new (await import('../structures/packed/Packed.js')).Packed(),
};

/**
 * Makes an empty index by name, with the defaults of its structure, once its code is there.
 * @throws TypeError or RangeError, at once, for a name that is not one of {@link STRUCTURES}.
 */
export function loadStructure(name: StructureName): Promise<SpatialIndex> {
  if (typeof name !== 'string') {
    throw new TypeError(`Accelerated.structure: must be a name or an index, got ${inWords(name)}`);
  }
  if (!STRUCTURES.includes(name)) {
    throw new RangeError(`Accelerated.structure: no structure ${inWords(name)}; there are ${STRUCTURES.join(', ')}`);
  }
  return LOADERS[name]();
}
