import { describe, expect, it } from 'vitest';
import { createIndex } from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { VARIANTS } from '../helpers/variants.js';

/** A sum with any of the coordinates is exact. */
const FAR = 2 ** 20;

describe.each(VARIANTS)('translate of $label', ({ name, options }) => {
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
