import { describe, expect, it } from 'vitest';
import {
  createIndex,
  INDEX_DEFAULTS,
  type IndexOptions,
  type SpatialIndex,
  type StructureName,
} from '../../src/core.js';
import { DISTRIBUTIONS } from '../helpers/distributions.js';
import { expectSameAnswers } from '../helpers/expectSame.js';
import { Oracle } from '../helpers/oracle.js';
import { random } from '../helpers/random.js';

const STRUCTURES: { label: string; name: StructureName; options: IndexOptions }[] = [
  { label: 'bruteForce', name: 'bruteForce', options: {} },
  { label: 'grid', name: 'grid', options: {} },
  { label: 'grid, planar', name: 'grid', options: { planar: true } },
  { label: 'octree', name: 'octree', options: {} },
  { label: 'octree, planar', name: 'octree', options: { planar: true } },
  { label: 'looseOctree', name: 'looseOctree', options: {} },
  { label: 'looseOctree, planar, straddlers stay', name: 'looseOctree', options: { planar: true, looseness: 1 } },
  { label: 'bvh', name: 'bvh', options: {} },
  { label: 'bvh, planar, wide margin', name: 'bvh', options: { planar: true, margin: 10 } },
];
const COUNT = 20_000;

/** Levels beyond `maxDepth`: those that growth may add, and the two of the root and the leaf itself. */
const GROWTH = 34;
/** Most levels of a structure: cells have a limit, a binary tree keeps its balance. */
const maxHeight = (name: StructureName, items: number): number =>
  name === 'bvh' ? 2 * Math.ceil(Math.log2(items)) + 4 : INDEX_DEFAULTS.maxDepth + GROWTH;
/** An item of an octree lies in at most 27 cells of a size. */
const ENTRIES: { [name in StructureName]: number } = { bruteForce: 1, grid: 1, octree: 27, looseOctree: 1, bvh: 1 };
/** Nodes per entry: a cell is there because entries are in it, or because it parts two others. */
const NODES_PER_ENTRY = 2;
/** A row of 16 slots takes 1,100 bytes with its node, and holds four entries at the least; arrays may be twice as long. */
const BYTES_PER_ENTRY = 900;

const distribution = (label: string): ((seed: number, count: number) => number[][]) => {
  const found = DISTRIBUTIONS.find((d) => d.label === label);
  if (!found) throw new Error(`no distribution ${label}`);
  return found.make;
};
const shifted = (i: number): number[] => [i, i / 2, -i, i + 1, i / 2 + 1, -i + 1];

const ORDERS: { label: string; make: () => number[][] }[] = [
  { label: 'identical boxes', make: () => distribution('identical')(1, COUNT) },
  { label: 'identical points', make: () => distribution('identical points')(1, COUNT) },
  { label: 'nested boxes', make: () => distribution('nested')(1, COUNT) },
  { label: 'exponential places', make: () => distribution('exponential')(1, COUNT) },
  { label: 'half infinite boxes', make: () => distribution('half infinite')(1, COUNT) },
  { label: 'sorted places', make: () => Array.from({ length: COUNT }, (_, i) => shifted(i)) },
  { label: 'places sorted downwards', make: () => Array.from({ length: COUNT }, (_, i) => shifted(COUNT - i)) },
  {
    label: 'places from both ends in turn',
    make: () => Array.from({ length: COUNT }, (_, i) => shifted(i % 2 ? i : -i)),
  },
  {
    label: 'two clusters in turn, far apart',
    make: () => {
      const next = random(4);
      return Array.from({ length: COUNT }, (_, i) => {
        const [x, y, z] = [next() + (i % 2) * 1e9, next(), next()];
        return [x, y, z, x + 0.01, y + 0.01, z + 0.01];
      });
    },
  },
  {
    label: 'boxes across the middle of the world',
    make: () => {
      const next = random(5);
      return Array.from({ length: COUNT }, (_, i) => {
        const s = 0.01 + next() * (i % 50);
        const x = next() * 100 - 50;
        return [x - s, -s, -s, x + s, s, s];
      });
    },
  },
];

const query = (index: SpatialIndex, box: number[]): number => {
  const [x, y, z] = box.map((c) => Math.max(-1e13, Math.min(1e13, c)));
  index.point(x, y, z);
  return index.counters.nodesVisited;
};

