import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  betweenFolders,
  downwardArrows,
  drawRooms,
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
  'scene/objects': ['core', 'npm:three'],
  'core/shapes': ['core'],
  contract: ['core', 'core/shapes'],
  'scene/bounds': ['scene/objects', 'npm:three'],
  'scene/follow': ['core', 'scene/objects', 'contract', 'scene/bounds', 'npm:three'],
  'scene/ask': ['core', 'scene/objects', 'core/shapes', 'contract', 'scene/follow', 'npm:three'],
  'instances/table': ['core', 'scene/objects', 'contract', 'scene/bounds', 'npm:three'],
  passes: ['scene/objects', 'npm:three'],
  'instances/drawn': ['core', 'scene/objects', 'scene/ask', 'instances/table', 'passes', 'npm:three'],
  'batching/levels': ['core', 'scene/objects', 'scene/ask', 'instances/drawn', 'passes', 'npm:three'],
  batching: ['core', 'scene/objects', 'scene/follow', 'instances/drawn', 'passes', 'batching/levels', 'npm:three'],
  wasm: [],
  packed: ['core', 'core/shapes', 'contract', 'wasm'],
  trees: ['core', 'core/shapes', 'contract'],
  pairs: ['core', 'core/shapes', 'contract', 'packed'],
  occlusion: ['core', 'core/shapes', 'contract', 'wasm', 'packed'],
  'render/occlusion': [
    'core',
    'scene/objects',
    'scene/bounds',
    'scene/follow',
    'passes',
    'packed',
    'occlusion',
    'npm:three',
  ],
  'trees/bvh': ['core', 'contract', 'trees'],
  'trees/grid': ['core', 'contract', 'trees'],
  'trees/octree': ['core', 'contract', 'trees'],
  structures: ['core', 'contract', 'packed', 'trees', 'trees/bvh', 'trees/grid', 'trees/octree'],
  scene: [
    'core',
    'scene/objects',
    'core/shapes',
    'contract',
    'scene/follow',
    'scene/ask',
    'packed',
    'pairs',
    'structures',
    'npm:three',
  ],
  explain: [
    'core',
    'scene/objects',
    'scene/bounds',
    'scene/follow',
    'scene/ask',
    'instances/drawn',
    'passes',
    'batching/levels',
    'batching',
    'scene',
    'npm:three',
  ],
  instances: [
    'core',
    'scene/objects',
    'contract',
    'scene/bounds',
    'scene/follow',
    'scene/ask',
    'instances/table',
    'instances/drawn',
    'passes',
    'packed',
    'npm:three',
  ],
  render: [
    'core',
    'scene/objects',
    'core/shapes',
    'contract',
    'scene/bounds',
    'scene/follow',
    'scene/ask',
    'packed',
    'passes',
    'batching/levels',
    'batching',
    'render/occlusion',
    'structures',
    'scene',
    'instances',
    'npm:three',
  ],
  'levels-worker.ts': ['batching/levels'],
  'standalone.ts': [
    'core',
    'core/shapes',
    'contract',
    'packed',
    'trees',
    'pairs',
    'trees/bvh',
    'trees/grid',
    'trees/octree',
    'structures',
  ],
  'index.ts': [
    'scene/ask',
    'instances/table',
    'instances/drawn',
    'scene',
    'explain',
    'instances',
    'render',
    'standalone.ts',
  ],
  'inspector.ts': ['scene/objects', 'scene', 'explain', 'npm:three'],
  interest: ['core', 'core/shapes', 'contract'],
  'interest.ts': ['interest'],
  react: [
    'core',
    'scene/objects',
    'contract',
    'scene/ask',
    'packed',
    'trees',
    'trees/bvh',
    'trees/grid',
    'trees/octree',
    'scene',
    'render',
    'npm:@react-three/fiber',
    'npm:react',
    'npm:three',
  ],
  'react.ts': ['react'],
};

