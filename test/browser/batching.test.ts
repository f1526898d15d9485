import { type Scene, WebGLRenderer } from 'three';
import { afterAll, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';

import { loadBatching } from '../helpers/loadBatching.js';
import { otherPixels, readPicture } from '../helpers/pictures.js';
import { seeds } from '../helpers/width.js';
import { eyeAt } from './batching.js';
import { EDITS, Twins } from './twins.js';

const SIZE = 128;
const renderer = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
renderer.shadowMap.enabled = true;
afterAll(() => renderer.dispose());

const EDITS_A_SEED = 40;

/** Pixels that may differ, of 16,384: by rounding, at edges. */
const FEW = 3;

function draw(scene: Scene, camera = eyeAt(25, 18, 30)): { pixels: Uint8Array; calls: number } {
  renderer.render(scene, camera);
  return { pixels: readPicture(renderer), calls: renderer.info.render.calls };
}

/** What is batched is batched some frames after it came. */
async function settle(scene: Scene): Promise<void> {
  await loadBatching();
  for (let frame = 0; frame < 3; frame++) draw(scene);
}

describe('meshes that are alike are drawn at once', () => {
  test('in the same picture, with a third of the draw calls', async () => {
    const { scenes } = new Twins(1, 300);
    const plain = draw(scenes[0]);
    const index = accelerate(scenes[1], { batch: { atLeast: 4 } });
    await settle(scenes[1]);
    const batched = draw(scenes[1]);
    expect(otherPixels(batched.pixels, plain.pixels)).toBeLessThanOrEqual(FEW);
    expect(batched.calls).toBeLessThan(plain.calls / 3);
    index.dispose();
    const after = draw(scenes[1]);
    expect(otherPixels(after.pixels, plain.pixels)).toBe(0);
    expect(after.calls).toBe(plain.calls);
  });

  test.each(seeds(2, 1))(`after each of ${EDITS_A_SEED} edits, seed %i`, async (seed) => {
    const twins = new Twins(seed, 120);
    const [plain, batched] = twins.scenes;
    const index = accelerate(batched, { batch: { atLeast: 4 } });
    await settle(batched);
    for (let edit = 0; edit < EDITS_A_SEED; edit++) {
      const [label, apply] = twins.pick(EDITS);
      apply(twins);
      const { pixels } = draw(plain);
      expect(otherPixels(draw(batched).pixels, pixels), `${edit}: ${label}`).toBeLessThanOrEqual(FEW);
    }
    index.dispose();
    expect(otherPixels(draw(batched).pixels, draw(plain).pixels)).toBe(0);
  });
});
