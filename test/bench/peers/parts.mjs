// Who is measured with what. The first contestant of a part is the judge: the others' answers are compared with its own.
import { INSTANCE_WORKLOADS } from './instances/workloads.mjs';
import { LOADING_WORKLOADS, SCENE_WORKLOADS } from './scene/workloads.mjs';
import { PAIR_WORKLOADS, WORLD_WORKLOADS } from './workloads.mjs';

/**
 * A library is a column of the tables; of its variants the fastest is shown. `within` selects workloads. Beyond `most`
 * boxes, and where more than `mostChanged` of them change in a frame, it is left out: a round would take it minutes, or
 * more memory than there is. No peer, though measured, is what has no structure at all.
 */
const loop = (library, file) => ({ library, file, isPeer: false });
const ours = (library, more) => ({ library, isOurs: true, file: 'ours', options: [library, {}], ...more });
const planar = (library) => ours(library, { variant: 'planar', options: [library, { planar: true }] });
const peer = (library, options = {}, more = {}) => ({ library, file: library, options, ...more });

const TREES = ['packed', 'bvh', 'looseOctree', 'octree', 'grid'];
const MANY = 100_000;
/** Where there is no structure, nothing is built. */
const NOT_BUILDING = /^(?!build|memory)/;

const IN_WORLDS = [
  loop('linear JS', 'linear'),
  loop('linear WASM', 'linear-wasm'),
  ...TREES.map((name) => ours(name)),
  ours('bruteForce'),
  peer('three-mesh-bvh', { leafSize: 16 }),
  peer('three-mesh-bvh', { leafSize: 16, rebuild: true }, { variant: 'built anew', within: /move/ }),
  peer('three-mesh-bvh', { leafSize: 8, sah: true }, { variant: 'SAH' }),
  peer('bvh.js', {}, { mostChanged: MANY }),
  peer('bvh.js', { margin: 1 }, { variant: 'margin 1', within: /move|teleport|replace/, mostChanged: MANY }),
  peer('rapier3d', {}, { most: MANY }),
  peer('flatbush'),
  peer('rbush-3d', {}, { mostChanged: MANY }),
  peer('sparse-octree', {}, { most: MANY }),
  peer('babylon', { depth: 4 }, { most: MANY }),
  peer('three', {}, { within: NOT_BUILDING }),
];

const IN_PAIRS = [
  loop('plain loop', 'linear'),
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

/** Each frame is asked of a scene at rest, so matrices may be switched off. */
const AT_REST = [{}, { matrices: false }];
const driven = (library) =>
  AT_REST.map((options) => ({
    library,
    file: `scene-${library}`,
    options,
    ...(options.matrices === false && { variant: 'matrices off', within: /frame/ }),
  }));
const accelerated = (library, options, more) => ({ library, isOurs: true, file: 'scene-ours', options, ...more });

const IN_SCENES = [
  { library: 'plain three', file: 'scene-three', options: {} },
  { library: 'three, matrices off', file: 'scene-three', options: { matrices: false }, within: /frame/ },
  accelerated('accelerate', {}),
  accelerated('accelerate', { structure: 'bvh' }, { variant: 'bvh' }),
  accelerated('accelerate, none static', { isStatic: false }, { within: /frame/ }),
  accelerated('SceneIndex', { isApart: true }),
  ...driven('three-mesh-bvh'),
  ...driven('bvh.js'),
];

const IN_LOADING = [
  { library: 'plain three', file: 'scene-three', options: {}, isPeer: false },
  accelerated('accelerate', { isStatic: false, structure: 'packed' }),
  accelerated('SceneIndex', { isStatic: false, structure: 'packed', isApart: true }),
  { library: 'three-mesh-bvh', file: 'scene-three-mesh-bvh', options: {} },
  { library: 'bvh.js', file: 'scene-bvh.js', options: {} },
];

const SORTED = { variant: 'radix sort', within: /sorted/ };
const IN_INSTANCES = [
  { library: 'BatchedMesh', file: 'instances-three', options: {} },
  { library: 'accelerate', isOurs: true, file: 'instances-ours', options: {} },
  { library: 'batched-mesh-extensions', file: 'instances-batched-mesh-extensions', options: {} },
  {
    library: 'batched-mesh-extensions',
    file: 'instances-batched-mesh-extensions',
    options: { radix: true },
    ...SORTED,
  },
  { library: 'InstancedMesh2', file: 'instances-instanced-mesh', options: {} },
  { library: 'InstancedMesh2, BVH', file: 'instances-instanced-mesh', options: { bvh: true } },
  { library: 'InstancedMesh2, BVH', file: 'instances-instanced-mesh', options: { bvh: true, radix: true }, ...SORTED },
];

const SCANS = { title: 'linear scan', libraries: ['linear JS', 'linear WASM'], within: NOT_BUILDING };

/**
 * `yardstick`: what besides the best peer ours are compared with. Beyond `most` boxes the part is left out: a million meshes
 * for each of ten processes are more than most machines hold.
 */
export const PARTS = {
  pairs: {
    workloads: PAIR_WORKLOADS,
    contestants: IN_PAIRS,
    yardstick: { title: 'plain loop', libraries: ['plain loop'] },
  },
  uniform: { world: 'uniform', workloads: WORLD_WORKLOADS, contestants: IN_WORLDS, yardstick: SCANS },
  city: {
    world: 'city',
    workloads: WORLD_WORKLOADS,
    contestants: [...IN_WORLDS, ...TREES.map(planar)],
    yardstick: SCANS,
  },
  mixed: { world: 'mixed', workloads: WORLD_WORKLOADS, contestants: IN_WORLDS, yardstick: SCANS },
  scene: {
    world: 'uniform',
    workloads: SCENE_WORKLOADS,
    contestants: IN_SCENES,
    most: MANY,
    yardstick: { title: 'plain three', libraries: ['plain three'] },
  },
  loading: {
    world: 'uniform',
    workloads: LOADING_WORKLOADS,
    contestants: IN_LOADING,
    most: MANY,
    yardstick: { title: 'plain three', libraries: ['plain three'] },
  },
  instances: {
    world: 'uniform',
    workloads: INSTANCE_WORKLOADS,
    contestants: IN_INSTANCES,
    most: MANY,
    yardstick: { title: 'BatchedMesh', libraries: ['BatchedMesh'] },
  },
};

/** Columns of a part, in order. */
export const libraries = (part) => [...new Set(PARTS[part].contestants.map(({ library }) => library))];
