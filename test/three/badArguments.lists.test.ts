import { Box3, Frustum, Line3, PerspectiveCamera, Plane, Raycaster, Sphere, Vector2, Vector3 } from 'three';
import { OBB } from 'three/addons/math/OBB.js';
import { describe, expect, it } from 'vitest';
import {
  Capsule,
  classifyScene,
  findObjectPairs,
  findObjectPairsBetween,
  forEachSceneNode,
  orientedBoxOf,
  PairTracker,
  queryScreen,
  SceneIndex,
  SceneIndexHelper,
  sweepScene,
} from '../../src/index.js';
import { boxMesh } from '../helpers/scene.js';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the point
type Any = any;

const CAMERA = new PerspectiveCamera();
const ONE = new Vector3(1, 1, 1);
const BOX = new Box3(new Vector3(), ONE);
const CORNER = new Vector2();

/** Calls that fill a list, by where they say that it is wrong. */
const LISTS: [string, (index: SceneIndex, list: Any) => unknown][] = [
  ['cull.out', (index, list) => index.cull(CAMERA, list)],
  ['classifyScene.inside', (index, list) => classifyScene(index, CAMERA, { inside: list, intersecting: [] })],
  ['classifyScene.intersecting', (index, list) => classifyScene(index, CAMERA, { inside: [], intersecting: list })],
  [
    'classifyScene.culled',
    (index, list) => classifyScene(index, CAMERA, { inside: [], intersecting: [], culled: list }),
  ],
  ['queryScreen.out', (index, list) => queryScreen(index, CAMERA, CORNER, CORNER, 'intersect', list)],
  ['raycast.out', (index, list) => index.raycast(new Raycaster(new Vector3(), ONE), list)],
  ['queryBox.out', (index, list) => index.queryBox(BOX, list)],
  ['querySphere.out', (index, list) => index.querySphere(new Sphere(ONE, 1), list)],
  ['queryPoint.out', (index, list) => index.queryPoint(ONE, list)],
  ['queryFrustum.out', (index, list) => index.queryFrustum(new Frustum(), list)],
  ['queryPlanes.out', (index, list) => index.queryPlanes([], list)],
  ['queryShape.out', (index, list) => index.queryShape(new Capsule(ONE, ONE, 1), list)],
  ['nearest.out', (index, list) => index.nearest(ONE, 1, 9, list)],
  ['querySegment.out', (index, list) => index.querySegment(new Line3(ONE, BOX.min), list)],
  ['sweepScene.out', (index, list) => sweepScene(index, BOX, ONE, list)],
  ['findObjectPairs.out', (index, list) => findObjectPairs(index, list)],
  ['findObjectPairsBetween.out', (index, list) => findObjectPairsBetween(index, index, list)],
];
const NO_LISTS: Any[] = [null, 5, 'abc', {}, new Set(), { length: 0 }, Object.freeze([])];

