import { describe, expect, it } from 'vitest';
import { costOf, costOfUnion, writeGrowth } from '../../../src/trees/bvh/BvhNodes.js';
import { random } from '../../helpers/random.js';

/** Half the surface and an eighth of the squares of the edges, of a box of this size. */
const cost = (x: number, y: number, z: number): number => x * y + y * z + z * x + (x * x + y * y + z * z) / 8;
const union = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((c, i) => (i < 3 ? Math.min(c, b[i]) : Math.max(c, b[i])));

describe.each([false, true])('the cost of boxes, planar: %s', (planar) => {
  const of = (b: Float64Array): number => cost(b[3] - b[0], planar ? 0 : b[4] - b[1], b[5] - b[2]);
  const next = random(1);
  const box = (): Float64Array => {
    const low = [0, 0, 0].map(() => Math.floor(next() * 64) / 8);
    return Float64Array.of(...low, ...low.map((c) => c + Math.floor(next() * 32) / 8));
  };

  it('is that of their edges, of unions and of growth, seed 1', () => {
    for (let i = 0; i < 200; i++) {
      const [a, b, gap] = [box(), box(), box()];
      const row = Float64Array.of(...gap, ...a, ...b);
      expect(costOf(row, 6, planar)).toBe(of(a));
      expect(costOfUnion(row, 6, row, 12, planar)).toBe(of(union(a, b)));
      const out = new Float64Array(4);
      writeGrowth(row, 6, b, planar, out, 1);
      expect([...out]).toEqual([0, of(union(a, b)) - of(a), of(a), 0]);
    }
  });

  it('grows with the length of boxes in a line', () => {
    expect(costOf(Float64Array.of(0, 0, 0, 2, 0, 0), 0, planar)).toBe(0.5);
    expect(costOf(Float64Array.of(0, 0, 0, 0, 0, 4), 0, planar)).toBe(2);
  });
});
