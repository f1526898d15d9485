import { describe, expect, it } from 'vitest';
import { createIndex, type IndexOptions, stats } from '../../src/standalone.js';
import { type Any, any } from '../helpers/refusals.js';

describe('options that are taken', () => {
  it.each<[name: string, options: Any]>([
    ['octree', Object.create({ capacity: 0, nonsense: 1 })],
    ['octree', { capacity: undefined, planar: undefined }],
    ['bruteForce', { capacity: 1, looseness: 8, maxDepth: 64 }],
    ['octree', { looseness: 3 }],
    ['grid', { capacity: 1, looseness: 3, cellSize: 0 }],
    ['octree', { cellSize: 5 }],
    ['bvh', { capacity: 1, cellSize: 5, planar: true }],
  ])('by %s: %o, which are own properties, and the default where they are undefined', (name, options) => {
    expect(() => createIndex(any(name), options)).not.toThrow();
  });
  it('are copied', () => {
    const options: IndexOptions = { capacity: 4 };
    const index = createIndex('octree', options);
    options.capacity = 1000;
    for (let i = 0; i < 64; i++) index.add([i, 0, 0, i, 0, 0]);
    expect(stats(index).nodes).toBeGreaterThan(8);
  });
});
