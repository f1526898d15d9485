import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PACKAGE } from '../../vite.config.js';
import { findChrome } from '../chrome.mjs';
import { collectMessages } from './demo.js';

/** The versions of the pages, and how many draw calls the plain one has then: of its ten meshes, or of their batch. */
const CALLS_OF_PLAIN = [10, 1, 10, 1, 10, 1];
/** Draw calls of the React page: of its ten meshes in view, or of their batch; and the structure it asks for. */
const CALLS = [10, 10, 1, 1, 1, 1];
const STRUCTURES = ['packed', 'bvh', 'grid', 'packed', 'packed', 'bvh'];

/** What the pages of this test keep on their windows; see the folder beside this file. */
declare const window: {
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
  show(isShown: boolean): void;
};

interface Index {
  root: object;
  size: number;
  structure: string;
  has(object: object): boolean;
}

let browser: Browser;
let folder: string;
let server: ViteDevServer;

beforeAll(async () => {
  // A copy, which the tests edit.
  folder = mkdtempSync(join(tmpdir(), 'three-scene-index-hot-'));
  cpSync('test/e2e/hotReload', join(folder, 'pages'), { recursive: true });
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

async function open(path: string): Promise<{ page: Page; messages: string[] }> {
  const page = await browser.newPage();
  // A busy machine is no reason to fail.
  page.setDefaultTimeout(120_000);
  const messages = collectMessages(page);
  await page.goto(`${server.resolvedUrls!.local[0]}pages/${path}`);
  return { page, messages };
}

function edit(file: string, version: number): void {
  const path = join(folder, 'pages', file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/VERSION = \d/, `VERSION = ${version}`));
  // The server would miss the second of two edits within some milliseconds.
  server.watcher.emit('change', path);
}

test('a scene kept in `import.meta.hot.data` is accelerated again, and drawn as a fresh one', async () => {
  const { page, messages } = await open('plain.html');
  await page.waitForFunction(() => window.version === 0);
  // A page that is loaded anew forgets this.
  const document = await page.evaluateHandle(() => window);
  for (let version = 1; version < CALLS_OF_PLAIN.length; version++) {
    await page.evaluate(() => window.draw());
    edit('plain.js', version);
    const fresh = await open('plain.html');
    for (const on of [page, fresh.page]) {
      await on.waitForFunction((version) => window.version === version, version);
      // Batches come once the code for them has loaded.
      await on.waitForFunction((calls) => window.draw().calls === calls, CALLS_OF_PLAIN[version]);
    }
    expect(await page.evaluate(() => window.draw())).toEqual(await fresh.page.evaluate(() => window.draw()));
    expect(fresh.messages).toEqual([]);
    await fresh.page.close();
    expect(await page.evaluate(() => window.alive())).toEqual([...Array(version).fill(false), true]);
  }
  expect(await document.evaluate((before) => before === window)).toBe(true);
  const said = 'the index was disposed when its scene was accelerated again';
  await expect(page.evaluate(() => window.askFirst())).rejects.toThrow(said);
  const before = await page.evaluate(() => window.before);
  expect(await page.evaluate(() => window.after())).toEqual(before);
  expect(before.length).toBeGreaterThan(20);
  expect(messages).toEqual([]);
});

test('React: edited content is accelerated, hooks follow, and nothing stays once it is gone', async () => {
  const { page, messages } = await open('react.html');
  const expectShown = async (version: number) => {
    await page.waitForFunction(
      ([version, calls, structure]) => {
        const { found, state } = window;
        if (found?.version !== version || found.index?.structure !== structure) return false;
        return state.gl.info.render.calls === calls && found.visible.length === 10;
      },
      [version, CALLS[version], STRUCTURES[version]] as const,
    );
    const told = await page.evaluate(() => {
      const { index } = window.found;
      const isOnly = window.indices.every((one) => one.has(one.root) === (one === index));
      return [isOnly, index?.root === window.state.scene, index?.size];
    });
    expect(told).toEqual([true, true, 20]);
  };
  const clear = async () => {
    await page.evaluate(() => window.show(false));
    await page.waitForFunction(() => window.indices.every((index) => !index.has(index.root)));
    return page.evaluate(() => window.readScene());
  };
  await expectShown(0);
  for (let version = 1; version < CALLS.length; version++) {
    edit('Content.js', version);
    await expectShown(version);
  }
  const empty = await clear();
  await page.evaluate(() => window.show(true));
  await expectShown(5);
  expect(await page.evaluate(() => window.readScene())).not.toEqual(empty);
  expect(await clear()).toEqual(empty);
  expect(empty.filter((line) => /accessor|raycast|updateMatrixWorld|onBeforeRender|listeners/.test(line))).toEqual([]);
  // Fiber uses a clock that three has replaced.
  expect(messages.filter((message) => !message.includes('THREE.Clock'))).toEqual([]);
});
