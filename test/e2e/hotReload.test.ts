import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { PACKAGE } from '../../vite.config.js';
import { findChrome } from '../chrome.mjs';
import { collectMessages } from './demo.js';

const TESTS = 3;
const EDITS = [1, 2, 3, 4, 5];
/** Draw calls of the plain page after each edit: of its ten meshes, or of their batch. */
const CALLS_OF_PLAIN = [10, 1, 10, 1, 10, 1];
/** Draw calls of the React page after each edit: of its ten meshes in view, or of their batch. */
const CALLS = [10, 10, 1, 1, 1, 1];
const STRUCTURES = ['packed', 'bvh', 'grid', 'packed', 'packed', 'bvh'];

/** What the pages of this test keep on their windows; see the folder beside this file. */
interface Probe {
  version: number;
  before: string[];
  after(): string[];
  draw(): { calls: number };
  alive(): boolean[];
  askFirst(): void;
  state: { gl: { info: { render: { calls: number } } }; scene: object };
  indices: Index[];
  found: { index: Index | null; visible: unknown[]; version: number };
  readScene(): string[];
  clear(): void;
  showAgain(): void;
}

interface Index {
  root: object;
  size: number;
  structure: string;
  has(object: object): boolean;
}

declare const window: Probe;

let browser: Browser;
let folder: string;
let copies = 0;
let copy: string;
let server: ViteDevServer;
let page: Page;
let messages: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'three-scene-index-hot-'));
  // A copy for each test, which edits it.
  for (let i = 1; i <= TESTS; i++) cpSync('test/e2e/hotReload', join(folder, `copy${i}`), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  server = await createServer({
    configFile: false,
    root: folder,
    cacheDir: join(folder, 'cache'),
    logLevel: 'error',
    appType: 'mpa',
    server: { host: '127.0.0.1', port: 0, fs: { strict: false }, watch: { ignored: '**' } },
    resolve: { alias: PACKAGE, dedupe: ['three', 'react', 'react-dom', '@react-three/fiber'] },
    // Found late, a dependency reloads the page in mid-test.
    optimizeDeps: { noDiscovery: true, include: ['three', 'react', 'react-dom/client', '@react-three/fiber'] },
  });
  await server.listen();
  browser = await chromium.launch(findChrome());
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  copy = `copy${++copies}`;
  page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  messages = collectMessages(page);
});

afterEach(() => page.close());

const open = (path: string, on = page) => on.goto(`${server.resolvedUrls!.local[0]}${copy}/${path}`);

function edit(file: string, version: string): void {
  const path = join(folder, copy, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/VERSION = \d/, version));
  // The server would miss the second of two edits within some milliseconds.
  server.watcher.emit('change', path);
}

test('a scene kept in `import.meta.hot.data` is accelerated again', async () => {
  await open('plain.html');
  await page.waitForFunction(() => window.version === 0);
  // A page that is loaded anew forgets this.
  const document = await page.evaluateHandle(() => window);
  for (const version of EDITS) {
    await page.evaluate(() => window.draw());
    edit('plain.js', `VERSION = ${version}`);
    const fresh = await browser.newPage();
    const messagesOfFresh = collectMessages(fresh);
    await open('plain.html', fresh);
    for (const on of [page, fresh]) {
      await on.waitForFunction((version) => window.version === version, version);
      // Batches come once the code for them has loaded.
      await on.waitForFunction((calls) => window.draw().calls === calls, CALLS_OF_PLAIN[version]);
    }
    expect(await page.evaluate(() => window.draw())).toEqual(await fresh.evaluate(() => window.draw()));
    expect(messagesOfFresh).toEqual([]);
    await fresh.close();
    expect(await page.evaluate(() => window.alive())).toEqual([...Array(version).fill(false), true]);
  }
  expect(await document.evaluate((before) => before === window)).toBe(true);
  await expect(page.evaluate(() => window.askFirst())).rejects.toThrow(
    'the index was disposed when its scene was accelerated again',
  );
  const before = await page.evaluate(() => window.before);
  expect(await page.evaluate(() => window.after())).toEqual(before);
  expect(before.length).toBeGreaterThan(20);
  expect(messages).toEqual([]);
});

test.each(['', '?lasting'])('React: edited content is accelerated, hooks follow %s', async (search) => {
  const settled = async (version: number) => {
    await page.waitForFunction(
      ([version, calls, structure]) => {
        const { found, state } = window;
        if (found?.version !== version || found.index === null) return false;
        return (
          state.gl.info.render.calls === calls && found.visible.length === 10 && found.index.structure === structure
        );
      },
      [version, CALLS[version], STRUCTURES[version]] as const,
    );
    return page.evaluate(() => {
      const alive = window.indices.filter((index) => index.has(index.root));
      const { index } = window.found;
      return [alive.length, alive[0] === index, index?.root === window.state.scene, index?.size];
    });
  };
  await open(`react.html${search}`);
  expect(await settled(0)).toEqual([1, true, true, 20]);
  const ofStart = await page.evaluate(() => window.indices.length);
  for (const version of EDITS) {
    edit('Content.js', `VERSION = ${version}`);
    expect(await settled(version)).toEqual([1, true, true, 20]);
  }
  const count = await page.evaluate(() => window.indices.length);
  expect(count).toBeGreaterThan(ofStart);

  await page.evaluate(() => window.clear());
  await page.waitForFunction(() => window.indices.every((index) => !index.has(index.root)));
  const empty = await page.evaluate(() => window.readScene());
  await page.evaluate(() => window.showAgain());
  expect(await settled(5)).toEqual([1, true, true, 20]);
  expect(await page.evaluate(() => window.readScene())).not.toEqual(empty);
  await page.evaluate(() => window.clear());
  await page.waitForFunction(() => window.indices.every((index) => !index.has(index.root)));
  expect(await page.evaluate(() => window.readScene())).toEqual(empty);
  expect(empty.filter((line) => /accessor|raycast|updateMatrixWorld|onBeforeRender|listeners/.test(line))).toEqual([]);
  // Fiber uses a clock that three has replaced.
  expect(messages.filter((message) => !message.includes('THREE.Clock'))).toEqual([]);
});
