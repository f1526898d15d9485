import { afterEach, expect, it } from 'vitest';
import { createIndex, enableSimd, IdList, maintain } from '../../src/standalone.js';
import { packedOf } from '../helpers/partsOf.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';

afterEach(() => {
  enableSimd(true);
});

const COUNT = 1200;
const { POSITIVE_INFINITY: inf } = Number;

/** How many of some hundred boxes fit no row: half of space, points at infinity, boxes far from the curve, large ones. */
const STRANGE: [label: string, share: number][] = [
  ['no', 0],
  ['a few', 0.02],
  ['many', 0.4],
];

function boxIn(next: () => number, strange: number): number[] {
  const low = [next() * 90, next() * 90, next() * 90];
  if (next() < strange) {
    const kind = Math.floor(next() * 4);
    if (kind === 0) return [-inf, 0, 0, next(), 1, 1];
    if (kind === 1) return [1, inf, 2, 1 + 40 * next(), inf, 4];
    if (kind === 2) low[Math.floor(next() * 3)] *= next() < 0.5 ? 1e4 : 20;
    else return [...low, ...low.map((v) => v + 90 * next())];
  }
  return [...low, ...low.map((v) => v + next())];
}

it.each(STRANGE.flatMap(([label, share]) => [false, true].map((planar) => [label, planar, share] as const)))(
  'batches with %s strange boxes come and go, planar: %s, in the same rows with and without SIMD, seed 1',
  (_label, planar, share) => {
    const next = random(1);
    const first = Float64Array.from(Array.from({ length: COUNT }, () => boxIn(next, share)).flat());
    const twins = [true, false].map((simd) => {
      enableSimd(simd);
      const index = createIndex('packed', { planar });
      index.addAll(first);
      return { simd, index, rows: packedOf(index).rows, out: new IdList() };
    });
    const held = new Map<number, number[]>();
    for (let id = 0; id < COUNT; id++) held.set(id, [...first.subarray(6 * id, 6 * id + 6)]);
    for (let round = 0; round < 12; round++) {
      // In some rounds all boxes go to a corner, so that rows are full; in others most items go.
      const corner = round % 4 === 1 ? 0.1 : 1;
      const leaving = [0.1, 0.3, 0.02, 0.9][(round >> 1) % 4];
      const gone = [...held.keys()].filter(() => next() < leaving).sort(() => next() - 0.5);
      const come = Float64Array.from(
        Array.from({ length: Math.floor([0.1, 0.3, 0.5, 1.2][round % 4] * held.size) }, () =>
          boxIn(next, share).map((side) => (Number.isFinite(side) ? side * corner : side)),
        ).flat(),
      );
      const [fast, plain] = twins.map(({ simd, index, rows, out }) => {
        enableSimd(simd);
        index.removeAll(Int32Array.from(gone));
        const ids = index.addAll(come);
        expect(validate(index)).toEqual([]);
        if (round % 3 === 2) while (!maintain(index, 1));
        const order = index.queryBox([0, 0, 0, 30, 30, 30], out).toArray();
        const used = rows.ids.subarray(0, 16 * rows.count).filter((_, slot) => (slot & 15) < rows.sizes[slot >> 4]);
        const levels = rows.levels.slice(0, rows.starts[rows.top] + 24);
        const outside = rows.outside.slice(0, rows.outsideCount);
        return {
          ids: [...ids],
          order,
          used,
          outside,
          sizes: rows.sizes.slice(0, rows.count),
          levels,
          size: index.size,
        };
      });
      expect(fast).toEqual(plain);
      for (const id of gone) held.delete(id);
      fast.ids.forEach((id, i) => {
        held.set(id, [...come.subarray(6 * i, 6 * i + 6)]);
      });
      expect(fast.size).toBe(held.size);
      const found = [...held].filter(
        ([, [x, y, z, u, v, w]]) => x <= 30 && y <= 30 && z <= 30 && u >= 0 && v >= 0 && w >= 0,
      );
      expect(fast.order.sort((a, b) => a - b)).toEqual(found.map(([id]) => id).sort((a, b) => a - b));
      for (const [id, box] of found) expect([...twins[0].index.getBox(id)]).toEqual(box);
    }
    // Kernels are few; a cleared index gives its own back.
    for (const { index } of twins) index.clear();
  },
);

it('all items may go at once, and none', () => {
  const next = random(1);
  const index = createIndex('packed');
  const ids = index.addAll(Array.from({ length: COUNT }, () => boxIn(next, 0)).flat());
  index.removeAll([]);
  expect(index.size).toBe(COUNT);
  index.removeAll(ids);
  expect([index.size, index.queryPlanes([]).length]).toEqual([0, 0]);
  expect(validate(index)).toEqual([]);
});
