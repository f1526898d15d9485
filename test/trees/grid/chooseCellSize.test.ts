import { describe, expect, it } from 'vitest';
import { chooseCellSize } from '../../../src/trees/grid/chooseCellSize.js';
import { random } from '../../helpers/random.js';

const COUNT = 2000;
/** Items to a cell that the choice is to give. */
const WANTED = 24;
/** Edge of a cube, or with two axes of a square, that holds that many of them spread evenly over a width. */
const ideal = (count: number, width: number, axes = 3): number => width * (WANTED / count) ** (1 / axes);

function cloud(count: number, width: number, size = 0, seed = 1): number[][] {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    const [x, y, z] = [next() * width, next() * width, next() * width];
    return [x, y, z, x + size, y + size, z + size];
  });
}

const choose = (boxes: number[][], planar = false): number => chooseCellSize(Float64Array.from(boxes.flat()), planar);

/** Fails unless the value is right within a quarter, up or down. */
function expectAbout(value: number, wanted: number): void {
  expect(value).toBeGreaterThan(wanted / 1.25);
  expect(value).toBeLessThan(wanted * 1.25);
}

describe('the chosen cell size', () => {
  it.each([500, COUNT, 100_000])('is right for %d points in a cube, whatever their scale', (count) => {
    for (const width of [1e-9, 1, 1e12]) expectAbout(choose(cloud(count, width)) / width, ideal(count, 1));
  });

  it.each([500, COUNT, 100_000])('is right for %d columns in a square, whatever their height', (count) => {
    const next = random(2);
    const towers = cloud(count, 100).map(([x, , z]) => [x, -1e6 * next(), z, x, 1e6 * next(), z]);
    expectAbout(choose(towers, true), ideal(count, 100, 2));
  });

  it('does not go by how thick boxes lie where they are many times as large', () => {
    expectAbout(choose(cloud(COUNT, 1, 50)), 50);
    expectAbout(
      choose(
        cloud(COUNT, 1).map(([x, y, z]) => [x, y, z, x, y + 50, z]),
        true,
      ),
      ideal(COUNT, 1, 2),
    );
  });

  it('looks past a few that lie far off, each in a cell of its own', () => {
    for (let first = 0; first < 30; first++) {
      const boxes = cloud(COUNT, 10);
      const next = random(3);
      for (let i = first; i < COUNT; i += 30) boxes[i] = new Array(6).fill(1e6 * next());
      expect(choose(boxes)).toBeLessThan(2 * ideal(COUNT, 10));
      expect(choose(boxes)).toBeGreaterThan(ideal(COUNT, 10) / 2);
    }
  });

  it('gives cells to those between clusters, so that there are not too many cells', () => {
    const boxes = cloud(COUNT, 1);
    const between = cloud(COUNT, 1000);
    for (let i = 0; i < COUNT; i += 4) boxes[i] = between[i];
    const edge = choose(boxes);
    const cells = new Set(boxes.map((box) => box.map((c) => Math.floor(c / edge)).join()));
    expect(cells.size).toBeGreaterThan(COUNT / WANTED / 2);
    expect(cells.size).toBeLessThan((COUNT / WANTED) * 2);
  });

  it('takes no notice of boxes without ends', () => {
    const boxes = cloud(COUNT, 10);
    const far = Number.POSITIVE_INFINITY;
    const endless = boxes.flatMap((box, i) => [box, i & 1 ? [-far, 0, 0, far, 0, 0] : [far, far, far, far, far, far]]);
    expectAbout(choose(endless), ideal(COUNT, 10));
  });

  it('is some size where nothing can be told', () => {
    const same = Array.from({ length: COUNT }, () => [5, 5, 5, 5, 5, 5]);
    expect(choose([])).toBe(1);
    expect(choose([[5, 5, 5, 5, 5, 5]])).toBe(1);
    expect(choose(same)).toBe(1);
    expect(choose([[5, 5, 5, 8, 6, 7]])).toBe(3);
    expect(choose([[Number.NEGATIVE_INFINITY, 0, 0, 0, 0, 0]])).toBe(1);
  });
});
