import * as THREE from 'three';
import { OBB } from 'three/addons/math/OBB.js';
import { describe, expect, it } from 'vitest';
import * as lib from '../../src/index.js';
import { BAD_VALUES } from '../helpers/badValues.js';
import { eye } from '../helpers/cameras.js';
import * as kinds from '../helpers/kinds.js';
import { attempt, type Kind, only, optional, some, whatever, within } from '../helpers/kinds.js';
import { type Any, any, expectRefusal, refusalsOf } from '../helpers/refusals.js';
import { boxMesh } from '../helpers/scene.js';
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

/** Values of a class whose numbers are all such; other numbers are out of range. */
const made =
  (
    of: abstract new (...args: never[]) => object,
    told: (value: Any) => unknown[],
    isGood = (c: number) => !Number.isNaN(c),
  ): Kind =>
  (value) => {
    if (!(value instanceof of) || !told(value).every((each) => typeof each === 'number')) return T;
    return told(value).every((each) => isGood(each as number)) ? null : R;
  };
const xyz = ({ x, y, z }: THREE.Vector3): number[] => [x, y, z];
const vector = made(THREE.Vector3, xyz, Number.isFinite);
const point = made(THREE.Vector3, xyz);
const box = made(THREE.Box3, ({ min, max }) => [...xyz(min), ...xyz(max)]);
const corner: Kind = (value) =>
  value?.isVector2 && !(value instanceof THREE.Vector2)
    ? R
    : made(THREE.Vector2, ({ x, y }) => [x, y], Number.isFinite)(value);
const planes: Kind = (value) =>
  Array.isArray(value) && value.length > 30
    ? R
    : only((v) => Array.isArray(v) && Array.from(v).every((each) => each instanceof THREE.Plane))(value);
const list = only((value) => Array.isArray(value) && !Object.isFrozen(value));
const camera = only(
  (value) => value instanceof THREE.Camera && !(value as THREE.ArrayCamera).cameras?.includes(null as never),
);
const object = kinds.a(THREE.Object3D);
const structure = kinds.a(lib.Octree);
const index = kinds.a(lib.SceneIndex);
const count = kinds.number((v) => v >= 1 && (Number.isInteger(v) || v === inf));
const share = optional(within(0, 1));
const positive = optional(within(0));

type Call = (index: lib.SceneIndex, ...values: Any[]) => unknown;
type Place = [kind: Kind, good?: () => unknown];
/** A call, with the kind of value that each of its places takes, and a good one; `changes` for those that may change the index. */
type Signature = [name: string, places: Place[], call: Call, changes?: 'changes'];

const OUT: Place = [optional(list)];
const method = (name: string, ...places: Place[]): Signature => [
  `SceneIndex.${name}`,
  places,
  (index: Any, ...values) => index[name](...values),
];
const call = (name: string, ...places: Place[]): Signature => [
  name,
  places,
  (index, ...values) => any(lib)[name](index, ...values),
];
/** The value as each of these properties of a good one. */
const inside = (name: string, good: () => object, parts: { [name: string]: Kind }): Signature[] =>
  Object.entries(parts).map(([part, kind]) => [
    `SceneIndex.${name}`,
    [[kind]],
    (index: Any, value) => index[name](Object.assign(good(), { [part]: value })),
  ]);
const option = (
  name: string,
  make: (index: lib.SceneIndex, options: object) => unknown,
  parts: { [name: string]: Kind },
): Signature[] =>
  Object.entries(parts).map(([part, kind]) => [
    `${name}.${part}`,
    [[kind]],
    (index, value) => make(index, { [part]: value }),
  ]);
const first = (index: lib.SceneIndex): THREE.Object3D => index.root.children[0];
const lists = (given: object = {}): Any => ({ inside: [], intersecting: [], ...given });
const cast = { ray: kinds.a(THREE.Ray), layers: kinds.a(THREE.Layers) };
const makeHelper = (index: lib.SceneIndex, options: object): unknown => new lib.SceneIndexHelper(index, options);
const accelerate = (_: unknown, options: object): void => lib.accelerate(new THREE.Scene(), options).dispose();

