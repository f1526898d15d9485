import { afterEach, describe, expect, it } from 'vitest';
import { createIndex, enableSimd, IdList, type SpatialIndex } from '../../src/standalone.js';
import { packedOf } from '../helpers/partsOf.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';

afterEach(() => {
  enableSimd(true);
});

const { POSITIVE_INFINITY: inf } = Number;
type Make = (next: () => number, i: number) => number[];
const around = (next: () => number, at: number[], size: number): number[] => [
  ...at,
  ...at.map((v) => v + size * next()),
];
const anywhere: Make = (next) => around(next, [next() * 90, next() * 90, next() * 90], 2);

/** What an index is built from, and which of the items are then removed. */
const CASES: [label: string, make: Make, isRemoved?: (id: number) => boolean][] = [
  ['uniform boxes', anywhere],
  ['boxes all in one place', () => [3, 4, 5, 3, 4, 6]],
  ['few places', (_, i) => [i % 7, i % 3, 0, (i % 7) + 1, (i % 3) + 1, 1]],
  ['boxes on a line', (next) => around(next, [next() * 1e4, 0, 0], 0)],
  ['boxes of all sizes', (next) => around(next, [next() * 90, next() * 90, next() * 90], 100 ** next())],
  ['some far away', (next, i) => (i % 9 === 0 ? around(next, [1e9 * next(), 0, 0], 1) : anywhere(next, i))],
  ['some without ends', (next, i) => (i % 2 === 0 ? [-inf, 0, 0, next(), 1, 1] : anywhere(next, i))],
  ['none but without ends', (next) => [-inf, 0, 0, next(), 1, inf]],
  ['few that have ends', (next, i) => (i % 300 === 0 ? anywhere(next, i) : [-inf, -inf, 0, next(), 1, 1])],
  ['most removed', anywhere, (id) => id % 40 !== 7],
  ['all but the last removed', anywhere, (id) => id < 2900],
];

function filled(make: Make, isRemoved: (id: number) => boolean, planar: boolean): SpatialIndex {
  const next = random(4);
  const index = createIndex('packed', { planar });
  index.addAll(Array.from({ length: 3000 }, (_, i) => make(next, i)).flat());
  for (let id = 0; id < 3000; id++) if (isRemoved(id)) index.remove(id);
  index.rebuild();
  // A second batch takes the ids that are free.
  index.addAll(Array.from({ length: 2000 }, (_, i) => make(next, i)).flat());
  return index;
}

describe.each([false, true])('a build, with planar: %s', (planar) => {
  it.each(CASES)('of %s comes to the same rows with and without SIMD', (_label, make, isRemoved = () => false) => {
    const [fast, plain] = [true, false].map((simd) => {
      enableSimd(simd);
      const index = filled(make, isRemoved, planar);
      expect(validate(index)).toEqual([]);
      const { rows } = packedOf(index);
      const used = rows.ids.filter((_, slot) => (slot & 15) < rows.sizes[slot >> 4]);
      const state = {
        order: index.queryPlanes([], new IdList()).toArray(),
        ids: [
          ...used.subarray(
            0,
            rows.sizes.subarray(0, rows.count).reduce((sum, size) => sum + size, 0),
          ),
        ],
        sizes: [...rows.sizes.subarray(0, rows.count)],
        firstKeys: [...rows.firstKeys.subarray(0, rows.count)],
        levels: [...rows.levels.subarray(0, rows.starts[rows.top] + 24)],
        outside: [...rows.outside.subarray(0, rows.outsideCount)],
        scale: rows.frame.scale,
        boxes: Array.from({ length: 3000 }, (_, id) => index.has(id) && [...index.getBox(id)]),
      };
      // Kernels are few; a cleared index gives its own back.
      index.clear();
      return state;
    });
    expect(fast).toEqual(plain);
  });
});
