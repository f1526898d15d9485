import { describe, expect, it } from 'vitest';
import {
  Capsule,
  createIndex,
  forEachNode,
  Hits,
  IdList,
  OrientedBox,
  Sector,
  type SpatialIndex,
  STRUCTURES,
  type StructureName,
  stats,
  validate,
} from '../../../src/standalone.js';

type Call = (index: SpatialIndex) => unknown;
type Bad = [label: string, error: typeof TypeError | typeof RangeError, message: RegExp, call: Call];

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the point
const any = (value: unknown): any => value;
const UNIT = [0, 0, 0, 1, 1, 1];
/** A copy of an array with something else at one place. */
const put = (array: unknown[], place: number, value: unknown): number[] =>
  Object.assign([...array], { [place]: value }) as number[];

/** Bad boxes, whoever takes them. */
const badBoxes = (where: string, give: (index: SpatialIndex, box: ArrayLike<number>) => unknown): Bad[] => {
  const row = (label: string, error: Bad[1], text: string, box: unknown): Bad => [
    `${where} ${label}`,
    error,
    new RegExp(`^SpatialIndex\\.${where}: .*${text}`),
    (index) => give(index, any(box)),
  ];
  return [
    row('null', TypeError, 'null', null),
    row('undefined', TypeError, 'undefined', undefined),
    row('a number', TypeError, '7', 7),
    row('a string of six', TypeError, '123456', '123456'),
    row('an object without length', TypeError, 'object', {}),
    row('strings', TypeError, 'x', [0, 0, 'x', 1, 1, 1]),
    row('null among numbers', TypeError, 'null', [0, 0, null, 1, 1, 1]),
    row('a hole', TypeError, 'undefined', Object.assign(new Array(6), [0, 0, 0, 1, 1])),
    row('five numbers', RangeError, '5', [0, 0, 0, 1, 1]),
    row('NaN', RangeError, 'NaN', [0, 0, 0, 1, Number.NaN, 1]),
    row('NaN in a typed array', RangeError, 'NaN', new Float32Array([Number.NaN, 0, 0, 1, 1, 1])),
    row('min above max', RangeError, '3 0 0 1 1 1', [3, 0, 0, 1, 1, 1]),
    row(
      'an empty box',
      RangeError,
      'Infinity',
      [1, 1, 1, -1, -1, -1].map((c) => c * Number.POSITIVE_INFINITY),
    ),
  ];
};

const badIds = (where: string, give: (index: SpatialIndex, id: number) => unknown): Bad[] =>
  [
    ['dead', 2],
    ['never used', 99],
    ['negative', -1],
    ['fractional', 0.5],
    ['NaN', Number.NaN],
    ['infinite', Number.POSITIVE_INFINITY],
    ['2^32', 2 ** 32],
    ['a string', '0'],
    ['null', null],
    ['undefined', undefined],
    ['an object', {}],
    ['a symbol', Symbol('id')],
    ['a bigint', 0n],
  ].map(([label, id]) => [
    `${where} of an id that is ${String(label)}`,
    RangeError,
    new RegExp(`^SpatialIndex\\.${where}: .*${String(id).replace(/[()[\]]/g, '\\$&')}`),
    (index) => give(index, any(id)),
  ]);

const badPlanes = (where: string, give: (index: SpatialIndex, planes: ArrayLike<number>) => unknown): Bad[] => {
  const row = (label: string, error: Bad[1], text: string, planes: unknown): Bad => [
    `${where} ${label}`,
    error,
    new RegExp(`^SpatialIndex\\.${where}: .*${text}`),
    (index) => give(index, any(planes)),
  ];
  return [
    row('null', TypeError, 'null', null),
    row('a number', TypeError, '3', 3),
    row('a string', TypeError, 'abcd', 'abcd'),
    row('five numbers', RangeError, '5', [1, 0, 0, 1, 1]),
    row('31 planes', RangeError, '124', new Array(124).fill(0)),
    row('strings', TypeError, 'x', [1, 0, 0, 'x']),
  ];
};

