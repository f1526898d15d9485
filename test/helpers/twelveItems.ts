import { createIndex, type SpatialIndex, type StructureName } from '../../src/standalone.js';

export const UNIT = [0, 0, 0, 1, 1, 1];
export const RAY = { origin: [-1, 0.5, 0.5], direction: [1, 0, 0] };

/** Twelve items of which id 2 is dead. */
export function twelveItems(name: StructureName): SpatialIndex {
  const index = createIndex(name, { capacity: 2 });
  for (let i = 0; i < 12; i++) index.add([i, i % 7, 0, i + 1.5, 8, 1]);
  index.remove(2);
  return index;
}

/** The ids of those that are there. */
export const KNOWN = Array.from({ length: 12 }, (_, i) => i).filter((i) => i !== 2);

/** All that an index says of its items, in one string. */
export function everything(index: SpatialIndex): string {
  const boxes = KNOWN.map((id) => [...index.getBox(id)].join());
  const all = index.queryBox([-99, -99, -99, 99, 99, 99]).sort().toArray();
  const hits = index.raycast(RAY);
  const { size, version } = index;
  return [size, version, index.has(2), boxes, all, hits.ids.slice(0, hits.length)].join('|');
}

export const findsThemAll = (index: SpatialIndex, ids: readonly number[]): boolean =>
  ids.every((id) => !index.has(id) || [...index.queryBox(index.getBox(id))].includes(id));
