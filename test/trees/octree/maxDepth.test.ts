import { describe, expect, it } from 'vitest';
import {
  createIndex,
  type IndexOptions,
  type SpatialIndex,
  type StructureName,
  stats,
} from '../../../src/standalone.js';
import { HOSTILE_ORDERS } from '../../helpers/hostileOrders.js';
import { rebuildsOf } from '../../helpers/partsOf.js';
import { random } from '../../helpers/random.js';
import { validate } from '../../helpers/validate.js';

const TREES = (['octree', 'looseOctree'] as const).flatMap((name): [StructureName, IndexOptions][] =>
  [1, 2, 4, 9].flatMap((maxDepth): [StructureName, IndexOptions][] => [
    [name, { maxDepth, capacity: 1 }],
    [name, { maxDepth, capacity: 5, planar: true }],
  ]),
);
const OUTWARDS = {
  label: 'points ever further out',
  make: (count: number) => Array.from({ length: count }, (_, i) => [1.05 ** i, 0, 0, 1.05 ** i, 0, 0]),
};
const INWARDS = {
  label: 'points ever further in, from all sides',
  make: (count: number) =>
    Array.from({ length: count }, (_, i) => {
      const at = [0, 1, 2].map((c) => (i & (1 << c) ? 1 : -1) * 0.97 ** i * 1e9);
      return [...at, ...at];
    }),
};
/** Unbounded items, if there are any, are one level above the top cell. */
const levels = (index: SpatialIndex): number => stats(index).height - (stats(index).unbounded > 0 ? 1 : 0);

describe.each(TREES)('%s %j', (name, options) => {
  const { maxDepth = 0 } = options;

  it.each([OUTWARDS, INWARDS, ...HOSTILE_ORDERS])(
    'is no deeper than it may be, and seldom rebuilt, given $label',
    ({ make }) => {
      const count = 800;
      const index = createIndex(name, options);
      make(count).forEach((box, i) => {
        index.add(box);
        if (i % 50 === 0 || i < 30) expect(levels(index)).toBeLessThanOrEqual(maxDepth);
      });
      expect(validate(index)).toEqual([]);
      // From one to the next the items double.
      expect(rebuildsOf(index)).toBeLessThanOrEqual(1 + Math.log2(count / 16));
    },
  );

  it('is no deeper where all items drift outwards, and seldom rebuilt', () => {
    const count = 200;
    const next = random(2);
    const index = createIndex(name, options);
    const boxes = Array.from({ length: count }, () => [0, 0, 0].map(() => next() - 0.5));
    const box = (at: number[]): number[] => [...at, ...at.map((c) => c + 0.001)];
    const ids = index.addAll(boxes.flatMap(box));
    const rounds = 25;
    for (let round = 1; round <= rounds; round++) {
      ids.forEach((id, i) => {
        index.update(id, box(boxes[i].map((c) => c * 1.3 ** round)));
      });
      expect(levels(index)).toBeLessThanOrEqual(maxDepth);
      expect(validate(index)).toEqual([]);
    }
    expect(rebuildsOf(index)).toBe(0);
  });
});

describe.each(['octree', 'looseOctree'] as const)('rows of cells of an %s that are lifted', (name) => {
  const lifted = (): SpatialIndex => {
    const index = createIndex(name, { maxDepth: 1, capacity: 4 });
    const next = random(5);
    index.addAll(Array.from({ length: 200 }, () => [next(), next(), next()]).flatMap((at) => [...at, ...at]));
    expect(stats(index).quality).toBe(1);
    // Far off: all others are in one cell from now on.
    index.add([1000, 0, 0, 1000, 0, 0]);
    expect(stats(index).height).toBe(1);
    expect(stats(index).quality).toBeLessThan(0.1);
    return index;
  };

  it('are not gone through by the next item, to be divided in vain', () => {
    const index = lifted();
    index.add([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    expect(stats(index).quality).toBeLessThan(0.1);
    expect(validate(index)).toEqual([]);
  });
});

it.each(['octree', 'looseOctree'] as const)(
  'an %s is rebuilt once its items have doubled, and never as they move',
  (name) => {
    const index = createIndex(name, { maxDepth: 2, capacity: 4 });
    const next = random(3);
    const point = (scale: number): number[] => {
      const at = [next() * scale, next() * scale, next() * scale];
      return [...at, ...at];
    };
    const ids = index.addAll(Array.from({ length: 100 }, () => point(1)).flat());
    for (let i = 0; i < 99; i++) index.add(point(2 ** (i % 20)));
    for (let i = 0; i < 1000; i++) index.update(ids[i % 100], point(2 ** (i % 20)));
    expect(rebuildsOf(index)).toBe(0);
    index.add(point(1e6));
    expect(rebuildsOf(index)).toBe(1);
    for (let id = 0; id < 150; id++) index.remove(id);
    for (let i = 0; i < 349; i++) index.add(point(1));
    expect(rebuildsOf(index)).toBe(1);
    index.add(point(1));
    expect(rebuildsOf(index)).toBe(2);
    expect(validate(index)).toEqual([]);
  },
);
