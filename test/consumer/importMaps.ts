import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

let browser: Browser;

/** Tests of what is built, as pages load it that have no bundler. */
export function describeImportMaps(findDist: () => string): void {
  describe('a page without a bundler', () => {
    beforeAll(async () => {
      browser = await chromium.launch(findChrome());
    });
    afterAll(() => browser?.close());

    test.each(ENTRIES)('loads $path with an import map of $peers alone', async ({ file, peers }) => {
      expect(await load(findDist(), [file], peers)).toEqual([]);
    });

    test('loads all that the main entry loads, at once or later, with three alone, and nothing without it', async () => {
      const files = readdirSync(findDist(), { recursive: true, encoding: 'utf8' });
      const modules = files.filter((file) => file.endsWith('.js') && !/^(inspector|react)/.test(file));
      expect(modules.length).toBeGreaterThan(100);
      expect(await load(findDist(), modules, ['three'])).toEqual([]);
      expect(await load(findDist(), ['index.js'], [])).toEqual([expect.stringContaining('"three"')]);
    });

    test('makes levels of detail in the worker', async () => {
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
      expect(await load(findDist(), [], [], made)).toEqual([]);
    });
  });
}

/** Of the page: an `import` of this file would not be the browser's. */
const LOAD = `<script>
async function load(urls) {
  const errors = [];
  for (const url of urls) await import(url).catch((error) => errors.push(url + ': ' + error));
  return errors;
}
</script>`;

/** Imports modules of the package in a new page; returns what goes wrong. */
async function load(
  dist: string,
  modules: readonly string[],
  peers: readonly Peer[],
  code?: string,
): Promise<string[]> {
  const imports = Object.fromEntries(peers.map((peer) => [peer, MAP[peer]]));
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>${LOAD}`;
  const page = await browser.newPage();
  try {
    await page.route('**/*', async (route) => {
      const path = new URL(route.request().url()).pathname;
      if (path === '/') return route.fulfill({ contentType: 'text/html', body: html });
      return route.fulfill({ contentType: 'text/javascript', body: await served(dist, path) });
    });
    await page.goto('http://package.test/');
    return await page.evaluate(code ?? `load(${JSON.stringify(modules.map((file) => `/dist/${file}`))})`);
  } finally {
    await page.close();
  }
}

/** The code at an address: of the package as built here, of three as it is published, of React in one module. */
function served(dist: string, path: string): string | Promise<string> {
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
