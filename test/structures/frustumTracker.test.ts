import { describe, expect, it } from 'vitest';
import { createIndex, FrustumTracker, findPairs, STRUCTURES } from '../../src/standalone.js';
import { random } from '../helpers/random.js';

describe.each(STRUCTURES)('a tracker of %s', (name) => {
  it.each([1, 2, 3])('tells what entered and what left, in ascending order, seed %i', (seed) => {
    const next = random(seed);
    const index = createIndex(name);
    const boxAt = (): number[] => {
      const at = [next() * 100, next() * 100, next() * 100];
      return [...at, ...at.map((c) => c + 2)];
    };
    const ids = [...index.addAll(Array.from({ length: 1500 }, boxAt).flat())];
    const tracker = new FrustumTracker(index);
    let before = new Set<number>();
    for (let step = 0; step < 40; step++) {
      for (let i = 0; i < 30; i++) {
        const k = Math.floor(next() * ids.length);
        if (i % 3 === 0) index.update(ids[k], boxAt());
        else if (i % 3 === 1) ids[k] = index.add(boxAt());
        else index.remove(ids.splice(k, 1)[0]);
      }
      const planes = [1, 0, 0, -next() * 50, -1, 0, 0, 50 + next() * 50];
      expect(tracker.update(planes)).toBe(true);
      const now = new Set(index.queryPlanes(planes));
      const ascending = (set: Iterable<number>): number[] => [...set].sort((a, b) => a - b);
      expect([...tracker.visible]).toEqual(ascending(now));
      expect([...tracker.entered]).toEqual(ascending([...now].filter((id) => !before.has(id))));
      expect([...tracker.left]).toEqual(ascending([...before].filter((id) => !now.has(id))));
      before = now;
      expect(tracker.update([...planes])).toBe(false);
      expect(tracker.entered.length + tracker.left.length).toBe(0);
      expect(tracker.size).toBe(now.size);
      // What was added and not noted is to go on living, and ids that were replaced too.
      ids.length = 0;
      for (let id = 0; id < 4000; id++) if (index.has(id)) ids.push(id);
    }
  });
});

it('nothing is asked while neither planes nor index have changed', () => {
  const index = createIndex('looseOctree');
  index.add([0, 0, 0, 1, 1, 1]);
  const tracker = new FrustumTracker(index);
  tracker.update([1, 0, 0, 0]);
  index.add([5, 5, 5, 6, 6, 6]);
  tracker.update([1, 0, 0, 0]);
  findPairs(index);
  const before = { ...index.counters };
  tracker.update([1, 0, 0, 0]);
  expect({ ...index.counters }).toEqual(before);
  tracker.update([1, 0, 0, -0.5]);
  expect(index.counters.itemsTested).toBe(1);
  expect({ ...index.counters }).not.toEqual(before);
  index.clear();
  expect(tracker.update([1, 0, 0, -0.5])).toBe(true);
  expect([...tracker.left]).toEqual([0, 1]);
});

it('planes that are none are refused, and change nothing', () => {
  const index = createIndex('looseOctree');
  index.add([0, 0, 0, 1, 1, 1]);
  const tracker = new FrustumTracker(index);
  tracker.update([]);
  expect(() => tracker.update([1, 2, 3])).toThrow(RangeError);
  expect(() => tracker.update(null as never)).toThrow(TypeError);
  expect([[...tracker.visible], [...tracker.entered], [...tracker.left]]).toEqual([[0], [0], []]);
  expect(() => new FrustumTracker(null as never)).toThrow(TypeError);
});

it('begins anew after it was disposed', () => {
  const index = createIndex('looseOctree');
  index.add([0, 0, 0, 1, 1, 1]);
  const tracker = new FrustumTracker(index);
  tracker.update([]);
  tracker.dispose();
  expect([tracker.size, tracker.entered.length, tracker.left.length]).toEqual([0, 0, 0]);
  expect(tracker.update([])).toBe(true);
  expect([[...tracker.visible], [...tracker.entered], [...tracker.left]]).toEqual([[0], [0], []]);
});
