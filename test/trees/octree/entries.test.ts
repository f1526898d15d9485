import { describe, expect, it } from 'vitest';
import { createIndex, stats } from '../../../src/standalone.js';
import { HOSTILE_ORDERS } from '../../helpers/hostileOrders.js';
import { random } from '../../helpers/random.js';
import { validate } from '../../helpers/validate.js';

describe.each([{}, { planar: true }, { capacity: 8 }])('octree %o', (options) => {
  it.each(HOSTILE_ORDERS)('takes hardly more entries and memory one by one than at once, given $label', ({ make }) => {
    const boxes = make(3000);
    const built = createIndex('octree', options);
    built.addAll(boxes.flat());
    const { entries, bytes } = stats(built);
    const index = createIndex('octree', options);
    for (const [i, box] of boxes.entries()) {
      index.add(box);
      if (i % 500 !== 499) continue;
      const items = i + 1;
      // Twice as many, one more for each, and up to 27 for those that came since the last rebuild, a quarter.
      expect(stats(index).entries).toBeLessThan(items * ((2 * entries) / boxes.length + 1) + (items / 4) * 27);
    }
    expect(stats(index).entries).toBeLessThan(3 * entries);
    expect(stats(index).bytes).toBeLessThan(3 * bytes);
    expect(validate(index)).toEqual([]);
  });

  it('keeps few entries where items move until they all overlap', () => {
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
    expect(stats(index).entries / index.size).toBeLessThan(4.5);
    expect(index.queryPoint(0, 0, 0).length).toBe(2000);
    expect(validate(index)).toEqual([]);
  });
});
