import { describe, expect, it } from 'vitest';
import {
  Bvh,
  createIndex,
  Grid,
  type IndexOptions,
  LooseOctree,
  Octree,
  STRUCTURES,
  stats,
} from '../../src/standalone.js';
import { type Any, any, type BadValues, refusalsOf, testRefusals } from '../helpers/refusals.js';

const [T, R] = [TypeError, RangeError];
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

/** Each value as an option of this name, whose message says what it got. */
const option = (name: string, error: typeof T | typeof R, ...values: unknown[]): BadValues[] =>
  values.map((value) => [error, `${name}: .*got ${String(value).slice(0, 4)}`, { [name]: value }]);
const unknown = (...names: string[]): BadValues[] =>
  names.map((name) => [R, `unknown option "${name}"`, JSON.parse(`{ "${name}": 8 }`)]);

const PLANAR = option('planar', T, 1, 'false');
const BAD_OPTIONS: BadValues[] = [
  [T, 'options must be an object, got null', null],
  [T, 'options must be an object, got 7', 7],
  [T, 'options must be an object, got capacity', 'capacity'],
  ...option('capacity', R, 0, -3, 2.5, nan, inf),
  ...option('capacity', T, '8', null),
  ...option('maxDepth', R, 0, 65, 3.5),
  ...option('minCellSize', R, -1, inf, nan),
  ...PLANAR,
  ...unknown('Capacity', 'toString', '__proto__'),
];
const lengths = (name: string): BadValues[] => [
  ...option(name, R, -1, nan, inf, 2 ** 301),
  ...option(name, T, '1', null),
];
const GRID = lengths('cellSize');
const LOOSE: BadValues[] = [...option('looseness', R, 0.99, 9, nan), ...option('looseness', T, true)];

describe('options that are refused:', () => {
  const every = [...BAD_OPTIONS, ...LOOSE, ...GRID];
  testRefusals(
    [
      ...STRUCTURES.flatMap((name) => refusalsOf('createIndex', (_, options) => createIndex(name, options), every)),
      ...refusalsOf('createIndex', (_, name) => createIndex(name), [
        ...['quadTree', '', '__proto__', 'toString', 'Octree'].map(
          (name): BadValues => [R, `structure "${name}"`, name],
        ),
        [T, '', null, undefined, 3, {}],
      ]),
      ...refusalsOf('LooseOctree', (_, options) => new LooseOctree(options), [...BAD_OPTIONS, ...LOOSE]),
      ...refusalsOf('Octree', (_, options) => new Octree(options), [...BAD_OPTIONS, ...unknown('looseness')]),
      ...refusalsOf('Grid', (_, options) => new Grid(options), [...GRID, ...PLANAR, ...unknown('capacity')]),
      ...refusalsOf('Bvh', (_, options) => new Bvh(options), [...PLANAR, ...unknown('capacity')]),
    ],
    () => null,
  );
});

describe('options that are taken', () => {
  it.each<[name: string, options: Any]>([
    ['octree', Object.create({ capacity: 0, nonsense: 1 })],
    ['octree', { capacity: undefined, planar: undefined }],
    ['bruteForce', { capacity: 1, looseness: 8, maxDepth: 64 }],
    ['octree', { looseness: 3 }],
    ['grid', { capacity: 1, looseness: 3, cellSize: 0 }],
    ['octree', { cellSize: 5 }],
    ['bvh', { capacity: 1, cellSize: 5, planar: true }],
  ])('by %s: %o, which are own properties, and the default where they are undefined', (name, options) => {
    expect(() => createIndex(any(name), options)).not.toThrow();
  });
  it('are copied', () => {
    const options: IndexOptions = { capacity: 4 };
    const index = createIndex('octree', options);
    options.capacity = 1000;
    for (let i = 0; i < 64; i++) index.add([i, 0, 0, i, 0, 0]);
    expect(stats(index).nodes).toBeGreaterThan(8);
  });
});
