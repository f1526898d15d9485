import type { Page } from 'playwright';
import { type Demo, type DemoOptions, openDemo } from './demo.js';

// Time stands still and frames come on request: software rendering leaves the processor to the test.
export const STILL = 'dpr=1&animate=0';

/** The demo, drawn and at rest. */
export async function openStill(search: string, size: DemoOptions): Promise<Demo> {
  const demo = await openDemo({ ...size, search: `?${search}&${STILL}` });
  await demo.page.evaluate(() => window.__demo.ready);
  await settled(demo.page);
  return demo;
}

export const counts = (page: Page) => page.evaluate(() => window.__demo.counts);

/** What the world itself reports, without how long it took. */
export async function report(page: Page): Promise<Record<string, string>> {
  const rows = await page.evaluate(() => window.__demo.report);
  return Object.fromEntries(Object.entries(rows).filter(([, value]) => !value.endsWith(' ms')));
}

/** Two frames later. */
export const settled = (page: Page) =>
  page.evaluate(async () => {
    const from = window.__demo.frames;
    dispatchEvent(new Event('resize'));
    while (window.__demo.frames < from + 2) await new Promise(requestAnimationFrame);
  });

export async function press(page: Page, key: string): Promise<void> {
  await page.locator('#player').focus();
  await page.keyboard.press(key);
  await settled(page);
}

export async function clickPane(page: Page, pane: string, x: number, y: number): Promise<void> {
  const box = (await page.locator(pane).boundingBox())!;
  await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
  await settled(page);
}

/** A line of the panel, by the begin of its label; the panel must be open. */
export const control = (page: Page, label: string) =>
  page.locator('#panel .lil-controller', { hasText: new RegExp(`^${label}`) });

/** Calls back with each structure in use, the first one once more at the end. */
export async function withEachStructure(page: Page, names: readonly string[], check: (name: string) => Promise<void>) {
  await page.locator('#settings').click();
  await settled(page);
  const choice = control(page, 'Structure').locator('select');
  const first = await page.evaluate(() => window.__demo.structure);
  for (const name of [...names, first]) {
    await choice.selectOption({ label: name });
    await settled(page);
    await check(name);
  }
  await page.locator('#settings').click();
  await settled(page);
}

/** In the page: how many colours each half of the canvas shows. */
export async function distinctColours(): Promise<{ left: number; right: number }> {
  const source = document.querySelector('canvas')!;
  const copy = document.createElement('canvas');
  dispatchEvent(new Event('resize'));
  const before = window.__demo.frames;
  while (window.__demo.frames < before + 2) await new Promise(requestAnimationFrame);
  copy.width = source.width;
  copy.height = source.height;
  const context = copy.getContext('2d', { willReadFrequently: true })!;
  context.drawImage(source, 0, 0);
  const count = (from: number) => {
    const { data } = context.getImageData(from, 0, copy.width >> 1, copy.height);
    const seen = new Set<number>();
    for (let i = 0; i < data.length; i += 4) seen.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
    return seen.size;
  };
  return { left: count(0), right: count(copy.width >> 1) };
}

/** In the page: all that the canvas shows, two frames later. */
export async function picture(): Promise<string> {
  const canvas = document.querySelector<HTMLCanvasElement>('#canvas')!;
  dispatchEvent(new Event('resize'));
  const before = window.__demo.frames;
  while (window.__demo.frames < before + 2) await new Promise(requestAnimationFrame);
  return canvas.toDataURL();
}

/** In the page: the pixels of the canvas, read in the frame that drew them. */
export async function readCanvas(): Promise<{ size: string; base64: string }> {
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
}

/** The share of pixels in which two pictures differ. */
export function shareOfOthers(one: { base64: string }, other: { base64: string }): number {
  const [a, b] = [one, other].map(({ base64 }) => Buffer.from(base64, 'base64')) as [Buffer, Buffer];
  let count = 0;
  for (let i = 0; i < a.length; i += 4) if (a.readInt32LE(i) !== b.readInt32LE(i)) count++;
  return (4 * count) / a.length;
}
