import { INDEX_DEFAULTS, type IndexOptions, type StructureName } from '../../../src/index.js';
import { type Control, range, toggle } from './Control.js';

/** How options are shown, and which structures have them. An option not listed here is shown for all structures. */
const KNOWN: Record<string, { label: string; high?: number; step?: number; low?: number; of: string[] }> = {
  planar: { label: 'Planar (quadtree)', of: ['grid', 'octree', 'looseOctree', 'bvh', 'packed'] },
  capacity: { label: 'Capacity', low: 1, high: 256, of: ['octree', 'quadtree', 'looseOctree'] },
  maxDepth: { label: 'Max depth', low: 1, high: 64, of: ['octree', 'quadtree', 'looseOctree'] },
  looseness: { label: 'Looseness', low: 1, high: 8, step: 0.1, of: ['looseOctree'] },
  minCellSize: { label: 'Min cell size', high: 50, step: 0.5, of: ['octree', 'quadtree', 'looseOctree'] },
  cellSize: { label: 'Cell size (0: auto)', high: 50, step: 0.1, of: ['grid'] },
  margin: { label: 'Margin', high: 10, step: 0.1, of: ['bvh'] },
};

export const INDEX_OPTIONS = Object.keys(INDEX_DEFAULTS) as (keyof IndexOptions)[];

/** A control for every option there is. */
export const INDEX_CONTROLS: Record<string, Control> = Object.fromEntries(
  INDEX_OPTIONS.map((name) => {
    const start: number | boolean = INDEX_DEFAULTS[name];
    const { label, low = 0, high = 100, step = 1 } = KNOWN[name] ?? { label: spelled(name) };
    return [name, typeof start === 'boolean' ? toggle(label, start) : range(label, start, [low, high], step)];
  }),
);

/** Whether a structure has an option. */
export function appliesTo(option: string, structure: StructureName): boolean {
  return KNOWN[option]?.of.includes(structure) ?? structure !== 'bruteForce';
}

/** "minCellSize" as "Min cell size". */
function spelled(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0]!.toUpperCase() + words.slice(1);
}
