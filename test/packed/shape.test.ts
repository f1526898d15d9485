import { expect, it } from 'vitest';
import { createIndex, IdList, maintain, type SpatialIndex, stats } from '../../src/standalone.js';
import { packedOf } from '../helpers/partsOf.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';

/** Boxes that a query of a thousandth of the world looks at, for each that it finds at least. */
function costOf(index: SpatialIndex, edge: number): number {
  const next = random(9);
  const out = new IdList();
  let looked = 0;
  for (let i = 0; i < 50; i++) {
    const low = [0, 1, 2].map(() => next() * 0.9 * edge);
    index.queryBox([...low, ...low.map((v) => v + 0.1 * edge)], out);
    looked += index.counters.nodesVisited + index.counters.itemsTested;
  }
  return looked;
}

function cloud(count: number, edge: number, next: () => number): Float64Array {
  const boxes = new Float64Array(6 * count);
  for (let o = 0; o < boxes.length; o += 6) {
    for (let c = 0; c < 3; c++) {
      boxes[o + c] = next() * edge;
      boxes[o + c + 3] = boxes[o + c] + next();
    }
  }
  return boxes;
}

it('that is filled one by one is hardly worse than one that is built, and rebuilt a few times only', () => {
  const count = 100_000;
  const boxes = cloud(count, 300, random(1));
  const index = createIndex('packed');
  for (let i = 0; i < count; i++) index.add(boxes.subarray(6 * i, 6 * i + 6));
  expect(validate(index)).toEqual([]);
  expect(packedOf(index).rebuilds).toBeLessThan(40);
  const built = createIndex('packed');
  built.addAll(boxes);
  expect(costOf(index, 300) / costOf(built, 300)).toBeLessThan(1.5);
});

it('all in one place is no trouble, one by one', () => {
  const index = createIndex('packed');
  for (let i = 0; i < 5000; i++) index.add([7, 7, 7, 7, 7, 7]);
  expect(validate(index)).toEqual([]);
  expect(packedOf(index).rebuilds).toBeLessThan(40);
  expect(index.queryPoint(7, 7, 7).length).toBe(5000);
  for (let id = 0; id < 5000; id++) index.update(id, [id, 7, 7, id, 7, 7]);
  expect(index.queryPoint(77, 7, 7).toArray()).toEqual([77]);
  expect(validate(index)).toEqual([]);
});

it('of which each row loses all but one is rebuilt, and takes less memory', () => {
  const index = createIndex('packed');
  index.addAll(cloud(20_000, 300, random(2)));
  const before = stats(index);
  const order = index.queryPlanes([]).toArray();
  order.forEach((id, i) => {
    if (i % 12 !== 0) index.remove(id);
  });
  expect(validate(index)).toEqual([]);
  expect(stats(index).rows).toBeLessThan(before.rows / 3);
  // The boxes themselves lie by id, and the highest ids are still there.
  expect(stats(index).bytes).toBeLessThan(0.7 * before.bytes);
  expect(index.queryPlanes([]).sort().toArray()).toEqual(order.filter((_, i) => i % 12 === 0).sort((a, b) => a - b));
});

it('in which everything is elsewhere in each frame is rebuilt when queries have cost as much as that takes', () => {
  const count = 5000;
  const next = random(3);
  const index = createIndex('packed');
  const ids = index.addAll(cloud(count, 300, next));
  let boxes: Float64Array = new Float64Array(0);
  for (let frame = 0; frame < 10; frame++) index.updateAll(ids, cloud(count, 300, next));
  const { rebuilds } = packedOf(index);
  expect(rebuilds).toBe(1);
  let looked = 0;
  for (let frame = 0; frame < 40; frame++) {
    boxes = cloud(count, 300, next);
    index.updateAll(ids, boxes);
    expect(validate(index)).toEqual([]);
    looked += costOf(index, 300);
  }
  const built = createIndex('packed');
  built.addAll(boxes);
  const rebuilt = packedOf(index).rebuilds - rebuilds;
  expect(rebuilt).toBeGreaterThan(5);
  // No more than twice what it would have cost to rebuild in every frame, or never.
  expect(looked).toBeLessThan(40 * (costOf(built, 300) + 64 * count));
  expect(rebuilt * 64 * count).toBeLessThanOrEqual(looked);
});

it('a sweep begins when queries have made the tests that pay for it, the first one at once', () => {
  const count = 5000;
  const next = random(6);
  const index = createIndex('packed');
  const ids = index.addAll(cloud(count, 300, next));
  /** Moves all items by about a row, and returns for how many calls `maintain` then has work. */
  const sweeps = (): number => {
    const moved = Array.from(ids, (id) => {
      const by = [0, 1, 2].map(() => (next() - 0.5) * 60);
      return [...index.getBox(id)].map((side, c) => side + by[c % 3]);
    });
    for (let frame = 0; frame < 9; frame++) index.updateAll(ids, Float64Array.from(moved.flat()));
    let calls = 0;
    while (!maintain(index, 0)) calls++;
    return calls;
  };
  expect(sweeps()).toBeGreaterThan(2);
  expect(sweeps()).toBe(0);
  for (let tested = 0; tested < 16 * count; tested += index.counters.itemsTested) costOf(index, 300);
  expect(sweeps()).toBeGreaterThan(2);
  expect(sweeps()).toBe(0);
});

it('one item far away costs the others no precision', () => {
  const index = createIndex('packed');
  index.addAll(cloud(1000, 100, random(4)));
  const before = costOf(index, 100);
  index.add([1e12, 0, 0, 1e12 + 1, 1, 1]);
  index.rebuild();
  expect(costOf(index, 100)).toBeLessThan(1.1 * before + 50);
  expect(index.queryPoint(1e12, 0.5, 0.5).length).toBe(1);
});

it.each([3, 7, 8, 10])('a sweep through rows that are full or empty loses nothing, seed %i', (seed) => {
  const next = random(seed);
  const index = createIndex('packed');
  const add = (edge: number): void => {
    const at = [next() * edge, next() * edge, next() * edge];
    index.add([...at, ...at]);
  };
  for (let i = 0; i < 20_000; i++) add(100);
  for (let i = 0; i < 1800; i++) add(9);
  const sweep = (): void => {
    for (let i = 0; i < 3000; i++) {
      const at = [next() * 100, next() * 100, next() * 100];
      const id = Math.floor(next() * 20_000);
      if (index.has(id)) index.update(id, [...at, ...at]);
    }
    for (let steps = 0; steps < 400 && !maintain(index, 0); steps++);
    expect(validate(index)).toEqual([]);
  };
  for (let round = 0; round < 12; round++) sweep();
  for (const id of index.queryBox([20, 0, 0, 80, 100, 100]).toArray()) index.remove(id);
  for (let round = 0; round < 6; round++) sweep();
});
