import { expect, it } from 'vitest';
import { atWidth } from '../helpers/width.js';
import { runOcclusion } from '../model/occlusion/runOcclusion.js';

/** Of those in which three alone draws both scenes alike, also with batches and an index. */
const SEEDS = atWidth([1, 2, 3, 4, 5, 7], [1, 3]);

it.each(SEEDS)('pictures of random scenes are the same with occlusion, seed %i', async (seed) => {
  const { fault, calls } = await runOcclusion({ seed, pictures: 10 });
  expect(fault).toBeNull();
  expect(calls[1]).toBeLessThanOrEqual(calls[0]);
});