const SIGNATURES: Signature[] = [
  method('cull', [camera, () => CAMERA], [whatever], OUT),
  ...option('SceneIndex.cull', (index, options) => index.cull(CAMERA, { height: 9, ...options }), {
    height: optional(within(1, 2 ** 24)),
    minPixels: positive,
    maxDistance: positive,
  }),
  method('raycast', [only((value) => value instanceof THREE.Raycaster), GOOD.raycaster], OUT),
  method('raycastFirst', [only((value) => value instanceof THREE.Raycaster), GOOD.raycaster]),
  method('queryBox', [box, GOOD.box], OUT),
  method('querySphere', [made(THREE.Sphere, ({ center, radius }) => [...xyz(center), radius]), GOOD.sphere], OUT),
  method('queryPoint', [point, () => ONE], OUT),
  method('queryFrustum', [kinds.a(THREE.Frustum), () => new THREE.Frustum()], OUT),
  method('queryPlanes', [planes, () => []], OUT),
  method('queryShape', [only(() => false), () => new lib.Capsule(ONE, ONE, 1)], OUT),
  method('nearest', [vector, () => ONE], [optional(count), () => 9], [positive, () => 9], OUT),
  method('querySegment', [made(THREE.Line3, ({ start, end }) => [...xyz(start), ...xyz(end)]), GOOD.line], OUT),
  method('getBox', [whatever, boxMesh], [kinds.a(THREE.Box3), GOOD.box]),
  call(
    'queryScreen',
    [camera, () => CAMERA],
    [corner, () => CORNER],
    [corner, () => CORNER],
    [(v) => (v === undefined ? null : R), () => 'contain'],
    OUT,
  ),
  call('sweep', [box, GOOD.box], [vector, () => ONE], OUT),
  call('sweepFirst', [box, GOOD.box], [vector, () => ONE]),
  call('findPairs', OUT),
  call('findPairsBetween', [index]),
  ['findPairsBetween', [OUT], (index, out) => lib.findPairsBetween(index, index, out)],
  call('classify', [only((value) => camera(value) === null), () => CAMERA], [only(() => false), lists]),
  ...['inside', 'intersecting', 'culled'].map(
    (name): Signature => [
      `classify.${name}`,
      [[name === 'culled' ? optional(list) : list]],
      (index, value) => lib.classify(index, CAMERA, lists({ [name]: value })),
    ],
  ),
  call('maintain', [positive]),
  call('forEachNode', [kinds.visitor]),
  ...(['add', 'remove', 'touch', 'setStatic'] as const).map(
    (name): Signature => [...method(name, [object]), 'changes'] as unknown as Signature,
  ),
  ['SceneIndex.setStatic', [[kinds.flag]], (index, value) => index.setStatic(first(index), value), 'changes'],
  [...method('setStructure', [structure]), 'changes'] as unknown as Signature,
  [
    'SceneIndex.translate',
    [
      [kinds.finite, () => 0],
      [kinds.finite, () => 0],
      [kinds.finite, () => 0],
    ],
    (index, ...by: Any[]) => index.translate(by[0], by[1], by[2]),
    'changes',
  ],
  ['has', [[whatever]], (index, value) => index.has(value)],
  ...inside('raycast', GOOD.raycaster, cast),
  ...inside('raycastFirst', GOOD.raycaster, cast),
  ...inside('queryBox', GOOD.box, { min: point, max: point }),
  ...inside('querySphere', GOOD.sphere, { center: vector, radius: some }),
  ...inside('queryPoint', () => ONE.clone(), { x: some, y: some, z: some }),
  ...inside('querySegment', GOOD.line, { start: vector, end: vector }),
  ...inside('queryFrustum', () => new THREE.Frustum(), { planes: only(() => false) }),
  ...Object.entries<Kind>({ normal: made(THREE.Vector3, xyz, () => true), constant: kinds.number(() => true) }).map(
    ([part, kind]): Signature => [
      'SceneIndex.queryPlanes',
      [[kind]],
      (index, value) => index.queryPlanes([Object.assign(new THREE.Plane(), { [part]: value })]),
    ],
  ),
  ['explain.object', [[object]], (index, value) => lib.explain(index, value, CAMERA)],
  ['explain.camera', [[camera]], (index, value) => lib.explain(index, first(index), value)],
  ['report.index', [[index]], (_, value) => lib.report(value)],
  ['VisibilityTracker.index', [[index]], (_, value) => new lib.VisibilityTracker(value, CAMERA)],
  ['VisibilityTracker.camera', [[camera]], (index, value) => new lib.VisibilityTracker(index, value).update()],
  [
    'VisibilityTracker',
    [[kinds.anything]],
    (index, value) => new lib.VisibilityTracker(index, CAMERA).isVisible(value),
  ],
  ['PairTracker.index', [[index]], (_, value) => new lib.PairTracker(value).update()],
  ['SceneIndexHelper.index', [[kinds.a(lib.Octree, lib.SceneIndex)]], (_, value) => new lib.SceneIndexHelper(value)],
  ['SceneIndexHelper', [[whatever]], makeHelper],
  ...option('SceneIndexHelper', makeHelper, {
    bounds: optional((v) => (typeof v === 'string' ? R : T)),
    minDepth: positive,
    maxDepth: positive,
    inset: share,
    flat: kinds.flag,
    lightness: share,
    opacity: share,
  }),
  ['OcclusionHelper.index', [[index]], (_, value) => new lib.OcclusionHelper(value, CAMERA)],
  ['OcclusionHelper.camera', [[camera]], (index, value) => new lib.OcclusionHelper(index, value)],
  ['OcclusionHelper', [[whatever]], (index, value) => new lib.OcclusionHelper(index, CAMERA, value)],
  ...option('OcclusionHelper', (index, options) => new lib.OcclusionHelper(index, CAMERA, options), {
    size: share,
    corner: optional((v) => (typeof v === 'string' ? R : T)),
  }),
  ['SceneIndex.root', [[object]], (_, value) => new lib.SceneIndex(value).dispose()],
  ['SceneIndex', [[whatever]], (_, value) => new lib.SceneIndex(new THREE.Scene(), value).dispose()],
  [
    'SceneIndex.structure',
    [[optional(structure)]],
    (_, value) => new lib.SceneIndex(new THREE.Scene(), { structure: value }).dispose(),
  ],
  ['accelerate.scene', [[only(() => false)]], (_, value) => lib.accelerate(value).dispose()],
  ['accelerate', [[whatever]], accelerate as Call],
  ...option('accelerate', accelerate, {
    cullCasters: kinds.flag,
    minPixels: positive,
    maxDistance: positive,
    structure: optional(structure),
  }),
];
const PLACES = SIGNATURES.flatMap(([name, places, call, changes]) =>
  places.map(([kind], at) => ({
    name,
    label: `${name}, argument ${at}`,
    kind,
    changes,
    call: (index: lib.SceneIndex, value: Any) =>
      call(index, ...places.map(([, good], i) => (i === at ? value : good?.()))),
  })),
);

