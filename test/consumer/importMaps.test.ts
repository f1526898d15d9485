import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildLibrary } from '../../assets/scripts/build-library.mjs';
import { findChrome } from '../chrome.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What an import map has for each peer. */
const MAP = {
  three: '/three/build/three.module.js',
  'three/webgpu': '/three/build/three.webgpu.js',
  'three/tsl': '/three/build/three.tsl.js',
  'three/addons/': '/three/examples/jsm/',
  react: '/peers/react',
  '@react-three/fiber': '/peers/@react-three/fiber',
};
type Peer = keyof typeof MAP;

/** Entries by what they need; all others need three alone. */
const NEEDS: Record<string, Peer[]> = {
  './core': [],
  './interest': [],
  './levels-worker': [],
  './inspector': ['three', 'three/webgpu', 'three/tsl', 'three/addons/'],
  './react': ['three', 'react', '@react-three/fiber'],
};

const ENTRIES = Object.entries<{ default: string }>(exports)
  .filter(([path]) => !path.endsWith('.json'))
  .map(([path, entry]) => ({ path, file: entry.default.slice('./dist/'.length), peers: NEEDS[path] ?? ['three'] }));

let dist: string;
let browser: Browser;
beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), 'three-scene-index-maps-'));
  buildLibrary(dist);
  browser = await chromium.launch(findChrome());
});
afterAll(async () => {
  await browser?.close();
  rmSync(dist, { recursive: true, force: true });
});

describe('in a page without a bundler', () => {
  test.each(ENTRIES)('$path loads with an import map of $peers alone', async ({ file, peers }) => {
    expect(await load([file], peers)).toEqual([]);
  });

  test('all that the main entry loads, at once or later, needs three alone', async () => {
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
    const modules = files.filter((file) => file.endsWith('.js') && !/^(inspector|react)/.test(file));
    expect(modules.length).toBeGreaterThan(100);
    expect(await load(modules, ['three'])).toEqual([]);
  });

  test('the worker makes levels of detail', async () => {
    const made = `import('/dist/levels-worker.js').then(async ({ simplifyInWorker }) => {
      const side = 33, cells = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)]);
      const inner = cells.filter(([x, y]) => x + 1 < side && y + 1 < side).map(([x, y]) => y * side + x);
      const { counts } = await simplifyInWorker({
        positions: new Float32Array(cells.flatMap(([x, y]) => [x, y, 0])),
        attributes: [],
        index: new Uint32Array(inner.flatMap((i) => [i, i + 1, i + side, i + 1, i + side + 1, i + side])),
      });
      return counts[0] < inner.length ? [] : ['no level: ' + counts];
    }, (error) => [String(error)])`;
    expect(await load([], [], made)).toEqual([]);
  });

  test('without three in its import map the main entry does not load', async () => {
    expect(await load(['index.js'], [])).toEqual([expect.stringContaining('"three"')]);
  });
});

/** Of the page: an `import` of this file would not be the browser's. */
const LOAD = `<script>
async function load(urls) {
  const errors = [];
  for (const url of urls) await import(url).catch((error) => errors.push(url + ': ' + error));
  return errors;
}
</script>`;

/** Imports modules of the package in a new page; returns what goes wrong. */
async function load(modules: readonly string[], peers: readonly Peer[], code?: string): Promise<string[]> {
  const imports = Object.fromEntries(peers.map((peer) => [peer, MAP[peer]]));
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>${LOAD}`;
  const page = await browser.newPage();
  try {
    await page.route('**/*', async (route) => {
      const path = new URL(route.request().url()).pathname;
      if (path === '/') return route.fulfill({ contentType: 'text/html', body: html });
      return route.fulfill({ contentType: 'text/javascript', body: await served(path) });
    });
    await page.goto('http://package.test/');
    return await page.evaluate(code ?? `load(${JSON.stringify(modules.map((file) => `/dist/${file}`))})`);
  } finally {
    await page.close();
  }
}

/** The code at an address: of the package as built here, of three as it is published, of React in one module. */
function served(path: string): string | Promise<string> {
  const [, folder, file = ''] = path.match(/^\/(\w+)\/(.*)$/) ?? [];
  if (folder === 'peers') return bundled(file);
  return readFileSync(folder === 'dist' ? join(dist, file) : join(root, 'node_modules', path), 'utf8');
}

/** A package with all that it imports but three: browsers load no CommonJS. */
async function bundled(name: string): Promise<string> {
  const entry = 'virtual:entry';
  const names = Object.keys(await import(name)).filter((key) => /^(?!default$)\w+$/.test(key));
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id.endsWith(entry) ? entry : null),
        load: (id) => (id === entry ? `import * as all from '${name}'; export const { ${names} } = all;` : null),
      },
    ],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, lib: { entry, formats: ['es'] }, rolldownOptions: { external: /^three$/ } },
  });
  return ([result].flat()[0] as Rolldown.RolldownOutput).output[0].code;
}
