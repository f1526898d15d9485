import type { SpatialIndex } from '../../structures/contract/SpatialIndex.js';
import { structureOf } from '../../structures/contract/structureOf.js';

const claimed = new WeakSet<SpatialIndex>();

/**
 * Takes a core index for the entries of one scene.
 * @throws TypeError for what is no index of this library, RangeError for one that holds items or belongs to a scene
 * already.
 */
export function claimIndex(index: SpatialIndex, where: string): SpatialIndex {
  structureOf(index, where);
  if (claimed.has(index)) throw new RangeError(`${where}: belongs to a SceneIndex already`);
  if (index.size > 0) throw new RangeError(`${where}: must be empty, got one of ${index.size} items`);
  claimed.add(index);
  return index;
}

/** Empties an index and gives it back: it may serve another scene. */
export function releaseIndex(index: SpatialIndex): void {
  index.clear();
  claimed.delete(index);
}
