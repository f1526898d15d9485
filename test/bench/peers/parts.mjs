// Who is measured with what. The first contestant of a part is the judge: the others' answers are compared with its own.
import { INSTANCE_WORKLOADS, LOADING_WORKLOADS } from './objects.mjs';
import { WORLD_WORKLOADS } from './workloads.mjs';

/**
 * A library is a column of the tables; of its variants the fastest is shown. `within` selects workloads. Where more than
 * `mostChanged` boxes change in a frame it is left out: a round would take it minutes. No peer, though measured, is what has
 * no structure at all.
 */
const ours = (library, options = {}, more = {}) => ({
  library,
  isOurs: true,
  file: 'ours',
  options: [library, options],
  ...more,
});
const peer = (library, options = {}, more = {}) => ({ library, file: library, options, ...more });
/** Of meshes or instances, `options` for the library of that name. */
const object = (file, library, of, options, more) => ({ library, file, options: [of, options], ...more });

export const TREES = ['packed', 'bvh', 'looseOctree', 'octree', 'grid'];
const MANY = 100_000;
/** Where there is no structure, nothing is built. */
const NOT_BUILDING = /^(?!build|memory)/;

const IN_WORLDS = [
  { library: 'linear scan', file: 'linear', isPeer: false, within: NOT_BUILDING },
  ...[...TREES, 'bruteForce'].map((name) => ours(name)),
  peer('three-mesh-bvh', { leafSize: 16 }),
  peer('three-mesh-bvh', { leafSize: 16, rebuild: true }, { variant: 'built anew', within: /move/ }),
  peer('three-mesh-bvh', { leafSize: 8, sah: true }, { variant: 'SAH' }),
  peer('bvh.js', {}, { mostChanged: MANY }),
  peer('bvh.js', { margin: 1 }, { variant: 'margin 1', within: /move|teleport|replace/, mostChanged: MANY }),
  peer('flatbush'),
  peer('three', {}, { within: NOT_BUILDING }),
];

const IN_LOADING = [
  object('scene', 'plain three', 'three', undefined, { isPeer: false }),
  object('scene', 'accelerate', 'ours', false, { isOurs: true }),
  object('scene', 'SceneIndex', 'ours', true, { isOurs: true }),
  object('scene', 'three-mesh-bvh', 'three-mesh-bvh'),
  object('scene', 'bvh.js', 'bvh.js'),
];

const SORTED = { variant: 'radix sort', within: /sorted/ };
const IN_INSTANCES = [
  object('instances', 'BatchedMesh', 'three'),
  object('instances', 'accelerate', 'ours', {}, { isOurs: true }),
  object('instances', 'batched-mesh-extensions', 'batched-mesh-extensions'),
  object('instances', 'batched-mesh-extensions', 'batched-mesh-extensions', { radix: true }, SORTED),
  object('instances', 'InstancedMesh2', 'InstancedMesh2'),
  object('instances', 'InstancedMesh2, BVH', 'InstancedMesh2', { bvh: true }),
  object('instances', 'InstancedMesh2, BVH', 'InstancedMesh2', { bvh: true, radix: true }, SORTED),
];

const inWorld = (world, more = []) => ({ world, workloads: WORLD_WORKLOADS, contestants: [...IN_WORLDS, ...more] });
/** Beyond `most` boxes the part is left out: a million meshes for each process are more than most machines hold. */
const ofObjects = (workloads, contestants) => ({ world: 'uniform', workloads, contestants, most: MANY });

export const PARTS = {
  uniform: inWorld('uniform'),
  city: inWorld(
    'city',
    TREES.map((name) => ours(name, { planar: true }, { variant: 'planar' })),
  ),
  mixed: inWorld('mixed'),
  loading: ofObjects(LOADING_WORKLOADS, IN_LOADING),
  instances: ofObjects(INSTANCE_WORKLOADS, IN_INSTANCES),
};

/** Columns of a part, in order. */
export const libraries = (name) => [...new Set(PARTS[name].contestants.map(({ library }) => library))];