const filled = (): lib.LooseOctree => {
  const index = new lib.LooseOctree();
  index.add([0, 0, 0, 1, 1, 1]);
  return index;
};
/** An index of a scene, which has no objects in it. */
const inUse = (): lib.LooseOctree => {
  const index = new lib.LooseOctree();
  new lib.SceneIndex(new THREE.Scene(), { structure: index });
  return index;
};
const REFUSED = (
  name: string,
  call: Call,
  ...rows: [kind: typeof T | typeof R, words: string, ...values: unknown[]][]
) => refusalsOf(name, call, rows);
/** What only two arguments together, or values that no other place refuses, make wrong. */
const TOGETHER = [
  ...REFUSED('SceneIndex.cull', (index, value) => index.cull(value), [
    T,
    'must be an ArrayCamera of Cameras',
    HOLEY,
    Object.assign(eye(), { isArrayCamera: true, cameras: [null] }),
  ]),
  ...REFUSED(
    'SceneIndex.cull',
    (index, options) => index.cull(CAMERA, options),
    [R, 'heigth.*Did you mean "height"', { minPixels: 2, heigth: 3 }],
    [T, 'minPixels: needs the height', { minPixels: 2 }],
  ),
  ...REFUSED('classify', (index, value) => lib.classify(index, value, lists()), [T, '', HOLEY]),
  ...REFUSED('SceneIndex.queryBox', (index, value) => index.queryBox(value), [
    T,
    '',
    new THREE.Box3(any({ x: '0', y: 0, z: 0 }), ONE),
  ]),
  ...REFUSED(
    'SceneIndex.queryFrustum',
    (index, value) => index.queryFrustum(value),
    [T, 'must be planes', { planes: [1, 2, 3, 4, 5, 6] }, { planes: new Array(6).fill(null) }],
    [T, '', { planes: new Array(5).fill(new THREE.Plane()) }],
  ),
  ...REFUSED(
    'SceneIndex.queryPlanes',
    (index, value) => index.queryPlanes(value),
    [R, '31', new Array(31).fill(new THREE.Plane())],
    [T, 'must be made of numbers', [new THREE.Plane(new THREE.Vector3(any('1'), 0, 0), 5)]],
  ),
  ...REFUSED('SceneIndex.queryShape', (index, value) => index.queryShape(value), [
    T,
    'must be a shape',
    new OBB(ONE, ONE),
    { touches: () => true },
  ]),
  ...REFUSED('SceneIndex.raycast', (index, value) => index.raycast(value), [
    T,
    'must be a Raycaster',
    { layers: {} },
    { ray: {}, layers: {} },
  ]),
  ...REFUSED(
    'SceneIndex.setStructure',
    (index, value) => index.setStructure(value),
    [T, '', 'octree', new lib.SceneIndex(new THREE.Scene()), { size: 0, queryBox() {} }],
    [R, '', filled(), inUse()],
  ),
  ...REFUSED('SceneIndex', (_, value) => new lib.SceneIndex(new THREE.Scene(), value), [
    R,
    '',
    { index: new lib.LooseOctree() },
    { capacity: 4 },
    { structure: filled() },
    { structure: inUse() },
  ]),
  ...REFUSED('SceneIndexHelper', (index, value) => new lib.SceneIndexHelper(index, value), [
    R,
    'unknown option "nonsense"',
    { nonsense: 1 },
  ]),
  ...REFUSED(
    'OcclusionHelper',
    (index, value) => new lib.OcclusionHelper(index, CAMERA, value),
    [R, 'unknown option "colour"', { colour: 1 }],
    [R, 'corner: must be one of topLeft, topRight, bottomLeft, bottomRight, got left', { corner: 'left' }],
  ),
  ...REFUSED('Sector', (_, direction) => new lib.Sector({ center: ONE, direction, radius: 1, angle: 1 }), [
    R,
    'direction',
    new THREE.Vector3(0, 1, 0),
  ]),
  ...REFUSED('OrientedBox', (_, center) => new lib.OrientedBox(center, ONE, [1, 0, 0, 0, 1, 0, 0, 0, 1]), [
    R,
    'NaN',
    NAN,
  ]),
];

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

