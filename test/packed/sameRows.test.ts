import { afterEach, describe, expect, it } from 'vitest';
import { createIndex, enableSimd, IdList, maintain, type SpatialIndex } from '../../src/standalone.js';
import { packedOf } from '../helpers/partsOf.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';
import { seeds } from '../helpers/width.js';

const made: SpatialIndex[] = [];

afterEach(() => {
  enableSimd(true);
  // Kernels are few; a cleared index gives its own back.
  for (const index of made.splice(0)) index.clear();
});

/** An index with SIMD and one without, which have to come to the same rows. */
class Twins {
  readonly indices: SpatialIndex[];

  constructor(planar: boolean) {
    this.indices = [true, false].map(() => createIndex('packed', { planar }));
    made.push(...this.indices);
  }

  /** Does something to both, and returns what comes of it. */
  both<T>(act: (index: SpatialIndex) => T): T {
    const [fast, plain] = this.indices.map((index, i) => {
      enableSimd(i === 0);
      const told = act(index);
      expect(validate(index)).toEqual([]);
      return { told, ...rowsOf(index) };
    });
    expect(fast).toEqual(plain);
    return fast.told;
  }
}

/** What is found in which order, what lies in which row, and the boxes of all levels. */
function rowsOf(index: SpatialIndex) {
  const order = index.queryPlanes([], new IdList()).toArray();
  const { rows } = packedOf(index);
  return {
    order,
    used: rows.ids.subarray(0, 16 * rows.count).filter((_, seat) => (seat & 15) < rows.sizes[seat >> 4]),
    sizes: rows.sizes.slice(0, rows.count),
    firstKeys: rows.firstKeys.slice(0, rows.count),
    levels: rows.tiers.slice(0, rows.starts[rows.top] + 24),
    outside: rows.outside.slice(0, rows.outsideCount),
    scale: rows.frame.scale,
  };
}

const { POSITIVE_INFINITY: inf } = Number;
type Make = (next: () => number, i: number) => number[];
const around = (next: () => number, at: number[], size: number): number[] => [
  ...at,
  ...at.map((v) => v + size * next()),
];
const place = (next: () => number, edge = 90): number[] => [next() * edge, next() * edge, next() * edge];
const anywhere: Make = (next) => around(next, place(next), 2);
const many = (count: number, make: (i: number) => number[]): Float64Array =>
  Float64Array.from(Array.from({ length: count }, (_, i) => make(i)).flat());

/** What an index is built from, and which of the items are then removed. */
const BUILDS: [label: string, make: Make, isRemoved?: (id: number) => boolean][] = [
  ['uniform boxes', anywhere],
  ['boxes all in one place', () => [3, 4, 5, 3, 4, 6]],
  ['few places', (_, i) => [i % 7, i % 3, 0, (i % 7) + 1, (i % 3) + 1, 1]],
  ['boxes on a line', (next) => around(next, [next() * 1e4, 0, 0], 0)],
  ['boxes of all sizes', (next) => around(next, place(next), 100 ** next())],
  ['some far away', (next, i) => (i % 9 === 0 ? around(next, [1e9 * next(), 0, 0], 1) : anywhere(next, i))],
  ['some without ends', (next, i) => (i % 2 === 0 ? [-inf, 0, 0, next(), 1, 1] : anywhere(next, i))],
  ['none but without ends', (next) => [-inf, 0, 0, next(), 1, inf]],
  ['few that have ends', (next, i) => (i % 300 === 0 ? anywhere(next, i) : [-inf, -inf, 0, next(), 1, 1])],
  ['most removed', anywhere, (id) => id % 40 !== 7],
  ['all but the last removed', anywhere, (id) => id < 2900],
];

