import { describe, expect, it } from 'vitest';
import * as core from '../../src/standalone.js';
import { BAD_VALUES } from '../helpers/badValues.js';
import * as kinds from '../helpers/kinds.js';
import {
  args,
  at,
  attempt,
  call,
  finite,
  type Kind,
  numbers,
  optional,
  parts,
  type Signature,
  some,
  testPlaces,
  together,
  whatever,
  within,
} from '../helpers/kinds.js';
import { type Any, expectRefusal, type Refusal } from '../helpers/refusals.js';
import { everything, findsThemAll, KNOWN, RAY, twelveItems, UNIT } from '../helpers/twelveItems.js';
import { validate } from '../helpers/validate.js';
import { atWidth } from '../helpers/width.js';

const [T, R] = [TypeError, RangeError];
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
const O = [0, 0, 0];
const AXES = [1, 0, 0, 0, 1, 0, 0, 0, 1];
/** A copy of an array with something else at one place. */
const put = (array: number[], place: number, value: unknown): unknown[] =>
  Object.assign([...array], { [place]: value });
const SECTOR = { center: [0, 0], direction: [1, 0], radius: 1, angle: 1 };

const isZero = (all: number[]): boolean => all.every((each) => each === 0);
const isBox = (b: number[]): boolean => [0, 1, 2].every((i) => b[i] <= b[i + 3] && b[i] < inf && b[i + 3] > -inf);
const box = numbers((n) => n === 6, isBox);
const boxes = numbers(
  (n) => n % 6 === 0 && n >= 0,
  (all) => all.length === 0 || isBox(all),
);
/** Beside minima that are 0. */
const maxima: Kind = (value) =>
  value === undefined
    ? R
    : numbers(
        (n) => n === 3,
        (all) => all.every((c) => c >= 0),
      )(value);
const vector = numbers((n) => n === 3, kinds.areFinite);
const direction = numbers(
  (n) => n === 3,
  (all) => kinds.areFinite(all) && !isZero(all),
);
const planes = numbers(
  (n) => n % 4 === 0 && n >= 0 && n <= 120,
  () => true,
);
const axes = numbers(
  (n) => n === 9,
  (all) => all.join() === AXES.join(),
);
/** A vector of three or of numbers, of which this holds. */
const either =
  (names: string, isGood: (all: number[]) => boolean): Kind =>
  (value) =>
    value?.isVector3 && value instanceof Object && 'x' in value
      ? numbers(() => true, isGood)([...names].map((name) => value[name]))
      : numbers((n) => n === names.length, isGood)(value);
const point = either('xyz', kinds.areFinite);
const size = either('xyz', (all) => kinds.areFinite(all) && all.every((c) => c >= 0));
const place = either('xz', kinds.areFinite);
const way = either('xz', (all) => kinds.areFinite(all) && !isZero(all));
const id: Kind = (value) => (value === 0 ? null : R);
/** Ids of which this holds: those that are no numbers are no items. */
const ids =
  (isRight: (ids: unknown[]) => boolean): Kind =>
  (value) => {
    const { length } = typeof value === 'object' && value !== null ? value : ({} as Any);
    if (typeof length !== 'number') return T;
    return length < 20 || Number.isNaN(length) ? (isRight(Array.from({ length }, (_, i) => value[i])) ? null : R) : R;
  };
const distance = within(0);
const count = kinds.number((v) => v >= 1 && (Number.isInteger(v) || v === inf));
const room = optional((value) => (value instanceof Float64Array ? (value.length < 6 ? R : null) : T));
const [idList, hits, idPairs] = [core.IdList, core.Hits, core.IdPairs].map((of) => kinds.a(of));
const index = kinds.a(core.Octree, core.Packed, core.Grid, core.Bvh, core.LooseOctree, core.BruteForce);

type Call = Signature<core.SpatialIndex>;
const into = (kind: Kind) => at(optional(kind));
const method = (name: string, ...places: Call['places']): Call =>
  call(`SpatialIndex.${name}`, (index: Any, ...values) => index[name](...values), ...places);
const shape = (name: string, kind: Kind, make: (value: Any) => core.Shape): Call =>
  call(name, (index, value) => index.queryShape(make(value)), at(kind));
const number3 = (kind: Kind) => [0, 0, 0].map((good) => at(kind, good));
const ray = { origin: vector, direction, near: optional(distance), far: optional(distance) };
const sector = {
  center: place,
  direction: way,
  radius: within(0, Number.MAX_VALUE),
  minY: optional(some),
  maxY: optional(some),
};
const list = () => at(idList, new core.IdList());
const MARGIN = optional(within(0, Number.MAX_VALUE));
const ANGLE = kinds.number((v) => v > 0 && v <= 2 * Math.PI);

