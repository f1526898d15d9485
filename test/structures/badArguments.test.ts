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

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the point
const any = (value: unknown): any => value;

type BadOption = [options: unknown, error: typeof TypeError | typeof RangeError, message: RegExp];
const BAD_OPTIONS: BadOption[] = [
  [null, TypeError, /options are an object, got null/],
  [7, TypeError, /options are an object, got 7/],
  ['capacity', TypeError, /options are an object, got capacity/],
  [{ capacity: 0 }, RangeError, /\.capacity: .*got 0/],
  [{ capacity: -3 }, RangeError, /\.capacity: .*got -3/],
  [{ capacity: 2.5 }, RangeError, /\.capacity: .*got 2.5/],
  [{ capacity: Number.NaN }, RangeError, /\.capacity: .*got NaN/],
  [{ capacity: Number.POSITIVE_INFINITY }, RangeError, /\.capacity: .*got Infinity/],
  [{ capacity: '8' }, TypeError, /\.capacity: .*got 8/],
  [{ capacity: null }, TypeError, /\.capacity: .*got null/],
  [{ maxDepth: 0 }, RangeError, /\.maxDepth: .*got 0/],
  [{ maxDepth: 65 }, RangeError, /\.maxDepth: .*got 65/],
  [{ maxDepth: 3.5 }, RangeError, /\.maxDepth: .*got 3.5/],
  [{ minCellSize: -1 }, RangeError, /\.minCellSize: .*got -1/],
  [{ minCellSize: Number.POSITIVE_INFINITY }, RangeError, /\.minCellSize: .*got Infinity/],
  [{ minCellSize: Number.NaN }, RangeError, /\.minCellSize: .*got NaN/],
  [{ planar: 1 }, TypeError, /\.planar: .*got 1/],
  [{ planar: 'false' }, TypeError, /\.planar: .*got false/],
  [{ Capacity: 8 }, RangeError, /\.Capacity: no such option/],
  [{ toString: 8 }, RangeError, /\.toString: no such option/],
  [JSON.parse('{ "__proto__": { "capacity": 1 } }'), RangeError, /\.__proto__: no such option/],
];
const GRID: BadOption[] = [
  [{ cellSize: -1 }, RangeError, /\.cellSize: .*got -1/],
  [{ cellSize: Number.NaN }, RangeError, /\.cellSize: .*got NaN/],
  [{ cellSize: Number.POSITIVE_INFINITY }, RangeError, /\.cellSize: .*got Infinity/],
  [{ cellSize: 2 ** 301 }, RangeError, /\.cellSize: .*got 4\.07/],
  [{ cellSize: '1' }, TypeError, /\.cellSize: .*got 1/],
  [{ cellSize: null }, TypeError, /\.cellSize: .*got null/],
];
const BVH: BadOption[] = [
  [{ margin: -1 }, RangeError, /\.margin: .*got -1/],
  [{ margin: Number.NaN }, RangeError, /\.margin: .*got NaN/],
  [{ margin: Number.POSITIVE_INFINITY }, RangeError, /\.margin: .*got Infinity/],
  [{ margin: 2 ** 301 }, RangeError, /\.margin: .*got 4\.07/],
  [{ margin: '1' }, TypeError, /\.margin: .*got 1/],
  [{ margin: null }, TypeError, /\.margin: .*got null/],
];
const LOOSE: BadOption[] = [
  [{ looseness: 0.99 }, RangeError, /\.looseness: .*got 0.99/],
  [{ looseness: 9 }, RangeError, /\.looseness: .*got 9/],
  [{ looseness: Number.NaN }, RangeError, /\.looseness: .*got NaN/],
  [{ looseness: true }, TypeError, /\.looseness: .*got true/],
];

describe('options that are refused', () => {
  const refuse = (make: () => unknown, where: string, error: BadOption[1], message: RegExp): void => {
    expect(make).toThrow(error);
    expect(make).toThrow(message);
    expect(make).toThrow(new RegExp(`^${where}[.:]`));
  };
  it.each([...BAD_OPTIONS, ...LOOSE])('%o by createIndex and LooseOctree', (options, error, message) => {
    for (const name of STRUCTURES) refuse(() => createIndex(name, any(options)), 'createIndex', error, message);
    refuse(() => new LooseOctree(any(options)), 'LooseOctree', error, message);
  });
  it.each(BAD_OPTIONS)('%o by Octree', (options, error, message) => {
    refuse(() => new Octree(any(options)), 'Octree', error, message);
  });
  it.each([...GRID, [{ planar: 1 }, TypeError, /\.planar: .*got 1/] as BadOption])(
    '%o by Grid',
    (options, error, message) => {
      for (const name of STRUCTURES) refuse(() => createIndex(name, any(options)), 'createIndex', error, message);
      refuse(() => new Grid(any(options)), 'Grid', error, message);
    },
  );
  it.each([...BVH, [{ planar: 1 }, TypeError, /\.planar: .*got 1/] as BadOption])(
    '%o by Bvh',
    (options, error, message) => {
      for (const name of STRUCTURES) refuse(() => createIndex(name, any(options)), 'createIndex', error, message);
      refuse(() => new Bvh(any(options)), 'Bvh', error, message);
    },
  );
  it('capacity by Bvh', () => {
    refuse(() => new Bvh(any({ capacity: 2 })), 'Bvh', RangeError, /\.capacity: no such option/);
  });
  it('capacity by Grid', () => {
    refuse(() => new Grid(any({ capacity: 2 })), 'Grid', RangeError, /\.capacity: no such option/);
  });
  it('looseness by Octree', () => {
    refuse(() => new Octree(any({ looseness: 2 })), 'Octree', RangeError, /\.looseness: no such option/);
  });
  it.each(['quadtree', '', '__proto__', 'toString', 'Octree'])('the name %o', (name) => {
    refuse(() => createIndex(any(name)), 'createIndex', RangeError, new RegExp(`structure ${name};`));
  });
  it.each([null, undefined, 3, {}])('the name %o, of a wrong type', (name) => {
    expect(() => createIndex(any(name))).toThrow(TypeError);
  });
});

describe('options that are taken', () => {
  it('are own properties, and undefined means the default', () => {
    const inherited = Object.create({ capacity: 0, nonsense: 1 }) as IndexOptions;
    expect(() => createIndex('octree', inherited)).not.toThrow();
    expect(() => createIndex('octree', any({ capacity: undefined, planar: undefined }))).not.toThrow();
    expect(() => createIndex('bruteForce', { capacity: 1, looseness: 8, maxDepth: 64 })).not.toThrow();
    expect(() => createIndex('octree', { looseness: 3 })).not.toThrow();
    expect(() => createIndex('grid', { capacity: 1, looseness: 3, cellSize: 0 })).not.toThrow();
    expect(() => createIndex('octree', { cellSize: 5 })).not.toThrow();
    expect(() => createIndex('bvh', { capacity: 1, cellSize: 5, margin: 2 ** 300, planar: true })).not.toThrow();
    expect(() => createIndex('grid', { margin: 5 })).not.toThrow();
  });
  it('are copied', () => {
    const options: IndexOptions = { capacity: 4 };
    const index = createIndex('octree', options);
    options.capacity = 1000;
    for (let i = 0; i < 64; i++) index.add([i, 0, 0, i, 0, 0]);
    expect(stats(index).nodes).toBeGreaterThan(8);
  });
});
