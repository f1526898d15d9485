import * as THREE from 'three';
import { Box3, Line3, Object3D, Plane, Raycaster, Scene, Sphere, Vector2, Vector3 } from 'three';
import { OBB } from 'three/addons/math/OBB.js';
import { describe, expect, it } from 'vitest';
import * as lib from '../../src/index.js';
import {
  Capsule,
  classify,
  createIndex,
  forEachNode,
  LooseOctree,
  OrientedBox,
  queryScreen,
  SceneIndex,
  SceneIndexHelper,
  Sector,
  stats,
} from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { random } from '../helpers/random.js';
import { type Any, any, type BadValues, type Refusal, refusalsOf, testRefusals } from '../helpers/refusals.js';
import { allOf, boxMesh, mixedScene, rowOfBoxes, skinnedTower } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';
import { catchWarnings } from '../helpers/warnings.js';

const [T, R] = [TypeError, RangeError];
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
const NAN = new Vector3(nan, 0, 0);
const FAR = new Vector3(0, inf, 0);
const ONE = new Vector3(1, 1, 1);
const BOX = new Box3(new Vector3(), ONE);
const AXES = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const SECTOR = { center: ONE, direction: ONE, radius: 1, angle: 1 };
const CORNER = new Vector2();
const CAMERA = eye();
const HOLEY = new THREE.ArrayCamera(any([eye(), null]));

catchWarnings();

const boxesOf = (index: SceneIndex): unknown[] =>
  allOf(index.root).map((object) => {
    const box = index.getBox(object, new Box3());
    return [object.name || object.type, index.has(object), box && [...box.min, ...box.max]];
  });

/** What an index answers, for comparison before and after. */
function everything(index: SceneIndex): unknown {
  const { size, version, structure } = index;
  const seen = [eye(), eye(60, 0, 0), eye(0, 50, 1)].map((camera) => index.cull(camera).map((o) => o.uuid));
  return { size, version, structure, boxes: boxesOf(index), seen, stats: stats(index) };
}

function filled(): LooseOctree {
  const index = new LooseOctree();
  index.add([0, 0, 0, 1, 1, 1]);
  return index;
}

/** An index of a scene, which has no objects in it. */
function inUse(): LooseOctree {
  const index = new LooseOctree();
  new SceneIndex(new Scene(), { structure: index });
  return index;
}

type Call = (index: SceneIndex, value: Any) => unknown;
const lists = (given: object = {}): Any => ({ inside: [], intersecting: [], ...given });

const METHODS: [name: string, call: Call][] = [
  ...['add', 'remove', 'touch', 'setStatic', 'cull', 'raycast', 'raycastFirst', 'queryBox', 'querySphere'],
  ...['queryFrustum', 'queryPoint', 'queryPlanes', 'queryShape', 'nearest', 'querySegment'],
].map((name): [string, Call] => [`SceneIndex.${name}`, (index, value) => any(index)[name](value)]);
METHODS.push(
  ['classify', (index, value) => classify(index, value, lists())],
  ['queryScreen', (index, value) => queryScreen(index, value, CORNER, CORNER)],
  ['sweep', (index, value) => lib.sweep(index, value, ONE)],
  ['sweepFirst', (index, value) => lib.sweepFirst(index, value, ONE)],
  ['findPairsBetween', (index, value) => lib.findPairsBetween(index, value)],
);

/** Several arguments; a value by itself is the only one. */
class Args extends Array<unknown> {}
const args = (...all: unknown[]): Args => Args.from(all) as Args;

