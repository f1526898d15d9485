import { describe, expect, it } from 'vitest';
import { findPairs, findPairsBetween, Packed } from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';

const COUNT = 3000;
const SIDE = Math.cbrt(5 * COUNT);

function strew(next: () => number): Float64Array {
  const boxes = new Float64Array(6 * COUNT);
  for (let i = 0; i < COUNT; i++) {
    for (let c = 0; c < 3; c++) {
      boxes[6 * i + c] = SIDE * next();
      boxes[6 * i + c + 3] = boxes[6 * i + c] + 1;
    }
  }
  return boxes;
}

describe('a packed index in which all moves far in each frame', () => {
  const ids = Int32Array.from({ length: COUNT }, (_, id) => id);

  it.each([1, 2])('is put in order when it is asked for nothing but pairs, seed %i', (seed) => {
    const next = random(seed);
    const index = new Packed();
    index.addAll(strew(next));
    findPairs(index);
    const fresh = index.counters.itemsTested;
    for (let frame = 0; frame < 40; frame++) {
      index.updateAll(ids, strew(next));
      findPairs(index);
    }
    let most = 0;
    for (let frame = 0; frame < 10; frame++) {
      index.updateAll(ids, strew(next));
      findPairs(index);
      most += index.counters.itemsTested / 10;
    }
    expect(validate(index)).toEqual([]);
    expect(most).toBeLessThan(30 * fresh);
  });

  it('is put in order when it is asked for nothing but pairs with another', () => {
    const next = random(3);
    const moving = [new Packed(), new Packed()];
    for (const index of moving) index.addAll(strew(next));
    findPairsBetween(moving[0], moving[1]);
    const fresh = moving[0].counters.itemsTested;
    let tested = 0;
    for (let frame = 0; frame < 40; frame++) {
      for (const index of moving) index.updateAll(ids, strew(next));
      findPairsBetween(moving[0], moving[1]);
      if (frame >= 30) tested += moving[0].counters.itemsTested / 10;
    }
    expect(tested).toBeLessThan(30 * fresh);
  });
});
