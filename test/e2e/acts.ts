import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoOptions, openDemo, violations } from './demo.js';

/** The page of the suite that runs: what follows is done there. */
export let page: Page;
/** All that went wrong on it so far; see `collectMessages`. */
export let messages: string[];

/**
 * Tests of the demo as an address shows it: at rest when they begin, and without a warning at the end. Time stands still
 * and frames come on request: software rendering leaves the processor to the test.
 */
export function describeDemo(title: string, given: string | DemoOptions, body: () => void): void {
  const options = typeof given === 'string' ? { search: given } : given;
  describe(title, () => {
    let close = async (): Promise<void> => {};
    beforeAll(async () => {
      ({ page, messages, close } = await openDemo({ ...options, search: `?${options.search}&dpr=1&animate=0` }));
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
export const box = async (what: string) => (await page.locator(what).boundingBox())!;

/** What the world itself reports, without how long it took. */
export async function report(): Promise<Record<string, string>> {
  const rows = await page.evaluate(() => window.__demo.report);
  return Object.fromEntries(Object.entries(rows).filter(([, value]) => !value.endsWith(' ms')));
}

/** A number of the report. */
export const reported = async (row: string) => Number.parseFloat((await report())[row]!.replaceAll(',', ''));

/** Two frames later. */
export const settled = () =>
  page.evaluate(async () => {
    const from = window.__demo.frames;
    dispatchEvent(new Event('resize'));
    while (window.__demo.frames < from + 2) await new Promise(requestAnimationFrame);
  });

/** Frames later, when something is so: batches, levels and measurements come while a world is drawn. */
export async function settledUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 200 && !(await isSo()); turn++) await settled();
  expect(await isSo()).toBe(true);
}

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

export async function clickPane(pane: string, right: number, down: number): Promise<void> {
  const { x, y, width, height } = await box(pane);
  await page.mouse.click(x + right * width, y + down * height);
  await settled();
}

export async function hoverPane(pane: string, right: number, down: number): Promise<void> {
  const { x, y, width, height } = await box(pane);
  await page.mouse.move(x + right * width, y + down * height);
  await settled();
}

/** Goes to another world. */
export async function enter(name: string): Promise<void> {
  await page.locator(`#worlds [data-world=${name}]`).click();
  await untilIn(name);
}

export async function untilIn(name: string): Promise<void> {
  await page.waitForFunction((wanted) => window.__demo.world === wanted, name);
  await settled();
}

/** Drops files anywhere on the page. */
export const drop = (...files: [name: string, bytes: Uint8Array][]) =>
  page.evaluate(
    (given) => {
      const transfer = new DataTransfer();
      for (const [name, base64] of given)
        transfer.items.add(new File([Uint8Array.from(atob(base64!), (c) => c.charCodeAt(0))], name!));
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
    },
    files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]),
  );

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

/** Sets a switch of the panel. */
export const turn = (label: string, isOn: boolean) => onPanel(() => control(label).locator('input').setChecked(isOn));

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

/** The pixels of the canvas, read in the frame that drew them, and those of its halves, which are the views. */
export async function readCanvas(): Promise<{
  size: string;
  all: Int32Array;
  player: Int32Array;
  above: Int32Array;
}> {
  const { width, height, base64 } = await page.evaluate(async () => {
    const { width, height } = document.querySelector('canvas')!;
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
    dispatchEvent(new Event('resize'));
    const from = window.__demo.frames;
    while (window.__demo.frames < from + 2) await new Promise(requestAnimationFrame);
    context.drawImage(document.querySelector('canvas')!, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    let text = '';
    for (let i = 0; i < data.length; i += 32768) text += String.fromCharCode(...data.subarray(i, i + 32768));
    return { width, height, base64: btoa(text) };
  });
  const all = new Int32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer);
  const half = width >> 1;
  return {
    size: `${width}x${height}`,
    all,
    player: all.filter((_, i) => i % width < half - 1),
    above: all.filter((_, i) => i % width > half),
  };
}

/** How many colours each view shows. */
export async function distinctColours(): Promise<{ left: number; right: number }> {
  const { player, above } = await readCanvas();
  return { left: new Set(player).size, right: new Set(above).size };
}

/** The share of pixels in which two pictures differ, in a channel by more than so much. */
export function shareOfOthers(one: Int32Array, other: Int32Array, most = 0): number {
  const isOther = (a: number, b: number) =>
    a !== b && [0, 8, 16].some((shift) => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255)) > most);
  return one.filter((pixel, i) => isOther(pixel, other[i]!)).length / one.length;
}
