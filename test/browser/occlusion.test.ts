import { expect, it } from 'vitest';
import { areShadersSeen } from '../../src/three/shaders.js';
import { seeds } from '../helpers/width.js';
import { runPictures } from '../model/pictures/runPictures.js';
import { NOT_BY_WEBGPU, paintByWebGPU } from './paintByWebGPU.js';
import { BACKENDS } from './webgpuPictures.js';

/** One for each kind of depth, one of them of batches; `npm run soak occlusion` continues. */
const SEEDS = areShadersSeen ? seeds(3) : [];
const LABEL = 'pictures of random scenes are the same with what is hidden left out';

it.each(SEEDS)(`${LABEL}, seed %i`, async (seed) => {
  const { fault, history, hidden } = await runPictures({ seed, steps: 12, of: 'occlusion' });
  expect(fault, history.join('; ')).toBeNull();
  expect(hidden).toBeGreaterThan(200);
});

it.skipIf(BACKENDS[0].isMissing)(`${LABEL} and the rest in batches, by WebGPURenderer`, async () => {
  const painter = await paintByWebGPU(BACKENDS[0].forceWebGL);
  const script = { seed: 3, steps: 8, of: 'occlusion', without: NOT_BY_WEBGPU } as const;
  const { fault, history, calls, hidden } = await runPictures(script, () => painter);
  expect(fault, history.join('; ')).toBeNull();
  expect(hidden).toBeGreaterThan(200);
  expect(calls[1]).toBeLessThan(calls[0]);
});
