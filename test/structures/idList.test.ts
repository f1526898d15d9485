import { describe, expect, it } from 'vitest';
import { IdList } from '../../src/standalone.js';
import { random } from '../helpers/random.js';

describe('a list of ids', () => {
  const sorted = (ids: number[]): number[] => {
    const list = new IdList();
    list.reserve(ids.length).set(ids);
    list.length = ids.length;
    expect(list.sort()).toBe(list);
    return list.toArray();
  };

  it.each([0, 1, 5, 63, 64, 65, 3000])('of %i is put into ascending order', (count) => {
    const next = random(count + 1);
    for (const span of [1, 2, 1000]) {
      const ids = [...new Set(Array.from({ length: count }, () => Math.floor(next() * span * (count + 1))))];
      expect(sorted(ids)).toEqual([...ids].sort((a, b) => a - b));
    }
  });

  it('keeps what is in it twice, and what is no id of an index', () => {
    const ids = Array.from({ length: 200 }, (_, i) => (i * 7) % 100);
    expect(sorted(ids)).toEqual([...ids].sort((a, b) => a - b));
    const odd = [...ids, -5, 2 ** 31 - 1];
    expect(sorted(odd)).toEqual([...odd].sort((a, b) => a - b));
    expect(sorted(ids)).toEqual([...ids].sort((a, b) => a - b));
  });

  it('may hold an id that needs one word more than any before', () => {
    for (let power = 10; power <= 17; power++) {
      for (const most of [2 ** power - 1, 2 ** power, 2 ** power + 1]) {
        const ids = Array.from({ length: 1024 }, (_, i) => most - i);
        expect(sorted(ids)).toEqual(ids.reverse());
      }
    }
  });
});
