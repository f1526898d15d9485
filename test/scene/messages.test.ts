import * as THREE from 'three';
import { expect, it, vi } from 'vitest';
import * as lib from '../../src/index.js';
import { type Any, any } from '../helpers/refusals.js';
import { rowOfBoxes } from '../helpers/scene.js';

const FAR = new THREE.Vector3(Number.POSITIVE_INFINITY, 0, 0);
const GOOD: unknown[] = [
  new THREE.Vector3(),
  new THREE.Vector2(),
  new THREE.Box3(new THREE.Vector3(), new THREE.Vector3(1, 1, 1)),
  new THREE.Line3(new THREE.Vector3(), FAR),
  new THREE.PerspectiveCamera(),
];
const methods = Object.entries(Object.getOwnPropertyDescriptors(lib.SceneIndex.prototype)).flatMap(
  ([name, { value }]) =>
    typeof value === 'function' && !['constructor', 'has', 'dispose'].includes(name) ? [['SceneIndex', name]] : [],
);

it.each([...methods, ['AcceleratedScene', 'batch']])('%s.%s says that the index was disposed', (of, name) => {
  const index: Any = lib.accelerate(rowOfBoxes(3));
  index.dispose();
  expect(() => index[name](...GOOD)).toThrow(new RegExp(`^${of}\\.${name}: the index was disposed$`));
});

const FUNCTIONS = ['classify', 'explain', 'findPairs', 'findPairsBetween', 'forEachNode', 'maintain', 'queryScreen'];
it.each([...FUNCTIONS, 'report', 'stats', 'sweep'])('%s says that the index was disposed', (name) => {
  const index = lib.accelerate(rowOfBoxes(3));
  index.dispose();
  expect(() => (lib as Any)[name](index, index, () => {})).toThrow(new RegExp(`^${name}: the index was disposed$`));
});

it.each([
  [
    { bacth: true },
    ': unknown option "bacth". Did you mean "batch"? Options: structure, batch, occlusion, cullCasters, keepShadows, onChange,',
  ],
  [{ minPixel: 1 }, ': unknown option "minPixel". Did you mean "minPixels"?'],
  [
    { batch: { atleast: 3 } },
    '.batch: unknown option "atleast". Did you mean "atLeast"? Options: mergeColors, maxBytes,',
  ],
  [
    { structure: 'quadtree' },
    ".structure: must be an index, got quadtree: write new Quadtree(), or createIndex('quadtree')",
  ],
  [{ structure: 'Octree' }, ".structure: must be an index, got Octree: write new Octree(), or createIndex('octree')"],
  [{ structure: null }, '.structure: must be an index, got null'],
  [null, ': options must be an object'],
  [{ minPixels: 'few' }, '.minPixels: must be a number, got few'],
])('accelerate, given %o, names itself and what is right', (options, message) => {
  const scene = rowOfBoxes(3);
  const own = Object.getOwnPropertyNames(scene);
  expect(() => lib.accelerate(scene, any(options))).toThrow(`accelerate${message}`);
  expect(Object.getOwnPropertyNames(scene)).toEqual(own);
});

it('a name given to SceneIndex or setStructure is told the line to write', () => {
  const scene = rowOfBoxes(3);
  const line = "must be an index, got octree: write new Octree(), or createIndex('octree')";
  expect(() => new lib.SceneIndex(scene, any({ structure: 'octree' }))).toThrow(`SceneIndex.structure: ${line}`);
  const index = new lib.SceneIndex(scene);
  expect(() => index.setStructure(any('octree'))).toThrow(`SceneIndex.setStructure: ${line}`);
  index.setStructure(new lib.Quadtree({ capacity: 8 }));
  expect([index.structure, index.size]).toEqual(['quadtree', 3]);
});

it('queryScreen refuses pixels, and says how to make coordinates of them', () => {
  const index = new lib.SceneIndex(rowOfBoxes(3));
  const camera = new THREE.PerspectiveCamera();
  const ask = (...xy: number[]): unknown =>
    lib.queryScreen(index, camera, new THREE.Vector2(xy[0], xy[1]), new THREE.Vector2(xy[2], xy[3]));
  const message =
    'must be normalised device coordinates, -1 to 1; of pixels (2 * x / width - 1, 1 - 2 * y / height), got';
  expect(() => ask(100, 80, 400, 300)).toThrow(`queryScreen.to: ${message} 400, 300`);
  expect(() => ask(0, 101, 0, 0)).toThrow(`queryScreen.from: ${message} 0, 101`);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  // Beyond the screen, and so small that it may be meant: once for each index.
  for (let i = 0; i < 3; i++) ask(10, 8, 40, 30);
  expect(warn.mock.calls).toEqual([[`queryScreen: nothing is there: ${message} 10, 8`]]);
  // A drag from the screen to far beside it.
  ask(0.5, 0.5, 90, -90);
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});

it('functions take an index of the core as well, where the core has them', () => {
  const core = new lib.Quadtree();
  for (let i = 0; i < 9; i++) core.add([i, 0, 0, i + 1, 1, 1]);
  expect(lib.findPairs(core).length).toBe(8);
  expect(lib.findPairsBetween(core, core).length).toBe(9 + 16);
  expect([lib.stats(core).items, lib.maintain(core), 'tracked' in lib.stats(core)]).toEqual([9, true, false]);
  const index = new lib.SceneIndex(rowOfBoxes(9, 1));
  expect([lib.findPairs(index).length, lib.stats(index).tracked, lib.maintain(index)]).toEqual([8, 10, true]);
  let nodes = 0;
  for (const each of [core, index]) lib.forEachNode(each, () => nodes++);
  expect(nodes).toBe(lib.stats(core).nodes + lib.stats(index).nodes);
  expect(() => lib.findPairsBetween(any(index), core)).toThrow('findPairsBetween.b: must be a SceneIndex, got');
});
