import { describe, expect, it } from 'vitest';
import { createIndex, forEachNode, type SpatialIndex, stats } from '../../../src/standalone.js';
import { HOSTILE_ORDERS } from '../../helpers/hostileOrders.js';
import { random } from '../../helpers/random.js';
import { validate } from '../../helpers/validate.js';

// Each leaf that holds an item is as wide as the item, so it holds a corner of its box.
describe.each([
  { options: {}, most: 8 },
  { options: { planar: true }, most: 4 },
  { options: { capacity: 8 }, most: 8 },
])('octree $options', ({ options, most }) => {
  const mostOf = (index: SpatialIndex): number => {
    const entries = new Map<number, number>();
    forEachNode(index, ({ ids }) => {
      for (const id of ids) entries.set(id, (entries.get(id) ?? 0) + 1);
    });
    return Math.max(...entries.values());
  };

  it.each(HOSTILE_ORDERS)('has a few entries for each item, come one by one or at once, given $label', ({ make }) => {
    const boxes = make(3000);
    const index = createIndex('octree', options);
    for (const box of boxes) index.add(box);
    expect(mostOf(index)).toBeLessThanOrEqual(most);
    expect(validate(index)).toEqual([]);
    index.rebuild();
    expect(mostOf(index)).toBeLessThanOrEqual(most);
    expect(stats(index).copies).toBeLessThanOrEqual(2.5 * boxes.length);
  });

  it('has a few entries for each item where items grow and shrink until they all overlap', () => {
    const next = random(3);
    const index = createIndex('octree', options);
    const ids = Array.from({ length: 2000 }, () => {
      const at = [next(), next(), next()].map((c) => c * 1000);
      return index.add([...at, ...at.map((c) => c + 1)]);
    });
    for (const id of ids) {
      const size = 100 + 400 * next();
      index.update(id, [-size, -size, -size, size, size, size]);
    }
    expect(mostOf(index)).toBeLessThanOrEqual(most);
    expect(index.queryPoint(0, 0, 0).length).toBe(2000);
    expect(validate(index)).toEqual([]);
  });
});
