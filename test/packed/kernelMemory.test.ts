import { expect, it } from 'vitest';
import { createIndex, enableSimd, type SpatialIndex } from '../../src/standalone.js';
import { packedOf } from '../helpers/partsOf.js';
import { random } from '../helpers/random.js';

// In a file of its own, where no other index has taken the kernels.
it('many rows lie in the memory of a kernel, few do not', () => {
  // It is allowed until somebody forbids it.
  expect(enableSimd()).toBe(true);
  const index = createIndex('packed');
  const { rows } = packedOf(index);
  const isTogether = (): boolean => rows.boxes.buffer === rows.tiers.buffer && rows.ids.buffer === rows.rows.buffer;
  for (let i = 0; i < 3000; i++) index.add([i, 0, 0, i + 0.5, 1, 1]);
  index.queryPlanes([]);
  expect(isTogether()).toBe(true);
  index.clear();
  index.add([0, 0, 0, 1, 1, 1]);
  index.queryPlanes([]);
  expect(isTogether()).toBe(false);
});

it('an index that gets no kernel, as others have them all, answers in the same order, and counts the same', () => {
  const history = (): { index: SpatialIndex; answers: unknown } => {
    const next = random(2);
    const box = (): number[] => {
      const at = [next() * 100, next() * 100, next() * 100];
      return [...at, ...at.map((c) => c + next() * 5)];
    };
    const index = createIndex('packed');
    const ids = index.addAll(Array.from({ length: 400 }, box).flat());
    const answers: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      index.updateAll(ids.subarray(0, 300), Array.from({ length: 300 }, box).flat());
      for (let i = 0; i < 20; i++) index.add(box());
      index.remove(399 - round);
      const [x, y, z] = box();
      const hits = index.raycast({ origin: [x, y, z], direction: [1, 2, 3] });
      answers.push(
        [index.queryBox([20, 20, 20, 60, 60, 60]).toArray(), { ...index.counters }],
        [index.queryPlanes([1, 0, 0, -x, 0, -1, 0, 70]).toArray(), index.querySphere(x, y, z, 30).toArray()],
        [index.nearest(x, y, z, 7).ids.slice(0, 7), [...hits.ids.slice(0, hits.length)]],
      );
    }
    return { index, answers };
  };
  const all = Array.from({ length: 40 }, history);
  const isMoved = all.map(({ index }) => packedOf(index).rows.boxes.buffer === packedOf(index).rows.ids.buffer);
  expect(new Set(isMoved)).toEqual(new Set([true, false]));
  for (const { answers } of all) expect(answers).toEqual(all[0].answers);
});
