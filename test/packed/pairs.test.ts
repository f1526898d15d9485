import { describe, expect, it } from 'vitest';
import {
  createIndex,
  enableSimd,
  findPairs,
  findPairsBetween,
  IdPairs,
  STRUCTURES,
  type StructureName,
} from '../../src/standalone.js';
import { DISTRIBUTIONS } from '../helpers/distributions.js';
import { random } from '../helpers/random.js';
import { VARIANTS } from '../helpers/variants.js';
import { checkPairs } from '../model/checkNear.js';
import { Truth } from '../model/Truth.js';

describe.each(VARIANTS)('pairs of $label', ({ name, options }) => {
  it.each(DISTRIBUTIONS)('are those of a plain loop, also with another index, on boxes $label', ({ make }) => {
    const boxes = make(4, 120);
    const index = createIndex(name, options);
    const other = createIndex('bruteForce');
    const truth = new Truth();
    for (const box of boxes) truth.add(index, box);
    other.addAll(boxes.slice(0, boxes.length / 2).flat());
    checkPairs(index, truth);
    // The same boxes by the same ids, as far as there are any.
    const between = findPairs(index)
      .toArray()
      .flatMap(([a, b]) => [
        [a, b],
        [b, a],
      ]);
    const expected = [...between, ...boxes.map((_, id) => [id, id])].filter(([, b]) => other.has(b));
    expect(names(findPairsBetween(index, other)).sort()).toEqual(expected.map(([a, b]) => `${a}-${b}`).sort());
  });
});

describe.each(VARIANTS)('pairs of $label, in which all has moved,', ({ name, options }) => {
  it.each(DISTRIBUTIONS)('are those of a plain loop, on boxes $label', ({ make }) => {
    const boxes = make(4, 150);
    const targets = make(5, boxes.length);
    const index = createIndex(name, options);
    const truth = new Truth();
    boxes.forEach((box, i) => {
      const id = truth.add(index, box);
      // Some go elsewhere, some go, and all the others are told to be where they are, again and again.
      if (i % 5 === 0) truth.update(index, id, targets[i]);
      if (i % 7 === 0) truth.remove(index, id);
    });
    for (let round = 0; round < 3; round++) for (const [id, box] of truth.boxes) index.update(id, box);
    checkPairs(index, truth);
    // Once all is arranged the tree is joined as it is.
    index.rebuild();
    checkPairs(index, truth);
  });
});

it('of a long list are found by no more tests than in a tree', () => {
  const index = createIndex('bruteForce');
  const tree = createIndex('bvh');
  for (let i = 0; i < 4000; i++) {
    const box = [(i * 37) % 4001, 0, 0, ((i * 37) % 4001) + 1, 1, 1];
    index.add(box);
    tree.add(box);
  }
  expect(names(findPairs(index)).sort()).toEqual(names(findPairs(tree)).sort());
  const { nodesVisited, itemsTested } = index.counters;
  expect(nodesVisited + itemsTested).toBeLessThan(2 * (tree.counters.nodesVisited + tree.counters.itemsTested));
  for (let id = 0; id < 4000; id++) index.remove(id);
  expect(findPairs(index).length).toBe(0);
});

/** Tests that a query of pairs takes, for each item. */
function testsPerItem(name: StructureName, ...worlds: Float64Array[]): number {
  const index = createIndex(name);
  const ids = index.addAll(worlds[0]);
  for (const boxes of worlds) index.updateAll(ids, boxes);
  findPairs(index);
  return (index.counters.nodesVisited + index.counters.itemsTested) / ids.length;
}

describe.each(STRUCTURES)('pairs of %s take a few dozen tests for each item', (name) => {
  it('when all has moved elsewhere at once', () => {
    expect(testsPerItem(name, uniformBoxes(5000, 1), uniformBoxes(5000, 2))).toBeLessThan(64);
  });

  it('in clusters that are small beside their distance, and with one item far off', () => {
    expect(
      testsPerItem(
        name,
        uniformBoxes(5000, 1).map((c, i) => c + 1e7 * (Math.floor(i / 6) % 10)),
      ),
    ).toBeLessThan(64);
    expect(
      testsPerItem(
        name,
        uniformBoxes(5000, 1).map((c, i) => (i < 6 ? 1e200 : c)),
      ),
    ).toBeLessThan(64);
    expect(
      testsPerItem(
        name,
        uniformBoxes(5000, 1).map((c, i) => (i < 6 ? Number.POSITIVE_INFINITY : c)),
      ),
    ).toBeLessThan(64);
  });

  it('with some boxes as large as the world', () => {
    const boxes = uniformBoxes(5000, 1);
    for (let i = 0; i < 5; i++) boxes.set([0, 0, 0, 100, 100, 100], 6 * 997 * i);
    expect(testsPerItem(name, boxes)).toBeLessThan(128);
  });
});

