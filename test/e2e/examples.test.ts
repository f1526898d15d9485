import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { EXAMPLES } from '../../demo/examples/catalogue.js';
import { devDependencies } from '../../package.json';
import { findChrome } from '../chrome.mjs';
import { collectMessages, violations } from './demo.js';

/** Small, as pictures are made by software. */
const SIZE = { width: 560, height: 420 };

let browser: Browser;
let page: Page;
let messages: string[];

beforeAll(async () => {
  browser = await chromium.launch(findChrome());
  page = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce' });
  // A busy machine is no reason to fail.
  page.setDefaultTimeout(120_000);
  messages = collectMessages(page, [
    'THREE.Clock: This module has been deprecated',
    'TilesRenderer: tiles versions at 1.1 or higher have limited support',
  ]);
});
afterAll(() => browser?.close());

async function open(name: string, search = ''): Promise<void> {
  // What the page before was loading still is broken off, and no fault of this one.
  await page.goto('about:blank');
  messages.length = 0;
  await page.goto(`${inject('demoUrl')}examples/${name && `${name}/`}${search}`);
}

/** Moves the pointer by shares of the page. */
const move = (x: number, y: number) => page.mouse.move(x * SIZE.width, y * SIZE.height, { steps: 2 });
const click = (x: number, y: number) => page.mouse.click(x * SIZE.width, y * SIZE.height);

/**
 * The numbers of the output, `#` in its form, as soon as they are as wanted.
 * @throws Error when they are not after many frames.
 */
async function numbers(form: string, areWanted: (...given: number[]) => boolean = () => true): Promise<number[]> {
  const pattern = new RegExp(`^${form.replaceAll('#', '([\\d,.]+)')}$`);
  let text = '';
  for (let round = 0; round < 200; round++) {
    text = await page.evaluate(() => document.querySelector('output')?.value ?? '');
    const found = pattern.exec(text)?.slice(1);
    const values = found?.map((one) => Number(one.replaceAll(',', '')));
    if (values && areWanted(...values)) return values;
    await page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    });
  }
  throw new Error(`The example says "${text}", not ${form}`);
}

/** How many pixels are orange, red or pink, as what was found is; and how many colours there are. */
const look = () =>
  page.evaluate(async () => {
    const source = document.querySelector('canvas')!;
    const copy = new OffscreenCanvas(source.width, source.height).getContext('2d', { willReadFrequently: true })!;
    // What was done shows in the next frame but one at the latest.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    copy.drawImage(source, 0, 0);
    const { data } = copy.getImageData(0, 0, source.width, source.height);
    let warm = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i]! > 140 && data[i]! > data[i + 1]! + 20 && data[i]! > data[i + 2]! + 20) warm++;
    }
    return { warm, colours: new Set(new Uint32Array(data.buffer)).size };
  });
const warm = async () => (await look()).warm;

const isWithin = (low: number, high: number) => (value: number) => low < value && value < high;

/** What is done with each example, and what its number must be then. Pages keep still, as less motion is asked for. */
const ACTS: Record<string, () => Promise<unknown>> = {
  async accelerate() {
    const form = '# of 20,000 drawn, # ms a frame';
    const [drawn] = (await numbers(form, isWithin(200, 1500))) as [number];
    await page.locator('aside input').uncheck();
    // Plain three goes by spheres, not by boxes: it draws some more, of which nothing is to be seen.
    await numbers(form, isWithin(drawn, 1.5 * drawn));
  },
  async batch() {
    await numbers('# draw calls? for 2,000 meshes', (calls) => calls <= 2);
    await page.locator('aside input').uncheck();
    await numbers('# draw calls for 2,000 meshes', (calls) => calls > 1900);
  },
  cull: () => numbers('# of 1,500 in view', isWithin(100, 500)),
  async instances() {
    await numbers('# of 30,000 blades in view', isWithin(1000, 10_000));
    expect(await warm()).toBe(0);
    await move(0.5, 0.8);
    expect(await warm()).toBeGreaterThan(5);
  },
  async pick() {
    await numbers('800 meshes');
    expect(await warm()).toBe(0);
    await move(0.5, 0.5);
    await page.waitForFunction(() => /^(Box|Octahedron|Cone) \d+$/.test(document.querySelector('output')!.value));
    const before = await warm();
    expect(before).toBeGreaterThan(5);
    await click(0.5, 0.5);
    expect(await warm()).toBeGreaterThan(before);
    await move(0.025, 0.5);
    await numbers('800 meshes');
  },
  async select() {
    const form = '# of 500 selected';
    await numbers(form, (selected) => selected === 0);
    await move(0.375, 0.333);
    await page.mouse.down();
    await move(0.562, 0.533);
    const [some] = (await numbers(form, isWithin(5, 60))) as [number];
    await move(0.75, 0.7);
    await numbers(form, (selected) => selected > some);
    expect(await page.locator('.band').isVisible()).toBe(true);
    await page.mouse.up();
    expect(await page.locator('.band').isVisible()).toBe(false);
  },
  async nearest() {
    const form = '# within 7 m, the nearest # m away';
    await numbers(form, (within, away) => within! > 30 && away! < 2);
    // Beside the field nothing is in range, but something is always nearest.
    await move(0.02, 0.15);
    await numbers(form, (within, away) => within === 0 && away! > 7);
  },
  async collide() {
    await numbers('Pairs touching: #, met: #', (touching, met) => met! > 10 && touching! <= met!);
    expect(await warm()).toBeGreaterThan(20);
  },
  lazy: () => numbers('# of 400 posters loaded', isWithin(15, 80)),
  async quadtree() {
    const [, nodes] = (await numbers('# houses in # nodes', (houses) => houses === 500)) as [number, number];
    for (let i = 0; i < 3; i++) await click(0.188, 0.5);
    // So many in one place that its cell divides.
    await numbers('# houses in # nodes', (houses, after) => houses === 512 && after! > nodes);
  },
  async react() {
    await numbers('# of 1,200 blocks in view', isWithin(100, 400));
    expect(await warm()).toBe(0);
    // Some of these are between two blocks.
    for (let x = 0.45; x < 0.6 && (await warm()) === 0; x += 0.02) await move(x, 0.5);
    expect(await warm()).toBeGreaterThan(5);
  },
  // Finer tiles came for some of the first, and their meshes into batches.
  tiles: () =>
    numbers(
      '# tiles of # meshes, # draw calls?',
      (tiles, meshes, calls) => tiles! > 6 && tiles! < 22 && meshes! > 40 * tiles! && calls! <= 4,
    ),
};

