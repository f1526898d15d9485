import { expect, it } from 'vitest';
import { createIndex, STRUCTURES } from '../../../src/standalone.js';
import { random } from '../../helpers/random.js';

it.each(STRUCTURES)('%s: a direction of any length says the same', (name) => {
  const next = random(2);
  const index = createIndex(name);
  for (let i = 0; i < 500; i++) {
    const low = [next() * 100, next() * 100, next() * 100];
    index.add([...low, ...low.map((c) => c + 3)]);
  }
  for (let i = 0; i < 40; i++) {
    const origin = [next() * 100, next() * 100, next() * 100];
    // Exact in few digits, so that no scale rounds them.
    const direction = [next(), next(), next()].map((c) => (Math.round(c * 64) - 32.5) / 64);
    const expected = index.raycast({ origin, direction });
    for (const scale of [2 ** -1000, 2 ** -600, 2 ** 600, 2 ** 1000]) {
      const hits = index.raycast({ origin, direction: direction.map((c) => c * scale) });
      expect([...hits.ids.subarray(0, hits.length)]).toEqual([...expected.ids.subarray(0, expected.length)]);
      expect([...hits.distances.subarray(0, hits.length)]).toEqual([
        ...expected.distances.subarray(0, expected.length),
      ]);
    }
  }
});