describe.each(STRUCTURES)('$label', ({ name, options }) => {
  describe.each(ORDERS)('given $label, one by one', ({ make }) => {
    it('stays within bounds of height, nodes, entries, bytes and visits, and gives all of it back', () => {
      const boxes = make();
      const index = createIndex(name, options);
      const empty = index.stats();
      const ids = boxes.map((box) => index.add(box));
      // What a query needs of memory is held from the first one on.
      query(index, boxes[0]);
      const full = index.stats();
      expect(index.size).toBe(COUNT);
      expect(full.height).toBeLessThanOrEqual(maxHeight(name, COUNT));
      expect(full.entries).toBeLessThanOrEqual(ENTRIES[name] * COUNT);
      expect(full.nodes).toBeLessThanOrEqual(NODES_PER_ENTRY * full.entries);
      expect(full.rows).toBeLessThanOrEqual(full.entries / 2);
      expect(full.bytes).toBeLessThanOrEqual(BYTES_PER_ENTRY * full.entries);
      expect(index.validate()).toEqual([]);
      for (let i = 0; i < COUNT; i += 4999) {
        // At most the rows and cells there are; and where items differ, few of them.
        expect(query(index, boxes[i])).toBeLessThanOrEqual(full.rows + full.nodes + 1);
      }
      // Every other one first, so that rows thin out.
      for (let i = 0; i < COUNT; i += 2) index.remove(ids[i]);
      expect(index.validate()).toEqual([]);
      const half = index.stats();
      expect(half.bytes).toBeLessThanOrEqual(full.bytes);
      expect(half.height).toBeLessThanOrEqual(maxHeight(name, half.items));
      for (let i = 1; i < COUNT; i += 2) index.remove(ids[i]);
      const after = index.stats();
      expect([after.items, after.entries, after.nodes, after.rows, after.height]).toEqual([0, 0, 0, 0, 0]);
      expect(after.bytes).toBeLessThanOrEqual(2 * empty.bytes);
      expect(index.validate()).toEqual([]);
    });
  });

  it('has roots that grow in all directions, to 1e12 and back', () => {
    const next = random(7);
    const index = createIndex(name, options);
    const oracle = new Oracle();
    const put = (box: number[]): number => {
      const id = index.add(box);
      oracle.boxes.set(id, box);
      return id;
    };
    for (let i = 0; i < 200; i++) {
      const [x, y, z] = [next(), next(), next()];
      put([x, y, z, x + 0.1, y + 0.1, z + 0.1]);
    }
    for (let octant = 0; octant < 8; octant++) {
      for (const far of [10, 1e4, 1e8, 1e12]) {
        const [x, y, z] = [1, 2, 4].map((bit) => (octant & bit ? far : -far));
        const id = put([x, y, z, x + 1, y + 1, z + 1]);
        expect(index.validate()).toEqual([]);
        expect(index.stats().height).toBeLessThanOrEqual(maxHeight(name, index.size));
        expectSameAnswers(index, oracle, next, [x, y, z], 2);
        expectSameAnswers(index, oracle, next, [0.5, 0.5, 0.5], 1);
        if (far !== 1e4) {
          index.remove(id);
          oracle.boxes.delete(id);
          expect(index.validate()).toEqual([]);
        }
      }
    }
  });

  it.each([1e15, 1e18, 1e30, 1e60, 2 ** 300])('takes an outlier at %d, and is healthy', (far) => {
    const next = random(8);
    const index = createIndex(name, { ...options, capacity: 4 });
    const oracle = new Oracle();
    const put = (box: number[]): void => {
      oracle.boxes.set(index.add(box), box);
    };
    for (let i = 0; i < 40; i++) {
      const [x, y, z] = [next() - 0.5, next() - 0.5, next() - 0.5];
      put([x, y, z, x + 0.1, y + 0.1, z + 0.1]);
    }
    put([far, 0, -far, far, 0, -far]);
    expect(index.validate()).toEqual([]);
    for (let i = 0; i < 40; i++) {
      const [x, y, z] = [next() - 0.5, next() - 0.5, next() - 0.5];
      put([x, y, z, x + 0.1, y + 0.1, z + 0.1]);
      expectSameAnswers(index, oracle, next, [x, y, z], 1);
    }
    expect(index.validate()).toEqual([]);
  });

  it.each([5e-324, 1e-310, 1e-300, 1e-150])('ends, and loses nothing, with boxes of %d', (e) => {
    for (const planar of name === 'bruteForce' ? [{}] : [{ planar: false }, { planar: true }]) {
      const index = createIndex(name, { ...options, ...planar });
      for (let k = 0; k < 100; k++) index.add([k * e, 0, k * e, (k + 1) * e, e, (k + 1) * e]);
      for (let round = 0; round < 2; round++) {
        expect(index.validate()).toEqual([]);
        expect(
          index
            .point(50 * e, 0, 50 * e)
            .toArray()
            .sort(),
        ).toEqual([49, 50]);
        index.rebuild();
      }
    }
  });

  it('follows one item that jumps between scales 5,000 times without growing', () => {
    const next = random(9);
    const index = createIndex(name, options);
    for (let i = 0; i < 300; i++) index.add([i, 0, i % 17, i + 1, 1, (i % 17) + 1]);
    const id = index.add([0, 0, 0, 1, 1, 1]);
    index.rebuild();
    const { bytes, nodes } = index.stats();
    for (let i = 0; i < 5000; i++) {
      const s = 2 ** (Math.floor(next() * 70) - 40);
      const [x, z] = [(next() - 0.5) * s * 100, (next() - 0.5) * s * 100];
      index.update(id, [x, 0, z, x + s, s, z + s]);
    }
    const after = index.stats();
    expect(after.height).toBeLessThanOrEqual(maxHeight(name, index.size));
    expect(after.nodes).toBeLessThanOrEqual(4 * nodes + 40);
    expect(after.bytes).toBeLessThanOrEqual(4 * bytes);
    expect(index.validate()).toEqual([]);
  });
});

describe.each(STRUCTURES.filter(({ name }) => name !== 'bruteForce'))('$label', ({ name, options }) => {
  it('visits few nodes for a point among many', () => {
    const next = random(10);
    for (const label of ['uniform', 'clustered', 'one far outlier', 'far from the origin']) {
      const boxes = distribution(label)(3, COUNT);
      const index = createIndex(name, options);
      for (const box of boxes) index.add(box);
      const { nodes, rows } = index.stats();
      let visited = 0;
      for (let i = 0; i < 50; i++) {
        index.point(...(boxes[Math.floor(next() * COUNT)].slice(0, 3) as [number, number, number]));
        visited += index.counters.nodesVisited + index.counters.itemsTested;
      }
      // A scan would look at all rows and items; ten percent of that is already much.
      expect(visited / 50, label).toBeLessThan(0.1 * (COUNT + nodes + rows));
    }
  });
});
