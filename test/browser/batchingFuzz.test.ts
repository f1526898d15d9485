import type { WebGLRenderer } from 'three';
import { describe, expect, it } from 'vitest';
import { seeds } from '../helpers/width.js';
import { HEIGHT, type Painter, WIDTH } from '../model/pictures/PictureSide.js';
import { runPictures } from '../model/pictures/runPictures.js';
import { BACKENDS, WebGPUPictures } from './webgpuPictures.js';

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

/** What WebGPU draws otherwise or not at all, and what three asks of one kind of renderer. */
const WITHOUT = [
  'compile',
  'toTarget',
  'severalViews',
  'clipAll',
  'shadowMap',
  'sortObjects',
  'toneMapping',
  'override',
  'ownShader',
  'callback',
];

describe.each(BACKENDS)('by WebGPURenderer with $backend', ({ forceWebGL, isMissing }) => {
  it.skipIf(isMissing)('random acts give the same pictures and hits as plain three', async () => {
    const pictures = await WebGPUPictures.make(forceWebGL, WIDTH, HEIGHT);
    const { info } = pictures.renderer;
    info.autoReset = false;
    const painter: Painter = {
      renderer: pictures.renderer as unknown as WebGLRenderer,
      kinds: ['mesh', 'alike', 'groups', 'group', 'light', 'lod', 'skinned', 'line'],
      take(scene, eye) {
        info.reset();
        return pictures.take(scene, eye);
      },
      calls: () => info.render.drawCalls,
      dispose: () => pictures.dispose(),
    };
    const { fault, history, calls } = await runPictures({ seed: 2, steps: 16, without: WITHOUT }, () => painter);
    expect(fault, history.join('; ')).toBeNull();
    // WebGPU has no draw calls of many draws.
    if (forceWebGL) expect(calls[1]).toBeLessThan(calls[0]);
  });
});
