import type { IndexOptions, StructureName } from '../../../../src/standalone.js';

/** A way of finding the overlapping pairs. */
export interface Method {
  readonly id: string;
  readonly title: string;
  /** How items are stored, in a few words. */
  readonly rule: string;
  readonly structure: StructureName;
  readonly options: IndexOptions;
}

/** The three storage rules of a tree. */
const LEAVES = { structure: 'octree', rule: 'in every leaf it touches' } as const;
const PARENT = { structure: 'looseOctree', rule: 'across a border, in the parent' } as const;
const LOOSE = { structure: 'looseOctree', rule: 'in one cell of twice the size' } as const;
const OCTREE = { planar: false };
const QUADTREE = { planar: true };

/** All methods: each tree with its three storage rules, and the others. */
export const METHODS = [
  { id: 'brute', title: 'Brute force', rule: 'each with each', structure: 'bruteForce', options: {} },
  { id: 'grid', title: 'Grid', rule: 'in uniform cells', structure: 'grid', options: {} },
  { id: 'octree-leaves', title: 'Octree, every leaf', ...LEAVES, options: OCTREE },
  { id: 'octree-parent', title: 'Octree, parent', ...PARENT, options: { ...OCTREE, looseness: 1 } },
  { id: 'octree-loose', title: 'Octree, loose', ...LOOSE, options: { ...OCTREE, looseness: 2 } },
  { id: 'quadtree-leaves', title: 'Quadtree, every leaf', ...LEAVES, options: QUADTREE },
  { id: 'quadtree-parent', title: 'Quadtree, parent', ...PARENT, options: { ...QUADTREE, looseness: 1 } },
  { id: 'quadtree-loose', title: 'Quadtree, loose', ...LOOSE, options: { ...QUADTREE, looseness: 2 } },
  { id: 'bvh', title: 'BVH', rule: 'in a tree of boxes', structure: 'bvh', options: {} },
  { id: 'packed', title: 'Packed', rule: 'in rows along a curve', structure: 'packed', options: {} },
] as const satisfies readonly Method[];

export type MethodId = (typeof METHODS)[number]['id'];

export const METHOD_IDS: readonly MethodId[] = METHODS.map(({ id }) => id);

export function methodOf(id: MethodId): Method {
  return METHODS.find((method) => method.id === id)!;
}
