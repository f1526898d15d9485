import { describe, expect, it } from 'vitest';
import { createIndex, FrustumTracker, findPairs, IdList, STRUCTURES } from '../../src/standalone.js';
import { random } from '../helpers/random.js';

describe.each(STRUCTURES)('a view of a %s', (name) => {
  it.each([1, 2, 3])('tells what came and what left, in ascending order, seed %i', (seed) => {
    const next = random(seed);
    const index = createIndex(name);
    const boxAt = (): number[] => {
      const at = [next() * 100, next() * 100, next() * 100];
      return [...at, ...at.map((c) => c + 2)];
    };
    const ids = [...index.addAll(Array.from({ length: 1500 }, boxAt).flat())];
    const view = new FrustumTracker(index);
    let before = new Set<number>();
    for (let step = 0; step < 40; step++) {
      for (let i = 0; i < 30; i++) {
        const k = Math.floor(next() * ids.length);
        if (i % 3 === 0) index.update(ids[k], boxAt());
        else if (i % 3 === 1) ids[k] = index.add(boxAt());
        else index.remove(ids.splice(k, 1)[0]);
      }
      const planes = [1, 0, 0, -next() * 50, -1, 0, 0, 50 + next() * 50];
      expect(view.update(planes)).toBe(true);
      const now = new Set(index.queryPlanes(planes));
      const ascending = (set: Iterable<number>): number[] => [...set].sort((a, b) => a - b);
      expect([...view.visible]).toEqual(ascending(now));
      expect([...view.entered]).toEqual(ascending([...now].filter((id) => !before.has(id))));
      expect([...view.left]).toEqual(ascending([...before].filter((id) => !now.has(id))));
      before = now;
      expect(view.update([...planes])).toBe(false);
      expect(view.entered.length + view.left.length).toBe(0);
      expect(view.visible.length).toBe(now.size);
      // What was added and not noted is to go on living, and ids that were replaced too.
      ids.length = 0;
      for (let id = 0; id < 4000; id++) if (index.has(id)) ids.push(id);
    }
  });
});

it('nothing is asked while neither planes nor index have changed', () => {
  const index = createIndex('looseOctree');
  index.add([0, 0, 0, 1, 1, 1]);
  const view = new FrustumTracker(index);
  view.update([1, 0, 0, 0]);
  index.add([5, 5, 5, 6, 6, 6]);
  view.update([1, 0, 0, 0]);
  findPairs(index);
  const before = { ...index.counters };
  view.update([1, 0, 0, 0]);
  expect({ ...index.counters }).toEqual(before);
  view.update([1, 0, 0, -0.5]);
  expect(index.counters.itemsTested).toBe(1);
  expect({ ...index.counters }).not.toEqual(before);
  index.clear();
  expect(view.update([1, 0, 0, -0.5])).toBe(true);
  expect([...view.left]).toEqual([0, 1]);
});

it('planes that are none are refused, and change nothing', () => {
  const index = createIndex('looseOctree');
  index.add([0, 0, 0, 1, 1, 1]);
  const view = new FrustumTracker(index);
  view.update([]);
  expect(() => view.update([1, 2, 3])).toThrow(RangeError);
  expect(() => view.update(null as never)).toThrow(TypeError);
  expect([[...view.visible], [...view.entered], [...view.left]]).toEqual([[0], [0], []]);
  expect(() => new FrustumTracker(null as never)).toThrow(TypeError);
});

describe('a list of ids', () => {
  const sorted = (ids: number[]): number[] => {
    const list = new IdList();
    list.reserve(ids.length).set(ids);
    list.length = ids.length;
    expect(list.sort()).toBe(list);
    return list.toArray();
  };

  it.each([0, 1, 5, 63, 64, 65, 3000])('of %i is put into ascending order', (count) => {
    const next = random(count + 1);
    for (const span of [1, 2, 1000]) {
      const ids = [...new Set(Array.from({ length: count }, () => Math.floor(next() * span * (count + 1))))];
      expect(sorted(ids)).toEqual([...ids].sort((a, b) => a - b));
    }
  });

  it('keeps what is in it twice, and what is no id of an index', () => {
    const ids = Array.from({ length: 200 }, (_, i) => (i * 7) % 100);
    expect(sorted(ids)).toEqual([...ids].sort((a, b) => a - b));
    const odd = [...ids, -5, 2 ** 31 - 1];
    expect(sorted(odd)).toEqual([...odd].sort((a, b) => a - b));
    expect(sorted(ids)).toEqual([...ids].sort((a, b) => a - b));
  });

  it('may hold an id that needs one word more than any before', () => {
    for (let power = 10; power <= 17; power++) {
      for (const most of [2 ** power - 1, 2 ** power, 2 ** power + 1]) {
        const ids = Array.from({ length: 1024 }, (_, i) => most - i);
        expect(sorted(ids)).toEqual(ids.reverse());
      }
    }
  });
});
