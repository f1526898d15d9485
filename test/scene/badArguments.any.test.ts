import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import * as lib from '../../src/index.js';
import { attempt } from '../helpers/attempt.js';
import { BAD_VALUES } from '../helpers/badValues.js';
import { eye } from '../helpers/cameras.js';
import type { Any } from '../helpers/refusals.js';
import { boxMesh } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';
import { catchWarnings } from '../helpers/warnings.js';
import { atWidth } from '../helpers/width.js';

type Call = (index: lib.SceneIndex, value: Any) => unknown;
/** A public call with the value at one of its places; `changes` for those that may succeed and then change the index. */
type Entry = [label: string, call: Call, changes?: 'changes'];

const ONE = new THREE.Vector3(1, 1, 1);
const BOX = new THREE.Box3(new THREE.Vector3(), ONE);
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

const ENTRIES: Entry[] = [
  ['setIndex', (index, v) => index.setIndex(v), 'changes'],
  ['has', (index, v) => index.has(v)],
  ['add', (index, v) => index.add(v), 'changes'],
  ['remove', (index, v) => index.remove(v), 'changes'],
  ['touch', (index, v) => index.touch(v), 'changes'],
  ['maintain', (index, v) => lib.maintainScene(index, v)],
  ['setStatic', (index, v) => index.setStatic(v), 'changes'],
  ['static flag', (index, v) => index.setStatic(first(index), v), 'changes'],
  ['getBox', (index, v) => index.getBox(v, new THREE.Box3())],
  ['getBox out', (index, v) => index.getBox(first(index), v)],
  ['forEachNode', (index, v) => lib.forEachSceneNode(index, v)],
  ['cull', (index, v) => index.cull(v)],
  ['cull out', (index, v) => index.cull(CAMERA, v)],
  ['classify', (index, v) => lib.classifyScene(index, v, { inside: [], intersecting: [] })],
  ['classify target', (index, v) => lib.classifyScene(index, CAMERA, v)],
  ['classify inside', (index, v) => lib.classifyScene(index, CAMERA, { inside: v, intersecting: [] })],
  ['classify intersecting', (index, v) => lib.classifyScene(index, CAMERA, { inside: [], intersecting: v })],
  ['classify culled out', (index, v) => lib.classifyScene(index, CAMERA, { inside: [], intersecting: [], culled: v })],
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
  ['queryShape of an OrientedBox', (index, v) => index.queryShape(new lib.OrientedBox(v, ONE, v))],
  ['queryShape of a Capsule', (index, v) => index.queryShape(new lib.Capsule(v, ONE, 1))],
  ...properties('queryShape of a Sector', SECTOR, ['center', 'direction', 'radius', 'angle'], (index, v) =>
    index.queryShape(new lib.Sector(v)),
  ),
  ['queryShape out', (index, v) => index.queryShape(new lib.Capsule(ONE, ONE, 1), v)],
  ['queryScreen', (index, v) => lib.queryScreen(index, v, CORNER, CORNER)],
  ['queryScreen from', (index, v) => lib.queryScreen(index, CAMERA, v, CORNER)],
  ['queryScreen to', (index, v) => lib.queryScreen(index, CAMERA, CORNER, v)],
  ['queryScreen mode', (index, v) => lib.queryScreen(index, CAMERA, CORNER, CORNER, v)],
  ['queryScreen out', (index, v) => lib.queryScreen(index, CAMERA, CORNER, CORNER, 'contain', v)],
  ['nearest', (index, v) => index.nearest(v)],
  ['nearest count', (index, v) => index.nearest(ONE, v)],
  ['nearest maxDistance', (index, v) => index.nearest(ONE, 9, v)],
  ['nearest out', (index, v) => index.nearest(ONE, 9, 9, v)],
  ['querySegment', (index, v) => index.querySegment(v)],
  ...properties('querySegment', LINE, ['start', 'end'], (index, v) => index.querySegment(v)),
  ['querySegment out', (index, v) => index.querySegment(LINE, v)],
  ['sweep', (index, v) => lib.sweepScene(index, v, ONE)],
  ['sweep motion', (index, v) => lib.sweepScene(index, BOX, v)],
  ['sweep out', (index, v) => lib.sweepScene(index, BOX, ONE, v)],
  ['sweepFirst', (index, v) => lib.sweepSceneFirst(index, v, ONE)],
  ['sweepFirst motion', (index, v) => lib.sweepSceneFirst(index, BOX, v)],
  ['findObjectPairs out', (index, v) => lib.findObjectPairs(index, v)],
  ['findObjectPairsBetween', (index, v) => lib.findObjectPairsBetween(index, v)],
  ['findObjectPairsBetween out', (index, v) => lib.findObjectPairsBetween(index, index, v)],
  ['explain', (index, v) => lib.explain(index, v, CAMERA)],
  ['explain camera', (index, v) => lib.explain(index, first(index), v)],
  ['report', (_index, v) => lib.report(v)],
  ['VisibilityTracker', (index, v) => new lib.VisibilityTracker(index, v).update()],
  ['VisibilityTracker options', (index, v) => new lib.VisibilityTracker(index, CAMERA, v).update()],
  ['VisibilityTracker bands', (index, v) => new lib.VisibilityTracker(index, CAMERA, { bands: v }).update()],
  ['VisibilityTracker a band', (index, v) => new lib.VisibilityTracker(index, CAMERA, { bands: [1, v] }).update()],
  ['VisibilityTracker hysteresis', (index, v) => new lib.VisibilityTracker(index, CAMERA, { hysteresis: v }).update()],
  ['VisibilityTracker isVisible', (index, v) => new lib.VisibilityTracker(index, CAMERA).isVisible(v)],
  ['VisibilityTracker bandOf', (index, v) => new lib.VisibilityTracker(index, CAMERA).bandOf(v)],
  ['PairTracker', (_index, v) => new lib.PairTracker(v).update()],
  ['PairTracker options', (index, v) => new lib.PairTracker(index, v).update()],
  ['PairTracker staticPairs', (index, v) => new lib.PairTracker(index, { staticPairs: v }).update()],
  ['PairTracker setMask', (index, v) => new lib.PairTracker(index).setMask(v, null)],
  ['PairTracker setMask layers', (index, v) => new lib.PairTracker(index).setMask(first(index), v)],
  ['SceneIndexHelper source', (_index, v) => new lib.SceneIndexHelper(v)],
  ['SceneIndexHelper options', (index, v) => new lib.SceneIndexHelper(index, v)],
  ['SceneIndexHelper bounds', (index, v) => new lib.SceneIndexHelper(index, { bounds: v })],
  ...['minDepth', 'maxDepth', 'inset', 'flat', 'lightness', 'opacity'].map(
    (name): Entry => [`SceneIndexHelper ${name}`, (index, v) => new lib.SceneIndexHelper(index, { [name]: v })],
  ),
  ['orientedBoxOf', (_index, v) => lib.orientedBoxOf(v)],
  ['orientedBoxOf out', (index, v) => lib.orientedBoxOf(first(index), v)],
  ['new SceneIndex', (_index, v) => new lib.SceneIndex(v).dispose()],
  ['new SceneIndex options', (_index, v) => new lib.SceneIndex(new THREE.Scene(), v).dispose()],
  ['new SceneIndex index', (_index, v) => new lib.SceneIndex(new THREE.Scene(), { index: v }).dispose()],
  ['accelerate', (_index, v) => lib.accelerate(v).dispose()],
  ['accelerate options', (_index, v) => lib.accelerate(new THREE.Scene(), v).dispose()],
  ['accelerate cullCasters', (_index, v) => lib.accelerate(new THREE.Scene(), { cullCasters: v }).dispose()],
  ['accelerate maintenanceMs', (_index, v) => lib.accelerate(new THREE.Scene(), { maintenanceMs: v }).dispose()],
];

/** What three itself compares hits with, and refuses in its own words. */
const TOOL = /^raycast(First)?\.(near|far|params)$/;

const all = new THREE.Box3(new THREE.Vector3(-99, -99, -99), new THREE.Vector3(99, 99, 99));

function everything(index: lib.SceneIndex): string {
  const { size, version, structure } = index;
  const { tracked, dynamic, quarantined } = lib.sceneStats(index);
  const ids = [...index.queryBox(all), null, ...index.cull(CAMERA)].map((object) => object?.id);
  return [size, version, structure, tracked, dynamic, quarantined, ids].join('|');
}

function fixture(structure: (typeof lib.STRUCTURES)[number]): lib.SceneIndex {
  const scene = new THREE.Scene();
  for (let i = 0; i < 8; i++) scene.add(boxMesh(2 * i, i % 3, 0));
  return new lib.SceneIndex(scene, { index: lib.createIndex(structure, { capacity: 2 }) });
}

catchWarnings();

describe.each(atWidth<(typeof lib.STRUCTURES)[number][]>(['looseOctree', 'bvh'], ['looseOctree']))(
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
