import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { STRUCTURES, type StructureName } from '../contract/structureNames.js';
import { inWords } from '../core/inWords.js';

/** Each structure is a chunk of its own, so that a page loads none that it does not name. */
const LOADERS: Readonly<Record<StructureName, () => Promise<SpatialIndex>>> = {
  bruteForce: async () => new (await import('../trees/BruteForce.js')).BruteForce(),
  bvh: async () => new (await import('../trees/bvh/Bvh.js')).Bvh(),
  grid: async () => new (await import('../trees/grid/Grid.js')).Grid(),
  looseOctree: async () => new (await import('../trees/octree/LooseOctree.js')).LooseOctree(),
  octree: async () => new (await import('../trees/octree/Octree.js')).Octree(),
  packed: async () => new (await import('../packed/Packed.js')).Packed(),
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
