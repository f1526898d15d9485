import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertedIn } from '../../demo/docs/site/pageText.mjs';
import { findChrome } from '../chrome.mjs';
import { collectMessages } from '../e2e/demo.js';
import { DOCS, pages } from './pages.js';

const BUILT = fileURLToPath(new URL('../../dist-docs', import.meta.url));
/** The build takes a minute, and many where the suites beside it take the processor. */
const BUILD_TIMEOUT = 1_200_000;
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** On request alone, as it installs what builds the site, for minutes: `DOCS=1 npx vitest run --project unit test/docs`. */
describe.runIf(process.env.DOCS === '1')('the site of the docs', () => {
  let server: Server;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    // Fails for a dead link, and for a docstring that typedoc finds fault with.
    await promisify(execFile)(process.execPath, [join(DOCS, 'build.mjs')], {
      env: { ...process.env, NODE_ENV: 'production' },
    });
    server = createServer(({ url: path = '/' }, response) => {
      const [asked] = path.split('?');
      const file = join(BUILT, asked.endsWith('/') ? `${asked}index.html` : asked);
      if (!existsSync(file)) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? '' }).end(readFileSync(file));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch(findChrome());
  }, BUILD_TIMEOUT);
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it('has all pages with their examples, the API and texts for machines', () => {
    const list = readFileSync(join(BUILT, 'llms.txt'), 'utf8');
    for (const { file, text } of pages) {
      const html = readFileSync(join(BUILT, file.replace(/md$/, 'html')), 'utf8');
      expect(html).toContain(`<link rel="alternate" type="text/markdown" href="/${file}">`);
      expect(readFileSync(join(BUILT, file), 'utf8'), file).toMatch(/^# /);
      if (file !== 'index.md') expect(list, file).toContain(`](${file})`);
      for (const name of insertedIn(text, 'example')) {
        expect(html, file).toContain(`href="/demo/examples/${name}/"`);
        expect(existsSync(join(BUILT, `demo/examples/${name}/index.html`)), name).toBe(true);
      }
    }
    const api = readdirSync(join(BUILT, 'api'), { recursive: true }).map(String);
    for (const name of ['accelerate', 'SceneIndex', 'Packed', 'Accelerated', 'SceneIndexTab']) {
      expect(api.filter((file) => file.endsWith(`/${name}.html`)).length, name).toBe(1);
    }
    for (const [, file] of list.matchAll(/\]\((.*?)\)/g)) expect(existsSync(join(BUILT, file)), file).toBe(true);
    expect(readFileSync(join(BUILT, 'guides/batching.md'), 'utf8')).toContain('accelerate(scene, { batch: true })');
  });

  it('is shown and searched without a request to anywhere else, on a telephone too', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    page.setDefaultTimeout(0);
    const faults = collectMessages(page);
    page.on('request', (request) => {
      if (!/^(data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) faults.push(request.url());
    });
    // Examples have tests of their own, and take long without a graphics card.
    await page.route('**/demo/**', (route) => route.fulfill({ body: '', contentType: 'text/html' }));
    for (const { file } of pages) {
      await page.goto(`${url}/${file.replace(/md$/, 'html')}`);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(excess, `${file} is as wide as the screen`).toBeLessThanOrEqual(0);
      for (const stage of await page.locator('.live .stage').all()) {
        const { x, width } = (await stage.boundingBox())!;
        expect(x + width, file).toBeLessThanOrEqual(390);
      }
      expect(await page.locator('.vp-doc th', { hasText: /^\s*$/ }).count(), file).toBe(0);
    }
    await page.locator('.VPNavBarSearch button').click();
    await page.locator('#localsearch-input').fill('cullCasters');
    await page.locator('.VPLocalSearchBox a.result').first().waitFor();
    expect(await page.locator('.VPLocalSearchBox').innerText()).toContain('Shadows');
    // A page that is left breaks off what it was fetching ahead.
    expect(faults.filter((fault) => !fault.startsWith('net::ERR_ABORTED'))).toEqual([]);
  });

  it('has code that can be read in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme });
      await page.route('**/demo/**', (route) => route.fulfill({ body: '', contentType: 'text/html' }));
      for (const file of ['recipes/picking', 'guides/react']) {
        await page.goto(`${url}/${file}.html`);
        expect(await page.locator('.vp-doc pre span[style]').count()).toBeGreaterThan(50);
        expect(await page.evaluate(paleCode), `${file}, ${colorScheme}`).toEqual([]);
      }
    }
  });

  it('runs an example after a click, and gives it the pointer', async () => {
    const page = await browser.newPage({ colorScheme: 'dark', reducedMotion: 'reduce' });
    page.setDefaultTimeout(0);
    await page.goto(`${url}/recipes/picking.html`);
    const figure = page.locator('.live.pick');
    const button = figure.getByRole('button', { name: 'Click to run it' });
    await button.click();
    const address = await figure.locator('iframe').getAttribute('src');
    expect(address).toBe('/demo/examples/pick/?embedded&theme=dark');
    await figure.frameLocator('iframe').locator('output:not(:empty)').waitFor();
    expect(await figure.frameLocator('iframe').locator('header.bar').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('src'))).toBe(address);
    expect(await button.count()).toBe(0);
  });
});

/** Words of code whose contrast with what is behind them is below 4.5, with their colours. Runs in a page. */
function paleCode(): string[] {
  const light = (colour: string): number => {
    const linear = colour
      .match(/[\d.]+/g)!
      .slice(0, 3)
      .map((value) => (Number(value) / 255) ** 2.2);
    return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
  };
  const words = [...document.querySelectorAll('.vp-doc pre span[style]')].map((word) => {
    const { backgroundColor } = getComputedStyle(word.closest('div')!);
    const { color } = getComputedStyle(word);
    const [low, high] = [light(color), light(backgroundColor)].sort((a, b) => a - b) as [number, number];
    return { said: `${word.textContent} ${color} on ${backgroundColor}`, contrast: (high + 0.05) / (low + 0.05) };
  });
  return words.filter(({ contrast }) => contrast < 4.5).map(({ said }) => said);
}
