import { expect, it } from 'vitest';
import { runPictures } from '../model/pictures/runPictures.js';

const SEEDS = [1];
const STEPS = 12;

it.each(SEEDS)('random edits of twin scenes give the same pictures and hits, seed %i', async (seed) => {
  const { fault, history, calls } = await runPictures({ seed, steps: STEPS });
  expect(fault, history.join('; ')).toBeNull();
  expect(calls[1]).toBeLessThan(calls[0]);
});
