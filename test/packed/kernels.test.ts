import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createIndex, enableSimd, IdList, type SpatialIndex } from '../../src/standalone.js';
import { DISTRIBUTIONS } from '../helpers/distributions.js';
import { type Answer, questionsAbout } from '../helpers/questions.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';
import { VARIANTS } from '../helpers/variants.js';

beforeEach(() => {
  enableSimd(true);
});

const COUNT = 200;

describe.each(VARIANTS)('walks over $label', ({ name, options }) => {
  it.each(DISTRIBUTIONS)('find the same in the same order with and without SIMD, on boxes $label', ({ make }) => {
    const boxes = make(6, COUNT);
    const index = createIndex(name, options);
    for (const box of boxes) index.add(box);
    const next = random(9);
    const pick = (): number[] => {
      const box = boxes[Math.floor(next() * boxes.length)].map((c) => Math.min(Math.max(c, -1e9), 1e9));
      return [0, 1, 2].map((c) => box[c] + (next() - 0.5) * (box[c + 3] - box[c] + 1));
    };
    const questions = Array.from({ length: 12 }, (_, i) =>
      questionsAbout(pick(), pick(), [0, 1, 10, 1000][i % 4], next),
    );
    const ask = (): Answer[] => questions.flat().map((question) => question(index));
    const fast = ask();
    enableSimd(false);
    expect(ask()).toEqual(fast);
    // What was found without SIMD is the truth of a structure; it is no truth when it is nothing.
    expect(fast.some(({ ids }) => ids.length > 0)).toBe(true);
  });
});

it('a single packed row is looked at once, and every item in it', () => {
  const index = createIndex('packed');
  for (let i = 0; i < 9; i++) {
    index.add([0, 0, 0, 1, 1, 1]);
    index.queryPoint(1000, 0, 0);
    expect(index.counters.nodesVisited).toBe(1);
    expect(index.counters.itemsTested).toBe(i + 1);
  }
});

it('rows that outgrow their memory are searched in a larger one', () => {
  const index = createIndex('packed');
  const next = random(3);
  const out = new IdList();
  for (let i = 0; i < 20_000; i++) {
    const at = [next() * 100, next() * 100, next() * 100];
    index.add([...at, ...at.map((c) => c + 1)]);
    if ((i & (i - 1)) === 0) expect(index.queryPlanes([], out).length).toBe(i + 1);
  }
  expect(validate(index)).toEqual([]);
  index.clear();
  expect(index.queryPlanes([], out).length).toBe(0);
  expect(index.add([0, 0, 0, 1, 1, 1])).toBe(0);
  expect(index.queryPlanes([], out).toArray()).toEqual([0]);
});

it('more indices than there are kernels are searched side by side, and what they leave is used again', () => {
  const out = new IdList();
  const make = (k: number): SpatialIndex => {
    const index = createIndex('packed');
    for (let i = 0; i < 2000; i++) index.add([i, k, 0, i + 0.5, k, 0]);
    return index;
  };
  const check = (index: SpatialIndex, k: number): void => {
    expect(index.queryBox([10, k, 0, 12, k, 0], out).toArray().sort()).toEqual([10, 11, 12]);
    expect(index.queryBox([0, k + 1, 0, 2000, k + 1, 0], out).length).toBe(0);
  };
  const indices = Array.from({ length: 60 }, (_, k) => make(k));
  for (let round = 0; round < 2; round++) indices.forEach(check);
  // Every other one gives its memory back, and others take it.
  for (let k = 0; k < indices.length; k += 2) {
    indices[k].clear();
    expect(indices[k].queryPlanes([], out).length).toBe(0);
  }
  for (let k = 0; k < indices.length; k += 2) indices[k] = make(k);
  for (let round = 0; round < 2; round++) indices.forEach(check);
  for (const index of indices) expect(validate(index)).toEqual([]);
});

it('rows are searched without SIMD where there is no memory to be had', async () => {
  vi.resetModules();
  const { Instance } = WebAssembly;
  vi.stubGlobal('WebAssembly', {
    ...WebAssembly,
    Module: WebAssembly.Module,
    Instance: class {
      exports: object;
      constructor(module: WebAssembly.Module) {
        const exports = new Instance(module).exports as { memory: WebAssembly.Memory };
        const grow = (): never => {
          throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory');
        };
        this.exports = { ...exports, memory: { buffer: exports.memory.buffer, grow } };
      }
    },
  });
  try {
    const core = await import('../../src/standalone.js');
    core.enableSimd();
    const index = core.createIndex('packed');
    for (let i = 0; i < 2000; i++) index.add([i, 0, 0, i + 0.5, 0, 0]);
    expect(index.queryBox([10, 0, 0, 12, 0, 0]).toArray().sort()).toEqual([10, 11, 12]);
    expect(index.raycastFirst({ origin: [-5, 0, 0], direction: [1, 0, 0] }).ids[0]).toBe(0);
  } finally {
    vi.unstubAllGlobals();
    vi.resetModules();
  }
});
