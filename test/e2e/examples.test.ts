import { readdirSync, readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { EXAMPLES } from '../../demo/examples/catalogue.js';
import { devDependencies } from '../../package.json';
import { findChrome } from '../chrome.mjs';
import { ACTS, SIZE } from './exampleActs.js';
import { violations } from './violations.js';

describe('the examples', () => {
  let browser: Browser;
  let page: Page;
  let messages: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch(findChrome());
    page = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce' });
    page.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return;
      if (!KNOWN.some((known) => message.text().includes(known))) messages.push(message.text());
    });
    page.on('pageerror', (error) => messages.push(`exception: ${error.stack ?? error.message}`));
    page.on('requestfailed', (request) => messages.push(`${request.failure()?.errorText}: ${request.url()}`));
  });
  afterAll(() => browser?.close());

  async function open(name: string, search = ''): Promise<void> {
    // What the page before was loading still is broken off, and no fault of this one.
    await page.goto('about:blank');
    messages = [];
    const response = await page.goto(`${inject('demoUrl')}examples/${name && `${name}/`}${search}`);
    expect(response?.status(), name).toBe(200);
  }

  it.each(EXAMPLES)('$name draws, does what it is about, and is a whole project', async ({ name, needs }) => {
    await open(name);
    await ACTS[name](page);
    expect(await page.evaluate(coloursDrawn)).toBeGreaterThan(8);
    if (!needs) await checkProject(page);
    expect(messages).toEqual([]);
  });

  it.each(EXAMPLES)('$name is a page of code', ({ name }) => {
    const folder = `demo/examples/${name}/`;
    const main = readdirSync(folder).find((file) => /^main\.tsx?$/.test(file))!;
    expect(
      readFileSync(folder + main, 'utf8')
        .trimEnd()
        .split('\n').length,
    ).toBeLessThanOrEqual(60);
  });

  it('shows each in the gallery, and Enter opens one', async () => {
    await open('', '?theme=light');
    expect(await page.locator('li a').evaluateAll((links) => links.map(({ id }) => id))).toEqual(
      EXAMPLES.map(({ name }) => name),
    );
    const pictures = page.locator('li img');
    await expect.poll(() => pictures.evaluateAll(areLoaded)).toBe(true);
    for (const theme of ['light', 'dark']) {
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('t');
    }
    await page.keyboard.press('t');
    await page.locator('#batch').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/examples/batch/?theme=dark');
    // What is still to load when the page is left would be said to be missing.
    await page.waitForLoadState('networkidle');
    await page.locator('.bar a').click();
    await page.waitForURL('**/examples/?theme=dark');
    expect(messages).toEqual([]);
  });

  it('shows the code of an example, and has nothing that keeps anybody out', async () => {
    await open('worker', '?theme=light');
    await page.locator('summary').click();
    await page.locator('.source h2', { hasText: 'worker.ts' }).waitFor();
    expect(await page.locator('.source code').first().textContent()).toContain('index.addAll(boxes)');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.locator('.source').isVisible()).toBe(false);
  });
});

/** Checks that the form of a page makes a project that is whole: it has all files and packages that any of it asks for. */
async function checkProject(page: Page): Promise<void> {
  const form = page.locator('form');
  await form.waitFor();
  expect(await form.evaluate((one: HTMLFormElement) => [one.action, one.method, one.target])).toEqual([
    'https://stackblitz.com/run',
    'post',
    '_blank',
  ]);
  const fields = await form.evaluate((one: HTMLFormElement) => Object.fromEntries(new FormData(one)));
  expect(fields['project[template]']).toBe('node');
  const files: Record<string, string> = {};
  for (const [key, text] of Object.entries(fields)) {
    const file = /^project\[files\]\[(.+)\]$/.exec(key)?.[1];
    if (file) files[file] = String(text);
  }
  const { dependencies, devDependencies: development } = JSON.parse(files['package.json']);
  for (const [file, text] of Object.entries(files)) {
    for (const wanted of namesIn(file, text)) {
      if (wanted.startsWith('.')) expect(Object.keys(files), file).toContain(wanted.slice(2));
      else expect(Object.keys(dependencies), file).toContain(packageOf(wanted));
    }
  }
  expect(dependencies.three).toBe(devDependencies.three);
  expect(development.vite).toBe(devDependencies.vite);
}

/** What other libraries say of themselves. */
const KNOWN = [
  'GPU stall due to ReadPixels',
  'THREE.Clock: This module has been deprecated',
  'TilesRenderer: tiles versions at 1.1 or higher have limited support',
];

/** In the page: how many colours the canvas shows, in a frame in which it shows some. */
async function coloursDrawn(): Promise<number> {
  const source = document.querySelector('canvas')!;
  const copy = new OffscreenCanvas(200, 150).getContext('2d', { willReadFrequently: true })!;
  for (;;) {
    await new Promise(requestAnimationFrame);
    copy.drawImage(source, 0, 0, 200, 150);
    const { data } = copy.getImageData(0, 0, 200, 150);
    const seen = new Set(new Uint32Array(data.buffer));
    if (seen.size > 8) return seen.size;
  }
}

function areLoaded(images: (HTMLElement | SVGElement)[]): boolean {
  return images.every((image) => (image as HTMLImageElement).naturalWidth === 512);
}

/** What a file asks for: imports of code, styles and scripts of a page. */
function namesIn(file: string, text: string): string[] {
  const patterns = file.endsWith('.html')
    ? [/(?:src|href)="(\.[^"]+)"/g]
    : file.endsWith('.css')
      ? [/@import "([^"]+)"/g]
      : [/ from '([^']+)'/g, /^import '([^']+)'/gm, /new URL\('([^']+)'/g];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name!));
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
