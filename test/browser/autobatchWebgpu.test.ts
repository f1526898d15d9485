import { PerspectiveCamera } from 'three';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';
import { seeds } from '../helpers/width.js';
import { EDITS, Twins } from './twins.js';
import { BACKENDS, WebGPUPictures } from './webgpuPictures.js';

function lookAt(): PerspectiveCamera {
  const camera = new PerspectiveCamera(50, 1, 0.5, 120);
  camera.position.set(25, 18, 30);
  camera.lookAt(0, 0, 0);
  return camera;
}

describe.each(BACKENDS)('meshes that are alike are drawn at once, by WebGPURenderer with $backend', (kind) => {
  let pictures: WebGPUPictures;
  beforeAll(async () => {
    pictures = await WebGPUPictures.make(kind.forceWebGL);
    pictures.renderer.shadowMap.enabled = true;
    pictures.renderer.info.autoReset = false;
  });
  afterAll(() => pictures.dispose());

  test.skipIf(kind.isMissing).each(seeds(1, 1))('after each of 40 edits, seed %i', async (seed) => {
    const twins = new Twins(seed, 100);
    const [plain, batched] = twins.scenes;
    const index = accelerate(batched, { batch: true });
    await import('../../src/three/autobatch/SceneBatches.js');
    const camera = lookAt();
    for (let frame = 0; frame < 3; frame++) await pictures.take(batched, camera);
    const calls = [];
    for (const scene of twins.scenes) {
      pictures.renderer.info.reset();
      await pictures.take(scene, camera);
      calls.push(pictures.renderer.info.render.drawCalls);
    }
    // WebGPU has no draw calls of many draws.
    if (kind.forceWebGL) expect(calls[1]).toBeLessThan(calls[0]);
    for (let edit = 0; edit < 40; edit++) {
      const [label, apply] = twins.pick(EDITS);
      apply(twins);
      const expected = await pictures.take(plain, camera);
      const taken = await pictures.take(batched, camera);
      let different = 0;
      for (let i = 0; i < taken.length; i += 4) {
        if (taken[i] !== expected[i] || taken[i + 1] !== expected[i + 1] || taken[i + 2] !== expected[i + 2])
          different++;
      }
      expect(different, `${edit}: ${label}`).toBeLessThanOrEqual(3);
    }
    index.dispose();
  });
});
