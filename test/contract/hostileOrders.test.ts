import { describe, expect, it } from 'vitest';
import { createIndex, type IndexOptions, type StructureName, stats } from '../../src/standalone.js';
import { distribution } from '../helpers/distributions.js';
import { HOSTILE_ORDERS } from '../helpers/hostileOrders.js';
import { hostileProblems, maxHeight } from '../helpers/hostileProblems.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';
import { checkAround } from '../model/checkNear.js';
import { Truth } from '../model/Truth.js';

const STRUCTURES: { label: string; name: StructureName; options: IndexOptions }[] = [
  { label: 'bruteForce', name: 'bruteForce', options: {} },
  { label: 'grid', name: 'grid', options: {} },
  { label: 'grid, planar', name: 'grid', options: { planar: true } },
  { label: 'octree', name: 'octree', options: {} },
  { label: 'octree, planar', name: 'octree', options: { planar: true } },
  { label: 'looseOctree', name: 'looseOctree', options: {} },
  { label: 'looseOctree, planar', name: 'looseOctree', options: { planar: true } },
  { label: 'looseOctree, planar, straddlers stay', name: 'looseOctree', options: { planar: true, looseness: 1 } },
  { label: 'bvh', name: 'bvh', options: {} },
  { label: 'bvh, planar', name: 'bvh', options: { planar: true } },
];
const COUNT = 600;
const MANY = 1500;

