import { BatchedMesh } from 'three';
import { afterEach, expect, it, vi } from 'vitest';
import { knowsBatches } from '../../src/batching/MeshBatch.js';

afterEach(() => vi.restoreAllMocks());

it('knows the batches of this three', () => expect(knowsBatches()).toBe(true));

it('notices that a part is kept elsewhere', () => {
  const kind = BatchedMesh.prototype as unknown as { _initMatricesTexture(): void };
  vi.spyOn(kind, '_initMatricesTexture').mockImplementation(function (this: { _matrices: Float32Array }) {
    this._matrices = new Float32Array(16);
  });
  expect(knowsBatches()).toBe(false);
});
