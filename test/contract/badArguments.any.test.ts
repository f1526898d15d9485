import { describe, expect, it } from 'vitest';
import * as core from '../../src/standalone.js';
import { BAD_VALUES } from '../helpers/badValues.js';
import * as kinds from '../helpers/kinds.js';
import { attempt, finite, type Kind, numbers, optional, some, whatever, within } from '../helpers/kinds.js';
import { type Any, expectRefusal, type Refusal, refusalsOf } from '../helpers/refusals.js';
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

/** A call, with the kind of value that each of its places takes, and a good one. */
type Call = (index: core.SpatialIndex, ...values: Any[]) => unknown;
type Place = [kind: Kind, good?: unknown];
type Signature = [name: string, places: Place[], call?: Call, changes?: 'changes' | undefined];

const method = (name: string, places: Place[], changes?: 'changes'): Signature => [
  `SpatialIndex.${name}`,
  places,
  (index: Any, ...values) => index[name](...values),
  changes,
];
const shape = (name: string, make: (...values: Any[]) => core.Shape, ...places: Place[]): Signature => [
  name,
  places,
  (index, ...values) => index.queryShape(make(...values)),
];
const into = (kind: Kind): Place => [optional(kind), undefined];
const three = (kind: Kind): Place[] => [
  [kind, 0],
  [kind, 0],
  [kind, 0],
];
const ofRay = (name: string): Signature[] =>
  Object.entries<Kind>({
    origin: vector,
    direction,
    near: optional(distance),
    far: optional(distance),
    margin: optional(within(0, Number.MAX_VALUE)),
  }).map(([part, kind]) => [
    `SpatialIndex.${name}`,
    [[kind]],
    (index: Any, value) => index[name]({ ...RAY, [part]: value }),
  ]);

const SIGNATURES: Signature[] = [
  method('add', [[box]], 'changes'),
  method('addAll', [[boxes]], 'changes'),
  method(
    'addAll',
    [
      [whatever, O],
      [maxima, O],
    ],
    'changes',
  ),
  method(
    'update',
    [
      [id, 0],
      [box, UNIT],
    ],
    'changes',
  ),
  method(
    'updateAll',
    [
      [ids((all) => all.length === 1 && all[0] === 0), [0]],
      [box, UNIT],
    ],
    'changes',
  ),
  method(
    'updateAll',
    [
      [whatever, [0]],
      [whatever, O],
      [maxima, O],
    ],
    'changes',
  ),
  ['SpatialIndex.updateAll', [[id]], (index, id) => index.updateAll([0, id], [...UNIT, ...UNIT]), 'changes'],
  method('remove', [[id]], 'changes'),
  method('removeAll', [[ids((all) => all.length === 0 || all.join() === '0')]], 'changes'),
  [
    'SpatialIndex.removeAll',
    [[(value) => (value === 1 ? null : R)]],
    (index, id) => index.removeAll([0, id]),
    'changes',
  ],
  method('translate', three(finite), 'changes'),
  ['has', [[kinds.anything]], (index, id) => index.has(id)],
  method('getBox', [[id, 0], [room]]),
  method('getBounds', [[room]]),
  method('queryBox', [[box, UNIT], into(idList)]),
  method('queryPoint', [...three(some), into(idList)]),
  method('querySphere', [...three(finite), [distance, 1], into(idList)]),
  method('queryPlanes', [[planes, []], into(idList)]),
  method('classify', [
    [planes, []],
    [idList, new core.IdList()],
    [idList, new core.IdList()],
  ]),
  method('queryShape', [[kinds.only(() => false), new core.Capsule(O, O, 1)], into(idList)]),
  method('raycast', [[whatever, RAY], into(hits)]),
  method('raycastFirst', [[whatever, RAY], into(hits)]),
  ...['raycast', 'raycastFirst'].flatMap(ofRay),
  method('querySegment', [[vector, O], [vector, O], into(hits)]),
  method('sweep', [[box, UNIT], [vector, O], into(hits)]),
  method('sweepFirst', [[box, UNIT], [vector, O], into(hits)]),
  method('nearest', [...three(finite), [optional(count), 9], [optional(distance), 9], into(hits)]),
  shape('OrientedBox.center', (v) => new core.OrientedBox(v, O, AXES), [point]),
  shape('OrientedBox.halfSize', (v) => new core.OrientedBox(O, v, AXES), [size]),
  shape('OrientedBox.axes', (v) => new core.OrientedBox(O, O, v), [axes]),
  shape('Capsule.start', (v) => new core.Capsule(v, O, 1), [point]),
  shape('Capsule.end', (v) => new core.Capsule(O, v, 1), [point]),
  shape('Capsule.radius', (v) => new core.Capsule(O, O, v), [distance]),
  shape('Sector', (sector) => new core.Sector(sector), [whatever, SECTOR]),
  ...Object.entries<Kind>({
    center: place,
    direction: way,
    radius: within(0, Number.MAX_VALUE),
    angle: kinds.number((v) => v > 0 && v <= 2 * Math.PI),
    minY: optional(some),
    maxY: optional(some),
  }).map(([part, kind]) => shape('Sector', (value) => new core.Sector({ ...SECTOR, [part]: value }), [kind])),
  ['findPairs', [[index]], (_, v) => core.findPairs(v)],
  ['findPairs', [into(idPairs)], (index, out) => core.findPairs(index, out)],
  ['findPairsBetween', [[index]], (index, v) => core.findPairsBetween(index, v)],
  ['findPairsBetween', [into(idPairs)], (index, out) => core.findPairsBetween(index, index, out)],
  ['forEachNode', [[kinds.visitor]], (index, visit) => core.forEachNode(index, visit)],
  ['maintain', [[optional(distance)]], (index, budget) => core.maintain(index, budget)],
];
const PLACES = SIGNATURES.flatMap(([name, places, call, changes]) =>
  places.map(([kind], at) => ({
    name,
    label: `${name}, argument ${at}`,
    kind,
    changes,
    call: (index: core.SpatialIndex, value: Any) =>
      call!(index, ...places.map(([, good], i) => (i === at ? value : good))),
  })),
);