describe.each([false, true])('rows are the same with and without SIMD, planar: %s,', (planar) => {
  it.each(BUILDS)('built of %s', (_label, make, isRemoved = () => false) => {
    new Twins(planar).both((index) => {
      const next = random(4);
      index.addAll(many(3000, (i) => make(next, i)));
      for (let id = 0; id < 3000; id++) if (isRemoved(id)) index.remove(id);
      index.rebuild();
      // A second batch takes the ids that are free.
      index.addAll(many(2000, (i) => make(next, i)));
      return Array.from({ length: 3000 }, (_, id) => index.has(id) && [...index.getBox(id)]);
    });
  });

  it.each(seeds(6))('where boxes stray, seed %i', (seed) => {
    const next = random(seed);
    const edge = 10 ** (seed % 4);
    const boxes = many(3000, () => stray(next, edge));
    const twins = new Twins(planar);
    const ids = twins.both((index) => index.addAll(boxes));
    for (let frame = 0; frame < 12; frame++) {
      // All, or one in fifty, jump.
      const some = ids.filter(() => frame % 3 === 0 || next() < 0.02);
      const moved = many(some.length, () => stray(next, 1.1 * edge));
      twins.both((index) => index.updateAll(some, moved));
    }
  });

  it.each([
    ['no', 0],
    ['a few', 0.02],
    ['many', 0.4],
  ])('where batches with %s strange boxes come and go, seed 1', (_label, share) => {
    const next = random(1);
    const first = many(1200, () => strange(next, share));
    const twins = new Twins(planar);
    const held = new Map<number, number[]>();
    const hold = (ids: Int32Array, boxes: Float64Array): void => {
      for (const [i, id] of ids.entries()) held.set(id, [...boxes.subarray(6 * i, 6 * i + 6)]);
    };
    hold(
      twins.both((index) => index.addAll(first)),
      first,
    );
    for (let round = 0; round < 12; round++) {
      // In some rounds all boxes go to a corner, so that rows are full; in others most items go.
      const corner = round % 4 === 1 ? 0.1 : 1;
      const leaving = [0.1, 0.3, 0.02, 0.9][(round >> 1) % 4];
      const gone = [...held.keys()].filter(() => next() < leaving).sort(() => next() - 0.5);
      const come = many(Math.floor([0.1, 0.3, 0.5, 1.2][round % 4] * held.size), () =>
        strange(next, share).map((side) => (Number.isFinite(side) ? side * corner : side)),
      );
      const { ids, near, size } = twins.both((index) => {
        index.removeAll(Int32Array.from(gone));
        const ids = index.addAll(come);
        if (round % 3 === 2) while (!maintain(index, 1));
        return { ids, near: index.queryBox([0, 0, 0, 30, 30, 30]).toArray(), size: index.size };
      });
      for (const id of gone) held.delete(id);
      hold(ids, come);
      expect(size).toBe(held.size);
      const found = [...held].filter(
        ([, [x, y, z, u, v, w]]) => x <= 30 && y <= 30 && z <= 30 && u >= 0 && v >= 0 && w >= 0,
      );
      expect(near.sort((a, b) => a - b)).toEqual(found.map(([id]) => id).sort((a, b) => a - b));
      for (const [id, box] of found) expect([...twins.indices[0].getBox(id)]).toEqual(box);
    }
  });

  it('strays return to the curve while few items move', () => {
    const next = random(5);
    const [index] = new Twins(planar).indices;
    const ids = index.addAll(many(3000, () => stray(next, 100)));
    const items = packedOf(index);
    const all = many(3000, () => stray(next, 100));
    index.updateAll(ids, all);
    const strays = (): number => {
      const { rows, curve } = items;
      const rowOf = (id: number): number => rows.rowOf(curve.keyOf(rows.boxes, 6 * id));
      return ids.filter((id) => Math.abs((rows.seats[id] >> 4) - rowOf(id)) > 10).length;
    };
    const before = strays();
    for (let frame = 0; frame < 400; frame++) index.updateAll(ids.slice(0, 100), all.subarray(0, 600));
    expect(before).toBeGreaterThan(1500);
    expect(strays()).toBeLessThan(before / 4);
  });
});

/** A few boxes are so large that the curve has them last, and some reach beyond it. */
function stray(next: () => number, edge: number): number[] {
  const low = place(next, edge);
  const size = next() < 0.3 ? (next() * edge) / 4 : 1;
  return [...low, ...low.map((v) => v + size * next())];
}

/** Some boxes fit no row: half of space, points at infinity, boxes far from the curve, large ones. */
function strange(next: () => number, share: number): number[] {
  const low = place(next);
  if (next() < share) {
    const kind = Math.floor(next() * 4);
    if (kind === 0) return [-inf, 0, 0, next(), 1, 1];
    if (kind === 1) return [1, inf, 2, 1 + 40 * next(), inf, 4];
    if (kind === 2) low[Math.floor(next() * 3)] *= next() < 0.5 ? 1e4 : 20;
    else return [...low, ...low.map((v) => v + 90 * next())];
  }
  return around(next, low, 1);
}

it('all items may go at once, and none', () => {
  const next = random(1);
  const index = createIndex('packed');
  const ids = index.addAll(many(1200, () => strange(next, 0)));
  index.removeAll([]);
  expect(index.size).toBe(1200);
  index.removeAll(ids);
  expect([index.size, index.queryPlanes([]).length]).toEqual([0, 0]);
  expect(validate(index)).toEqual([]);
});
