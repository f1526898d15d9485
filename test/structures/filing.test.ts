import { describe, expect, it } from 'vitest';
import { createIndex, type SpatialIndex } from '../../src/core.js';
import { DISTRIBUTIONS } from '../helpers/distributions.js';
import { VARIANTS } from '../helpers/variants.js';

const COUNT = 400;
const ONE_CELL = VARIANTS.filter(({ name }) => name === 'looseOctree' || name === 'grid');
const LABELS = ['uniform', 'clustered', 'flat in Y', 'points', 'on cell borders', 'huge among tiny', 'one far outlier'];
const WORLDS = DISTRIBUTIONS.filter(({ label }) => LABELS.includes(label));

// Answers do not depend on it, but how fast they come does.
describe.each(ONE_CELL)('$label', ({ name, options }) => {
  it.each(WORLDS)(
    'files each item in the cell with its centre, one by one and at once, on boxes $label',
    ({ make }) => {
      const boxes = make(1, COUNT);
      const index = createIndex(name, options);
      for (const box of boxes) index.add(box);
      expect(strays(index, options.planar ?? false)).toEqual([]);
      index.rebuild();
      expect(strays(index, options.planar ?? false)).toEqual([]);
    },
  );
});

/** Items whose centre lies beside the cell they are filed in. */
function strays(index: SpatialIndex, planar: boolean): number[] {
  const found: number[] = [];
  let filed = 0;
  index.forEachNode(({ cell, ids, depth }) => {
    filed += ids.length;
    for (const id of ids) {
      const box = index.getBox(id);
      for (const c of planar ? [0, 2] : [0, 1, 2]) {
        const middle = box[c] / 2 + box[c + 3] / 2;
        // Borders of cells are rounded.
        const slack = Math.abs(middle) * 2 ** -48;
        if (middle < cell[c] - slack || middle > cell[c + 3] + slack) found.push(id);
      }
    }
    expect(depth).toBeLessThan(64);
  });
  expect(filed).toBe(COUNT);
  return found;
}