/** What is refused by methods of an index, by functions that take one first, and by constructors. */
const BAD: { [name: string]: BadValues[] } = {
  cull: [
    [T, 'must be a Camera', boxMesh(), { isCamera: true }],
    [T, 'must be an ArrayCamera of Cameras', HOLEY, Object.assign(eye(), { isArrayCamera: true, cameras: [null] })],
    [
      T,
      'out.*array that can be filled',
      ...[null, 5, 'abc', new Set(), Object.freeze([])].map((out) => args(CAMERA, out)),
    ],
    [R, 'heigth.*Did you mean "height"', args(CAMERA, { minPixels: 2, heigth: 3 })],
    [R, 'height', ...[0, nan, -4, inf].map((height) => args(CAMERA, { height }))],
    [T, 'height', ...['640', null].map((height) => args(CAMERA, { height }))],
    [T, 'minPixels: needs the height', args(CAMERA, { minPixels: 2 })],
  ],
  queryBox: [
    [R, 'NaN', new Box3(NAN, ONE)],
    [T, '', new Box3(any({ x: '0', y: 0, z: 0 }), ONE)],
    [T, 'must be a Box3', { isBox3: true }],
  ],
  querySphere: [
    [R, 'NaN', new Sphere(NAN, 1), new Sphere(ONE, nan)],
    [T, 'must be a Sphere', { isSphere: true }],
  ],
  queryPoint: [
    [R, 'NaN', NAN],
    [T, 'must be made of numbers', { isVector3: true }],
  ],
  queryFrustum: [
    [T, 'must be planes', { planes: [1, 2, 3, 4, 5, 6] }, { planes: new Array(6).fill(null) }],
    [T, '', { planes: new Array(5).fill(new Plane()) }],
  ],
  queryPlanes: [
    [R, '31', new Array(31).fill(new Plane())],
    [T, 'must be planes', [null]],
    [T, 'must be made of numbers', [new Plane(ONE, any('5'))], [new Plane(new Vector3(any('1'), 0, 0), 5)]],
  ],
  queryShape: [[T, 'must be a shape', new OBB(ONE, ONE), { touches: () => true }]],
  raycast: [[T, 'must be a Raycaster', { layers: {} }, { ray: {}, layers: {} }]],
  raycastFirst: [[T, 'must be a Raycaster', { ray: {}, layers: {} }]],
  nearest: [
    [R, 'NaN', NAN, args(ONE, 1, nan)],
    [R, '-1', args(ONE, 1, -1)],
    [T, '9', args(ONE, 1, '9')],
  ],
  querySegment: [
    [R, 'NaN', new Line3(ONE, NAN)],
    [T, '', new Line3(ONE, any(null))],
  ],
  'SceneIndex.translate': [
    [R, 'NaN', args(0, nan, 0)],
    [T, '', args('1', 0, 0)],
  ],
  setStatic: [[T, '', 0, 1, null, '', 'no', {}]],
  setStructure: [
    [T, '', null, 'octree', new SceneIndex(new Scene()), { size: 0, queryBox() {} }],
    [R, '', filled(), inUse()],
  ],
  getBox: [[T, 'target: must be a Box3', ...[null, undefined, { isBox3: true }].map((box) => args(boxMesh(), box))]],
  classify: [
    [T, '', args(HOLEY, lists())],
    [T, '', ...[undefined, null, { inside: [] }, lists({ culled: 5 })].map((target) => args(CAMERA, target))],
  ],
  queryScreen: [
    [T, 'must be a Camera', args({ isCamera: true }, CORNER, CORNER)],
    [T, '', args(CAMERA, undefined, CORNER), args(CAMERA, CORNER, null)],
    [R, 'NaN', args(CAMERA, new Vector2(nan, 0), CORNER)],
    [R, '-Inf', args(CAMERA, CORNER, new Vector2(0, -inf))],
    [R, 'inside', args(CAMERA, CORNER, CORNER, 'inside')],
  ],
  sweep: [
    [R, 'NaN', args(new Box3(NAN, ONE), ONE), args(BOX, NAN)],
    [T, '', args(BOX, undefined)],
  ],
  // What the index of the core refuses.
  'SceneIndex.nearest': [[R, null, 0, 1.5]],
  'SceneIndex.querySegment': [[R, 'Infinity', new Line3(ONE, FAR)]],
  sweepFirst: [[R, 'Infinity', FAR]],
  findPairsBetween: [[T, '', new Scene()]],
  forEachNode: [[T, 'the visitor must be a function', null]],
  'PairTracker.index': [[T, 'must be a SceneIndex, got ', null, undefined, {}, 3, new Scene()]],
  'VisibilityTracker.camera': [[T, 'must be a Camera, got ', null, undefined, {}, new Scene()]],
  SceneIndexHelper: [
    [T, 'options must be an object', null, 5],
    [R, 'unknown option "nonsense"', { nonsense: 1 }],
    [T, 'minDepth: must be a number', { minDepth: 'a' }],
    [R, 'maxDepth: must be from', { maxDepth: nan }],
    [R, 'inset: must be from', { inset: nan }],
    [T, 'opacity: must be a number', { opacity: 'x' }],
    [T, 'lightness: must be a number', { lightness: {} }],
    [T, 'flat: must be a boolean', { flat: 'no' }],
    [R, 'bounds: must be "content"', { bounds: 'x' }],
  ],
  'SceneIndexHelper.index': [[T, 'must be an index', null, {}]],
  OcclusionHelper: [
    [T, 'options must be an object', null, 5],
    [R, 'unknown option "colour"', { colour: 1 }],
    [R, 'size: must be from 0 to 1, got ', { size: 2 }, { size: nan }],
    [T, 'corner: must be a string', { corner: 1 }],
    [R, 'corner: must be one of topLeft, topRight, bottomLeft, bottomRight, got left', { corner: 'left' }],
  ],
  'OcclusionHelper.index': [[T, 'must be a SceneIndex, got ', null, {}]],
  'OcclusionHelper.camera': [[T, 'must be a Camera, got ', null, {}]],
  'explain.object': [[T, 'must be an Object3D, got ', null, undefined, 3, {}]],
  'explain.camera': [[T, 'must be a Camera, got ', null, undefined, 3, {}]],
  'OrientedBox.center': [[R, 'NaN', NAN]],
  'OrientedBox.halfSize': [[R, 'Infinity', FAR]],
  Capsule: [[T, 'end', null]],
  Sector: [[R, 'direction', new Vector3(0, 1, 0)]],
};
/** Calls that are not of the name and the value alone. */
const CALLS: { [name: string]: Call } = {
  setStatic: (index, flag) => index.setStatic(index.root.children[0], flag),
  'SceneIndex.translate': (index, by) => any(index).translate(...by),
  'SceneIndex.nearest': (index, count) => index.nearest(ONE, count),
  'SceneIndex.querySegment': (index, line) => index.querySegment(line),
  sweepFirst: (index, way) => lib.sweepFirst(index, BOX, way),
  'PairTracker.index': (_, index) => new lib.PairTracker(index),
  'VisibilityTracker.camera': (index, camera) => new lib.VisibilityTracker(index, camera),
  SceneIndexHelper: (index, options) => new SceneIndexHelper(index, options),
  'SceneIndexHelper.index': (_, index) => new SceneIndexHelper(index),
  OcclusionHelper: (index, options) => new lib.OcclusionHelper(index, CAMERA, options),
  'OcclusionHelper.index': (_, index) => new lib.OcclusionHelper(index, CAMERA),
  'OcclusionHelper.camera': (index, camera) => new lib.OcclusionHelper(index, camera),
  'explain.object': (index, object) => lib.explain(index, object, CAMERA),
  'explain.camera': (index, camera) => lib.explain(index, index.root, camera),
  'OrientedBox.center': (index, center) => index.queryShape(new OrientedBox(center, ONE, AXES)),
  'OrientedBox.halfSize': (index, half) => index.queryShape(new OrientedBox(ONE, half, AXES)),
  Capsule: (index, end) => index.queryShape(new Capsule(ONE, end, 1)),
  Sector: (index, direction) => index.queryShape(new Sector({ ...SECTOR, direction })),
};

