import type { Scene, WebGLRenderer } from 'three';
import type { AcceleratedScene } from 'three-scene-index';
import { expect } from 'vitest';
import { otherPixels, readPicture } from '../helpers/pictures.js';

/** A page whose scene can be accelerated, and what it tells of itself. */
export interface RecipePage {
  show(props: { isAccelerated: boolean; batch?: boolean }): Promise<void>;
  /** The indices that it was given so far. */
  readonly indices: readonly AcceleratedScene[];
  readonly scene: Scene;
  readonly renderer: WebGLRenderer;
  close(): Promise<void>;
}

/** The picture of the page as it is after a few more. */
async function picture({ renderer }: RecipePage): Promise<Uint8Array> {
  for (let i = 0; i < 8; i++) await new Promise(requestAnimationFrame);
  return readPicture(renderer);
}

/** Switches a recipe on, to batches, off and away: the picture stays the same, and the scene is as it was. */
export async function checkRecipe(page: RecipePage): Promise<void> {
  const { scene, renderer, indices } = page;
  const isAccelerated = () => Object.hasOwn(scene, 'updateMatrixWorld');
  const plain = await picture(page);
  const background = new Uint8Array(plain.length).fill(plain[0]);
  expect(otherPixels(plain, background)).toBeGreaterThan(500);
  expect(isAccelerated()).toBe(false);
  expect(renderer.info.render.calls).toBe(80);

  await page.show({ isAccelerated: true });
  expect(otherPixels(await picture(page), plain)).toBe(0);
  expect(indices).toHaveLength(1);
  expect([indices[0].root, indices[0].size]).toEqual([scene, 80]);

  await page.show({ isAccelerated: true, batch: true });
  expect(otherPixels(await picture(page), plain, 2)).toBeLessThan(10);
  expect(indices).toHaveLength(2);
  expect(indices[0].has(scene)).toBe(false);
  expect(indices[1].size).toBe(80);
  await indices[1].ready;
  await picture(page);
  expect(renderer.info.render.calls).toBe(1);

  await page.show({ isAccelerated: false });
  expect(isAccelerated()).toBe(false);
  expect(otherPixels(await picture(page), plain)).toBe(0);

  await page.show({ isAccelerated: true });
  expect(isAccelerated()).toBe(true);
  await page.close();
  expect(isAccelerated()).toBe(false);
}
