import { BatchedMesh } from 'three';
import { afterEach, expect, it, vi } from 'vitest';
import { knowsBatches } from '../../src/batching/MeshBatch.js';

afterEach(() => vi.restoreAllMocks());

it('knows the batches of this three', () => expect(knowsBatches()).toBe(true));

it.each(['_multiDrawStarts', '_multiDrawCounts', '_multiDrawCount', '_indirectTexture', '_matricesTexture'])(
  'notices that %s is another',
  (name) => {
    // Set by the constructor, which finds this in its place.
    const kind = BatchedMesh.prototype;
    Object.defineProperty(kind, name, { configurable: true, get: () => ({ image: { data: [] } }), set() {} });
    expect(knowsBatches()).toBe(false);
    Reflect.deleteProperty(kind, name);
  },
);

it('notices that a part is kept elsewhere', () => {
  const kind = BatchedMesh.prototype as unknown as { _initMatricesTexture(): void };
  vi.spyOn(kind, '_initMatricesTexture').mockImplementation(function (this: { _matrices: Float32Array }) {
    this._matrices = new Float32Array(16);
  });
  expect(knowsBatches()).toBe(false);
});