const ARGUMENTS: [string, (index: SceneIndex) => unknown][] = [
  ['SceneIndex.getBox.target: must be a Box3', (index) => (index as Any).getBox(index.root.children[0])],
  ['SceneIndex.getBox.target: must be a Box3', (index) => index.getBox(index.root, { isBox3: true } as Any)],
  ['classifyScene.inside: must be an array', (index) => classifyScene(index, CAMERA, null as Any)],
  ['SceneIndex.queryPlanes: must be planes', (index) => index.queryPlanes([null] as Any)],
  ['SceneIndex.queryPlanes: must be made of numbers', (index) => index.queryPlanes([new Plane(ONE, '5' as Any)])],
  [
    'SceneIndex.queryPlanes: must be made of numbers',
    (index) => index.queryPlanes([new Plane(new Vector3('1' as Any, 0, 0), 5)]),
  ],
  [
    'SceneIndex.queryFrustum: must be planes',
    (index) => index.queryFrustum({ planes: [null, null, null, null, null, null] } as Any),
  ],
  ['SceneIndex.raycast: must be a Raycaster', (index) => index.raycast({ ray: {}, layers: {} } as Any)],
  ['SceneIndex.raycastFirst: must be a Raycaster', (index) => index.raycastFirst({ ray: {}, layers: {} } as Any)],
  ['SceneIndex.queryBox: must be a Box3', (index) => index.queryBox({ isBox3: true } as Any)],
  ['SceneIndex.querySphere: must be a Sphere', (index) => index.querySphere({ isSphere: true } as Any)],
  ['SceneIndex.queryPoint: must be made of numbers', (index) => index.queryPoint({ isVector3: true } as Any)],
  ['SceneIndex.queryShape: must be a shape', (index) => index.queryShape(new OBB(ONE, ONE) as Any)],
  ['SceneIndex.cull: must be a Camera', (index) => index.cull({ isCamera: true } as Any)],
  ['queryScreen: must be a Camera', (index) => queryScreen(index, { isCamera: true } as Any, CORNER, CORNER)],
  [
    'SceneIndex.cull: must be an ArrayCamera of Cameras',
    (index) => index.cull(Object.assign(new PerspectiveCamera(), { isArrayCamera: true, cameras: [null] })),
  ],
  ['forEachSceneNode.visit: must be a function', (index) => forEachSceneNode(index, null as Any)],
  ['orientedBoxOf.target: must be an OBB', (index) => orientedBoxOf(index.root.children[0], {} as Any)],
  ['SceneIndexHelper.index: must be an index', () => new SceneIndexHelper(null as Any)],
  ['SceneIndexHelper.index: must be an index', () => new SceneIndexHelper({} as Any)],
  ['SceneIndexHelper: options are an object', (index) => new SceneIndexHelper(index, null as Any)],
  ['SceneIndexHelper: options are an object', (index) => new SceneIndexHelper(index, 5 as Any)],
  ['SceneIndexHelper.nonsense: no such option', (index) => new SceneIndexHelper(index, { nonsense: 1 } as Any)],
  ['SceneIndexHelper.minDepth: must be a number', (index) => new SceneIndexHelper(index, { minDepth: 'a' } as Any)],
  ['SceneIndexHelper.maxDepth: must be from', (index) => new SceneIndexHelper(index, { maxDepth: Number.NaN })],
  ['SceneIndexHelper.inset: must be from', (index) => new SceneIndexHelper(index, { inset: Number.NaN })],
  ['SceneIndexHelper.opacity: must be a number', (index) => new SceneIndexHelper(index, { opacity: 'x' } as Any)],
  ['SceneIndexHelper.lightness: must be a number', (index) => new SceneIndexHelper(index, { lightness: {} } as Any)],
  ['SceneIndexHelper.flat: must be a boolean', (index) => new SceneIndexHelper(index, { flat: 'no' } as Any)],
  ['SceneIndexHelper.bounds: must be content', (index) => new SceneIndexHelper(index, { bounds: 'x' } as Any)],
  ...[Number.NaN, 0.5, 2 ** 32, Number.POSITIVE_INFINITY].map((mask): (typeof ARGUMENTS)[number] => [
    'PairTracker.setMask: a mask must be',
    (index) => new PairTracker(index).setMask(index.root, { mask } as Any),
  ]),
];

function fixture(): SceneIndex {
  const mesh = boxMesh();
  mesh.add(boxMesh(0.5, 0, 0));
  return new SceneIndex(mesh);
}

describe('a list that is none is refused by name, and left alone:', () => {
  it.each(LISTS)('%s', (where, call) => {
    const index = fixture();
    for (const list of NO_LISTS) {
      expect(() => call(index, list)).toThrow(`${where}: must be an array that can be filled, got `);
      expect(() => call(index, list)).toThrow(TypeError);
    }
    expect(NO_LISTS.map((list) => Object.keys(list ?? {}))).toEqual([[], [], ['0', '1', '2'], [], [], ['length'], []]);
    call(index, []);
  });
});

it.each(ARGUMENTS)('%s', (message, call) => {
  expect(() => call(fixture())).toThrow(message);
});

it('masks of 32 bits are taken, whichever sign they have', () => {
  const index = fixture();
  const tracker = new PairTracker(index);
  for (const mask of [0, 1, -1, 2 ** 32 - 1, -(2 ** 31)]) tracker.setMask(index.root, { mask } as Any);
  expect(tracker.size).toBe(0);
});

it('a helper of a disposed index throws at each update, and draws nothing', () => {
  const index = fixture();
  const helper = new SceneIndexHelper(index);
  expect(helper.boxCount).toBeGreaterThan(0);
  index.root.position.x = 50;
  index.update();
  index.dispose();
  for (let i = 0; i < 2; i++) {
    expect(() => helper.update()).toThrow('the index was disposed');
    expect([helper.boxCount, helper.geometry.drawRange.count]).toEqual([0, 0]);
  }
});
