import * as THREE from 'three';
import { OBB } from 'three/addons/math/OBB.js';
import { describe, expect, it } from 'vitest';
import * as lib from '../../src/index.js';
import * as core from '../../src/standalone.js';
import { BAD_VALUES } from '../helpers/badValues.js';
import { eye } from '../helpers/cameras.js';
import * as kinds from '../helpers/kinds.js';
import {
  at,
  attempt,
  call,
  type Kind,
  only,
  optional,
  options,
  parts,
  type Signature,
  some,
  testPlaces,
  whatever,
  within,
} from '../helpers/kinds.js';
import { type Any, any, refusalsOf } from '../helpers/refusals.js';
import { boxMesh, rowOfBoxes } from '../helpers/scene.js';
import { box, camera, corner, list, made, point, segment, sphere, vector, xyz } from '../helpers/sceneKinds.js';
import { validateScene } from '../helpers/validateScene.js';
import { catchWarnings } from '../helpers/warnings.js';
import { atWidth } from '../helpers/width.js';

const [T, R] = [TypeError, RangeError];
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
const NAN = new THREE.Vector3(nan, 0, 0);
const ONE = new THREE.Vector3(1, 1, 1);
const CORNER = new THREE.Vector2();
const CAMERA = eye(0, 0, 30, { far: 100 });
const HOLEY = new THREE.ArrayCamera(any([eye(), null]));

/** Made anew for each call, as some of them are filled. */
const GOOD = {
  box: () => new THREE.Box3(new THREE.Vector3(), ONE.clone()),
  sphere: () => new THREE.Sphere(ONE.clone(), 1),
  line: () => new THREE.Line3(new THREE.Vector3(), ONE.clone()),
  raycaster: () => new THREE.Raycaster(new THREE.Vector3(-9, 0, 0), new THREE.Vector3(1, 0, 0)),
};

const planes: Kind = (value) =>
  Array.isArray(value) && value.length > 30
    ? R
    : only((v) => Array.isArray(v) && Array.from(v).every((each) => each instanceof THREE.Plane))(value);
const nothing = only(() => false);
const object = kinds.a(THREE.Object3D);
const structure = kinds.a(lib.Octree);
const index = kinds.a(lib.SceneIndex);
const count = kinds.number((v) => v >= 1 && (Number.isInteger(v) || v === inf));
const share = optional(within(0, 1));
const positive = optional(within(0));

type Call = Signature<lib.SceneIndex>;
const OUT = at(optional(list));
const method = (name: string, ...places: Call['places']): Call =>
  call(`SceneIndex.${name}`, (index: Any, ...values) => index[name](...values), ...places);
const ofIndex = (name: string, ...places: Call['places']): Call =>
  call(name, (index, ...values) => any(lib)[name](index, ...values), ...places);
/** The value as each of these properties of a good one. */
const inside = (name: string, good: () => object, of: { [name: string]: Kind }): Call[] =>
  parts(of, (part, kind) =>
    call(`SceneIndex.${name}`, (index: Any, value) => index[name](Object.assign(good(), { [part]: value })), at(kind)),
  );
const option = (
  name: string,
  make: (index: lib.SceneIndex, options: object) => unknown,
  of: { [name: string]: Kind },
) =>
  parts<lib.SceneIndex>(of, (part, kind) =>
    call(`${name}.${part}`, (index, value) => make(index, { [part]: value }), at(kind)),
  );
const first = (index: lib.SceneIndex): THREE.Object3D => index.root.children[0];
const lists = (given: object = {}): Any => ({ inside: [], intersecting: [], ...given });
const cast = { ray: kinds.a(THREE.Ray), layers: kinds.a(THREE.Layers) };
const makeHelper = (index: lib.SceneIndex, options: object): unknown => new lib.SceneIndexHelper(index, options);
/** No string at random is one of those that are taken. */
const mode: Kind = (value) => (value === undefined ? null : R);
const word = optional((v) => (typeof v === 'string' ? R : T));
const makeOcclusionHelper = (index: lib.SceneIndex, options: object): unknown =>
  new lib.OcclusionHelper(index, CAMERA, options);
