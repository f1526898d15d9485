import { beforeAll, describe, it } from 'vitest';
import type { ActName } from './acts.js';
import { loadBatches } from './loadBatches.js';
import { KINDS } from './makeObject.js';
import { runSceneScript } from './runSceneScript.js';
import type { Setting, Step } from './SceneScript.js';

const PLAIN: Setting = {
  structure: 'looseOctree',
  mode: 'accelerate',
  capacity: 64,
  planar: false,
  maintenanceMs: 0,
  cullCasters: false,
  scenes: 1,
};

/** A new object below a node: 0 is the scene, 1 the first object; `z` is where it lies. */
function add(kind: string, node = 0, z = 0, probe = 0): Step {
  return { do: 'add', a: 0, b: node, v: [KINDS.indexOf(kind), 0, 0, 0, z], probe };
}

function act(name: ActName, a: number, b: number, v: number[], probe = 1): Step {
  return { do: name, a, b, v, probe };
}

const wait = act('wait', 0, 0, []);

/** What random scripts have found, as short as it got. */
const CASES: [string, Step[], Partial<Setting>?][] = [
  [
    'lights that came later to objects which are visited before',
    [add('shared'), add('spot'), add('spot', 1), wait],
    { cullCasters: true },
  ],
  ['what moves below a helper at rest', [add('planeHelper'), act('rest', 0, 0, [0]), act('position', 1, 0, [0, 0, 1])]],
  ['what comes below a helper at rest', [add('planeHelper'), act('rest', 0, 0, [0]), add('shared', 1, 1, 1)]],
  [
    'calls of an update of its own after a touch',
    [add('shared'), act('updateCounts', 0, 1, [1, 0, 0], 0), act('touch', 0, 0, [])],
  ],
  [
    'calls of an update of its own after the matrix of the scene was written',
    [add('shared'), act('updateCounts', 0, 1, [1, 0, 0], 0), act('sceneWorld', 0, 0, [0, 0, 1])],
  ],
  [
    'a helper that lags, after the matrix of the scene was written',
    [
      add('shared'),
      add('skinned'),
      add('skeletonHelper', 1),
      act('sceneWorld', 0, 0, [0, 0, 1], 0),
      act('moveScene', 0, 0, [0, 0, 1]),
    ],
  ],
  ['a matrix that is written over', [add('shared', 0, 0, 1), act('matrix', 0, 0, [0, 0, 1])]],
  ['a matrix that is replaced', [add('shared', 0, 1, 1), act('unshare', 0, 0, [])]],
  [
    'a matrix that is replaced in a helper',
    [add('directional'), add('directionalHelper'), wait, wait, act('unshare', 3, 0, [])],
  ],
  [
    'a world matrix that three makes again',
    [add('shared'), act('handWorld', 0, 0, [0, 0, 1]), act('autoWorld', 0, 0, [1])],
  ],
  ['levels of a LOD that were taken out of it', [add('lod'), act('strayLevel', 0, 1, [], 8), act('wait', 0, 0, [], 3)]],
  [
    'a part of a LOD that was taken out by hand, before the LOD went',
    [
      { do: 'add', a: 0, b: 0, v: [KINDS.indexOf('lod'), 2, 0, 0, 0], probe: 1 },
      act('spliceOut', 4, 0, [], 0),
      act('remove', 0, 0, []),
    ],
  ],
  [
    'what came into a level that was left out of the index',
    [
      add('lod'),
      act('leaveOut', 3, 0, [0], 0),
      add('shared', 4, 2),
      ...[1, 2, 3, 1312879254].map((probe) => act('wait', 0, 0, [], probe)),
    ],
  ],
  ['a level that was left out of the index', [add('lod'), act('leaveOut', 1, 0, [0], 4), wait]],
  ['a matrix by hand', [add('shared', 0, 0, 1), act('handMatrix', 0, 0, [0, 0, 1])]],
  ['a world matrix by hand', [add('shared', 0, 0, 1), act('world', 0, 0, [0, 0, 1])]],
  ['a helper that is visited before its camera', [add('shared'), add('camera', 0, 1), add('cameraHelper', 1), wait]],
  ['matrices that are shared', [add('shared'), add('shared', 0, 1, 1), act('shareLocal', 0, 1, []), wait]],
  [
    'a matrix shared with what is visited before, though it came later',
    [add('shared'), add('shared'), add('shared', 1, 1), act('shareLocal', 1, 2, [])],
  ],
  [
    'a helper of something at rest that moved after all',
    [add('directional'), act('rest', 0, 0, [0], 0), add('directionalHelper'), act('nudge', 0, 0, [0, 0, 1])],
  ],
  [
    'bounds of a helper of something at rest',
    [add('planeHelper'), add('camera', 0, 1), add('cameraHelper', 2), act('rest', 2, 0, [0]), wait],
  ],
  [
    'bounds of a helper of a skinned mesh that was placed by hand',
    [add('skinned'), add('skeletonHelper'), act('handWorld', 0, 0, [0, 0, 1], 0), act('rest', 0, 0, [0])],
  ],
  [
    'what lies below something at rest and was moved there and back',
    [add('shared'), add('shared', 1), act('rest', 1, 0, [0]), act('thereAndBack', 0, 1, [0, 0, 1])],
  ],
  [
    'a helper that changed places with its light',
    [add('point'), add('pointHelper'), act('reverseChildren', 0, 0, []), act('position', 0, 0, [0, 0, 1])],
  ],
  ['bounds of a vertex that moved', [add('own', 0, 0, 1), act('vertex', 4, 0, [0, 0, 1])]],
  ['bounds of a morph target that moved', [add('morphed', 0, 0, 1), act('morphTarget', 0, 0, [0, 0, 0])]],
  [
    'a LOD in a clipping group in a LOD that is out of view',
    [
      { do: 'add', a: 0, b: 0, v: [KINDS.indexOf('lod'), 133, 0, 0, 0], probe: 0 },
      add('skinned'),
      add('directional'),
      add('planeHelper'),
      add('planeHelper'),
      { do: 'add', a: 0, b: 0, v: [KINDS.indexOf('lod'), 0, 0, -6.587, 0], probe: 0 },
      add('shared'),
      add('clipping', 13),
      add('lod', 18),
      act('wait', 0, 0, [], 2),
    ],
    { cullCasters: true },
  ],
  [
    'a batch that is drawn by its edges',
    [add('point'), ...Array.from({ length: 6 }, () => add('pointHelper')), wait, wait],
    { batch: true },
  ],
  ['what is taken out by hand', [add('shared'), act('spliceOut', 0, 0, [])]],
  [
    'what is taken out by hand of what is taken out and put in again, beside a matrix by hand',
    [
      add('group'),
      add('shared', 1),
      add('shared'),
      act('handMatrix', 2, 0, [1, 0, 0]),
      wait,
      act('spliceOut', 1, 0, [], 0),
      act('put', 0, 0, []),
    ],
  ],
  ['what is moved by hand', [add('shared', 0, 1), add('shared', 1, 0, 1), act('splice', 1, 0, [])]],
  [
    'a scene at rest with an index of its own, in what moves',
    [
      add('group'),
      add('innerScene', 1),
      act('nest', 0, 0, [], 0),
      act('rest', 1, 0, [0]),
      act('position', 0, 0, [0, 0, 1]),
    ],
  ],
  ['a scene with an index of its own', [add('innerScene'), act('nest', 0, 0, [], 0), add('shared', 1, 0, 1)]],
  [
    'a scene with an index of its own in a scene that is hidden',
    [add('innerScene'), add('shared', 1), act('nest', 0, 0, [], 0), act('sceneVisible', 0, 0, [0], 2)],
  ],
];

beforeAll(loadBatches);

describe('a scene with an index is what it is without, with', () => {
  it.each(CASES)('%s', (_label, steps, setting = {}) => {
    runSceneScript({ setting: { ...PLAIN, ...setting }, steps });
  });
});