const badRays = (where: 'raycast' | 'raycastFirst'): Bad[] => {
  const row = (label: string, error: Bad[1], text: string, ray: unknown): Bad => [
    `${where} with ${label}`,
    error,
    new RegExp(`^SpatialIndex\\.${where}[.:].*${text}`),
    (index) => index[where](any(ray)),
  ];
  const good = { origin: [0, 0, 0], direction: [1, 0, 0] };
  return [
    row('null', TypeError, 'null', null),
    row('undefined', TypeError, 'undefined', undefined),
    row('a number', TypeError, '1', 1),
    row('no origin', TypeError, 'origin.*undefined', { direction: [1, 0, 0] }),
    row('no direction', TypeError, 'direction.*undefined', { origin: [0, 0, 0] }),
    row('NaN in the origin', RangeError, 'origin.*NaN', { ...good, origin: [0, Number.NaN, 0] }),
    row('an infinite origin', RangeError, 'origin.*Infinity', { ...good, origin: [0, Number.POSITIVE_INFINITY, 0] }),
    row('two numbers as origin', RangeError, 'origin.*2', { ...good, origin: [0, 0] }),
    row('a string in the origin', TypeError, 'origin.*x', { ...good, origin: [0, 'x', 0] }),
    row('no direction at all', RangeError, 'direction.*0 0 0', { ...good, direction: [0, 0, 0] }),
    row('NaN in the direction', RangeError, 'direction.*NaN', { ...good, direction: [Number.NaN, 0, 1] }),
    row('an infinite direction', RangeError, 'direction.*Inf', {
      ...good,
      direction: [Number.POSITIVE_INFINITY, 0, 0],
    }),
    row('near below zero', RangeError, '-1', { ...good, near: -1 }),
    row('near NaN', RangeError, 'NaN', { ...good, near: Number.NaN }),
    row('far NaN', RangeError, 'NaN', { ...good, far: Number.NaN }),
    row('far before near', RangeError, '5 and 4', { ...good, near: 5, far: 4 }),
    row('near a string', TypeError, '1', { ...good, near: '1' }),
    row('far null', TypeError, 'null', { ...good, far: null }),
    row('a negative margin', RangeError, '-1', { ...good, margin: -1 }),
    row('an infinite margin', RangeError, 'Infinity', { ...good, margin: Number.POSITIVE_INFINITY }),
    row('a NaN margin', RangeError, 'NaN', { ...good, margin: Number.NaN }),
  ];
};

const point = (label: string, error: Bad[1], text: string, ...xyz: unknown[]): Bad => [
  `point ${label}`,
  error,
  new RegExp(`^SpatialIndex\\.queryPoint: .*${text}`),
  (index) => index.queryPoint(any(xyz[0]), any(xyz[1]), any(xyz[2])),
];
const translate = (label: string, error: Bad[1], text: string, ...by: unknown[]): Bad => [
  `translate ${label}`,
  error,
  new RegExp(`^SpatialIndex\\.translate: .*${text}`),
  (index) => index.translate(any(by[0]), any(by[1]), any(by[2])),
];
const nearest = (label: string, error: Bad[1], text: string, ...args: unknown[]): Bad => [
  `nearest ${label}`,
  error,
  new RegExp(`^SpatialIndex\\.nearest: .*${text}`),
  (index) => index.nearest(any(args[0]), any(args[1]), any(args[2]), any(args[3]), any(args[4])),
];

const sphere = (label: string, error: Bad[1], text: string, ...args: unknown[]): Bad => [
  `sphere ${label}`,
  error,
  new RegExp(`^SpatialIndex\\.querySphere: .*${text}`),
  (index) => index.querySphere(any(args[0]), any(args[1]), any(args[2]), any(args[3])),
];

/** Bad vectors of `count` numbers, called `name` by the query `where`. */
const badVectors = (
  where: string,
  name: string,
  count: number,
  give: (index: SpatialIndex, v: never) => unknown,
): Bad[] => {
  const good = new Array(count).fill(0);
  const row = (label: string, error: Bad[1], text: string, v: unknown): Bad => [
    `${where} with ${name} ${label}`,
    error,
    new RegExp(`^${where}\\.${name}: .*${text}`),
    (index) => give(index, v as never),
  ];
  return [
    row('null', TypeError, 'null', null),
    row('undefined', TypeError, 'undefined', undefined),
    row('a number', TypeError, '3', 3),
    row('a string', TypeError, '0'.repeat(count), '0'.repeat(count)),
    row('strings', TypeError, 'x', put(good, count - 1, 'x')),
    row('a hole', TypeError, 'undefined', Object.assign(new Array(count), [0])),
    row('one number more', RangeError, `${count + 1}`, [...good, 0]),
    row('one number less', RangeError, `${count - 1}`, good.slice(1)),
    row('NaN', RangeError, 'NaN', put(good, count - 1, Number.NaN)),
    row('infinite', RangeError, '-Infinity', put(good, 0, Number.NEGATIVE_INFINITY)),
  ];
};

