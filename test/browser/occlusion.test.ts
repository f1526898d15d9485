import { expect, it } from 'vitest';
import { atWidth } from '../helpers/width.js';
import { runOcclusion } from '../model/occlusion/runOcclusion.js';

/** Of those in which three alone draws both scenes alike, also with batches and an index. */
const SEEDS = atWidth([1, 2, 3, 4, 5, 7], [1, 3]);
/** With those above 200 pictures, a tenth of what `npm run soak occlusion` makes. */
const SMALL = Array.from({ length: 14 }, (_, i) => 101 + i);

it.each(SEEDS)('pictures of random scenes are the same with occlusion, seed %i', async (seed) => {
  const { fault, calls } = await runOcclusion({ seed, pictures: 10 });
  expect(fault).toBeNull();
  expect(calls[1]).toBeLessThanOrEqual(calls[0]);
});

it.runIf(atWidth(true, false))('so are small pictures, drawn by an index with occlusion and without', async () => {
  const calls = [0, 0];
  for (const seed of SMALL) {
    const run = await runOcclusion({ seed, pictures: 10, isIndexed: true, isSmall: true });
    expect(run.fault, `seed ${seed}`).toBeNull();
    for (const side of [0, 1]) calls[side] += run.calls[side];
  }
  expect(calls[1]).toBeLessThan(0.95 * calls[0]);
});
