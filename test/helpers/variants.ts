import type { IndexOptions, StructureName } from '../../src/standalone.js';

/** The structures in the shapes that differ in their code, with small capacities so that small worlds make deep trees. */
export const VARIANTS: { label: string; name: StructureName; options: IndexOptions }[] = [
  { label: 'bruteForce', name: 'bruteForce', options: {} },
  { label: 'grid', name: 'grid', options: {} },
  { label: 'grid, planar', name: 'grid', options: { planar: true } },
  { label: 'grid, cells of 1', name: 'grid', options: { cellSize: 1 } },
  { label: 'grid, planar, cells of 3', name: 'grid', options: { cellSize: 3, planar: true } },
  { label: 'grid, cells of 1e-9', name: 'grid', options: { cellSize: 1e-9 } },
  { label: 'octree', name: 'octree', options: { capacity: 4 } },
  { label: 'octree, planar', name: 'octree', options: { capacity: 4, planar: true } },
  { label: 'octree, shallow', name: 'octree', options: { capacity: 3, maxDepth: 2, minCellSize: 10 } },
  { label: 'looseOctree', name: 'looseOctree', options: { capacity: 4 } },
  { label: 'looseOctree, planar', name: 'looseOctree', options: { capacity: 4, planar: true } },
  { label: 'looseOctree, straddlers stay', name: 'looseOctree', options: { capacity: 4, looseness: 1 } },
  {
    label: 'looseOctree, planar, straddlers stay',
    name: 'looseOctree',
    options: { capacity: 4, looseness: 1, planar: true },
  },
  { label: 'looseOctree, shallow', name: 'looseOctree', options: { capacity: 3, maxDepth: 3 } },
  { label: 'looseOctree, default capacity', name: 'looseOctree', options: {} },
  { label: 'bvh', name: 'bvh', options: {} },
  { label: 'bvh, planar', name: 'bvh', options: { planar: true } },
  { label: 'packed', name: 'packed', options: {} },
  { label: 'packed, planar', name: 'packed', options: { planar: true } },
];