describe('the examples', () => {
  it.each(EXAMPLES)('$name draws, does what it is about, and is a whole project', async ({ name, needs }) => {
    await open(name);
    await ACTS[name]!();
    expect((await look()).colours).toBeGreaterThan(8);
    if (!needs) await checkProject();
    expect(messages).toEqual([]);
  });

  it('are all in the gallery, in both themes; Enter opens one, which shows its code', async () => {
    await open('', '?theme=light');
    const names = await page.locator('li a').evaluateAll((links) => links.map(({ id }) => id));
    expect(names).toEqual(EXAMPLES.map(({ name }) => name));
    const widths = () =>
      page
        .locator('li img')
        .evaluateAll((all) => [...new Set(all.map((one) => (one as HTMLImageElement).naturalWidth))]);
    await expect.poll(widths).toEqual([512]);
    for (const theme of ['light', 'dark']) {
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('t');
    }
    await page.locator('#nearest').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/examples/nearest/?theme=light');
    await page.locator('summary').click();
    await page.locator('.source h2', { hasText: 'main.ts' }).waitFor();
    expect(await page.locator('.source code').first().textContent()).toContain('index.nearest(place, 5)');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.locator('.source').isVisible()).toBe(false);
    // What is still to load when the page is left would be said to be missing.
    await page.waitForLoadState('networkidle');
    await page.locator('.bar a').click();
    await page.waitForURL('**/examples/?theme=light');
    expect(messages).toEqual([]);
  });
});

/** Checks that the form of a page makes a project that is whole: it has all files and packages that any of it asks for. */
async function checkProject(): Promise<void> {
  const form = page.locator('form');
  await form.waitFor();
  expect(await form.getAttribute('action')).toMatch(/^https:\/\/stackblitz\.com\/run/);
  const fields = await form.evaluate((one: HTMLFormElement) => Object.fromEntries(new FormData(one)));
  expect(fields['project[template]']).toBe('node');
  const files: Record<string, string> = {};
  for (const [key, text] of Object.entries(fields)) {
    const file = /^project\[files\]\[(.+)\]$/.exec(key)?.[1];
    if (file) files[file] = String(text);
  }
  const { dependencies } = JSON.parse(files['package.json']!);
  for (const [file, text] of Object.entries(files)) {
    for (const wanted of namesIn(file, text)) {
      const [, packageName] = wanted.match(/^((?:@[^/]+\/)?[^/]+)/)!;
      if (wanted.startsWith('.')) expect(Object.keys(files), file).toContain(wanted.slice(2));
      else expect(Object.keys(dependencies), file).toContain(packageName);
    }
  }
  expect(dependencies).toMatchObject({ three: devDependencies.three, vite: devDependencies.vite });
}

/** What a file asks for: imports of code, styles and scripts of a page. */
function namesIn(file: string, text: string): string[] {
  const code = [/ from '([^']+)'/g, /^import '([^']+)'/gm];
  const patterns =
    { html: [/(?:src|href)="(\.[^"]+)"/g], css: [/@import "([^"]+)"/g] }[file.split('.').at(-1)!] ?? code;
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name!));
}
