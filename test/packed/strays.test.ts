import { afterEach, describe, expect, it } from 'vitest';
import { createIndex, enableSimd } from '../../src/standalone.js';
import { packedOf } from '../helpers/partsOf.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';
import { seeds } from '../helpers/width.js';

afterEach(() => {
  enableSimd(true);
});

const COUNT = 3000;

/** A few boxes are so large that the curve has them last, and some reach beyond it. */
function boxIn(next: () => number, edge: number): number[] {
  const low = [next() * edge, next() * edge, next() * edge];
  const size = next() < 0.3 ? (next() * edge) / 4 : 1;
  return [...low, ...low.map((v) => v + size * next())];
}

describe.each([false, true])('strays, with planar: %s', (planar) => {
  it.each(seeds(6))('are the same with and without SIMD, and go to the same rows, seed %i', (seed) => {
    const next = random(seed);
    const edge = 10 ** (seed % 4);
    const boxes = Float64Array.from(Array.from({ length: COUNT }, () => boxIn(next, edge)).flat());
    const ids = Int32Array.from({ length: COUNT }, (_, i) => i);
    const twins = [true, false].map((simd) => {
      const index = createIndex('packed', { planar });
      index.addAll(boxes);
      return { simd, index, rows: packedOf(index).rows };
    });
    for (let frame = 0; frame < 12; frame++) {
      // All, or one in fifty, jump.
      const some = ids.filter(() => frame % 3 === 0 || next() < 0.02);
      const moved = Float64Array.from(Array.from(some, () => boxIn(next, 1.1 * edge)).flat());
      for (const { simd, index } of twins) {
        enableSimd(simd);
        index.updateAll(some, moved);
        expect(validate(index)).toEqual([]);
      }
      const [fast, plain] = twins.map(({ rows }) => [
        rows.ids.filter((_, slot) => (slot & 15) < rows.sizes[slot >> 4]),
        rows.sizes.slice(0, rows.count),
        rows.levels.slice(0, rows.starts[1]),
      ]);
      expect(fast).toEqual(plain);
    }
    // Kernels are few; a cleared index gives its own back.
    for (const { index } of twins) index.clear();
  });

  it('return to the curve while few items move', () => {
    const next = random(5);
    const index = createIndex('packed', { planar });
    const boxes = Float64Array.from(Array.from({ length: COUNT }, () => boxIn(next, 100)).flat());
    const ids = index.addAll(boxes);
    const items = packedOf(index);
    const all = Float64Array.from(Array.from(ids, () => boxIn(next, 100)).flat());
    index.updateAll(ids, all);
    const strays = (): number => {
      const { rows, curve } = items;
      const rowOf = (id: number): number => rows.rowOf(curve.keyOf(rows.boxes, 6 * id));
      return ids.filter((id) => Math.abs((rows.slots[id] >> 4) - rowOf(id)) > 10).length;
    };
    const before = strays();
    for (let frame = 0; frame < 400; frame++) {
      const some = ids.slice(0, 100);
      index.updateAll(some, all.subarray(0, 600));
    }
    expect(before).toBeGreaterThan(COUNT / 2);
    expect(strays()).toBeLessThan(before / 4);
  });
});