const refusalsOfAll = Object.entries(BAD).flatMap(([name, values]): Refusal<SceneIndex>[] => {
  const isMethod = name in SceneIndex.prototype;
  const call: Call = (index, given) => {
    const all = given instanceof Args ? given : [given];
    return isMethod ? any(index)[name](...all) : any(lib)[name](index, ...all);
  };
  return refusalsOf(isMethod ? `SceneIndex.${name}` : name, CALLS[name] ?? call, values);
});

/** Calls that fill a list, by where they say that it is wrong. */
const LISTS: [where: string, call: Call][] = [
  ['SceneIndex.cull.out', (index, out) => index.cull(CAMERA, {}, out)],
  ['classify.inside', (index, inside) => classify(index, CAMERA, lists({ inside }))],
  ['classify.intersecting', (index, intersecting) => classify(index, CAMERA, lists({ intersecting }))],
  ['classify.culled', (index, culled) => classify(index, CAMERA, lists({ culled }))],
  ['queryScreen.out', (index, out) => queryScreen(index, CAMERA, CORNER, CORNER, 'intersect', out)],
  ['SceneIndex.raycast.out', (index, out) => index.raycast(new Raycaster(new Vector3(), ONE), out)],
  ['SceneIndex.queryBox.out', (index, out) => index.queryBox(BOX, out)],
  ['SceneIndex.querySphere.out', (index, out) => index.querySphere(new Sphere(ONE, 1), out)],
  ['SceneIndex.queryPoint.out', (index, out) => index.queryPoint(ONE, out)],
  ['SceneIndex.queryFrustum.out', (index, out) => index.queryFrustum(new THREE.Frustum(), out)],
  ['SceneIndex.queryPlanes.out', (index, out) => index.queryPlanes([], out)],
  ['SceneIndex.queryShape.out', (index, out) => index.queryShape(new Capsule(ONE, ONE, 1), out)],
  ['SceneIndex.nearest.out', (index, out) => index.nearest(ONE, 1, 9, out)],
  ['SceneIndex.querySegment.out', (index, out) => index.querySegment(new Line3(ONE, BOX.min), out)],
  ['sweep.out', (index, out) => lib.sweep(index, BOX, ONE, out)],
  ['findPairs.out', (index, out) => lib.findPairs(index, out)],
  ['findPairsBetween.out', (index, out) => lib.findPairsBetween(index, index, out)],
];
const NO_LISTS: Any[] = [null, 5, 'abc', {}, new Set(), { length: 0 }, Object.freeze([])];

