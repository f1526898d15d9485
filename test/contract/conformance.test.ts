import { describe, expect, it } from 'vitest';
import { createIndex, findPairsBetween, forEachNode, type SpatialIndex } from '../../src/standalone.js';
import { DISTRIBUTIONS } from '../helpers/distributions.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';
import { VARIANTS } from '../helpers/variants.js';
import { atWidth } from '../helpers/width.js';
import { checkAround } from '../model/checkNear.js';
import { Truth, touches } from '../model/Truth.js';

const SEEDS = [1];
const COUNT = 20;

describe.each(VARIANTS)('$label', ({ name, options }) => {
  const made = (): SpatialIndex => createIndex(name, options);

  describe.each(DISTRIBUTIONS)('on boxes $label', ({ make }) => {
    it.each(SEEDS)('answers like a plain loop, added at once or one by one, seed %i', (seed) => {
      const boxes = make(seed, COUNT);
      for (const atOnce of [true, false]) {
        const [index, truth, next] = [made(), new Truth(), random(seed + 100)];
        if (atOnce) truth.addAll(index, boxes);
        else for (const box of boxes) truth.add(index, box);
        for (let i = 0; i < 5; i++) {
          const box = boxes[Math.floor(next() * boxes.length)].map((c) => Math.max(-1e13, Math.min(1e13, c)));
          checkAround(index, truth, next, box.slice(0, 3), [0.5, 5, 50, 500, 1e6][i % 5]);
        }
        // Kernels are few; a cleared index gives its own back.
        index.clear();
      }
    });
  });

  it.each(atWidth([1], []))('finds all pairs with another index, of any structure, seed %i', (seed) => {
    const distributions = DISTRIBUTIONS.map(({ make }) => make(seed, 60));
    const [index, truth] = [made(), new Truth()];
    truth.addAll(index, distributions.flat());
    for (const other of VARIANTS) {
      const boxes = distributions.flatMap((list) => list.slice(0, 6));
      const others = createIndex(other.name, other.options);
      const ids = others.addAll(boxes.flat());
      const expected = [...truth.boxes].flatMap(([id, box]) =>
        boxes.flatMap((b, i) => (touches(box, b) ? [`${id}-${ids[i]}`] : [])),
      );
      const got = findPairsBetween(index, others).toArray();
      expect(got.map((pair) => pair.join('-')).sort(), other.label).toEqual(expected.sort());
    }
  });

  it('has no node without anything in or below it, once most has gone', () => {
    const index = made();
    const belows = (): number[] => {
      const found: number[] = [];
      forEachNode(index, ({ below }) => found.push(below));
      return found;
    };
    expect(belows()).toEqual([]);
    index.addAll(Array.from({ length: 600 }, (_, i) => [i, i % 7, i % 90, i + 1, i % 7, (i % 90) + 1]).flat());
    for (let id = 0; id < 600; id++) if (id % 200 !== 7) index.remove(id);
    expect(belows().length).toBeGreaterThan(0);
    expect(Math.min(...belows())).toBeGreaterThan(0);
  });

  it('keeps the bounds tight when an outlier goes, among many', () => {
    const index = made();
    const far = [1000, 1000, 1000, 1001, 1001, 1001];
    const boxes = Array.from({ length: 3000 }, (_, i) => [i % 50, 0, i % 60, (i % 50) + 1, 1, (i % 60) + 1]);
    index.addAll(boxes.flat());
    const outlier = index.add(far);
    expect([...index.getBounds()]).toEqual([0, 0, 0, ...far.slice(3)]);
    index.update(outlier, [-7, -7, -7, -6, -6, -6]);
    expect([...index.getBounds()]).toEqual([-7, -7, -7, 50, 1, 60]);
    index.remove(outlier);
    expect([...index.getBounds()]).toEqual([0, 0, 0, 50, 1, 60]);
    expect(validate(index)).toEqual([]);
  });

  it('keeps the bounds tight when an infinite or equal one of many goes', () => {
    const index = made();
    const everywhere = [-1, -1, -1, 1, 1, 1].map((c) => c * Number.POSITIVE_INFINITY);
    const same = Array.from({ length: 2000 }, () => [1, 2, 3, 4, 5, 6]);
    index.addAll([...same, everywhere, [0, 0, 0, 1, 1, 1]].flat());
    index.remove(2000);
    expect([...index.getBounds()]).toEqual([0, 0, 0, 4, 5, 6]);
    index.remove(2001);
    expect([...index.getBounds()]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