const accelerate = (_: unknown, options: object): void => lib.accelerate(new THREE.Scene(), options).dispose();

/** What the value alone is given to, without good ones beside it. */
const CALLS: { [name: string]: [Kind, Call['call']] } = {
  findPairsBetween: [optional(list), (index, out) => lib.findPairsBetween(index, index, out)],
  'SceneIndex.setStatic': [kinds.flag, (index, value) => index.setStatic(first(index), value)],
  has: [whatever, (index, value) => index.has(value)],
  'explain.object': [object, (index, value) => lib.explain(index, value, CAMERA)],
  'explain.camera': [camera, (index, value) => lib.explain(index, first(index), value)],
  'report.index': [index, (_, value) => lib.report(value)],
  'VisibilityTracker.index': [index, (_, value) => new lib.VisibilityTracker(value, CAMERA)],
  'VisibilityTracker.camera': [camera, (index, value) => new lib.VisibilityTracker(index, value).update()],
  isVisible: [kinds.anything, (index, value) => new lib.VisibilityTracker(index, CAMERA).isVisible(value)],
  'PairTracker.index': [index, (_, value) => new lib.PairTracker(value).update()],
  'SceneIndexHelper.index': [kinds.a(lib.Octree, lib.SceneIndex), (_, value) => new lib.SceneIndexHelper(value)],
  SceneIndexHelper: [options, makeHelper],
  'OcclusionHelper.index': [index, (_, value) => new lib.OcclusionHelper(value, CAMERA)],
  'OcclusionHelper.camera': [camera, (index, value) => new lib.OcclusionHelper(index, value)],
  OcclusionHelper: [options, makeOcclusionHelper],
  'SceneIndex.root': [object, (_, value) => new lib.SceneIndex(value).dispose()],
  SceneIndex: [options, (_, value) => new lib.SceneIndex(new THREE.Scene(), value).dispose()],
  'accelerate.scene': [nothing, (_, value) => lib.accelerate(value).dispose()],
  accelerate: [options, accelerate],
  VisibilityTracker: [options, (index, value) => new lib.VisibilityTracker(index, CAMERA, value)],
  PairTracker: [options, (index, value) => new lib.PairTracker(index, value)],
};
const box3 = at(box, GOOD.box);
const SIGNATURES: Call[] = [
  method('cull', at(camera, CAMERA), at(whatever), OUT),
  method('raycast', at(kinds.a(THREE.Raycaster), GOOD.raycaster), OUT),
  method('raycastFirst', at(kinds.a(THREE.Raycaster), GOOD.raycaster)),
  method('queryBox', box3, OUT),
  method('querySphere', at(sphere, GOOD.sphere), OUT),
  method('queryPoint', at(point, ONE), OUT),
  method('queryFrustum', at(kinds.a(THREE.Frustum), new THREE.Frustum()), OUT),
  method('queryPlanes', at(planes, []), OUT),
  method('queryShape', at(nothing, new core.Capsule(ONE, ONE, 1)), OUT),
  method('nearest', at(vector, ONE), at(optional(count), 9), at(positive, 9), OUT),
  method('querySegment', at(segment, GOOD.line), OUT),
  method('getBox', at(whatever, boxMesh), at(kinds.a(THREE.Box3), GOOD.box)),
  method('translate', ...[0, 0, 0].map((zero) => at(kinds.finite, zero))),
  method('setStructure', at(structure)),
  ...['add', 'remove', 'touch', 'setStatic'].map((name) => method(name, at(object))),
  ofIndex('queryScreen', at(camera, CAMERA), at(corner, CORNER), at(corner, CORNER), at(mode, 'contain'), OUT),
  ofIndex('sweep', box3, at(vector, ONE), OUT),
  ofIndex('findPairs', OUT),
  ofIndex('findPairsBetween', at(index)),
  ofIndex('classify', at(camera, CAMERA), at(nothing, lists)),
  ofIndex('maintain', at(positive)),
  ofIndex('forEachNode', at(kinds.visitor)),
  ...parts({ inside: list, intersecting: list, culled: optional(list) }, (part, kind) =>
    call<lib.SceneIndex>(
      `classify.${part}`,
      (index, value) => lib.classify(index, CAMERA, lists({ [part]: value })),
      at(kind),
    ),
  ),
  ...inside('raycast', GOOD.raycaster, cast),
  ...inside('raycastFirst', GOOD.raycaster, cast),
  ...inside('queryBox', GOOD.box, { min: point, max: point }),
  ...inside('querySphere', GOOD.sphere, { center: vector, radius: some }),
  ...inside('queryPoint', () => ONE.clone(), { x: some, y: some, z: some }),
  ...inside('querySegment', GOOD.line, { start: vector, end: vector }),
  ...inside('queryFrustum', () => new THREE.Frustum(), { planes: nothing }),
  ...parts({ normal: made(THREE.Vector3, xyz, () => true), constant: kinds.number(() => true) }, (part, kind) =>
    call<lib.SceneIndex>(
      'SceneIndex.queryPlanes',
      (index, value) => index.queryPlanes([Object.assign(new THREE.Plane(), { [part]: value })]),
      at(kind),
    ),
  ),
  ...option('SceneIndex.cull', (index, options) => index.cull(CAMERA, { height: 9, ...options }), {
    height: optional(within(1, 2 ** 24)),
    minPixels: positive,
    maxDistance: positive,
  }),
  ...option('SceneIndexHelper', makeHelper, {
    bounds: word,
    minDepth: positive,
    maxDepth: positive,
    inset: share,
    flat: kinds.flag,
    lightness: share,
    opacity: share,
  }),
  ...option('OcclusionHelper', makeOcclusionHelper, { size: share, corner: word }),
  ...option('SceneIndex', (_, options) => new lib.SceneIndex(new THREE.Scene(), options).dispose(), {
    structure: optional(structure),
  }),
  ...option('accelerate', accelerate, {
    cullCasters: kinds.flag,
    keepShadows: kinds.flag,
    minPixels: positive,
    maxDistance: positive,
    structure: optional(structure),
  }),
  ...Object.entries(CALLS).map(([name, [kind, of]]) => call(name, of, at(kind))),
];

