import { expect, it } from 'vitest';
import { createIndex, enableSimd } from '../../src/standalone.js';
import { packedOf } from '../helpers/partsOf.js';

// In a file of its own, where no other index has taken the kernels.
it('many rows lie in the memory of a kernel, few do not', () => {
  // It is allowed until somebody forbids it.
  expect(enableSimd()).toBe(true);
  const index = createIndex('packed');
  const { rows } = packedOf(index);
  const isTogether = (): boolean => rows.boxes.buffer === rows.levels.buffer && rows.ids.buffer === rows.rows.buffer;
  for (let i = 0; i < 3000; i++) index.add([i, 0, 0, i + 0.5, 1, 1]);
  index.queryPlanes([]);
  expect(isTogether()).toBe(true);
  index.clear();
  index.add([0, 0, 0, 1, 1, 1]);
  index.queryPlanes([]);
  expect(isTogether()).toBe(false);
});
