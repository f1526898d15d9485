import { afterEach, describe, expect, it, vi } from 'vitest';
import { createIndex, enableSimd, findPairs, findPairsBetween, IdPairs } from '../../src/standalone.js';
import { DISTRIBUTIONS } from '../helpers/distributions.js';
import { VARIANTS } from '../helpers/variants.js';
import { checkPairs } from '../model/checkNear.js';
import { Truth } from '../model/Truth.js';

afterEach(() => {
  enableSimd(true);
});

describe.each(VARIANTS)('pairs of $label', ({ name, options }) => {
  it.each(DISTRIBUTIONS)('are the same in the same order with and without SIMD, on boxes $label', ({ make }) => {
    const boxes = make(4, 120);
    const index = createIndex(name, options);
    const other = createIndex('bruteForce');
    const truth = new Truth();
    for (const box of boxes) truth.add(index, box);
    other.addAll(boxes.slice(0, boxes.length / 2).flat());
    const fast = findPairs(index).toArray();
    const fastBetween = findPairsBetween(index, other).toArray();
    enableSimd(false);
    expect(findPairs(index).toArray()).toEqual(fast);
    expect(findPairsBetween(index, other).toArray()).toEqual(fastBetween);
    checkPairs(index, truth);
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

describe.each([true, false])('pairs, SIMD %s', (simd) => {
  it('tells apart what single precision cannot', () => {
    enableSimd(simd);
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
    enableSimd(simd);
    const index = createIndex('looseOctree');
    expect(findPairs(index).length).toBe(0);
    for (let i = 0; i < 600; i++) index.add([1, 2, 3, 4, 5, 6]);
    expect(new Set(names(findPairs(index))).size).toBe((600 * 599) / 2);
  });

  it('of an index with itself are all ordered pairs, each item with itself included', () => {
    enableSimd(simd);
    const index = createIndex('octree', { capacity: 4 });
    for (let i = 0; i < 100; i++) index.add([i, 0, 0, i + 1, 1, 1]);
    const found = new Set(names(findPairsBetween(index, index)));
    expect(found.size).toBe(100 + 2 * 99);
    expect(found.has('3-3') && found.has('3-4') && found.has('4-3')).toBe(true);
  });

  it('go to the list of the caller, which keeps its memory', () => {
    enableSimd(simd);
    const index = createIndex('looseOctree');
    for (let i = 0; i < 200; i++) index.add([i, 0, 0, i + 1, 1, 1]);
    const out = new IdPairs();
    expect(findPairs(index, out)).toBe(out);
    const { ids } = out;
    expect(findPairs(index, out).ids).toBe(ids);
    expect(out.length).toBe(199);
  });
});

it('are found without SIMD where WebAssembly is forbidden', async () => {
  vi.resetModules();
  vi.stubGlobal('WebAssembly', {
    Module: class {
      constructor() {
        throw new EvalError('forbidden by the policy of the page');
      }
    },
  });
  const { createIndex, findPairs } = await import('../../src/standalone.js');
  const index = createIndex('looseOctree');
  for (let i = 0; i < 500; i++) index.add([i, 0, 0, i + 1, 1, 1]);
  expect(findPairs(index).length).toBe(499);
  vi.unstubAllGlobals();
});

it('refuses what is no index, and what is no boolean', () => {
  const index = createIndex('bruteForce');
  expect(() => findPairsBetween(index, {} as never)).toThrow(TypeError);
  expect(() => findPairsBetween(index, null as never)).toThrow(/findPairsBetween.b: must be an index, got null/);
  expect(() => enableSimd(1 as never)).toThrow(TypeError);
});

function names(pairs: IdPairs): string[] {
  return pairs.toArray().map(([a, b]) => `${a}-${b}`);
}
