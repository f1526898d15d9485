import type { Page } from 'playwright';
import { expect } from 'vitest';

/** Small, as pictures are made by software. */
export const SIZE = { width: 560, height: 420 };

/** What is done with each example, and what its number must be then. Pages keep still, as less motion is asked for. */
export const ACTS: Record<string, (page: Page) => Promise<void>> = {
  async accelerate(page) {
    const form = '# of 20,000 drawn, # ms a frame';
    const [drawn] = await numbers(page, form);
    expect(drawn).toBeGreaterThan(200);
    expect(drawn).toBeLessThan(1500);
    await page.locator('aside input').uncheck();
    // Plain three goes by spheres, not by boxes: it draws some more, of which nothing is to be seen.
    const [plain] = await numbers(page, form, ([calls]) => calls !== drawn);
    expect(plain).toBeGreaterThan(drawn);
    expect(plain).toBeLessThan(1.5 * drawn);
  },
  async batch(page) {
    const form = '# draw calls for # meshes';
    expect((await numbers(page, form, ([calls]) => calls <= 2))[1]).toBe(2000);
    await page.locator('aside input').uncheck();
    await numbers(page, form, ([calls]) => calls > 1900);
  },
  async cull(page) {
    const [seen, all] = await numbers(page, '# of # in view');
    expect(all).toBe(1500);
    expect(seen).toBeGreaterThan(100);
    expect(seen).toBeLessThan(500);
  },
  async instances(page) {
    const [seen] = await numbers(page, '# of 30,000 blades in view');
    expect(seen).toBeGreaterThan(1000);
    expect(seen).toBeLessThan(10_000);
    expect(await page.evaluate(warmPixels)).toBe(0);
    await move(page, 0.5, 0.8);
    expect(await page.evaluate(warmPixels)).toBeGreaterThan(5);
  },
  async pick(page) {
    expect(await numbers(page, '# meshes')).toEqual([800]);
    expect(await page.evaluate(warmPixels)).toBe(0);
    await move(page, 0.5, 0.5);
    await page.waitForFunction(() => /^(Box|Octahedron|Cone) \d+$/.test(document.querySelector('output')!.value));
    const before = await page.evaluate(warmPixels);
    expect(before).toBeGreaterThan(5);
    await click(page, 0.5, 0.5);
    expect(await page.evaluate(warmPixels)).toBeGreaterThan(before);
    await move(page, 0.025, 0.5);
    await numbers(page, '# meshes');
  },
  async triangles(page) {
    const [hits] = await numbers(page, '# of 300 rays hit, in # ms');
    expect(hits).toBeGreaterThan(200);
    expect(hits).toBeLessThan(300);
  },
  async select(page) {
    const form = '# of 500 selected';
    expect(await numbers(page, form)).toEqual([0]);
    await move(page, 0.375, 0.333);
    await page.mouse.down();
    await move(page, 0.562, 0.533);
    const [some] = await numbers(page, form, ([selected]) => selected > 5);
    expect(some).toBeLessThan(60);
    await move(page, 0.75, 0.7);
    await numbers(page, form, ([selected]) => selected > some);
    expect(await page.locator('.band').isVisible()).toBe(true);
    await page.mouse.up();
    expect(await page.locator('.band').isVisible()).toBe(false);
  },
  async nearest(page) {
    const form = '# within 7 m, the nearest # m away';
    const [inRange, distance] = await numbers(page, form);
    expect(inRange).toBeGreaterThan(30);
    expect(distance).toBeLessThan(2);
    // Beside the field nothing is in range, but something is always nearest.
    await move(page, 0.02, 0.15);
    await numbers(page, form, ([within, away]) => within === 0 && away > 7);
  },
  async collide(page) {
    const [touching, met] = await numbers(page, '# pairs touch, # have met', ([, sofar]) => sofar > 10);
    expect(touching).toBeLessThanOrEqual(met);
    expect(await page.evaluate(warmPixels)).toBeGreaterThan(20);
  },
  async lazy(page) {
    const [loaded] = await numbers(page, '# of 400 posters loaded');
    expect(loaded).toBeGreaterThan(15);
    expect(loaded).toBeLessThan(80);
  },
  async quadtree(page) {
    const form = '# houses in # nodes';
    const [houses, nodes] = await numbers(page, form);
    expect(houses).toBe(500);
    for (let i = 0; i < 3; i++) await click(page, 0.188, 0.5);
    // So many in one place that its cell divides.
    await numbers(page, form, ([built, after]) => built === 512 && after > nodes);
  },
  async worker(page) {
    const [boxes, megabytes] = await numbers(page, '# boxes of # MB in # ms');
    expect(boxes).toBe(200_000);
    expect(megabytes).toBeGreaterThan(5);
    await move(page, 0.5, 0.5);
    const [near] = await numbers(page, '# of 200,000 boxes within 3 of the pointer');
    expect(near).toBeGreaterThan(500);
    expect(await page.evaluate(warmPixels)).toBeGreaterThan(5);
  },
  async react(page) {
    const [seen, all] = await numbers(page, '# of # blocks in view', ([count]) => count > 0);
    expect(all).toBe(1200);
    expect(seen).toBeGreaterThan(100);
    expect(seen).toBeLessThan(400);
    expect(await page.evaluate(warmPixels)).toBe(0);
    // Some of these are between two blocks.
    let warm = 0;
    for (let x = 0.45; x < 0.6 && warm === 0; x += 0.02) {
      await move(page, x, 0.5);
      warm = await page.evaluate(warmPixels);
    }
    expect(warm).toBeGreaterThan(5);
  },
  async tiles(page) {
    const form = '# tiles of # meshes, # draw calls';
    // Finer tiles came for some of the first, and their meshes into batches.
    const [tiles, meshes] = await numbers(page, form, ([shown, , calls]) => shown > 6 && calls <= 4);
    expect(tiles).toBeLessThan(22);
    expect(meshes).toBeGreaterThan(40 * tiles);
  },
  async inspector(page) {
    await page.getByText('Scene index', { exact: false }).first().waitFor();
  },
};