const O = [0, 0, 0];
const AXES = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const orientedBox = (label: string, text: string, halfSize: number[], axes: number[]): Bad => [
  `orientedBox with ${label}`,
  RangeError,
  new RegExp(`^OrientedBox\\.${text}`),
  () => new OrientedBox(O, halfSize, axes),
];
const badOrientedBoxes: Bad[] = [
  ...badVectors('OrientedBox', 'center', 3, (_, v) => new OrientedBox(v, O, AXES)),
  ...badVectors('OrientedBox', 'halfSize', 3, (_, v) => new OrientedBox(O, v, AXES)),
  ...badVectors('OrientedBox', 'axes', 9, (_, v) => new OrientedBox(O, O, v)),
  orientedBox('a negative half size', 'halfSize: .*1 -2 3', [1, -2, 3], AXES),
  orientedBox('an axis of length zero', 'axes: .*0 0 0', O, put(AXES, 0, 0)),
  orientedBox('an axis that is too long', 'axes: .*1.00001', O, put(AXES, 4, 1.00001)),
  orientedBox('slanted axes', 'axes: .*0.00001', O, put(AXES, 1, 0.00001)),
  orientedBox('an axis twice', 'axes: ', O, [1, 0, 0, 1, 0, 0, 0, 0, 1]),
];

const number = (label: string, error: Bad[1], text: string, call: Call): Bad => [
  label,
  error,
  new RegExp(`^SpatialIndex\\.${text}`),
  call,
];
const badShape = (label: string, error: Bad[1], text: string, call: Call): Bad => [
  label,
  error,
  new RegExp(`^${text}`),
  call,
];
const badCapsules: Bad[] = [
  ...badVectors('Capsule', 'start', 3, (_, v) => new Capsule(v, O, 1)),
  ...badVectors('Capsule', 'end', 3, (_, v) => new Capsule(O, v, 1)),
  badShape('capsule negative', RangeError, 'Capsule\\.radius: .*-1', () => new Capsule(O, O, -1)),
  badShape('capsule NaN', RangeError, 'Capsule\\.radius: .*NaN', () => new Capsule(O, O, Number.NaN)),
  badShape('capsule a string', TypeError, 'Capsule\\.radius: .*5', () => new Capsule(O, O, any('5'))),
  badShape('capsule no radius', TypeError, 'Capsule\\.radius: .*undefined', () => new Capsule(O, O, any(undefined))),
];

const SECTOR = { center: [0, 0], direction: [1, 0], radius: 1, angle: 1 };
const sector = (label: string, error: Bad[1], text: string, change: object): Bad =>
  badShape(`sector with ${label}`, error, `Sector[.:].*${text}`, () => new Sector({ ...SECTOR, ...change }));
const badSectors: Bad[] = [
  badShape('sector null', TypeError, 'Sector: .*null', () => new Sector(any(null))),
  badShape('sector a number', TypeError, 'Sector: .*4', () => new Sector(any(4))),
  ...badVectors('Sector', 'center', 2, (_, v) => new Sector({ ...SECTOR, center: v })),
  ...badVectors('Sector', 'direction', 2, (_, v) => new Sector({ ...SECTOR, direction: v })),
  sector('no direction at all', RangeError, 'direction: .*0 0', { direction: [0, -0] }),
  sector('a negative radius', RangeError, 'radius: .*-1', { radius: -1 }),
  sector('an infinite radius', RangeError, 'radius: .*Infinity', { radius: Number.POSITIVE_INFINITY }),
  sector('a NaN radius', RangeError, 'radius: .*NaN', { radius: Number.NaN }),
  sector('a string as radius', TypeError, '1, 1, -Infinity, Infinity', { radius: '1' }),
  sector('no radius', TypeError, 'undefined', { radius: undefined }),
  sector('no angle', TypeError, 'undefined', { angle: undefined }),
  sector('an angle of zero', RangeError, 'angle: .*0$', { angle: 0 }),
  sector('a negative angle', RangeError, 'angle: .*-1', { angle: -1 }),
  sector('a NaN angle', RangeError, 'angle: .*NaN', { angle: Number.NaN }),
  sector('an angle in degrees', RangeError, 'angle: .*90', { angle: 90 }),
  sector('minY above maxY', RangeError, '3 and 2', { minY: 3, maxY: 2 }),
  sector('NaN as minY', RangeError, 'NaN and Infinity', { minY: Number.NaN }),
  sector('NaN as maxY', RangeError, '-Infinity and NaN', { maxY: Number.NaN }),
  sector('null as maxY', TypeError, 'null', { maxY: null }),
];

