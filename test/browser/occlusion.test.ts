import { expect, it } from 'vitest';
import { atWidth } from '../helpers/width.js';
import { runOcclusion } from '../model/occlusion/runOcclusion.js';

/** Of those in which three alone draws both scenes alike, also with batches and an index. */
const SEEDS = atWidth([1, 2, 3, 4, 5, 7], [1, 3]);
/** With those above 90 of the 2,000 pictures that `npm run soak occlusion` makes. */
const SMALL = [102, 201, 203];

it.each(SEEDS)('pictures of random scenes are the same with occlusion, seed %i', async (seed) => {
  const { fault, calls } = await runOcclusion({ seed, pictures: 10 });
  expect(fault).toBeNull();
  expect(calls[1]).toBeLessThanOrEqual(calls[0]);
});

it.runIf(atWidth(true, false)).each(SMALL)(
  'so are small pictures, drawn by an index with occlusion and without, seed %i',
  async (seed) => {
    const { fault, calls } = await runOcclusion({ seed, pictures: 10, isIndexed: true, isSmall: true });
    expect(fault).toBeNull();
    expect(calls[1]).toBeLessThan(calls[0]);
  },
);