/** What an accelerated scene takes besides. */
const ACCELERATED = ['batch', 'levels', 'occlude'].map((name) =>
  call<lib.SceneIndex>(
    `AcceleratedScene.${name}`,
    (index: Any, ...values) => index[name](...values),
    at(object, boxMesh),
    at(kinds.flag),
  ),
);

const [filled, inUse] = [new lib.LooseOctree(), new lib.LooseOctree()];
filled.add([0, 0, 0, 1, 1, 1]);
// It has no objects in it.
new lib.SceneIndex(new THREE.Scene(), { structure: inUse });
/** What only two arguments together, or values that no other place refuses, make wrong. */
const refused = refusalsOf<lib.SceneIndex>;
const TOGETHER = [
  ...refused('SceneIndex.cull', (index, value) => index.cull(value), [
    [T, 'must be an ArrayCamera of Cameras', HOLEY, Object.assign(eye(), { isArrayCamera: true, cameras: [null] })],
  ]),
  ...refused('SceneIndex.cull', (index, options) => index.cull(CAMERA, options), [
    [R, 'heigth.*Did you mean "height"', { minPixels: 2, heigth: 3 }],
    [T, 'minPixels: needs the height', { minPixels: 2 }],
  ]),
  ...refused('SceneIndex.queryBox', (index, value) => index.queryBox(value), [
    [T, '', new THREE.Box3(any({ x: '0', y: 0, z: 0 }), ONE)],
  ]),
  ...refused('SceneIndex.queryFrustum', (index, planes) => index.queryFrustum(any({ planes })), [
    [T, 'must be planes', [1, 2, 3, 4, 5, 6], new Array(6).fill(null)],
    [T, '', new Array(5).fill(new THREE.Plane())],
  ]),
  ...refused('SceneIndex.queryPlanes', (index, value) => index.queryPlanes(value), [
    [R, '31', new Array(31).fill(new THREE.Plane())],
    [T, 'must be made of numbers', [new THREE.Plane(new THREE.Vector3(any('1'), 0, 0), 5)]],
  ]),
  ...refused('SceneIndex.queryShape', (index, value) => index.queryShape(value), [
    [T, 'must be a shape', new OBB(ONE, ONE), { touches: () => true }],
  ]),
  ...refused('SceneIndex.raycast', (index, value) => index.raycast(value), [
    [T, 'must be a Raycaster', { layers: {} }, { ray: {}, layers: {} }],
  ]),
  ...refused('SceneIndex.setStructure', (index, value) => index.setStructure(value), [
    [T, '', 'octree', new lib.SceneIndex(new THREE.Scene()), { size: 0, queryBox() {} }],
    [R, '', filled, inUse],
  ]),
  ...refused('SceneIndex', (_, value) => new lib.SceneIndex(new THREE.Scene(), value), [
    [R, '', { index: new lib.LooseOctree() }, { capacity: 4 }, { structure: filled }, { structure: inUse }],
  ]),
  ...refused('SceneIndexHelper', makeHelper, [[R, 'unknown option "nonsense"', { nonsense: 1 }]]),
  ...refused('OcclusionHelper', makeOcclusionHelper, [
    [R, 'unknown option "colour"', { colour: 1 }],
    [R, 'corner: must be one of topLeft, topRight, bottomLeft, bottomRight, got left', { corner: 'left' }],
  ]),
  ...refused('VisibilityTracker', (index, value) => new lib.VisibilityTracker(index, CAMERA, value), [
    [R, 'unknown option "margin". Options: none', { margin: 1 }],
  ]),
  ...refused('Sector', (_, direction) => new core.Sector({ center: ONE, direction, radius: 1, angle: 1 }), [
    [R, 'direction', new THREE.Vector3(0, 1, 0)],
  ]),
  ...refused('OrientedBox', (_, center) => new core.OrientedBox(center, ONE, [1, 0, 0, 0, 1, 0, 0, 0, 1]), [
    [R, 'NaN', NAN],
  ]),
];

