// Who is measured with what. The first contestant of a part is the judge: the others' answers are compared with its own.
import { PAIR_WORKLOADS, WORLD_WORKLOADS } from './workloads.mjs';

/**
 * A library is a column of the tables; of its variants the fastest is shown. `most` is the largest
 * number of boxes, `within` selects workloads.
 */
const judge = { library: 'plain loop', file: 'linear' };
const ours = (library, more) => ({ library, isOurs: true, file: 'ours', options: [library, {}], ...more });
const planar = (library) => ours(library, { variant: 'planar', options: [library, { planar: true }] });
const peer = (library, options = {}, more = {}) => ({ library, file: library, options, ...more });

const TREES = ['bvh', 'looseOctree', 'octree', 'grid'];

const IN_WORLDS = [
  judge,
  ...TREES.map((name) => ours(name)),
  ours('bruteForce'),
  peer('three-mesh-bvh', { leafSize: 16 }),
  peer('three-mesh-bvh', { leafSize: 16, rebuild: true }, { variant: 'built anew', within: /move/ }),
  peer('three-mesh-bvh', { leafSize: 8, sah: true }, { variant: 'SAH' }),
  peer('bvh.js'),
  peer('bvh.js', { margin: 1 }, { variant: 'margin 1', within: /move|teleport|replace/ }),
  peer('rapier3d'),
  peer('flatbush'),
  peer('rbush-3d'),
  peer('sparse-octree'),
  peer('babylon', { depth: 4 }),
];

const IN_PAIRS = [
  judge,
  ...TREES.map((name) => ours(name)),
  ...TREES.map(planar),
  ours('bruteForce'),
  peer('box-intersect'),
  peer('flatbush'),
  peer('rapier3d', { sensors: true }),
  peer('bvh.js'),
  peer('bvh.js', { margin: 0.5 }, { variant: 'margin 0.5' }),
  peer('bvh.js', { rebuild: true }, { variant: 'built anew' }),
  peer('three-mesh-bvh', { leafSize: 16 }),
  peer('three-mesh-bvh', { leafSize: 8, rebuild: true }, { variant: 'built anew' }),
  peer('rbush-3d'),
];

export const PARTS = {
  pairs: { workloads: PAIR_WORKLOADS, contestants: IN_PAIRS },
  uniform: { world: 'uniform', workloads: WORLD_WORKLOADS, contestants: IN_WORLDS },
  city: { world: 'city', workloads: WORLD_WORKLOADS, contestants: [...IN_WORLDS, ...TREES.map(planar)] },
  mixed: { world: 'mixed', workloads: WORLD_WORKLOADS, contestants: IN_WORLDS },
};

/** Columns of a part, in order. */
export const libraries = (part) => [...new Set(PARTS[part].contestants.map(({ library }) => library))];
