import { expect, it } from 'vitest';
import { createIndex, enableSimd, STRUCTURES } from '../../src/standalone.js';
import { treeOf } from '../helpers/partsOf.js';

// In a file of its own, where no other index has taken the kernels.
it.each(STRUCTURES)('%s: a large tree lies in the memory of a kernel, a small one does not', (name) => {
  enableSimd();
  const index = createIndex(name);
  const tree = treeOf(index);
  const isTogether = (): boolean => tree.rows.boxes.buffer === tree.nodes.box.buffer;
  for (let i = 0; i < 3000; i++) index.add([i, 0, 0, i + 0.5, 1, 1]);
  index.queryPlanes([]);
  expect(isTogether()).toBe(true);
  index.clear();
  index.add([0, 0, 0, 1, 1, 1]);
  index.queryPlanes([]);
  expect(isTogether()).toBe(false);
});
