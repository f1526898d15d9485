import * as THREE from 'three';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  accelerate,
  Capsule,
  classifyScene,
  createIndex,
  explain,
  findObjectPairs,
  findObjectPairsBetween,
  forEachSceneNode,
  maintainScene,
  OrientedBox,
  orientedBoxOf,
  PairTracker,
  queryScreen,
  report,
  SceneIndex,
  SceneIndexHelper,
  Sector,
  type STRUCTURES,
  sceneStats,
  sweepScene,
  sweepSceneFirst,
  VisibilityTracker,
} from '../../src/index.js';
import { attempt } from '../helpers/attempt.js';
import { BAD_VALUES } from '../helpers/badValues.js';
import { boxMesh } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';
import { atWidth } from '../helpers/width.js';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the point
type Any = any;
type Call = (index: SceneIndex, value: Any) => unknown;
/** A public call with the value at one of its places; `changes` for those that may succeed and then change the index. */
type Entry = [label: string, call: Call, changes?: 'changes'];

const ONE = new THREE.Vector3(1, 1, 1);
const BOX = new THREE.Box3(new THREE.Vector3(), ONE);
const LINE = new THREE.Line3(new THREE.Vector3(), ONE);
const SECTOR = { center: new THREE.Vector3(), direction: ONE, radius: 5, angle: 1 };
const CORNER = new THREE.Vector2();
const RAYCASTER = new THREE.Raycaster(new THREE.Vector3(-9, 0, 0), new THREE.Vector3(1, 0, 0));
const CAMERA = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
CAMERA.position.z = 30;
CAMERA.updateMatrixWorld();

/** The same with the value as each of these properties. */
const properties = (where: string, good: object, names: string[], call: Call): Entry[] =>
  names.map((name) => [
    `${where}.${name}`,
    (index, value) => call(index, Object.assign(Object.create(Object.getPrototypeOf(good)), good, { [name]: value })),
  ]);
const first = (index: SceneIndex): THREE.Object3D => index.root.children[0];

