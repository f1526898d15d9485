import { expect, it } from 'vitest';
import { atWidth } from '../helpers/width.js';
import { runOcclusion } from '../model/occlusion/runOcclusion.js';

const SEEDS = [7];

it.each(SEEDS)('pictures of random scenes are the same with occlusion, seed %i', async (seed) => {
  const t = performance.now();
  const { fault, calls } = await runOcclusion({ seed, pictures: 10 });
  console.log(seed, performance.now() - t, calls.join(), fault);
  if (fault)
    console.log(
      'plain',
      (await runOcclusion({ seed, pictures: 10, isPlain: true })).fault,
      'all',
      (await runOcclusion({ seed, pictures: 10, isAll: true })).fault,
    );
  expect(fault).toBeNull();
  expect(calls[1]).toBeLessThanOrEqual(calls[0]);
});
