import { inWords } from '../../core/inWords.js';
import type { ItemIds } from '../../core/storage/ItemIds.js';
import type { Walk } from '../../query/Walk.js';
import type { Layout } from './Layout.js';
import type { Maintenance } from './Maintenance.js';

/** The parts of an index. */
export interface IndexParts {
  readonly layout: Layout;
  readonly ids: ItemIds;
  readonly walk: Walk;
  /** The state of maintenance; null from a build until it first runs. */
  maintenance: Maintenance | null;
}

/** The parts by index, so that functions outside the class can reach them, and users of an index cannot. */
const partsByIndex = new WeakMap<object, IndexParts>();

export function registerParts(index: object, parts: IndexParts): void {
  partsByIndex.set(index, parts);
}

/** The parts of an index; throws for anything else. */
export function partsOf(index: unknown, where: string): IndexParts {
  const parts = partsByIndex.get(index as object);
  if (parts === undefined) throw new TypeError(`${where}: must be an index, got ${inWords(index)}`);
  return parts;
}
