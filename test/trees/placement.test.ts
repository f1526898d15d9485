import { describe, expect, it } from 'vitest';
import { createIndex, forEachNode, type SpatialIndex } from '../../src/standalone.js';
import { DISTRIBUTIONS } from '../helpers/distributions.js';
import { VARIANTS } from '../helpers/variants.js';
import { atWidth } from '../helpers/width.js';

const COUNT = atWidth(400, 200);
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
      expect(misplaced(index, options.planar ?? false)).toEqual([]);
      index.rebuild();
      expect(misplaced(index, options.planar ?? false)).toEqual([]);
    },
  );
});

describe.each(VARIANTS.filter(({ name }) => name === 'octree'))('$label', ({ name, options }) => {
  it.each(WORLDS)(
    'files each item in all cells in which it lies, one by one and at once, on boxes $label',
    ({ make }) => {
      const boxes = make(1, COUNT);
      const index = createIndex(name, options);
      for (const box of boxes) index.add(box);
      expect(uncovered(index, options.planar ?? false)).toEqual([]);
      index.rebuild();
      expect(uncovered(index, options.planar ?? false)).toEqual([]);
    },
  );
});

/** Items with a corner that lies in none of the cells they are placed in. */
function uncovered(index: SpatialIndex, planar: boolean): number[] {
  const cellsOf = new Map<number, Float64Array[]>();
  forEachNode(index, ({ cell, ids }) => {
    for (const id of ids) cellsOf.set(id, [...(cellsOf.get(id) ?? []), cell.slice()]);
  });
  expect(cellsOf.size).toBe(COUNT);
  const isIn = (cell: Float64Array, corner: number[]): boolean =>
    (planar ? [0, 2] : [0, 1, 2]).every((c) => {
      const slack = Math.abs(corner[c]) * 2 ** -48;
      return corner[c] >= cell[c] - slack && corner[c] <= cell[c + 3] + slack;
    });
  return [...cellsOf].flatMap(([id, cells]) => {
    const box = index.getBox(id);
    const corners = Array.from({ length: 8 }, (_, k) => [box[k & 1 ? 3 : 0], box[k & 2 ? 4 : 1], box[k & 4 ? 5 : 2]]);
    return corners.every((corner) => cells.some((cell) => isIn(cell, corner))) ? [] : [id];
  });
}

/** Items whose centre lies beside the cell they are placed in. */
function misplaced(index: SpatialIndex, planar: boolean): number[] {
  const found: number[] = [];
  let placed = 0;
  forEachNode(index, ({ cell, ids, depth }) => {
    placed += ids.length;
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
  expect(placed).toBe(COUNT);
  return found;
}