/** Moves the pointer by shares of the page. */
const move = (page: Page, x: number, y: number) => page.mouse.move(x * SIZE.width, y * SIZE.height, { steps: 2 });

const click = (page: Page, x: number, y: number) => page.mouse.click(x * SIZE.width, y * SIZE.height);

/**
 * The numbers of the output, `#` in its form, as soon as they are as wanted.
 * @throws Error when they are not after many frames.
 */
async function numbers(page: Page, form: string, areWanted = (_: number[]) => true): Promise<number[]> {
  const pattern = new RegExp(`^${form.replaceAll('#', '([\\d,.]+)')}$`);
  let text = '';
  for (let round = 0; round < 200; round++) {
    text = await page.evaluate(() => document.querySelector('output')?.value ?? '');
    const found = pattern.exec(text)?.slice(1);
    const values = found?.map((one) => Number(one.replaceAll(',', '')));
    if (values && areWanted(values)) return values;
    await page.evaluate(nextFrames);
  }
  throw new Error(`The example says "${text}", not ${form}`);
}

/** In the page: three frames later. */
async function nextFrames(): Promise<void> {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
}

/** In the page: how many pixels are orange, red or pink, as what was found is. */
async function warmPixels(): Promise<number> {
  const source = document.querySelector('canvas')!;
  const copy = new OffscreenCanvas(source.width, source.height).getContext('2d', { willReadFrequently: true })!;
  // What was done shows in the next frame but one at the latest.
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  copy.drawImage(source, 0, 0);
  const { data } = copy.getImageData(0, 0, source.width, source.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] > 140 && data[i] > data[i + 1] + 20 && data[i] > data[i + 2] + 20) count++;
  }
  return count;
}
