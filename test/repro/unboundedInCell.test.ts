import { expect, it } from 'vitest';
import { createIndex, stats } from '../../src/standalone.js';
import { validate } from '../helpers/validate.js';

it('a grid does not keep an item beyond 2^300 in a cell that reaches farther', () => {
  const index = createIndex('grid');
  const far = -(2 ** 300) * 0.999;
  const id = index.add([far, 0, 0, far, 0, 0]);
  index.addAll([0, 0, 0, 1, 1, 1]);
  index.update(id, [1.01 * far, 0, 0, 1.01 * far, 0, 0]);
  expect(validate(index)).toEqual([]);
  expect(stats(index).unbounded).toBe(1);
});