/** The same of demo. Of the library it knows the two entries; `assets/` files are data. */
const DEMO: Rooms = {
  'worlds/collisions/setup': ['src/standalone.ts'],
  'state/controls': ['src/index.ts', 'worlds/collisions/setup'],
  state: ['src/index.ts', 'npm:three', 'state/controls'],
  measure: ['src/index.ts', 'src/levels-worker.ts', 'npm:three', 'state'],
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
    'ui/parts',
    'views/stage',
    'views/drawings',
    'worlds/contract',
  ],
  'worlds/model': [
    'assets/samples/machine.glb',
    'assets/samples/office.glb',
    'src/index.ts',
    'npm:three',
    'measure',
    'ui/parts',
    'views/drawings',
    'worlds/contract',
    'control',
  ],
  'worlds/town': ['assets/town.glb', 'npm:three', 'worlds/contract', 'worlds/model'],
  'worlds/cities': ['assets/cities.bin', 'npm:three', 'ui/parts', 'views/drawings', 'worlds/contract', 'worlds/model'],
  'worlds/forest': [
    'src/index.ts',
    'npm:three',
    'state/controls',
    'state',
    'ui/parts',
    'views/stage',
    'worlds/contract',
    'views/drawings',
    'views',
    'worlds/model',
  ],
  'worlds/street': [
    'src/index.ts',
    'npm:three',
    'state/controls',
    'measure',
    'ui/parts',
    'views/stage',
    'views/drawings',
    'worlds/contract',
    'worlds/forest',
  ],
  'worlds/statues': [
    'src/index.ts',
    'npm:three',
    'state/controls',
    'measure',
    'ui/parts',
    'views/stage',
    'views/drawings',
    'worlds/contract',
    'worlds/model',
  ],
  'worlds/million': [
    'npm:three',
    'state/controls',
    'measure',
    'ui/parts',
    'views/stage',
    'worlds/contract',
    'views/drawings',
    'views',
    'worlds/model',
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
    'views/drawings',
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
    'worlds/collisions',
    'worlds/statues',
    'worlds/street',
  ],
  ui: ['npm:lil-gui', 'state/controls', 'state', 'measure', 'ui/parts', 'worlds/contract'],
  page: [
    'npm:three',
    'state',
    'measure',
    'control',
    'views',
    'worlds/contract',
    'worlds/model',
    'ui',
    'src/index.ts',
    'ui/parts',
    'views/drawings',
  ],
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
    'npm:three',
  ],
};
const OUTSIDE = [
  'src/index.ts',
  'src/standalone.ts',
  'npm:three',
  'npm:react',
  'npm:@react-three/fiber',
  'npm:lil-gui',
];
const ASSETS = ['assets/town.glb', 'assets/cities.bin', 'assets/samples/machine.glb', 'assets/samples/office.glb'];

describe.each([
  { folder: 'src', rooms: SRC, isSource: (file: string) => !file.includes('assembly/'), entry: 'index.ts' },
  {
    folder: 'demo',
    rooms: DEMO,
    isSource: (file: string) => !/^(docs|examples|read|server)\//.test(file),
    entry: 'main.ts',
  },
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

  test('no import cycles', () => {
    expect(importCycles(graph)).toEqual([]);
  });
});

test('folders of the first level of src have an order, too', () => {
  expect(importCycles(betweenFolders(readImports('src', (name) => !name.includes('assembly/'))))).toEqual([]);
});

test('src/README.md shows the rooms as they are', () => {
  const file = new URL('../src/README.md', import.meta.url);
  const text = readFileSync(file, 'utf8');
  const picture = drawRooms(readImports('src', (name) => !name.includes('assembly/')));
  const drawn = text.replace(/(?<=<!-- rooms -->\n)[\s\S]*(?=<!-- \/rooms -->)/, () => `${picture}\n`);
  if (process.env.UPDATE_BASELINES) writeFileSync(file, drawn);
  else expect(text).toBe(drawn);
});
