import { describe, expect, test } from 'vitest';
import {
  crowdedFolders,
  downwardArrows,
  forbiddenImports,
  idleArrows,
  importCycles,
  type Rooms,
  readImports,
  roomOf,
} from './helpers/importGraph.js';

/**
 * What each room of src may import beside itself: a room is a folder, its subfolders are rooms of their own, and so is each
 * file directly in src. `npm:three` is the package. The order is that of the arrows: nothing imports what stands below it.
 */
const SRC: Rooms = {
  core: [],
  'core/lists': ['core'],
  'core/storage': ['core'],
  'core/shapes': ['core', 'core/storage'],
  'core/packed': ['core', 'core/lists', 'core/storage', 'core/shapes'],
  wasm: [],
  query: ['core', 'core/lists', 'core/storage', 'core/shapes'],
  'query/packed': ['core', 'core/lists', 'core/packed', 'core/storage', 'core/shapes', 'query', 'wasm'],
  'query/join': ['core', 'core/lists', 'core/storage', 'query', 'wasm'],
  'structures/contract': ['core', 'core/lists', 'core/storage', 'core/shapes', 'query'],
  'structures/build': ['core', 'core/storage'],
  'structures/tree': [
    'core',
    'core/lists',
    'core/storage',
    'core/shapes',
    'query',
    'structures/contract',
    'structures/build',
  ],
  'structures/list': ['core/storage', 'structures/contract', 'structures/build', 'structures/tree'],
  'structures/octree': ['core', 'core/storage', 'structures/build', 'structures/contract', 'structures/tree'],
  'structures/grid': ['core', 'core/storage', 'structures/contract', 'structures/build', 'structures/tree'],
  'structures/bvh': ['core', 'core/storage', 'structures/contract', 'structures/build', 'structures/tree'],
  'structures/packed': [
    'core',
    'core/lists',
    'core/packed',
    'core/storage',
    'core/shapes',
    'query',
    'query/packed',
    'query/join',
    'structures/contract',
    'structures/build',
    'structures/tree',
  ],
  structures: [
    'core',
    'core/lists',
    'core/storage',
    'core/shapes',
    'wasm',
    'query',
    'query/packed',
    'query/join',
    'structures/contract',
    'structures/tree',
    'structures/list',
    'structures/octree',
    'structures/grid',
    'structures/bvh',
    'structures/packed',
  ],
  'standalone.ts': [
    'core/lists',
    'core/shapes',
    'structures/contract',
    'structures/list',
    'structures/octree',
    'structures/grid',
    'structures/bvh',
    'structures/packed',
    'structures',
  ],
  'three/objects': ['core', 'npm:three'],
  'three/bounds': ['three/objects', 'npm:three'],
  'three/entries': ['core', 'structures/contract', 'three/objects', 'three/bounds', 'npm:three'],
  'three/follow': ['core', 'three/objects', 'three/bounds', 'three/entries', 'npm:three'],
  'three/cameras': ['core/lists', 'structures/contract', 'three/objects', 'three/entries', 'three/follow', 'npm:three'],
  'three/picking': ['three/objects', 'three/entries', 'three/follow', 'npm:three'],
  'three/shadows': ['core/shapes', 'three/follow', 'npm:three'],
  'three/instances': [
    'core',
    'core/lists',
    'structures/contract',
    'three/objects',
    'three/bounds',
    'three/cameras',
    'npm:three',
  ],
  'three/batches': [
    'core',
    'core/lists',
    'structures/build',
    'three/objects',
    'three/cameras',
    'three/instances',
    'npm:three',
  ],
  'three/packing': ['core/lists', 'three/bounds', 'three/cameras', 'three/instances', 'npm:three'],
  three: [
    'core',
    'core/lists',
    'core/shapes',
    'structures/contract',
    'structures/packed',
    'structures',
    'three/objects',
    'three/entries',
    'three/follow',
    'three/cameras',
    'three/picking',
    'three/instances',
    'three/batches',
    'npm:three',
  ],
  'three/passes': ['three/objects', 'three/follow', 'three/cameras', 'npm:three'],
  'three/autobatch/looks': ['three/objects', 'npm:three'],
  'three/autobatch/buffers': ['core', 'core/lists', 'three/batches', 'three/autobatch/looks', 'npm:three'],
  'three/autobatch': ['three/objects', 'three/follow', 'three/autobatch/looks', 'three/autobatch/buffers', 'npm:three'],
  'three/trackers': ['core', 'core/lists', 'structures', 'three/objects', 'three/cameras', 'three', 'npm:three'],
  'three/diagnose': [
    'core',
    'structures',
    'three/objects',
    'three/bounds',
    'three/entries',
    'three/follow',
    'three/cameras',
    'three/packing',
    'three/autobatch',
    'three',
    'npm:three',
  ],
  'three/accelerate': [
    'core',
    'structures',
    'structures/packed',
    'three/objects',
    'three/entries',
    'three/follow',
    'three/cameras',
    'three/picking',
    'three/shadows',
    'three',
    'three/instances',
    'three/batches',
    'three/packing',
    'three/passes',
    'three/autobatch',
    'three/autobatch/looks',
    'npm:three',
  ],
  'index.ts': [
    'standalone.ts',
    'three/bounds',
    'three',
    'three/trackers',
    'three/instances',
    'three/batches',
    'three/diagnose',
    'three/accelerate',
  ],
  react: ['three/accelerate', 'npm:react', 'npm:@react-three/fiber'],
  'react.ts': ['react'],
};

