import { expect, it } from 'vitest';
import { seeds } from '../helpers/width.js';
import { runPictures } from '../model/pictures/runPictures.js';

/** One for each kind of depth, one of them of batches; `npm run soak occlusion` continues. */
it.each(seeds(3))('pictures of random scenes are the same with what is hidden left out, seed %i', async (seed) => {
  const { fault, history, hidden } = await runPictures({ seed, steps: 12, of: 'occlusion' });
  expect(fault, history.join('; ')).toBeNull();
  expect(hidden).toBeGreaterThan(300);
});