const BAD: Bad[] = [
  ...badBoxes('add', (index, box) => index.add(box)),
  ...badBoxes('update', (index, box) => index.update(0, box)),
  ...badBoxes('queryBox', (index, box) => index.queryBox(box)),
  ...badIds('update', (index, id) => index.update(id, UNIT)),
  ...badIds('remove', (index, id) => index.remove(id)),
  ...badIds('getBox', (index, id) => index.getBox(id)),
  ['updateAll null ids', TypeError, /^SpatialIndex\.updateAll: .*null/, (index) => index.updateAll(any(null), UNIT)],
  ['updateAll null boxes', TypeError, /^SpatialIndex\.updateAll: .*null/, (index) => index.updateAll([0], any(null))],
  [
    'updateAll too few boxes',
    RangeError,
    /^SpatialIndex\.updateAll: .*6 .* 2/,
    (index) => index.updateAll([0, 1], UNIT),
  ],
  [
    'updateAll of a dead id behind a live one',
    RangeError,
    /^SpatialIndex\.updateAll: no item 999/,
    (index) => index.updateAll([0, 999], [...UNIT, ...UNIT]),
  ],
  [
    'updateAll with a bad box behind a good one',
    RangeError,
    /^SpatialIndex\.updateAll: .*NaN/,
    (index) => index.updateAll([0, 1], [...UNIT, 0, 0, 0, 1, 1, Number.NaN]),
  ],
  ['addAll null', TypeError, /^SpatialIndex\.addAll: .*null/, (index) => index.addAll(any(null))],
  ['addAll a number', TypeError, /^SpatialIndex\.addAll: .*6/, (index) => index.addAll(any(6))],
  ['addAll a string of six', TypeError, /^SpatialIndex\.addAll: .*123456/, (index) => index.addAll(any('123456'))],
  ['addAll nested boxes', TypeError, /^SpatialIndex\.addAll: /, (index) => index.addAll(any(new Array(6).fill(UNIT)))],
  ['addAll seven numbers', RangeError, /^SpatialIndex\.addAll: .*7/, (index) => index.addAll([...UNIT, 1])],
  [
    'addAll one bad box, the last',
    RangeError,
    /^SpatialIndex\.addAll: .*NaN/,
    (index) => index.addAll([...UNIT, ...UNIT, 0, 0, 0, 1, 1, Number.NaN]),
  ],
  [
    'addAll one inverted box',
    RangeError,
    /^SpatialIndex\.addAll: .*2 0 0 1/,
    (index) => index.addAll([...UNIT, 2, 0, 0, 1, 1, 1]),
  ],
  point('NaN', RangeError, 'NaN', 0, Number.NaN, 0),
  point('a string', TypeError, 'x', 0, 0, 'x'),
  point('nothing', TypeError, 'undefined'),
  sphere('NaN centre', RangeError, 'NaN', Number.NaN, 0, 0, 1),
  sphere('infinite centre', RangeError, 'Infinity', 0, Number.POSITIVE_INFINITY, 0, 1),
  sphere('negative radius', RangeError, '-1', 0, 0, 0, -1),
  sphere('NaN radius', RangeError, 'NaN', 0, 0, 0, Number.NaN),
  sphere('no radius', TypeError, 'undefined', 0, 0, 0),
  sphere('a string as radius', TypeError, '5', 0, 0, 0, '5'),
  sphere('null as radius', TypeError, 'null', 0, 0, 0, null),
  translate('by nothing', TypeError, 'undefined'),
  translate('by a string', TypeError, 'x', 0, 'x', 0),
  translate('by NaN', RangeError, 'NaN', 0, 0, Number.NaN),
  translate('by Infinity', RangeError, 'Infinity', Number.POSITIVE_INFINITY, 0, 0),
  nearest('none of', RangeError, '0', 0, 0, 0, 0),
  nearest('one and a half', RangeError, '1.5', 0, 0, 0, 1.5),
  nearest('NaN of', RangeError, 'NaN', 0, 0, 0, Number.NaN),
  nearest('fewer than none of', RangeError, '-3', 0, 0, 0, -3),
  nearest('a string of', TypeError, '5', 0, 0, 0, '5'),
  nearest('an infinite point', RangeError, 'Infinity', 0, 0, Number.POSITIVE_INFINITY),
  nearest('a point that is NaN', RangeError, 'NaN', 0, Number.NaN, 0),
  nearest('a distance below zero', RangeError, '-1', 0, 0, 0, 1, -1),
  nearest('a distance that is NaN', RangeError, 'NaN', 0, 0, 0, 1, Number.NaN),
  sphere('a string as centre', TypeError, '1', 0, '1', 0, 1),
  ...badPlanes('queryPlanes', (index, planes) => index.queryPlanes(planes)),
  ...badPlanes('classify', (index, planes) => index.classify(planes, new IdList(), new IdList())),
  [
    'classify into one list',
    RangeError,
    /^SpatialIndex\.classify: /,
    (index) => {
      const list = new IdList();
      index.classify([], list, list);
    },
  ],
  ['classify without the first list', TypeError, /./, (index) => index.classify([], any(undefined), new IdList())],
  ['classify without the second list', TypeError, /./, (index) => index.classify([], new IdList(), any(undefined))],
  ['box into null', TypeError, /./, (index) => index.queryBox(UNIT, any(null))],
  ['forEachNode of nothing', TypeError, /./, (index) => forEachNode(index, any(undefined))],
  ...badRays('raycast'),
  ...badRays('raycastFirst'),
  ...badOrientedBoxes,
  ...badCapsules,
  ...badSectors,
  number('queryShape of null', TypeError, 'queryShape: .*null', (index) => index.queryShape(any(null))),
  number('queryShape of a box', TypeError, 'queryShape: .*0,0,0', (index) => index.queryShape(any(UNIT))),
  number('queryShape of something alike', TypeError, 'queryShape: .*object', (index) =>
    index.queryShape(any({ region: null, path: null, isRegion: false, touches: () => true })),
  ),
];