describe.each(STRUCTURES)('$label', ({ name, options }) => {
  it.each(HOSTILE_ORDERS)(
    'stays within bounds of height, nodes, entries, bytes and visits given $label, one by one, and gives all of it back',
    (order) => {
      expect(hostileProblems(name, options, order, COUNT)).toEqual([]);
    },
  );

  it('has roots that grow in all directions, to 1e12 and back', () => {
    const next = random(7);
    const index = createIndex(name, options);
    const truth = new Truth();
    for (let i = 0; i < 200; i++) {
      const [x, y, z] = [next(), next(), next()];
      truth.add(index, [x, y, z, x + 0.1, y + 0.1, z + 0.1]);
    }
    for (let octant = 0; octant < 8; octant++) {
      for (const far of [10, 1e4, 1e8, 1e12]) {
        const [x, y, z] = [1, 2, 4].map((bit) => (octant & bit ? far : -far));
        const id = truth.add(index, [x, y, z, x + 1, y + 1, z + 1]);
        expect(stats(index).height).toBeLessThanOrEqual(maxHeight(name, index.size));
        checkAround(index, truth, next, [x, y, z], 2);
        checkAround(index, truth, next, [0.5, 0.5, 0.5], 1);
        if (far !== 1e4) {
          truth.remove(index, id);
          expect(validate(index)).toEqual([]);
        }
      }
    }
  });

  it.each([1e15, 1e18, 1e30, 1e60, 2 ** 300])('takes an outlier at %d, and is healthy', (far) => {
    const next = random(8);
    const index = createIndex(name, { ...options, capacity: 4 });
    const truth = new Truth();
    for (let i = 0; i < 40; i++) {
      const [x, y, z] = [next() - 0.5, next() - 0.5, next() - 0.5];
      truth.add(index, [x, y, z, x + 0.1, y + 0.1, z + 0.1]);
    }
    truth.add(index, [far, 0, -far, far, 0, -far]);
    expect(validate(index)).toEqual([]);
    for (let i = 0; i < 40; i++) {
      const [x, y, z] = [next() - 0.5, next() - 0.5, next() - 0.5];
      truth.add(index, [x, y, z, x + 0.1, y + 0.1, z + 0.1]);
      checkAround(index, truth, next, [x, y, z], 1);
    }
    expect(validate(index)).toEqual([]);
  });

  it.each([5e-324, 1e-310, 1e-300, 1e-150])('ends, and loses nothing, with boxes of %d', (e) => {
    for (const planar of name === 'bruteForce' ? [{}] : [{ planar: false }, { planar: true }]) {
      const index = createIndex(name, { ...options, ...planar });
      for (let k = 0; k < 100; k++) index.add([k * e, 0, k * e, (k + 1) * e, e, (k + 1) * e]);
      for (let round = 0; round < 2; round++) {
        expect(validate(index)).toEqual([]);
        expect(
          index
            .queryPoint(50 * e, 0, 50 * e)
            .toArray()
            .sort(),
        ).toEqual([49, 50]);
        index.rebuild();
      }
    }
  });

  it.each([1e-300, 1e-9, 1e6, 1e15, 2 ** 290, 1e300])(
    'takes no more memory for items and questions %d times as large',
    (scale) => {
      const next = random(11);
      const [small, large] = [createIndex(name, options), createIndex(name, options)];
      const boxes = Array.from({ length: 1000 }, () => {
        const [x, y, z] = [next() * 100, next() * 100, next() * 100];
        return [x, y, z, x + next(), y + next(), z + next()];
      });
      const scaled = (box: number[]): number[] => box.map((c) => c * scale);
      const ids = boxes.map((box) => [small.add(box), large.add(scaled(box))]);
      const compare = (): void => {
        const [mine, its] = [stats(small), stats(large)];
        expect(its.bytes).toBeLessThanOrEqual(2 * mine.bytes);
        expect(its.nodes).toBeLessThanOrEqual(2 * mine.nodes + 40);
        expect(its.height).toBeLessThanOrEqual(maxHeight(name, 1000));
      };
      compare();
      for (const [a, b] of ids) {
        // Each goes to where another was, some of them made a million times as large.
        const box = boxes[Math.floor(next() * 1000)];
        const to = next() < 0.1 ? box.map((c, i) => c + (i < 3 ? -1e6 : 1e6)) : box;
        small.update(a, to);
        large.update(b, scaled(to));
      }
      compare();
      const everything = [-1, -1, -1, 1, 1, 1].map((c) => c * Math.min(1e308, scale * 1e7));
      expect(large.queryBox(everything).length).toBe(1000);
      compare();
      small.rebuild();
      large.rebuild();
      compare();
    },
  );

  it('follows one item that jumps between scales 5,000 times without growing', () => {
    const next = random(9);
    const index = createIndex(name, options);
    for (let i = 0; i < 300; i++) index.add([i, 0, i % 17, i + 1, 1, (i % 17) + 1]);
    const id = index.add([0, 0, 0, 1, 1, 1]);
    index.rebuild();
    const { bytes, nodes } = stats(index);
    for (let i = 0; i < 5000; i++) {
      const s = 2 ** (Math.floor(next() * 70) - 40);
      const [x, z] = [(next() - 0.5) * s * 100, (next() - 0.5) * s * 100];
      index.update(id, [x, 0, z, x + s, s, z + s]);
    }
    const after = stats(index);
    expect(after.height).toBeLessThanOrEqual(maxHeight(name, index.size));
    expect(after.nodes).toBeLessThanOrEqual(4 * nodes + 40);
    expect(after.bytes).toBeLessThanOrEqual(4 * bytes);
    expect(validate(index)).toEqual([]);
  });
});

describe.each(STRUCTURES.filter(({ name }) => name !== 'bruteForce'))('$label', ({ name, options }) => {
  it('visits few nodes for a point among many', () => {
    const next = random(10);
    for (const label of ['uniform', 'clustered', 'one far outlier', 'far from the origin']) {
      const boxes = distribution(label)(3, MANY);
      const index = createIndex(name, options);
      for (const box of boxes) index.add(box);
      const { nodes, rows } = stats(index);
      let visited = 0;
      for (let i = 0; i < 50; i++) {
        index.queryPoint(...(boxes[Math.floor(next() * MANY)].slice(0, 3) as [number, number, number]));
        visited += index.counters.nodesVisited + index.counters.itemsTested;
      }
      // A scan would look at all rows and items; ten percent of that is already much.
      expect(visited / 50, label).toBeLessThan(0.1 * (MANY + nodes + rows));
    }
  });
});
