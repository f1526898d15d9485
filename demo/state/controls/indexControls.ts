import type { IndexOptions, StructureName } from '../../../src/index.js';
import { type Control, range, toggle } from './Control.js';

/** A control for every option there is, with its default. */
export const INDEX_CONTROLS: Record<keyof IndexOptions, Control> = {
  capacity: range('Capacity', 64, [1, 256], 1),
  maxDepth: range('Max depth', 24, [1, 64], 1),
  minCellSize: range('Min cell size', 0, [0, 50], 0.5),
  planar: toggle('Planar (quadtree)', false),
  looseness: range('Looseness', 2, [1, 8], 0.1),
  cellSize: range('Cell size (0: auto)', 0, [0, 50], 0.1),
};

export const INDEX_OPTIONS = Object.keys(INDEX_CONTROLS) as (keyof IndexOptions)[];

const CELLS: readonly StructureName[] = ['octree', 'quadtree', 'looseOctree'];

/** Which structures have an option. */
const OF: Record<string, readonly StructureName[]> = {
  capacity: CELLS,
  maxDepth: CELLS,
  minCellSize: CELLS,
  planar: ['grid', 'octree', 'looseOctree', 'bvh', 'packed'],
  looseness: ['looseOctree'],
  cellSize: ['grid'],
};

/** Whether a structure has an option. */
export function appliesTo(option: string, structure: StructureName): boolean {
  return OF[option].includes(structure);
}