/** The same of demo. Of the library it knows the two entries; `assets/` files are data. */
const DEMO: Rooms = {
  'worlds/collisions/setup': ['src/standalone.ts'],
  'state/controls': ['src/index.ts', 'worlds/collisions/setup'],
  state: ['src/index.ts', 'npm:three', 'state/controls'],
  measure: ['src/index.ts', 'npm:three', 'state'],
  'ui/parts': ['state', 'measure'],
  'views/stage': ['npm:three', 'state'],
  'views/drawings': ['npm:three', 'measure', 'views/stage'],
  'worlds/contract': ['src/index.ts', 'npm:three', 'state', 'measure', 'views/stage', 'views/drawings'],
  control: ['src/index.ts', 'npm:three', 'worlds/contract'],
  views: [
    'src/index.ts',
    'npm:three',
    'state/controls',
    'state',
    'measure',
    'views/stage',
    'views/drawings',
    'worlds/contract',
  ],
  'worlds/model': ['npm:three', 'ui/parts', 'views/drawings', 'worlds/contract'],
  'worlds/town': ['assets/town.glb', 'npm:three', 'worlds/contract', 'worlds/model'],
  'worlds/cities': ['assets/cities.bin', 'npm:three', 'ui/parts', 'views/drawings', 'worlds/contract', 'worlds/model'],
  'worlds/forest': [
    'src/index.ts',
    'npm:three',
    'state/controls',
    'state',
    'measure',
    'ui/parts',
    'views/stage',
    'worlds/contract',
  ],
  'worlds/million': [
    'src/index.ts',
    'npm:three',
    'state/controls',
    'state',
    'measure',
    'ui/parts',
    'views/stage',
    'worlds/contract',
  ],
  'worlds/range': [
    'src/index.ts',
    'npm:three',
    'state/controls',
    'measure',
    'ui/parts',
    'views/stage',
    'views/drawings',
    'worlds/contract',
  ],
  'worlds/satellites/orbits': ['src/index.ts', 'npm:three', 'npm:satellite.js', 'measure', 'views/drawings'],
  'worlds/satellites/drawings': [
    'npm:three',
    'measure',
    'views/stage',
    'views/drawings',
    'worlds/cities',
    'worlds/satellites/orbits',
  ],
  'worlds/satellites': [
    'assets/satellites.tle',
    'src/index.ts',
    'npm:three',
    'state/controls',
    'ui/parts',
    'views/drawings',
    'worlds/contract',
    'worlds/cities',
    'worlds/satellites/orbits',
    'worlds/satellites/drawings',
  ],
  'worlds/collisions/simulation': ['src/standalone.ts', 'state/controls', 'measure', 'worlds/collisions/setup'],
  'worlds/collisions/arena': [
    'src/index.ts',
    'src/standalone.ts',
    'npm:three',
    'state/controls',
    'state',
    'ui/parts',
    'views/stage',
    'control',
    'worlds/collisions/simulation',
  ],
  'worlds/collisions/panel': ['state/controls', 'ui/parts', 'worlds/collisions/setup', 'worlds/collisions/simulation'],
  'worlds/collisions': [
    'npm:three',
    'state/controls',
    'state',
    'ui/parts',
    'views/stage',
    'worlds/contract',
    'worlds/collisions/setup',
    'worlds/collisions/simulation',
    'worlds/collisions/arena',
    'worlds/collisions/panel',
  ],
  worlds: [
    'state',
    'worlds/contract',
    'worlds/model',
    'worlds/town',
    'worlds/cities',
    'worlds/forest',
    'worlds/million',
    'worlds/range',
    'worlds/satellites',
    'worlds/collisions',
  ],
  ui: ['npm:lil-gui', 'state/controls', 'state', 'measure', 'ui/parts', 'worlds/contract'],
  page: ['npm:three', 'state', 'measure', 'control', 'views', 'worlds/contract', 'worlds/model', 'ui'],
  'main.ts': [
    'state/controls',
    'state',
    'measure',
    'control',
    'ui/parts',
    'views',
    'worlds/contract',
    'worlds',
    'ui',
    'page',
  ],
};
const OUTSIDE = [
  'src/index.ts',
  'src/standalone.ts',
  'npm:three',
  'npm:react',
  'npm:@react-three/fiber',
  'npm:lil-gui',
  'npm:satellite.js',
];
const ASSETS = ['assets/town.glb', 'assets/cities.bin', 'assets/satellites.tle'];

/** A folder with more files than this has a room in it that was not built. */
const MOST_FILES = 15;

describe.each([
  { folder: 'src', rooms: SRC, isSource: (file: string) => !file.includes('assembly/'), entry: 'index.ts' },
  { folder: 'demo', rooms: DEMO, isSource: (file: string) => !/^(docs|examples)\//.test(file), entry: 'main.ts' },
])('$folder', ({ folder, rooms, isSource, entry }) => {
  const graph = readImports(folder, isSource);

  test('holds sources, each in a known room', () => {
    expect(graph.files).toContain(entry);
    expect(Object.keys(rooms)).toEqual(expect.arrayContaining([...new Set(graph.files.map(roomOf))]));
  });

  test('a file imports only what its room may', () => {
    expect(forbiddenImports(graph, rooms)).toEqual([]);
  });

  test('what a room may import stands above it', () => {
    expect(downwardArrows(rooms, [...OUTSIDE, ...ASSETS])).toEqual([]);
  });

  test('every room that may be imported is', () => {
    expect(idleArrows(graph, rooms)).toEqual([]);
  });

  test('no folder is crowded', () => {
    expect(crowdedFolders(graph, MOST_FILES)).toEqual([]);
  });

  test('no import cycles', () => {
    expect(importCycles(graph)).toEqual([]);
  });
});