describe('bad arguments are refused, and all is as it was:', () => {
  testRefusals(
    [
      ...METHODS.flatMap(([name, call]) => refusalsOf(name, call, [[T, '', null, undefined, 5, 'scene', {}]])),
      ...refusalsOfAll,
      ...LISTS.flatMap(([where, call]) =>
        refusalsOf(where, call, [[T, 'must be an array that can be filled, got ', ...NO_LISTS]]),
      ),
    ],
    () => {
      const scene = mixedScene(random(6), 40).add(boxMesh());
      scene.children.unshift(scene.children.pop() as Object3D);
      return new SceneIndex(scene, { structure: new LooseOctree({ capacity: 4 }) });
    },
    everything,
    (index) => {
      expect(NO_LISTS.map((list) => Object.keys(list ?? {}).join())).toEqual(['', '', '0,1,2', '', '', 'length', '']);
      expect(validateScene(index)).toEqual([]);
    },
  );
  it.each(LISTS)('but lists are taken by %s', (_where, call) => {
    expect(() => call(new SceneIndex(rowOfBoxes(2)), [])).not.toThrow();
  });

  describe('by the constructor', () => {
    const OPTIONS: BadValues[] = [
      [T, '', null, 7, { structure: 'octree' }, { structure: null }, { structure: new Scene() }],
      [R, '', { index: new LooseOctree() }, { capacity: 4 }, { structure: filled() }, { structure: inUse() }],
    ];
    testRefusals(
      [
        ...refusalsOf('SceneIndex.root', (_, root) => new SceneIndex(root), [
          [T, 'must be an Object3D, got ', null, undefined, 5, 'scene', {}],
        ]),
        ...refusalsOf('SceneIndex', (scene: Scene, options) => new SceneIndex(scene, options), OPTIONS),
      ],
      () => rowOfBoxes(1),
      // Nothing listens: the scene was left alone.
      (scene) => any(scene)._listeners,
    );
  });

  it('a helper of a disposed index throws at each update, and draws nothing', () => {
    const index = new SceneIndex(rowOfBoxes(2));
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

  it('an index is free again when its scene index was disposed, got another, or could not be made', () => {
    const [first, second] = [new lib.Octree(), new lib.Grid()];
    const scene = rowOfBoxes(1);
    const index = new SceneIndex(scene, { structure: first });
    expect([index.structure, first.size]).toEqual(['octree', 1]);
    index.setStructure(second);
    expect([index.structure, first.size, second.size]).toEqual(['grid', 0, 1]);
    const broken = Object.seal(new Scene());
    expect(() => new SceneIndex(broken, { structure: first })).toThrow(T);
    index.setStructure(first);
    index.dispose();
    expect([index.size, first.size]).toEqual([0, 0]);
    expect(new SceneIndex(scene, { structure: first }).size).toBe(1);
    expect(index.size).toBe(0);
  });

  it('options that are inherited are no options', () => {
    const options = Object.create({ structure: filled(), capacity: 0 });
    expect(new SceneIndex(new Scene(), options).structure).toBe('packed');
  });

  it('planes that are NaN are no condition', () => {
    const frustum = new THREE.Frustum();
    for (const plane of frustum.planes) plane.normal.copy(NAN);
    expect(new SceneIndex(rowOfBoxes(1)).queryFrustum(frustum)).toHaveLength(1);
  });

  it('an object that is not followed is no error', () => {
    const index = new SceneIndex(new Scene());
    const other = boxMesh();
    for (const method of ['has', 'remove', 'touch', 'setStatic']) expect(any(index)[method](other), method).toBe(false);
    expect(index.getBox(other, new Box3())).toBeNull();
    for (const value of [null, undefined, 3, {}]) expect(index.has(any(value))).toBe(false);
  });

  it('every method of a disposed index throws, has() and a second dispose() apart', () => {
    const scene = rowOfBoxes(1);
    const index = new SceneIndex(scene);
    index.dispose();
    index.dispose();
    const calls: [string, Call][] = [
      ...METHODS,
      ['findPairs', () => lib.findPairs(index)],
      ['findPairsBetween', () => lib.findPairsBetween(new SceneIndex(scene), index)],
      ['update', () => index.update()],
      ['translate', () => index.translate(1, 0, 0)],
      ['setStructure', () => index.setStructure(createIndex('octree'))],
      ['getBox', () => index.getBox(scene, new Box3())],
      ['forEachNode', () => forEachNode(index, () => {})],
      ['stats', () => stats(index)],
    ];
    for (const [name, call] of calls) expect(() => call(index, scene), name).toThrow(`${name}: the index was disposed`);
    expect(index.has(scene)).toBe(false);
    expect(index.size).toBe(0);
  });
});

const fail = (): never => {
  throw new Error('mine');
};

describe('user code that throws', () => {
  it('between a parent that moves and its child that does not: the child moves with the next update', () => {
    const [bad, child] = [new Object3D(), boxMesh()];
    const group = new Object3D().add(bad, child);
    const index = new SceneIndex(new Scene().add(group));
    group.position.x = 10;
    bad.updateMatrixWorld = fail;
    expect(() => index.update()).toThrow('mine');
    bad.updateMatrixWorld = Object3D.prototype.updateMatrixWorld;
    index.update();
    expect(index.queryPoint(new Vector3(10, 0, 0))).toEqual([child]);
  });

  it('in a camera of several: the next cull is right', () => {
    const [left, right] = [boxMesh(-100), boxMesh(100)];
    const scene = new Scene().add(left, right);
    const index = new SceneIndex(scene);
    const views = [-100, 100].map((x) => eye(x, 0, 60, { lookAt: [x, 0, 0] }));
    const broken = new THREE.ArrayCamera([views[0], Object.defineProperty(any({}), 'projectionMatrix', { get: fail })]);
    const target = lists();
    expect(() => index.cull(broken)).toThrow('mine');
    expect(index.cull(views[1])).toEqual([right]);
    expect(() => classify(index, broken, target)).toThrow('mine');
    classify(index, views[1], target);
    expect(target).toEqual({ inside: [right], intersecting: [] });
    expect(() => classify(index, broken, target)).toThrow('mine');
    scene.remove(left);
    expect(index.cull(views[1])).toEqual([right]);
  });
});

describe('objects that are not what they seem', () => {
  it('plain objects, nulls and holes among children are passed over', () => {
    for (const fake of [{}, { isMesh: true }, null, undefined, 7]) {
      const [before, after] = [boxMesh(-5), boxMesh(5)];
      const scene = new Scene().add(before, after);
      scene.children.splice(1, 0, any(fake));
      const index = new SceneIndex(scene);
      expect(index.size, String(fake)).toBe(2);
      index.update();
      expect(index.cull(CAMERA)).toEqual([before, after]);
      expect(validateScene(index)).toEqual([]);
    }
  });

  it('a mesh whose geometry is missing or no geometry is in no result, and harms no other', () => {
    for (const geometry of [undefined, null, {}, { attributes: {} }, { attributes: { position: {} } }]) {
      const scene = new Scene();
      const [bad, good] = [boxMesh(), boxMesh(5)];
      const kept = bad.geometry;
      bad.geometry = any(geometry);
      scene.add(bad, good);
      const index = new SceneIndex(scene);
      good.position.x = 6;
      expect(() => index.update(), JSON.stringify(geometry)).not.toThrow();
      expect(index.cull(CAMERA)).toEqual([good]);
      expect(index.queryPoint(new Vector3(6, 0, 0))).toEqual([good]);
      bad.geometry = kept;
      index.update();
      expect(new Set(index.cull(CAMERA))).toEqual(new Set([bad, good]));
      bad.geometry = any(geometry);
      expect(() => index.update()).not.toThrow();
      expect(index.cull(CAMERA)).toEqual([good]);
      expect(validateScene(index)).toEqual([]);
    }
  });

  it('a skinned mesh without skeleton, bones or weights harms no other', () => {
    const spoilers: ((mesh: THREE.SkinnedMesh) => unknown)[] = [
      (mesh) => Object.assign(mesh, { skeleton: undefined }),
      (mesh) => Object.assign(mesh.skeleton.bones, { length: 1 }),
      (mesh) => Object.assign(mesh, { geometry: new THREE.BufferGeometry() }),
      (mesh) => mesh.geometry.deleteAttribute('skinWeight'),
      (mesh) => mesh.geometry.deleteAttribute('position'),
    ];
    for (const spoil of spoilers) {
      const [bad, good] = [skinnedTower(), boxMesh(5)];
      spoil(bad);
      const index = new SceneIndex(new Scene().add(bad, good));
      good.position.x = 7;
      expect(() => index.update()).not.toThrow();
      expect(index.queryPoint(new Vector3(7, 0, 0))).toEqual([good]);
      expect(validateScene(index)).toEqual([]);
    }
  });

  it('an object without raycast or layers of its own kind is no reason to fail', () => {
    const odd = Object.assign(boxMesh(), { raycast: undefined as Any });
    expect(() => new SceneIndex(new Scene().add(odd, boxMesh(4))).update()).not.toThrow();
  });
});
