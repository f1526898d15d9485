import { describe, expect, it } from 'vitest';
import { seeds } from '../helpers/width.js';
import { runPictures } from '../model/pictures/runPictures.js';
import { NOT_BY_WEBGPU, paintByWebGPU } from './paintByWebGPU.js';
import { BACKENDS } from './webgpuPictures.js';

it.each(seeds(3, 1))('random acts give the same pictures and hits as plain three, seed %i', async (seed) => {
  const { fault, history, calls } = await runPictures({ seed, steps: 20 });
  expect(fault, history.join('; ')).toBeNull();
  expect(calls[1]).toBeLessThan(calls[0]);
});

it.each(seeds(2, 1))('so do meshes that get, lose and share levels of detail, seed %i', async (seed) => {
  const { fault, history, spared } = await runPictures({ seed, steps: 20, of: 'levels' });
  expect(fault, history.join('; ')).toBeNull();
  expect(spared).toBeGreaterThan(0);
});

describe.each(BACKENDS)('by WebGPURenderer with $backend', ({ forceWebGL, isMissing }) => {
  it.skipIf(isMissing)('random acts give the same pictures and hits as plain three', async () => {
    const painter = await paintByWebGPU(forceWebGL);
    const script = { seed: 2, steps: 16, without: NOT_BY_WEBGPU };
    const { fault, history, calls } = await runPictures(script, () => painter);
    expect(fault, history.join('; ')).toBeNull();
    // WebGPU has no draw calls of many draws.
    if (forceWebGL) expect(calls[1]).toBeLessThan(calls[0]);
  });
});
