import { describe, expect, it } from 'vitest';
import { createIndex, findPairsBetween, type SpatialIndex } from '../../src/standalone.js';
import { DISTRIBUTIONS } from '../helpers/distributions.js';
import { expectSameAnswers, expectSamePairs } from '../helpers/expectSame.js';
import { Oracle } from '../helpers/oracle.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';
import { VARIANTS } from '../helpers/variants.js';
import { atWidth, seeds } from '../helpers/width.js';

const SEEDS = seeds(2, 1);
const COUNT = atWidth(160, 50);

describe.each(VARIANTS)('$label', ({ name, options }) => {
  describe.each(DISTRIBUTIONS)('on boxes $label', ({ make }) => {
    it.each(SEEDS)('answers like three, added at once, seed %i', (seed) => {
      const boxes = make(seed, COUNT);
      const index = createIndex(name, options);
      const ids = index.addAll(boxes.flat());
      check(index, boxes, [...ids], seed);
    });

    it.each(SEEDS)('answers like three, added one by one, seed %i', (seed) => {
      const boxes = make(seed, COUNT);
      const index = createIndex(name, options);
      check(
        index,
        boxes,
        boxes.map((box) => index.add(box)),
        seed,
      );
    });
  });
});

describe.each(VARIANTS)('$label', ({ name, options }) => {
  it.each(SEEDS)('finds all pairs with another index, of any structure, seed %i', (seed) => {
    const distributions = DISTRIBUTIONS.map(({ make }) => make(seed, 60));
    const index = createIndex(name, options);
    const oracle = new Oracle();
    for (const box of distributions.flat()) oracle.boxes.set(index.add(box), box);
    for (const other of VARIANTS) {
      const boxes = distributions.flatMap((list) => list.slice(0, 12));
      const others = createIndex(other.name, other.options);
      const ids = others.addAll(boxes.flat());
      const expected = oracle.pairsWith(new Map(boxes.map((box, i) => [ids[i], box])));
      const got = findPairsBetween(index, others)
        .toArray()
        .map(([a, b]) => `${a}-${b}`);
      expect(got.sort(), other.label).toEqual(expected.sort());
    }
  });
});

function check(index: SpatialIndex, boxes: number[][], ids: number[], seed: number): void {
  expect(validate(index)).toEqual([]);
  expect(index.size).toBe(boxes.length);
  const oracle = new Oracle();
  for (const [i, id] of ids.entries()) oracle.boxes.set(id, boxes[i]);
  expectSamePairs(index, oracle);
  const next = random(seed + 100);
  for (let i = 0; i < atWidth(12, 5); i++) {
    const box = boxes[Math.floor(next() * boxes.length)].map((c) => Math.max(-1e13, Math.min(1e13, c)));
    const size = [0.5, 5, 50, 500, 1e6][i % 5];
    expectSameAnswers(index, oracle, next, [box[0], box[1], box[2]], size);
  }
}