const ENTRIES: Entry[] = [
  ['setIndex', (index, v) => index.setIndex(v), 'changes'],
  ['has', (index, v) => index.has(v)],
  ['add', (index, v) => index.add(v), 'changes'],
  ['remove', (index, v) => index.remove(v), 'changes'],
  ['touch', (index, v) => index.touch(v), 'changes'],
  ['maintain', (index, v) => maintainScene(index, v)],
  ['setStatic', (index, v) => index.setStatic(v), 'changes'],
  ['static flag', (index, v) => index.setStatic(first(index), v), 'changes'],
  ['getBox', (index, v) => index.getBox(v, new THREE.Box3())],
  ['getBox out', (index, v) => index.getBox(first(index), v)],
  ['forEachNode', (index, v) => forEachSceneNode(index, v)],
  ['cull', (index, v) => index.cull(v)],
  ['cull out', (index, v) => index.cull(CAMERA, v)],
  ['classify', (index, v) => classifyScene(index, v, { inside: [], intersecting: [] })],
  ['classify target', (index, v) => classifyScene(index, CAMERA, v)],
  ['classify inside', (index, v) => classifyScene(index, CAMERA, { inside: v, intersecting: [] })],
  ['classify intersecting', (index, v) => classifyScene(index, CAMERA, { inside: [], intersecting: v })],
  ['classify culled out', (index, v) => classifyScene(index, CAMERA, { inside: [], intersecting: [], culled: v })],
  ['raycast', (index, v) => index.raycast(v)],
  ...properties('raycast', RAYCASTER, ['ray', 'layers', 'near', 'far', 'params'], (index, v) => index.raycast(v)),
  ['raycast out', (index, v) => index.raycast(RAYCASTER, v)],
  ['raycastFirst', (index, v) => index.raycastFirst(v)],
  ...properties('raycastFirst', RAYCASTER, ['ray', 'layers', 'near', 'far', 'params'], (index, v) =>
    index.raycastFirst(v),
  ),
  ['queryBox', (index, v) => index.queryBox(v)],
  ...properties('queryBox', BOX, ['min', 'max'], (index, v) => index.queryBox(v)),
  ['queryBox out', (index, v) => index.queryBox(BOX, v)],
  ['querySphere', (index, v) => index.querySphere(v)],
  ...properties('querySphere', new THREE.Sphere(ONE, 1), ['center', 'radius'], (index, v) => index.querySphere(v)),
  ['querySphere out', (index, v) => index.querySphere(new THREE.Sphere(ONE, 1), v)],
  ['queryPoint', (index, v) => index.queryPoint(v)],
  ...properties('queryPoint', ONE, ['x', 'y', 'z'], (index, v) => index.queryPoint(v)),
  ['queryPoint out', (index, v) => index.queryPoint(ONE, v)],
  ['queryFrustum', (index, v) => index.queryFrustum(v)],
  ...properties('queryFrustum', new THREE.Frustum(), ['planes'], (index, v) => index.queryFrustum(v)),
  ['queryFrustum out', (index, v) => index.queryFrustum(new THREE.Frustum(), v)],
  ['queryPlanes', (index, v) => index.queryPlanes(v)],
  ...properties('queryPlanes', new THREE.Plane(), ['normal', 'constant'], (index, v) => index.queryPlanes([v])),
  ['queryPlanes out', (index, v) => index.queryPlanes([], v)],
  ['queryShape', (index, v) => index.queryShape(v)],
  ['queryShape of an OrientedBox', (index, v) => index.queryShape(new OrientedBox(v, ONE, v))],
  ['queryShape of a Capsule', (index, v) => index.queryShape(new Capsule(v, ONE, 1))],
  ...properties('queryShape of a Sector', SECTOR, ['center', 'direction', 'radius', 'angle'], (index, v) =>
    index.queryShape(new Sector(v)),
  ),
  ['queryShape out', (index, v) => index.queryShape(new Capsule(ONE, ONE, 1), v)],
  ['queryScreen', (index, v) => queryScreen(index, v, CORNER, CORNER)],
  ['queryScreen from', (index, v) => queryScreen(index, CAMERA, v, CORNER)],
  ['queryScreen to', (index, v) => queryScreen(index, CAMERA, CORNER, v)],
  ['queryScreen mode', (index, v) => queryScreen(index, CAMERA, CORNER, CORNER, v)],
  ['queryScreen out', (index, v) => queryScreen(index, CAMERA, CORNER, CORNER, 'contain', v)],
  ['nearest', (index, v) => index.nearest(v)],
  ['nearest count', (index, v) => index.nearest(ONE, v)],
  ['nearest maxDistance', (index, v) => index.nearest(ONE, 9, v)],
  ['nearest out', (index, v) => index.nearest(ONE, 9, 9, v)],
  ['querySegment', (index, v) => index.querySegment(v)],
  ...properties('querySegment', LINE, ['start', 'end'], (index, v) => index.querySegment(v)),
  ['querySegment out', (index, v) => index.querySegment(LINE, v)],
  ['sweep', (index, v) => sweepScene(index, v, ONE)],
  ['sweep motion', (index, v) => sweepScene(index, BOX, v)],
  ['sweep out', (index, v) => sweepScene(index, BOX, ONE, v)],
  ['sweepFirst', (index, v) => sweepSceneFirst(index, v, ONE)],
  ['sweepFirst motion', (index, v) => sweepSceneFirst(index, BOX, v)],
  ['findObjectPairs out', (index, v) => findObjectPairs(index, v)],
  ['findObjectPairsBetween', (index, v) => findObjectPairsBetween(index, v)],
  ['findObjectPairsBetween out', (index, v) => findObjectPairsBetween(index, index, v)],
  ['explain', (index, v) => explain(index, v, CAMERA)],
  ['explain camera', (index, v) => explain(index, first(index), v)],
  ['report', (_index, v) => report(v)],
  ['VisibilityTracker', (index, v) => new VisibilityTracker(index, v).update()],
  ['VisibilityTracker options', (index, v) => new VisibilityTracker(index, CAMERA, v).update()],
  ['VisibilityTracker bands', (index, v) => new VisibilityTracker(index, CAMERA, { bands: v }).update()],
  ['VisibilityTracker a band', (index, v) => new VisibilityTracker(index, CAMERA, { bands: [1, v] }).update()],
  ['VisibilityTracker hysteresis', (index, v) => new VisibilityTracker(index, CAMERA, { hysteresis: v }).update()],
  ['VisibilityTracker isVisible', (index, v) => new VisibilityTracker(index, CAMERA).isVisible(v)],
  ['VisibilityTracker bandOf', (index, v) => new VisibilityTracker(index, CAMERA).bandOf(v)],
  ['PairTracker', (_index, v) => new PairTracker(v).update()],
  ['PairTracker options', (index, v) => new PairTracker(index, v).update()],
  ['PairTracker staticPairs', (index, v) => new PairTracker(index, { staticPairs: v }).update()],
  ['PairTracker setMask', (index, v) => new PairTracker(index).setMask(v, null)],
  ['PairTracker setMask layers', (index, v) => new PairTracker(index).setMask(first(index), v)],
  ['SceneIndexHelper source', (_index, v) => new SceneIndexHelper(v)],
  ['SceneIndexHelper options', (index, v) => new SceneIndexHelper(index, v)],
  ['SceneIndexHelper bounds', (index, v) => new SceneIndexHelper(index, { bounds: v })],
  ...['minDepth', 'maxDepth', 'inset', 'flat', 'lightness', 'opacity'].map(
    (name): Entry => [`SceneIndexHelper ${name}`, (index, v) => new SceneIndexHelper(index, { [name]: v })],
  ),
  ['orientedBoxOf', (_index, v) => orientedBoxOf(v)],
  ['orientedBoxOf out', (index, v) => orientedBoxOf(first(index), v)],
  ['new SceneIndex', (_index, v) => new SceneIndex(v).dispose()],
  ['new SceneIndex options', (_index, v) => new SceneIndex(new THREE.Scene(), v).dispose()],
  ['new SceneIndex index', (_index, v) => new SceneIndex(new THREE.Scene(), { index: v }).dispose()],
  ['accelerate', (_index, v) => accelerate(v).dispose()],
  ['accelerate options', (_index, v) => accelerate(new THREE.Scene(), v).dispose()],
  ['accelerate cullCasters', (_index, v) => accelerate(new THREE.Scene(), { cullCasters: v }).dispose()],
  ['accelerate maintenanceMs', (_index, v) => accelerate(new THREE.Scene(), { maintenanceMs: v }).dispose()],
];

/** What three itself compares hits with, and refuses in its own words. */
const TOOL = /^raycast(First)?\.(near|far|params)$/;

const all = new THREE.Box3(new THREE.Vector3(-99, -99, -99), new THREE.Vector3(99, 99, 99));

function everything(index: SceneIndex): string {
  const { size, version, structure } = index;
  const { tracked, dynamic, quarantined } = sceneStats(index);
  const ids = [...index.queryBox(all), null, ...index.cull(CAMERA)].map((object) => object?.id);
  return [size, version, structure, tracked, dynamic, quarantined, ids].join('|');
}

function fixture(structure: (typeof STRUCTURES)[number]): SceneIndex {
  const scene = new THREE.Scene();
  for (let i = 0; i < 8; i++) scene.add(boxMesh(2 * i, i % 3, 0));
  return new SceneIndex(scene, { index: createIndex(structure, { capacity: 2 }) });
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(atWidth<(typeof STRUCTURES)[number][]>(['looseOctree', 'bvh'], ['looseOctree']))(
  'whatever is given to an index, %s, in',
  (structure) => {
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
  },
);