it('with an index of far fewer items take no more than a query for each of these', () => {
  const many = createIndex('packed');
  const few = createIndex('octree');
  many.addAll(uniformBoxes(5000, 1));
  few.addAll(uniformBoxes(5000, 2).subarray(0, 60));
  const swapped = findPairsBetween(few, many).toArray();
  expect(few.counters.itemsTested).toBeLessThan(10 * 200);
  expect(many.counters.itemsTested).toBe(few.counters.itemsTested);
  expect(swapped.length).toBeGreaterThan(0);
  const sorted = swapped.map(([a, b]) => [b, a]).sort(([a, b], [c, d]) => a - c || b - d);
  expect(findPairsBetween(many, few).toArray()).toEqual(sorted);
});

describe('pairs', () => {
  it('tells apart what single precision cannot', () => {
    const index = createIndex('looseOctree');
    // Rows of boxes that touch the next one, overlap it by 2^-40, or miss it by as much.
    const expected: string[] = [];
    for (let i = 0; i < 300; i++) {
      const gap = [0, -(2 ** -40), 2 ** -40][i % 3];
      const a = index.add([10 * i, 0, 0, 10 * i + 1, 1, 1]);
      const b = index.add([10 * i + 1 + gap, 0, 0, 10 * i + 2, 1, 1]);
      if (gap <= 0) expected.push(`${a}-${b}`);
    }
    expect(names(findPairs(index)).sort()).toEqual(expected.sort());
  });

  it('finds nothing in an index that is empty, and all pairs of boxes at one place', () => {
    const index = createIndex('looseOctree');
    expect(findPairs(index).length).toBe(0);
    for (let i = 0; i < 600; i++) index.add([1, 2, 3, 4, 5, 6]);
    expect(new Set(names(findPairs(index))).size).toBe((600 * 599) / 2);
  });

  it('of an index with itself are all ordered pairs, each item with itself included', () => {
    const index = createIndex('octree', { capacity: 4 });
    for (let i = 0; i < 100; i++) index.add([i, 0, 0, i + 1, 1, 1]);
    const found = new Set(names(findPairsBetween(index, index)));
    expect(found.size).toBe(100 + 2 * 99);
    expect(found.has('3-3') && found.has('3-4') && found.has('4-3')).toBe(true);
  });

  it('go to the list of the caller, which keeps its memory', () => {
    const index = createIndex('looseOctree');
    for (let i = 0; i < 200; i++) index.add([i, 0, 0, i + 1, 1, 1]);
    const out = new IdPairs();
    expect(findPairs(index, out)).toBe(out);
    const { ids } = out;
    expect(findPairs(index, out).ids).toBe(ids);
    expect(out.length).toBe(199);
  });
});

it('refuses what is no index, and what is no boolean', () => {
  const index = createIndex('bruteForce');
  expect(() => findPairsBetween(index, {} as never)).toThrow(TypeError);
  expect(() => findPairsBetween(index, null as never)).toThrow(/findPairsBetween.b: must be an index, got null/);
  expect(() => enableSimd(1 as never)).toThrow(TypeError);
});

/** Boxes of 1 in a cube of which they fill a fifth. */
function uniformBoxes(count: number, seed: number): Float64Array {
  const next = random(seed);
  const side = Math.cbrt(5 * count);
  const boxes = new Float64Array(6 * count);
  for (let o = 0; o < boxes.length; o += 6) {
    for (let c = o; c < o + 3; c++) {
      boxes[c] = side * next();
      boxes[c + 3] = boxes[c] + 1;
    }
  }
  return boxes;
}

function names(pairs: IdPairs): string[] {
  return pairs.toArray().map(([a, b]) => `${a}-${b}`);
}