const SIGNATURES: Call[] = [
  method('add', at(box)),
  method('addAll', at(boxes)),
  method('addAll', at(whatever, O), at(maxima, O)),
  method('update', at(id, 0), at(box, UNIT)),
  method(
    'updateAll',
    at(
      ids((all) => all.length === 1 && all[0] === 0),
      [0],
    ),
    at(box, UNIT),
  ),
  method('updateAll', at(whatever, [0]), at(whatever, O), at(maxima, O)),
  call('SpatialIndex.updateAll', (index, id) => index.updateAll([0, id], [...UNIT, ...UNIT]), at(id)),
  method('remove', at(id)),
  method('removeAll', at(ids((all) => all.length === 0 || all.join() === '0'))),
  call(
    'SpatialIndex.removeAll',
    (index, id) => index.removeAll([0, id]),
    at((value) => (value === 1 ? null : R)),
  ),
  method('translate', ...number3(finite)),
  call('has', (index, id) => index.has(id), at(kinds.anything)),
  method('getBox', at(id, 0), at(room)),
  method('getBounds', at(room)),
  method('queryBox', at(box, UNIT), into(idList)),
  method('queryPoint', ...number3(some), into(idList)),
  method('querySphere', ...number3(finite), at(distance, 1), into(idList)),
  method('queryPlanes', at(planes, []), into(idList)),
  method('classify', at(planes, []), list(), list()),
  method(
    'queryShape',
    at(
      kinds.only(() => false),
      new core.Capsule(O, O, 1),
    ),
    into(idList),
  ),
  ...['raycast', 'raycastFirst'].flatMap((name) => [
    method(name, at(whatever, RAY), into(hits)),
    ...parts({ ...ray, margin: MARGIN }, (part, kind) =>
      call(`SpatialIndex.${name}`, (index: Any, value) => index[name]({ ...RAY, [part]: value }), at(kind)),
    ),
  ]),
  method('querySegment', at(vector, O), at(vector, O), into(hits)),
  method('sweep', at(box, UNIT), at(vector, O), into(hits)),
  method('nearest', ...number3(finite), at(optional(count), 9), at(optional(distance), 9), into(hits)),
  shape('OrientedBox.center', point, (v) => new core.OrientedBox(v, O, AXES)),
  shape('OrientedBox.halfSize', size, (v) => new core.OrientedBox(O, v, AXES)),
  shape('OrientedBox.axes', axes, (v) => new core.OrientedBox(O, O, v)),
  shape('Capsule.start', point, (v) => new core.Capsule(v, O, 1)),
  shape('Capsule.end', point, (v) => new core.Capsule(O, v, 1)),
  shape('Capsule.radius', distance, (v) => new core.Capsule(O, O, v)),
  shape('Sector', whatever, (v) => new core.Sector(v)),
  ...parts({ ...sector, angle: ANGLE }, (part, kind) =>
    shape('Sector', kind, (value) => new core.Sector({ ...SECTOR, [part]: value })),
  ),
  call('findPairs', (_, v) => core.findPairs(v), at(index)),
  call('findPairs', (index, out) => core.findPairs(index, out), into(idPairs)),
  call('findPairsBetween', (index, v) => core.findPairsBetween(index, v), at(index)),
  call('findPairsBetween', (index, out) => core.findPairsBetween(index, index, out), into(idPairs)),
  call('forEachNode', (index, visit) => core.forEachNode(index, visit), at(kinds.visitor)),
  call('maintain', (index, budget) => core.maintain(index, budget), at(optional(distance))),
];
const twice = [...UNIT, ...UNIT];
const minima: Any = new Float32Array([nan, 0, 0]);
const TOGETHER: Refusal<core.SpatialIndex>[] = [
  ...together<core.SpatialIndex>(
    'SpatialIndex.updateAll',
    (index: Any, ...all) => index.updateAll(...all),
    [R, '6 .* 2', args([0, 1], UNIT)],
    [R, 'no item 999', args([0, 999], twice)],
    [R, 'NaN', args([0, 1], put(twice, 11, nan)), args([0], O, put(O, 1, nan)), args([0], minima, O)],
    [T, 'null', args([0], null, O)],
    [R, '4 and 4', args([0], [...O, 0], [...O, 0])],
    [R, '6 numbers for 2 ids', args([0, 1], O, O)],
    [R, '0 0 1 0 0 0', args([0], [0, 0, 1], O)],
  ),
  ...together<core.SpatialIndex>(
    'SpatialIndex.addAll',
    (index: Any, ...all) => index.addAll(...all),
    [T, 'null', args(null, O)],
    [R, '2 and 2', args([0, 0], [0, 0])],
    [R, '0 5 0 0 0 0', args([0, 5, 0], O)],
    [R, 'NaN', args([...twice, ...put(UNIT, 5, nan)])],
    [R, '2 0 0 1', args([...UNIT, ...put(UNIT, 0, 2)])],
  ),
  ...together<core.SpatialIndex>(
    'SpatialIndex.removeAll',
    (index, ids) => index.removeAll(ids),
    [R, 'item 3 is listed twice', args([0, 3, 1, 3]), args(Int32Array.of(3, 0, 1, 4, 3))],
    [R, 'no item 2', args(Int32Array.of(0, 1, 2))],
    [R, 'no item 0.5', args(Float32Array.of(1, 0.5))],
  ),
  ...together<core.SpatialIndex>('SpatialIndex.classify', (index, list) => index.classify([], list, list), [
    R,
    '',
    args(new core.IdList()),
  ]),
  ...together<core.SpatialIndex>('SpatialIndex.raycast', (index, ray) => index.raycast({ ...RAY, ...ray }), [
    R,
    '5 and 4',
    args({ near: 5, far: 4 }),
  ]),
  ...together<core.SpatialIndex>('SpatialIndex.queryPlanes', (index, planes) => index.queryPlanes(planes), [
    T,
    'x',
    args([1, 0, 0, 'x']),
  ]),
  ...together<core.SpatialIndex>(
    'OrientedBox.axes',
    (_, axes) => new core.OrientedBox(O, O, axes),
    [R, '0 0 0', args(put(AXES, 0, 0))],
    [R, '1.00001', args(put(AXES, 4, 1.00001))],
    [R, '0.00001', args(put(AXES, 1, 0.00001))],
    [R, '', args([1, 0, 0, 1, 0, 0, 0, 0, 1])],
  ),
  ...together<core.SpatialIndex>('Sector', (_, range) => new core.Sector({ ...SECTOR, ...range }), [
    R,
    '3 and 2',
    args({ minY: 3, maxY: 2 }),
  ]),
];

