import { Scene } from 'three';
import { expect } from 'vitest';
import type { AcceleratedScene, AccelerateOptions } from '../../src/index.js';
import { accelerate } from '../../src/index.js';
import { validateScene } from './validateScene.js';

/**
 * Tells the story of a scene twice, each time with a scene made anew: in plain three, and accelerated from the start. Fails
 * unless both say the same, and say something.
 * @param tell Builds the scene, edits it, and says what it finds: names, numbers and plain data, no objects of the scene.
 */
export function expectSameTold(
  tell: (scene: Scene, say: (found: unknown) => void, index: AcceleratedScene | null) => void,
  options?: AccelerateOptions,
): void {
  const [plain, fast] = [false, true].map((isFast) => {
    const scene = new Scene();
    const index = isFast ? accelerate(scene, options) : null;
    const said: unknown[] = [];
    try {
      tell(scene, (found) => said.push(found), index);
      if (index !== null) expect(validateScene(index)).toEqual([]);
    } finally {
      index?.dispose();
    }
    return said;
  });
  expect(plain.length).toBeGreaterThan(0);
  expect(fast).toEqual(plain);
}
