/** Names of the structures, for menus, tests and benchmarks. Saved indices store positions in this list. */
export const STRUCTURES = ['bruteForce', 'grid', 'octree', 'looseOctree', 'bvh', 'packed'] as const;

/** The name of a structure. */
export type StructureName = (typeof STRUCTURES)[number];