describe.each(atWidth(['looseOctree', 'bvh'] as const, ['bvh'] as const))(
  'whatever is given to an index, %s, in',
  (structure) => {
    it.each(PLACES)(
      '$label: it is taken or refused as its kind says, and the index is in order',
      ({ name, kind, call, changes }) => {
        const problems: string[] = [];
        let index = fixture(structure);
        let before = everything(index);
        for (const value of BAD_VALUES) {
          const isRefused = attempt(value, kind, name, (v) => call(index, v), problems);
          if (!(isRefused || !changes)) {
            index.update();
            const found = new Set(index.queryBox(all));
            if (!index.root.children.every((mesh) => found.has(mesh)))
              problems.push(`${value.label}: not all are found`);
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
      },
    );

    it.each(TOGETHER)('%s: it is refused', (_label, error, words, call) => {
      const index = fixture(structure);
      const before = everything(index);
      expectRefusal(() => call(index), error, words);
      expect([everything(index), validateScene(index)]).toEqual([before, []]);
    });

    it.each(['raycast', 'raycastFirst'] as const)(
      "%s: what three compares hits with is three's matter, and the index is in order",
      (name) => {
        const index = fixture(structure);
        const before = everything(index);
        for (const part of ['near', 'far', 'params'])
          for (const value of BAD_VALUES)
            attempt(value, whatever, undefined, (v) => index[name](Object.assign(GOOD.raycaster(), { [part]: v })), []);
        expect([everything(index), validateScene(index)]).toEqual([before, []]);
      },
    );
  },
);
