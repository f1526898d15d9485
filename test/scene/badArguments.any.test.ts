import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import * as lib from '../../src/index.js';
import { attempt } from '../helpers/attempt.js';
import { BAD_VALUES } from '../helpers/badValues.js';
import { eye } from '../helpers/cameras.js';
import { type Any, any } from '../helpers/refusals.js';
import { boxMesh } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';
import { catchWarnings } from '../helpers/warnings.js';

type Call = (index: lib.SceneIndex, value: Any) => unknown;
/** A public call with the value at one of its places; `changes` for those that may succeed and then change the index. */
type Entry = [label: string, call: Call, changes?: 'changes'];

const ONE = new THREE.Vector3(1, 1, 1);
const BOX = new THREE.Box3(new THREE.Vector3(), ONE);
const SPHERE = new THREE.Sphere(ONE, 1);
const FRUSTUM = new THREE.Frustum();
const LINE = new THREE.Line3(new THREE.Vector3(), ONE);
const SECTOR = { center: new THREE.Vector3(), direction: ONE, radius: 5, angle: 1 };
const CORNER = new THREE.Vector2();
const RAYCASTER = new THREE.Raycaster(new THREE.Vector3(-9, 0, 0), new THREE.Vector3(1, 0, 0));
const CAMERA = eye(0, 0, 30, { far: 100 });

/** The same with the value as each of these properties. */
const properties = (where: string, good: object, names: string[], call: Call): Entry[] =>
  names.map((name) => [
    `${where}.${name}`,
    (index, value) => call(index, Object.assign(Object.create(Object.getPrototypeOf(good)), good, { [name]: value })),
  ]);
const first = (index: lib.SceneIndex): THREE.Object3D => index.root.children[0];

/** Methods and what they take, then a list; the value is given in each place. */
const QUERIES = Object.entries<unknown[]>({
  cull: [CAMERA],
  raycast: [RAYCASTER],
  raycastFirst: [RAYCASTER],
  queryBox: [BOX],
  querySphere: [SPHERE],
  queryPoint: [ONE],
  queryFrustum: [FRUSTUM],
  queryPlanes: [[]],
  queryShape: [new lib.Capsule(ONE, ONE, 1)],
  nearest: [ONE, 9, 9],
  querySegment: [LINE],
});
/** Functions over an index, likewise. */
const FUNCTIONS = Object.entries<unknown[]>({
  queryScreen: [CAMERA, CORNER, CORNER, 'contain'],
  sweep: [BOX, ONE],
  sweepFirst: [BOX, ONE],
  findPairs: [],
  findPairsBetween: [],
  classify: [CAMERA],
  maintain: [],
  forEachNode: [],
});
const inPlaces = (name: string, good: unknown[], call: (index: lib.SceneIndex) => Any): Entry[] =>
  [...good, []].map((_, i) => [
    `${name} ${i}`,
    (index, v) => call(index)(...good.slice(0, i), v, ...good.slice(i + 1)),
  ]);