describe.each(core.STRUCTURES.filter((name) => atWidth(true, name === 'packed')))(
  'whatever is given to %s, in',
  (name) => {
    testPlaces(
      SIGNATURES,
      TOGETHER,
      /\.(add|update|remove|translate)/,
      () => twelveItems(name),
      everything,
      (index) => [...validate(index), ...(findsThemAll(index, KNOWN) ? [] : ['not all are found'])],
    );
  },
);

const OPTIONS: { [name: string]: Kind } = {
  capacity: kinds.number((v) => v >= 1 && v <= 2 ** 16 && Number.isInteger(v)),
  maxDepth: kinds.number((v) => v >= 1 && v <= 64 && Number.isInteger(v)),
  minCellSize: within(0, Number.MAX_VALUE),
  planar: kinds.flag,
  looseness: within(1, 8),
  cellSize: within(0, 2 ** 300),
};

describe('whatever is given to', () => {
  const CALLS: [where: string, kind: Kind, call: (value: Any) => unknown][] = [
    [
      'createIndex',
      (name) => (typeof name !== 'string' ? T : core.STRUCTURES.includes(name as never) ? null : R),
      core.createIndex,
    ],
    ...core.STRUCTURES.flatMap((name): [string, Kind, (value: Any) => unknown][] => [
      ['createIndex', kinds.options, (options) => core.createIndex(name, options)],
      ...Object.entries(OPTIONS).map(([option, kind]): [string, Kind, (value: Any) => unknown] => [
        `createIndex.${option}`,
        optional(kind),
        (value) => core.createIndex(name, { [option]: value }),
      ]),
    ]),
    ...(['Octree', 'LooseOctree', 'Packed', 'Grid', 'Bvh', 'BruteForce'] as const).map(
      (name): [string, Kind, (value: Any) => unknown] => [name, kinds.options, (v: Any) => new (core as Any)[name](v)],
    ),
    ['enableSimd', kinds.flag, core.enableSimd],
  ];
  it.each(CALLS)('%s: it is taken or refused, with words', (where, kind, call) => {
    const before = core.enableSimd(true);
    const problems: string[] = [];
    for (const value of BAD_VALUES) attempt(value, kind, where, call, problems);
    core.enableSimd(before);
    expect(problems.join('\n')).toBe('');
  });

  it.each<[label: string, options: Any, words: string, make: (options: Any) => unknown]>([
    ...['Capacity', 'toString', '__proto__'].map((name): [string, Any, string, (options: Any) => unknown] => [
      name,
      JSON.parse(`{ "${name}": 8 }`),
      `unknown option "${name}"`,
      (options) => core.createIndex('octree', options),
    ]),
    ['looseness', { looseness: 2 }, 'unknown option "looseness"', (options) => new core.Octree(options)],
    ['capacity', { capacity: 4 }, 'unknown option "capacity"', (options) => new core.Grid(options)],
    ['capacity', { capacity: 4 }, 'unknown option "capacity"', (options) => new core.Bvh(options)],
    ['capacity', { capacity: 4 }, 'unknown option "capacity"', (options) => new core.BruteForce(options)],
  ])('options: %s is refused, as no option, %#', (_label, options, words, make) => {
    expectRefusal(() => make(options), R, words);
  });
});
