import { expect, it } from 'vitest';
import { distribute } from '../../src/packed/PackedItems.js';
import { PackedRows } from '../../src/packed/PackedRows.js';
import { random } from '../helpers/random.js';

const ROW = 16;

it.each([1, 2, 3, 4, 5, 32, 64])(
  'items are distributed to %i rows without loss, however full these become',
  (count) => {
    const next = random(count);
    for (let items = 0; items <= ROW * count; items++) {
      const rows = new PackedRows();
      rows.reserve(count + 1);
      rows.reset(count + 1);
      const ids = Int32Array.from({ length: items }, (_, i) => i + 1);
      const keys = Int32Array.from(ids, () => Math.floor(next() * 2 ** 30)).sort();
      // The row behind is none of theirs.
      rows.ids.fill(-7, ROW * count);
      distribute(rows, 0, count, ids, keys);
      const listed: number[] = [];
      for (let row = 0; row < count; row++) {
        expect(rows.sizes[row]).toBeLessThanOrEqual(ROW);
        listed.push(...rows.ids.subarray(ROW * row, ROW * row + rows.sizes[row]));
        if (row > 0) expect(rows.firstKeys[row]).toBeGreaterThanOrEqual(rows.firstKeys[row - 1]);
      }
      expect(listed).toEqual([...ids]);
      expect([...rows.ids.subarray(ROW * count)]).toEqual(Array(ROW).fill(-7));
    }
  },
);