/** What only two arguments together, or numbers that no other place refuses, make wrong. */
const WITH = (
  name: string,
  call: (index: Any, ...all: Any[]) => unknown,
  ...rows: [kind: typeof T | typeof R, words: string, ...values: unknown[]][]
) =>
  rows.flatMap(([kind, words, ...values]) =>
    refusalsOf<core.SpatialIndex>(name, (index, all) => call(index, ...all), [[kind, words, ...values]]),
  );
const twice = [...UNIT, ...UNIT];
const TOGETHER: Refusal<core.SpatialIndex>[] = [
  ...WITH(
    'SpatialIndex.updateAll',
    (index, ...all) => index.updateAll(...all),
    [R, '6 .* 2', [[0, 1], UNIT]],
    [R, 'no item 999', [[0, 999], twice]],
    [R, 'NaN', [[0, 1], put(twice, 11, nan)], [[0], O, put(O, 1, nan)], [[0], new Float32Array([nan, 0, 0]), O]],
    [T, 'null', [[0], null, O]],
    [R, '4 and 4', [[0], [...O, 0], [...O, 0]]],
    [R, '6 numbers for 2 ids', [[0, 1], O, O]],
    [R, '0 0 1 0 0 0', [[0], [0, 0, 1], O]],
  ),
  ...WITH(
    'SpatialIndex.addAll',
    (index, ...all) => index.addAll(...all),
    [T, 'null', [null, O]],
    [
      R,
      '2 and 2',
      [
        [0, 0],
        [0, 0],
      ],
    ],
    [R, '0 5 0 0 0 0', [[0, 5, 0], O]],
    [R, 'NaN', [[...twice, ...put(UNIT, 5, nan)]]],
    [R, '2 0 0 1', [[...UNIT, ...put(UNIT, 0, 2)]]],
  ),
  ...WITH(
    'SpatialIndex.removeAll',
    (index, ids) => index.removeAll(ids),
    [R, 'item 3 is listed twice', [[0, 3, 1, 3]], [Int32Array.of(3, 0, 1, 4, 3)]],
    [R, 'no item 2', [Int32Array.of(0, 1, 2)]],
    [R, 'no item 0.5', [Float32Array.of(1, 0.5)]],
  ),
  ...WITH('SpatialIndex.classify', (index, list) => index.classify([], list, list), [R, '', [new core.IdList()]]),
  ...WITH('SpatialIndex.raycast', (index, ray) => index.raycast({ ...RAY, ...ray }), [
    R,
    '5 and 4',
    [{ near: 5, far: 4 }],
  ]),
  ...WITH('SpatialIndex.queryPlanes', (index, planes) => index.queryPlanes(planes), [T, 'x', [[1, 0, 0, 'x']]]),
  ...WITH(
    'OrientedBox.axes',
    (_, axes) => new core.OrientedBox(O, O, axes),
    [R, '0 0 0', [put(AXES, 0, 0)]],
    [R, '1.00001', [put(AXES, 4, 1.00001)]],
    [R, '0.00001', [put(AXES, 1, 0.00001)]],
    [R, '', [[1, 0, 0, 1, 0, 0, 0, 0, 1]]],
  ),
  ...WITH('Sector', (_, range) => new core.Sector({ ...SECTOR, ...range }), [R, '3 and 2', [{ minY: 3, maxY: 2 }]]),
];

describe.each(core.STRUCTURES.filter((name) => atWidth(true, name === 'packed')))(
  'whatever is given to %s, in',
  (name) => {
    it.each(PLACES)(
      '$label: it is taken or refused as its kind says, and the index is in order',
      ({ name: where, kind, call, changes }) => {
        const problems: string[] = [];
        let index = twelveItems(name);
        const before = everything(index);
        for (const value of BAD_VALUES) {
          const isRefused = attempt(value, kind, where, (v) => call(index, v), problems);
          if (changes) problems.push(...validate(index).map((text) => `${value.label}: ${text}`));
          if (isRefused || !changes) {
            if (everything(index) !== before) problems.push(`${value.label}: something changed`);
            continue;
          }
          if (!findsThemAll(index, KNOWN)) problems.push(`${value.label}: not all are found`);
          index = twelveItems(name);
        }
        problems.push(...validate(index));
        expect(problems.join('\n')).toBe('');
      },
    );

    it.each(TOGETHER)('%s: it is refused', (_label, error, words, call) => {
      const index = twelveItems(name);
      const before = everything(index);
      expectRefusal(() => call(index), error, words);
      expect([everything(index), validate(index)]).toEqual([before, []]);
      expect(index.add(UNIT)).toBe(2);
    });
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
      ['createIndex', whatever, (options) => core.createIndex(name, options)],
      ...Object.entries(OPTIONS).map(([option, kind]): [string, Kind, (value: Any) => unknown] => [
        `createIndex.${option}`,
        optional(kind),
        (value) => core.createIndex(name, { [option]: value }),
      ]),
    ]),
    ...(['Octree', 'LooseOctree', 'Grid', 'Bvh'] as const).map((name): [string, Kind, (value: Any) => unknown] => [
      name,
      whatever,
      (v: Any) => new (core as Any)[name](v),
    ]),
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
  ])('options: %s is refused, as no option, %#', (_label, options, words, make) => {
    expectRefusal(() => make(options), R, words);
  });
});
