import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChrome } from '../chrome.mjs';
import { DOCS, pages } from './pages.js';

const BUILT = fileURLToPath(new URL('../../dist-docs', import.meta.url));
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** It installs what builds the site and takes most of a minute: `DOCS=1 npx vitest run --project unit test/docs`. */
describe.runIf(process.env.DOCS === '1')('the site of the docs', () => {
  let server: Server;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    // Fails for a dead link, and for a docstring that typedoc finds fault with.
    execFileSync(process.execPath, [join(DOCS, 'build.mjs')], {
      stdio: 'pipe',
      env: { ...process.env, NODE_ENV: 'production' },
    });
    server = createServer(({ url: path = '/' }, response) => {
      const file = join(BUILT, path.endsWith('/') ? `${path}index.html` : path.split('?')[0]);
      if (!existsSync(file)) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? '' }).end(readFileSync(file));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch(findChrome());
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it('has all pages, the API and texts for machines', () => {
    for (const { file } of pages) expect(existsSync(join(BUILT, file.replace(/md$/, 'html'))), file).toBe(true);
    const api = readdirSync(join(BUILT, 'api'), { recursive: true }).map(String);
    for (const name of ['accelerate', 'SceneIndex', 'Packed', 'Accelerated', 'SceneIndexTab']) {
      expect(
        api.filter((file) => file.endsWith(`/${name}.html`)),
        name,
      ).toHaveLength(1);
    }
    const list = readFileSync(join(BUILT, 'llms.txt'), 'utf8');
    for (const { file } of pages.filter((page) => page.file !== 'index.md')) expect(list, file).toContain(`](${file})`);
    for (const [, file] of list.matchAll(/\]\((.*?)\)/g)) expect(existsSync(join(BUILT, file)), file).toBe(true);
    expect(readFileSync(join(BUILT, 'llms-full.txt'), 'utf8')).toContain('accelerate(scene, { batch: true })');
  });

  it('is shown and searched without a request to anywhere else, on a telephone too', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const faults: string[] = [];
    page.on('request', (request) => {
      if (!/^(data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) faults.push(request.url());
    });
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (/error|warning/.test(message.type())) faults.push(message.text());
    });
    for (const { file } of pages) {
      await page.goto(`${url}/${file.replace(/md$/, 'html')}`);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(excess, `${file} is as wide as the screen`).toBeLessThanOrEqual(0);
    }
    await page.locator('.VPNavBarSearch button').click();
    await page.locator('#localsearch-input').fill('cullCasters');
    await page.locator('.VPLocalSearchBox a.result').first().waitFor();
    expect(await page.locator('.VPLocalSearchBox').innerText()).toContain('Shadows');
    expect(faults).toEqual([]);
  });
});
