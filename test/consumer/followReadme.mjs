import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { findChrome } from '../chrome.mjs';

const readme = new URL('../../README.md', import.meta.url);

const PAGE = `<!doctype html>
<title>A newcomer</title>
<output></output>
<script>console.log = (text) => (document.querySelector('output').textContent = text)</script>
<script type="module" src="/main.ts"></script>
`;

/** The first example of the README. */
export const exampleOf = () => readFileSync(readme, 'utf8').match(/```ts\n(.*?)```/s)[1];

/**
 * What a newcomer does: installs the package into an empty Vite project, with the first example of the README for its
 * code, starts the development server and looks.
 * @param {string} folder Where the project is to be; made.
 * @param {string} tarball The packed library.
 * @returns {Promise<{ said: string, seconds: number }>} What the page shows, and how long all this took.
 */
export async function followReadme(folder, tarball) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'newcomer', private: true, type: 'module' }));
  writeFileSync(join(folder, 'index.html'), PAGE);
  const start = performance.now();
  const names = ['vite', 'three', '@types/three', tarball];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...names], {
    cwd: folder,
    stdio: 'pipe',
  });
  writeFileSync(join(folder, 'main.ts'), exampleOf());
  const server = spawn(process.execPath, ['node_modules/vite/bin/vite.js', '--host', '127.0.0.1', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'development', NO_COLOR: '1' },
  });
  const browser = await chromium.launch(findChrome());
  try {
    const url = await urlOf(server);
    const page = await browser.newPage();
    await page.goto(url);
    const output = page.locator('output:not(:empty)');
    await output.waitFor();
    return { said: await output.innerText(), seconds: (performance.now() - start) / 1000 };
  } finally {
    await browser.close();
    server.kill();
  }
}

/** Most milliseconds for each step: without a graphics card, and on a busy machine, frames take seconds. */
const SLOW = 240_000;

const CDN = 'https://cdn.jsdelivr.net/npm/';

/**
 * Opens the page of the README as it stands there, with what the CDN would answer taken from a folder of packages.
 * @param {string} project Where `node_modules` has three and the library.
 * @param {number} meshes How many meshes it shows, batched even if that does not pay. By default it is as in the README.
 * @returns {Promise<{ separate: number, batched: number, colours: number, seconds: number, errors: string[] }>} How many draw
 * calls the page shows at first, in how many colours and after how long, and the calls after a click that switches batching off.
 */
export async function openReadmePage(project, meshes = 20_000) {
  const [, text] = readFileSync(readme, 'utf8').match(/^```html\n(.*?)^```$/ms);
  const html = meshes < 20_000 ? text.replace('20_000', meshes).replace('batch: true', 'batch: { atLeast: 2 }') : text;
  const browser = await chromium.launch(findChrome());
  const errors = [];
  try {
    const page = await browser.newPage({ viewport: { width: 320, height: 240 } });
    page.setDefaultTimeout(SLOW);
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.route('**/*', (route) => {
      const url = route.request().url();
      if (url.endsWith('/favicon.ico')) return route.fulfill({ status: 204 });
      if (url === 'http://readme.test/') return route.fulfill({ contentType: 'text/html', body: html });
      const [, name, path] = url.startsWith(CDN) ? url.slice(CDN.length).match(/^([^@]+)@[^/]+\/(.*)$/) : [];
      if (name === undefined) return route.fulfill({ status: 404 });
      return route.fulfill({
        contentType: 'text/javascript',
        headers: { 'access-control-allow-origin': '*' },
        body: readFileSync(join(project, 'node_modules', name, path)),
      });
    });
    const start = performance.now();
    await page.goto('http://readme.test/');
    const batched = await callsBelow(page, 50);
    const seconds = (performance.now() - start) / 1000;
    const colours = await coloursOf(page);
    await page.mouse.click(10, 200);
    const separate = await page.waitForFunction((least) => {
      const calls = Number.parseInt(document.querySelector('output').textContent, 10);
      return calls > least ? calls : 0;
    }, meshes / 20);
    return { batched, colours, seconds, separate: await separate.jsonValue(), errors };
  } finally {
    await browser.close();
  }
}

/** In how many colours a page is painted. */
async function coloursOf(page) {
  const picture = (await page.screenshot()).toString('base64');
  return page.evaluate(async (picture) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size;
  }, picture);
}

/** How many draw calls the page shows, once they are so few. */
async function callsBelow(page, most) {
  const calls = await page.waitForFunction((most) => {
    const calls = Number.parseInt(document.querySelector('output').textContent, 10);
    return calls > 0 && calls < most ? calls : 0;
  }, most);
  return calls.jsonValue();
}

/** The address that a development server says it has. */
function urlOf(server) {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (text) => {
      said += text;
      const url = said.match(/http:\/\/127\.0\.0\.1:\d+\//);
      if (url !== null) resolve(url[0]);
    };
    server.stdout.on('data', listen);
    server.stderr.on('data', listen);
    server.on('exit', () => reject(new Error(`no server: ${said}`)));
  });
}
