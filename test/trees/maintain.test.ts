import { describe, expect, it } from 'vitest';
import { createIndex, maintain, type SpatialIndex, stats } from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { VARIANTS } from '../helpers/variants.js';
import { checkAround } from '../model/checkNear.js';
import { Truth } from '../model/Truth.js';

/** Moves half of the items a little and some far, and lets some come and go. */
function stir(index: SpatialIndex, truth: Truth, next: () => number): void {
  const somewhere = (): number[] => {
    const size = next() < 0.05 ? next() * 300 : next() * 5;
    const at = [next() * 200, next() * 200, next() * 200];
    if (next() < 0.01) return [Number.NEGATIVE_INFINITY, 0, 0, Number.POSITIVE_INFINITY, 1, 1];
    return [...at, ...at.map((c) => c + size)];
  };
  for (const [id, box] of [...truth.boxes]) {
    const chance = next();
    const way = [next() * 6 - 3, next() * 6 - 3, next() * 6 - 3];
    if (chance >= 0.97) truth.remove(index, id);
    else truth.update(index, id, chance < 0.5 ? box.map((c, i) => c + way[i % 3]) : chance < 0.53 ? somewhere() : box);
  }
  truth.addAll(index, Array.from({ length: truth.boxes.size === 0 ? 1500 : 40 }, somewhere));
}

describe.each(VARIANTS)('maintenance of $label', ({ name, options }) => {
  it.each([1])('changes no answer, makes all as good as new, and then has nothing to do, seed %i', (seed) => {
    const next = random(seed);
    const index = createIndex(name, options);
    const truth = new Truth();
    for (let step = 0; step < 4; step++) {
      stir(index, truth, next);
      maintain(index, next() * 0.3);
      checkAround(index, truth, next, [100, 100, 100], 200);
    }
    for (let step = 0; step < 6; step++) stir(index, truth, next);
    // Packed rows are kept in order by each change as well.
    expect(stats(index).quality).toBeLessThan(name === 'packed' ? 1 : 0.6);
    expect(maintain(index, Number.POSITIVE_INFINITY)).toBe(true);
    expect(stats(index).quality).toBe(1);
    checkAround(index, truth, next, [100, 100, 100], 200);
    const before = index.queryPlanes([]).toArray();
    expect(maintain(index, Number.POSITIVE_INFINITY)).toBe(true);
    expect(index.queryPlanes([]).toArray()).toEqual(before);
  });
});

it('packed: ends at some time, in however small steps', () => {
  const next = random(4);
  const index = createIndex('packed');
  const truth = new Truth();
  for (let step = 0; step < 4; step++) stir(index, truth, next);
  let calls = 1;
  while (!maintain(index, 0) && calls < 10_000) calls++;
  expect(calls).toBeLessThan(1000);
  checkAround(index, truth, next, [100, 100, 100], 200);
});

describe.each(['looseOctree', 'octree', 'grid', 'bvh', 'packed'] as const)('%s, where all moves', (name) => {
  const count = 3000;
  const next = random(5);
  const boxes = Float64Array.from({ length: 6 * count }, () => next() * 300);
  const way = Float64Array.from({ length: 3 * count }, () => next() - 0.5);
  for (let i = 0; i < count; i++) for (let c = 0; c < 3; c++) boxes[6 * i + c + 3] = boxes[6 * i + c] + 1 + next() * 4;
  const index = createIndex(name);
  const ids = index.addAll(boxes);
  const flyOn = (): void => {
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < 3; c++) {
        const o = 6 * i + c;
        if (boxes[o] + way[3 * i + c] < 0 || boxes[o + 3] + way[3 * i + c] > 300) way[3 * i + c] *= -1;
        boxes[o] += way[3 * i + c];
        boxes[o + 3] += way[3 * i + c];
      }
    }
    index.updateAll(ids, boxes);
  };
  const cost = (asked: SpatialIndex): number => {
    let sum = 0;
    const place = random(6);
    for (let i = 0; i < 50; i++) {
      const at = [place() * 250, place() * 250, place() * 250];
      asked.queryBox([...at, ...at.map((c) => c + 50)]);
      sum += asked.counters.nodesVisited + asked.counters.itemsTested;
    }
    return sum;
  };

  it('with maintenance in each frame, queries look at 1.4 times what they look at after a build on average', () => {
    const frames = 60;
    let sum = 0;
    for (let frame = 0; frame < frames; frame++) {
      flyOn();
      sum += cost(index);
      maintain(index, 0.5);
    }
    const fresh = createIndex(name);
    fresh.addAll(boxes);
    expect(sum / frames / cost(fresh)).toBeLessThan(1.4);
  });

  it.skipIf(name === 'packed')('a rebuild waits until it pays and there is time, and may be asked for', () => {
    index.rebuild();
    flyOn();
    for (let i = 0; i < 100; i++) expect(maintain(index, 0.5)).toBe(true);
    const moved = stats(index).quality;
    expect(moved).toBeLessThan(1);
    for (let frame = 0; frame < 5000 && maintain(index, 0); frame++) {
      flyOn();
      cost(index);
    }
    expect(maintain(index, 0)).toBe(false);
    expect(maintain(index, 1e-9)).toBe(true);
    expect(stats(index).quality).toBe(1);
    flyOn();
    expect(maintain(index, Number.POSITIVE_INFINITY)).toBe(true);
    expect(stats(index).quality).toBe(1);
  });
});

it('a budget that is none is refused', () => {
  const index = createIndex('looseOctree');
  expect(() => maintain(index, Number.NaN)).toThrow(RangeError);
  expect(() => maintain(index, -1)).toThrow(RangeError);
  expect(() => maintain(index, '1' as never)).toThrow(TypeError);
  expect(maintain(index, 0)).toBe(true);
});