const ENTRIES: Entry[] = [
  ...QUERIES.flatMap(([name, good]) => inPlaces(name, good, (index) => any(index)[name].bind(index))),
  ...FUNCTIONS.flatMap(([name, good]) => inPlaces(name, good, (index) => any(lib)[name].bind(null, index))),
  ...['setStructure', 'add', 'remove', 'touch', 'setStatic'].map(
    (name): Entry => [name, (index, v) => any(index)[name](v), 'changes'],
  ),
  ['has', (index, v) => index.has(v)],
  ['static flag', (index, v) => index.setStatic(first(index), v), 'changes'],
  ['getBox', (index, v) => index.getBox(v, new THREE.Box3())],
  ['getBox out', (index, v) => index.getBox(first(index), v)],
  ['classify inside', (index, v) => lib.classify(index, CAMERA, { inside: v, intersecting: [] })],
  ['classify intersecting', (index, v) => lib.classify(index, CAMERA, { inside: [], intersecting: v })],
  ['classify culled out', (index, v) => lib.classify(index, CAMERA, { inside: [], intersecting: [], culled: v })],
  ...(['raycast', 'raycastFirst'] as const).flatMap((name) =>
    properties(name, RAYCASTER, ['ray', 'layers', 'near', 'far', 'params'], (index, v) => index[name](v)),
  ),
  ...properties('queryBox', BOX, ['min', 'max'], (index, v) => index.queryBox(v)),
  ...properties('querySphere', SPHERE, ['center', 'radius'], (index, v) => index.querySphere(v)),
  ...properties('queryPoint', ONE, ['x', 'y', 'z'], (index, v) => index.queryPoint(v)),
  ...properties('queryFrustum', FRUSTUM, ['planes'], (index, v) => index.queryFrustum(v)),
  ...properties('queryPlanes', new THREE.Plane(), ['normal', 'constant'], (index, v) => index.queryPlanes([v])),
  ['queryShape of an OrientedBox', (index, v) => index.queryShape(new lib.OrientedBox(v, ONE, v))],
  ['queryShape of a Capsule', (index, v) => index.queryShape(new lib.Capsule(v, ONE, 1))],
  ...properties('queryShape of a Sector', SECTOR, ['center', 'direction', 'radius', 'angle'], (index, v) =>
    index.queryShape(new lib.Sector(v)),
  ),
  ...properties('querySegment', LINE, ['start', 'end'], (index, v) => index.querySegment(v)),
  ['findPairsBetween out', (index, v) => lib.findPairsBetween(index, index, v)],
  ['explain', (index, v) => lib.explain(index, v, CAMERA)],
  ['explain camera', (index, v) => lib.explain(index, first(index), v)],
  ['report', (_index, v) => lib.report(v)],
  ['VisibilityTracker', (index, v) => new lib.VisibilityTracker(index, v).update()],
  ['VisibilityTracker isVisible', (index, v) => new lib.VisibilityTracker(index, CAMERA).isVisible(v)],
  ['PairTracker', (_index, v) => new lib.PairTracker(v).update()],
  ['SceneIndexHelper source', (_index, v) => new lib.SceneIndexHelper(v)],
  ['SceneIndexHelper options', (index, v) => new lib.SceneIndexHelper(index, v)],
  ['SceneIndexHelper bounds', (index, v) => new lib.SceneIndexHelper(index, { bounds: v })],
  ...['minDepth', 'maxDepth', 'inset', 'flat', 'lightness', 'opacity'].map(
    (name): Entry => [`SceneIndexHelper ${name}`, (index, v) => new lib.SceneIndexHelper(index, { [name]: v })],
  ),
  ['new SceneIndex', (_index, v) => new lib.SceneIndex(v).dispose()],
  ['new SceneIndex options', (_index, v) => new lib.SceneIndex(new THREE.Scene(), v).dispose()],
  ['new SceneIndex index', (_index, v) => new lib.SceneIndex(new THREE.Scene(), { structure: v }).dispose()],
  ['accelerate', (_index, v) => lib.accelerate(v).dispose()],
  ['accelerate options', (_index, v) => lib.accelerate(new THREE.Scene(), v).dispose()],
  ['accelerate cullCasters', (_index, v) => lib.accelerate(new THREE.Scene(), { cullCasters: v }).dispose()],
  ['accelerate minPixels', (_index, v) => lib.accelerate(new THREE.Scene(), { minPixels: v }).dispose()],
];

/** What three itself compares hits with, and refuses in its own words. */
const TOOL = /^raycast(First)?\.(near|far|params)$/;

const all = new THREE.Box3(new THREE.Vector3(-99, -99, -99), new THREE.Vector3(99, 99, 99));

function everything(index: lib.SceneIndex): string {
  const { size, version, structure } = index;
  const { tracked, dynamic, quarantined } = lib.stats(index);
  const ids = [...index.queryBox(all), null, ...index.cull(CAMERA)].map((object) => object?.id);
  return [size, version, structure, tracked, dynamic, quarantined, ids].join('|');
}

function fixture(structure: (typeof lib.STRUCTURES)[number]): lib.SceneIndex {
  const scene = new THREE.Scene();
  for (let i = 0; i < 8; i++) scene.add(boxMesh(2 * i, i % 3, 0));
  return new lib.SceneIndex(scene, { structure: lib.createIndex(structure, { capacity: 2 }) });
}

catchWarnings();

describe.each(['looseOctree', 'bvh'] as const)('whatever is given to an index, %s, in', (structure) => {
  it.each(ENTRIES)('%s: it is taken or refused, and the index is in order', (label, call, changes) => {
    const problems: string[] = [];
    const isTool = TOOL.test(label);
    let index = fixture(structure);
    let before = everything(index);
    for (const value of BAD_VALUES) {
      const isRefused = attempt(value, (v) => call(index, v), problems, isTool);
      if (!(isRefused || !changes)) {
        index.update();
        const found = new Set(index.queryBox(all));
        if (!index.root.children.every((mesh) => found.has(mesh))) problems.push(`${value.label}: not all are found`);
      } else if (everything(index) !== before) {
        problems.push(`${value.label}: something changed`);
      }
      if (!changes) continue;
      problems.push(...validateScene(index).map((text) => `${value.label}: ${text}`));
      index.dispose();
      index = fixture(structure);
      before = everything(index);
    }
    problems.push(...validateScene(index));
    expect(problems.join('\n')).toBe('');
  });
});
