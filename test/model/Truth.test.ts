import { describe, expect, it } from 'vitest';
import { DISTRIBUTIONS } from '../helpers/distributions.js';
import { Oracle } from '../helpers/oracle.js';
import { random } from '../helpers/random.js';
import { Truth } from './Truth.js';

// It is quick because it does without three; here three tells whether it is right.
describe.each(DISTRIBUTIONS)('the truth about boxes $label', ({ make }) => {
  it.each([1, 2])('is what three says, seed %i', (seed) => {
    const next = random(seed);
    const truth = new Truth();
    const oracle = new Oracle();
    make(seed, 120).forEach((box, id) => {
      truth.boxes.set(id, box);
      oracle.boxes.set(id, box);
    });
    const sorted = (ids: Set<number>): number[] => [...ids].sort((a, b) => a - b);
    for (let round = 0; round < 20; round++) {
      const box = (truth.boxes.get(truth.pick(Math.floor(next() * 1000))) as number[]).map((c) =>
        Math.max(-1e9, Math.min(1e9, c)),
      );
      const at = [0, 1, 2].map((c) => box[c] + (next() < 0.5 ? 0 : next() * 4));
      const radius = next() < 0.5 ? 1 : next() * 10;
      expect(sorted(truth.box(box))).toEqual(oracle.box(box));
      expect(sorted(truth.sphere(at, radius))).toEqual(oracle.sphere(at[0], at[1], at[2], radius));
      const planes = Array.from({ length: 6 }, () => {
        const [x, y, z] = [next() - 0.5, next() < 0.5 ? 0 : next() - 0.5, next() - 0.5];
        return [x, y, z, radius * next() - (x * at[0] + y * at[1] + z * at[2])];
      }).flat();
      const seen = oracle.frustum(planes);
      expect(sorted(truth.frustum(planes))).toEqual(seen);
      const inside = truth.inside(planes);
      expect(seen.filter((id) => inside.has(id))).toEqual(oracle.inside(planes));
      const direction = [1, next() - 0.5, next() < 0.5 ? 0 : next() - 0.5];
      expect(truth.ray(at, direction, 0, 50, 0.5)).toEqual(oracle.ray(at, direction, 0, 50, 0.5));
      expect(truth.sweep(box, direction)).toEqual(oracle.sweep(box, direction));
      expect(truth.nearest(at, 7, 100)).toEqual(oracle.nearest(at, 7, 100));
    }
    expect(truth.pairs().size).toBe(oracle.pairs().length);
  });
});
