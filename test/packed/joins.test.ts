import { expect, it } from 'vitest';
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

const ids = Int32Array.from({ length: COUNT }, (_, id) => id);

it.each([
  { asked: 'pairs, seed 1', seed: 1, count: 1 },
  { asked: 'pairs, seed 2', seed: 2, count: 1 },
  { asked: 'pairs with another', seed: 3, count: 2 },
])('an index in which all moves far in each frame is put in order when asked for nothing but $asked', (of) => {
  const next = random(of.seed);
  const indices = Array.from({ length: of.count }, () => new Packed());
  const [index, other] = indices;
  const find = (): unknown => (other === undefined ? findPairs(index) : findPairsBetween(index, other));
  for (const each of indices) each.addAll(strew(next));
  find();
  const fresh = index.counters.itemsTested;
  let tested = 0;
  for (let frame = 0; frame < 50; frame++) {
    for (const each of indices) each.updateAll(ids, strew(next));
    find();
    if (frame >= 40) tested += index.counters.itemsTested / 10;
  }
  expect(validate(index)).toEqual([]);
  expect(tested).toBeLessThan(30 * fresh);
});