const all = new THREE.Box3(new THREE.Vector3(-99, -99, -99), new THREE.Vector3(99, 99, 99));

function everything(index: lib.SceneIndex): string {
  const { size, version, structure } = index;
  const { tracked, dynamic, quarantined } = lib.stats(index);
  const ids = [...index.queryBox(all), null, ...index.cull(CAMERA)].map((object) => object?.id);
  return [size, version, structure, tracked, dynamic, quarantined, ids].join('|');
}

function fixture(structure: (typeof core.STRUCTURES)[number]): lib.SceneIndex {
  const scene = new THREE.Scene();
  for (let i = 0; i < 8; i++) scene.add(boxMesh(2 * i, i % 3, 0));
  return new lib.SceneIndex(scene, { structure: lib.createIndex(structure, { capacity: 2 }) });
}

catchWarnings();

describe.each(atWidth(['looseOctree', 'bvh'] as const, ['bvh'] as const))(
  'whatever is given to an index, %s, in',
  (structure) => {
    const faults = (index: lib.SceneIndex): string[] => {
      index.update();
      const found = new Set(index.queryBox(all));
      const isLost = !index.root.children.every((mesh) => found.has(mesh) || !index.has(mesh));
      return [...validateScene(index), ...(isLost ? ['not all are found'] : [])];
    };
    const changing = /^SceneIndex.(add|remove|touch|setStatic|setStructure|translate)$/;
    testPlaces(SIGNATURES, TOGETHER, changing, () => fixture(structure), everything, faults);
    testPlaces(ACCELERATED, [], /^AcceleratedScene/, () => lib.accelerate(rowOfBoxes(8)), everything, faults);

    it.each(['raycast', 'raycastFirst'] as const)(
      "%s: what three compares hits with is three's matter, and the index is in order",
      (name) => {
        const index = fixture(structure);
        const before = everything(index);
        for (const part of ['near', 'far', 'params'])
          for (const value of BAD_VALUES)
            attempt(value, whatever, undefined, (v) => index[name](Object.assign(GOOD.raycaster(), { [part]: v })), []);
        expect([everything(index), faults(index)]).toEqual([before, []]);
      },
    );
  },
);
