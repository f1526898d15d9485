import { expect, it } from 'vitest';
import { runOcclusion } from '../model/occlusion/runOcclusion.js';

/** Of those in which three alone draws both scenes alike, also with batches and an index. */
const SEEDS = [1];
/** Of batches, clipping planes and every kind of depth: 60 of the 2,000 pictures that `npm run soak occlusion` makes. */
const SMALL = [9, 203];

it.each(SEEDS)('pictures of random scenes are the same with occlusion, seed %i', async (seed) => {
  const { fault, calls } = await runOcclusion({ seed, pictures: 6 });
  expect(fault).toBeNull();
  expect(calls[1]).toBeLessThanOrEqual(calls[0]);
});

it.each(SMALL)('so are small pictures, drawn by an index with occlusion and without, seed %i', async (seed) => {
  const { fault, calls } = await runOcclusion({ seed, pictures: 30, isIndexed: true, isSmall: true });
  expect(fault).toBeNull();
  expect(calls[1]).toBeLessThan(calls[0]);
});