/** Five items of which id 2 is dead. */
function fiveLessOne(name: StructureName): SpatialIndex {
  const index = createIndex(name, { capacity: 2 });
  for (let i = 0; i < 5; i++) index.add([i, 0, 0, i + 0.5, 1, 1]);
  index.remove(2);
  return index;
}

function everything(index: SpatialIndex): unknown {
  const { size, version } = index;
  const boxes = [0, 1, 2, 3, 4].map((id) => index.has(id) && [...index.getBox(id)]);
  const all = index.queryBox([-9, -9, -9, 99, 99, 99]).toArray();
  const ray = index.raycast({ origin: [-1, 0.5, 0.5], direction: [1, 0, 0] });
  return { size, version, boxes, all, hits: [...ray.ids.subarray(0, ray.length)], stats: stats(index) };
}

describe.each(STRUCTURES)('%s refuses, and stays as it was:', (name) => {
  it.each(BAD)('%s', (_label, error, message, call) => {
    const index = fiveLessOne(name);
    const before = everything(index);
    let thrown: unknown;
    try {
      call(index);
    } catch (e) {
      thrown = e;
    }
    expect(thrown).toBeInstanceOf(error);
    expect((thrown as Error).message).toMatch(message);
    expect(everything(index)).toEqual(before);
    expect(validate(index)).toEqual([]);
    const id = index.add(UNIT);
    expect(id).toBe(2);
  });

  it('a list with a getter that throws, at its i-th number', () => {
    for (let i = 0; i < 12; i++) {
      const index = fiveLessOne(name);
      const before = everything(index);
      const numbers = Object.defineProperty([...UNIT, ...UNIT], i, {
        get() {
          throw new Error('mine');
        },
      });
      if (i < 6) {
        for (const call of [() => index.add(box6()), () => index.update(0, box6()), () => index.queryBox(box6())])
          expect(call).toThrow('mine');
      }
      expect(() => index.addAll(numbers)).toThrow('mine');
      expect(everything(index)).toEqual(before);
      expect(validate(index)).toEqual([]);

      function box6(): number[] {
        return Object.defineProperty([...UNIT], i, {
          get() {
            throw new Error('mine');
          },
        });
      }
    }
  });

  it('nothing that has() is asked', () => {
    const index = fiveLessOne(name);
    for (const id of [
      2,
      9,
      -1,
      0.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '0',
      null,
      undefined,
      {},
      [0],
      Symbol('s'),
      0n,
    ])
      expect(index.has(any(id))).toBe(false);
    expect(index.has(0)).toBe(true);
  });

  it('a visitor that throws at its i-th call, or edits', () => {
    const index = createIndex(name, { capacity: 2 });
    for (let i = 0; i < 40; i++) index.add([i, i % 7, 0, i + 0.5, 8, 1]);
    const { nodes } = stats(index);
    for (let i = 1; i <= nodes; i++) {
      let calls = 0;
      expect(() =>
        forEachNode(index, () => {
          if (++calls === i) throw new Error('mine');
        }),
      ).toThrow('mine');
      expect(validate(index)).toEqual([]);
    }
    let calls = 0;
    forEachNode(index, () => {
      if (calls++ === 0) index.clear();
      index.add(UNIT);
    });
    expect(calls).toBe(nodes);
    expect(index.size).toBe(nodes);
    expect(validate(index)).toEqual([]);
  });

  it('no later change of an array that was given', () => {
    const index = createIndex(name);
    const box = [...UNIT];
    const id = index.add(box);
    const many = new Float64Array([...UNIT, ...UNIT]);
    const [a, b] = index.addAll(many);
    box.fill(9);
    many.fill(Number.NaN);
    for (const each of [id, a, b]) expect([...index.getBox(each)]).toEqual(UNIT);
    const next = [2, 2, 2, 3, 3, 3];
    index.update(id, next);
    next.fill(9);
    const out = index.getBox(id);
    expect([...out]).toEqual([2, 2, 2, 3, 3, 3]);
    out.fill(7);
    index.getBounds().fill(7);
    expect([...index.getBox(id)]).toEqual([2, 2, 2, 3, 3, 3]);
    expect([...index.getBounds()]).toEqual([0, 0, 0, 3, 3, 3]);
    expect(validate(index)).toEqual([]);
  });

  it('to mix up results: lists are overwritten from the start, and new ones are independent', () => {
    const index = createIndex(name, { capacity: 2 });
    const ids = [...index.addAll(Array.from({ length: 60 }, (_, i) => [i, 0, 0, i + 0.5, 1, 1]).flat())];
    const list = new IdList();
    expect(index.queryBox([0, 0, 0, 100, 1, 1], list)).toBe(list);
    expect(list.toArray().sort((a, b) => a - b)).toEqual(ids);
    index.queryPoint(3.25, 0.5, 0.5, list);
    expect(list.toArray()).toEqual([ids[3]]);
    index.querySphere(500, 0, 0, 1, list);
    expect(list.toArray()).toEqual([]);
    const hits = new Hits();
    const along = { origin: [-1, 0.5, 0.5], direction: [2, 0, 0] };
    expect(index.raycast(along, hits)).toBe(hits);
    expect(hits.length).toBe(60);
    index.raycastFirst(along, hits);
    expect([hits.length, hits.ids[0], hits.distances[0]]).toEqual([1, ids[0], 1]);
    index.raycast({ ...along, direction: [-1, 0, 0] }, hits);
    expect(hits.length).toBe(0);
    const seen: number[] = [];
    for (const id of index.queryBox([0, 0, 0, 10, 1, 1])) {
      for (const other of index.querySphere(id, 0, 0, 0.25)) seen.push(other);
      const { length } = index.raycast(along);
      expect(length).toBe(60);
    }
    expect(seen.sort((a, b) => a - b)).toEqual(ids.slice(0, 11));
  });

  it('nothing of a ray or planes that are legal, however odd', () => {
    const index = fiveLessOne(name);
    const hit = { origin: [-1, 0.5, 0.5], direction: [1, -0, 0], near: 0, far: Number.POSITIVE_INFINITY };
    expect(index.raycast(hit).length).toBe(4);
    expect(index.raycast({ ...hit, direction: [5e-324, 0, 0] }).length).toBe(4);
    expect(index.raycast({ ...hit, direction: [1e308, 0, 0] }).length).toBe(4);
    // Of any length but zero, although the square root of the sum of squares is beyond all numbers.
    expect(() => index.raycast({ ...hit, direction: [1.7e308, 1.7e308, 1.7e308] })).not.toThrow();
    expect(index.queryPlanes([]).length).toBe(4);
    expect(index.queryPlanes([Number.NaN, 0, 0, -1e9]).length).toBe(4);
    expect(index.queryPlanes([1, 0, 0, Number.NaN]).length).toBe(4);
    expect(index.querySphere(0, 0, 0, Number.POSITIVE_INFINITY).length).toBe(4);
    expect(index.querySphere(0, 0, 0, 0).length).toBe(1);
  });
});
