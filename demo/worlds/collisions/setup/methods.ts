import type { IndexOptions, StructureName } from '../../../../src/standalone.js';

/** A way of finding the overlapping pairs. */
export interface Method {
  readonly id: MethodId;
  readonly title: string;
  /** How items are stored, in a few words. */
  readonly rule: string;
  readonly structure: StructureName;
  readonly options: IndexOptions;
}

export const METHOD_IDS = [
  'brute',
  'grid',
  'octree-leaves',
  'octree-parent',
  'octree-loose',
  'quadtree-leaves',
  'quadtree-parent',
  'quadtree-loose',
  'bvh',
  'packed',
] as const;

export type MethodId = (typeof METHOD_IDS)[number];

const FILINGS = [
  { id: 'leaves', title: 'every leaf', rule: 'in every leaf it touches', structure: 'octree', options: {} },
  {
    id: 'parent',
    title: 'parent',
    rule: 'across a border, in the parent',
    structure: 'looseOctree',
    options: { looseness: 1 },
  },
  {
    id: 'loose',
    title: 'loose',
    rule: 'in one cell of twice the size',
    structure: 'looseOctree',
    options: { looseness: 2 },
  },
] as const;

/** All methods: each tree with its three storage rules, and the others. */
export const METHODS: readonly Method[] = [
  { id: 'brute', title: 'Brute force', rule: 'each with each', structure: 'bruteForce', options: {} },
  { id: 'grid', title: 'Grid', rule: 'in uniform cells', structure: 'grid', options: {} },
  ...trees('octree', 'Octree', false),
  ...trees('quadtree', 'Quadtree', true),
  { id: 'bvh', title: 'BVH', rule: 'in a tree of boxes', structure: 'bvh', options: {} },
  { id: 'packed', title: 'Packed', rule: 'in rows along a curve', structure: 'packed', options: {} },
];

export function methodOf(id: MethodId): Method {
  return METHODS.find((method) => method.id === id)!;
}

function trees(tree: 'octree' | 'quadtree', name: string, planar: boolean): Method[] {
  return FILINGS.map(({ id, title, rule, structure, options }) => ({
    id: `${tree}-${id}` as const,
    title: `${name}, ${title}`,
    rule,
    structure,
    options: { ...options, planar },
  }));
}
