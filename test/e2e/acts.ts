import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoOptions, openDemo } from './demo.js';
import { violations } from './violations.js';

/** The page of the suite that runs: what follows is done there. */
export let page: Page;
/** All that went wrong on it so far; see `Demo`. */
export let messages: string[];

/**
 * Tests of the demo as an address shows it: at rest when they begin, and without a warning at the end. Time stands still
 * and frames come on request: software rendering leaves the processor to the test.
 */
export function describeDemo(title: string, given: string | DemoOptions, body: () => void): void {
  const { search, width, height, touch } = {
    width: 640,
    height: 560,
    touch: false,
    ...(typeof given === 'string' ? { search: given } : given),
  };
  describe(title, () => {
    let close = async (): Promise<void> => {};
    beforeAll(async () => {
      ({ page, messages, close } = await openDemo({ width, height, touch, search: `?${search}&dpr=1&animate=0` }));
      await page.evaluate(() => window.__demo.ready);
      await settled();
    });
    afterAll(() => close());
    body();
    it('did all this without a warning', () => expect(messages).toEqual([]));
  });
}

export const itIsAccessible = () => it('is accessible', async () => expect(await violations(page)).toEqual([]));

export const counts = () => page.evaluate(() => window.__demo.counts);
export const world = () => page.evaluate(() => window.__demo.world);
export const eye = () => page.evaluate(() => window.__demo.eye);
export const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

/** What the world itself reports, without how long it took. */
export async function report(): Promise<Record<string, string>> {
  const rows = await page.evaluate(() => window.__demo.report);
  return Object.fromEntries(Object.entries(rows).filter(([, value]) => !value.endsWith(' ms')));
}

/** A number of the report. */
export const reported = async (row: string) => Number((await report())[row]!.replaceAll(',', ''));

/** Two frames later. */
export const settled = () =>
  page.evaluate(async () => {
    const from = window.__demo.frames;
    dispatchEvent(new Event('resize'));
    while (window.__demo.frames < from + 2) await new Promise(requestAnimationFrame);
  });

export async function press(key: string, on = '#player'): Promise<void> {
  await page.locator(on).focus();
  await page.keyboard.press(key);
  await settled();
}

/** Goes ahead for some frames; returns where from and where to. */
export async function goAhead(): Promise<[from: number[], to: number[]]> {
  const from = await eye();
  await page.locator('#player').focus();
  await page.keyboard.down('w');
  await settled();
  await settled();
  await page.keyboard.up('w');
  return [from, await eye()];
}

export async function click(what: string): Promise<void> {
  await page.locator(what).click();
  await settled();
}

export async function clickPane(pane: string, x: number, y: number): Promise<void> {
  const box = (await page.locator(pane).boundingBox())!;
  await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
  await settled();
}

/** Goes to another world. */
export async function enter(name: string): Promise<void> {
  await page.locator(`#worlds [data-world=${name}]`).click();
  await page.waitForFunction((wanted) => window.__demo.world === wanted, name, { timeout: 120_000 });
  await settled();
}

/** A line of the panel, by the begin of its label; the panel must be open. */
export const control = (label: string) => page.locator('#panel .lil-controller', { hasText: new RegExp(`^${label}`) });

/** Does something while the panel is open. */
export async function onPanel<T>(act: () => Promise<T>): Promise<T> {
  await click('#settings');
  const result = await act();
  await settled();
  await click('#settings');
  return result;
}

/** Sets a number of the panel. */
export const setNumber = (label: string, value: string) =>
  onPanel(async () => {
    await control(label).locator('input').fill(value);
    await control(label).locator('input').press('Enter');
  });

/** Sets a choice of the panel. */
export const choose = (label: string, name: string) =>
  onPanel(() => control(label).locator('select').selectOption({ label: name }));

/** Calls back with each structure in use, the first one once more at the end. */
export async function withEachStructure(names: readonly string[], check: () => Promise<void>): Promise<void> {
  const first = await page.evaluate(() => window.__demo.structure);
  await onPanel(async () => {
    for (const name of [...names, first]) {
      await control('Structure').locator('select').selectOption({ label: name });
      await settled();
      expect(await page.evaluate(() => window.__demo.structure)).toBe(name);
      await check();
    }
  });
}

/** The pixels of the canvas, read in the frame that drew them. */
export async function readCanvas(): Promise<{ size: string; pixels: Int32Array }> {
  const { size, base64 } = await page.evaluate(async () => {
    const source = document.querySelector('canvas')!;
    const copy = document.createElement('canvas');
    dispatchEvent(new Event('resize'));
    const from = window.__demo.frames;
    while (window.__demo.frames < from + 2) await new Promise(requestAnimationFrame);
    copy.width = source.width;
    copy.height = source.height;
    const context = copy.getContext('2d', { willReadFrequently: true })!;
    context.drawImage(source, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let text = '';
    for (let i = 0; i < data.length; i += 32768) text += String.fromCharCode(...data.subarray(i, i + 32768));
    return { size: `${copy.width}x${copy.height}`, base64: btoa(text) };
  });
  return { size, pixels: new Int32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer) };
}

/** How many colours each half of the canvas shows. */
export async function distinctColours(): Promise<{ left: number; right: number }> {
  const { size, pixels } = await readCanvas();
  const width = Number.parseInt(size, 10);
  const half = (isLeft: boolean) => new Set(pixels.filter((_, i) => i % width < width >> 1 === isLeft)).size;
  return { left: half(true), right: half(false) };
}

/** The pixels of the player's view, which takes the left half. */
export async function playersView(): Promise<{ pixels: Int32Array }> {
  const { size, pixels } = await readCanvas();
  const width = Number.parseInt(size, 10);
  return { pixels: pixels.filter((_, i) => i % width < (width >> 1) - 1) };
}

/** The share of pixels in which two pictures differ. */
export function shareOfOthers(one: { pixels: Int32Array }, other: { pixels: Int32Array }): number {
  return one.pixels.filter((pixel, i) => pixel !== other.pixels[i]).length / one.pixels.length;
}
