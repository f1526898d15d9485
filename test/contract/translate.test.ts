import { describe, expect, it } from 'vitest';
import { createIndex } from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';
import { VARIANTS } from '../helpers/variants.js';

/** A sum with any of the coordinates is exact. */
const FAR = 2 ** 20;

const { POSITIVE_INFINITY: EVER } = Number;

describe.each(VARIANTS)('translate of $label', ({ name, options }) => {
  it('leaves infinite sides and ids as they are', () => {
    const index = createIndex(name, options);
    const ids = [
      [0, 0, 0, 1, 1, 1],
      [-EVER, 0, 0, EVER, 2, 0],
      [5, 5, 5, 5, 5, 5],
    ].map((box) => index.add(box));
    index.remove(ids[0]);
    index.translate(1, -2, 3);
    expect([...index.getBox(ids[1])]).toEqual([-EVER, -2, 3, EVER, 0, 3]);
    expect([...index.getBox(ids[2])]).toEqual([6, 3, 8, 6, 3, 8]);
    expect(index.has(ids[0])).toBe(false);
    expect(validate(index)).toEqual([]);
    expect([...index.queryPoint(6, 3, 8)]).toEqual([ids[2]]);
  });

  it('refuses to move a box out of all numbers, and does nothing then', () => {
    const index = createIndex(name, options);
    const id = index.add([0, 0, 0, 1, 1, 1]);
    index.add([1e308, 0, 0, 1.7e308, 0, 0]);
    const { version } = index;
    expect(() => index.translate(1e308, 0, 0)).toThrow(
      /^SpatialIndex\.translate: 1.*e\+308 cannot be moved by 1e\+308/,
    );
    expect(index.version).toBe(version);
    expect([...index.queryPoint(0, 0, 0)]).toEqual([id]);
  });

  it('of an empty index leaves it usable', () => {
    const index = createIndex(name, options);
    index.translate(1, 2, 3);
    expect([...index.queryPoint(0, 0, 0)]).toEqual([]);
    expect(index.add([0, 0, 0, 1, 1, 1])).toBe(0);
  });
});

it('leaves packed rows in their order, wherever they are: queries cost what they did', () => {
  const next = random(7);
  const index = createIndex('packed');
  const place = (): number => Math.floor(next() * 2 ** 16) / 64;
  index.addAll(Array.from({ length: 5000 }, () => [place(), place(), place()]).flatMap((p) => [...p, ...p]));
  const cost = (x: number): object => {
    index.queryBox([x, 0, 0, x + 200, 300, 1024]);
    return { ...index.counters };
  };
  const before = cost(0);
  index.translate(FAR, 0, 0);
  expect(cost(FAR)).toEqual(before);
});
