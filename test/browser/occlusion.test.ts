import { expect, it } from 'vitest';
import { runOcclusion } from '../model/occlusion/runOcclusion.js';

/** Of those in which three alone draws both scenes alike, also with batches and an index. */
const SEEDS = [1, 2, 3, 4, 5, 7];

it.each(SEEDS)('pictures of random scenes are the same with occlusion, seed %i', async (seed) => {
  const { fault, calls } = await runOcclusion({ seed, pictures: 10 });
  expect(fault).toBeNull();
  expect(calls[1]).toBeLessThanOrEqual(calls[0]);
});
