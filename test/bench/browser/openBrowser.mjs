// A headless Chromium with pages that run one module, for all benchmarks that need a browser.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build } from 'vite';
import { findChrome } from '../../chrome.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const outDir = path('../../../node_modules/.cache/bench');

// Both together isolate the page, which is what makes its clock a fine one.
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const HTML = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="page.js"></script>';

/** Bundles a module of this folder as the only script of a page, and serves that on localhost. */
export async function openBrowser(entry) {
  await build({
    configFile: false,
    logLevel: 'warn',
    // The peers next to this folder bring a three of their own.
    resolve: { dedupe: ['three'] },
    // React measures itself otherwise.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      lib: { entry: path(entry), formats: ['es'], fileName: 'page' },
      outDir,
      minify: false,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const script = readFileSync(`${outDir}/page.js`);
  const server = createServer(({ url }, response) => {
    const isScript = url === '/page.js';
    response.writeHead(200, { ...ISOLATED, 'Content-Type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? script : HTML);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const launch = findChrome();
  const browser = await chromium.launch({ ...launch, args: [...launch.args, '--js-flags=--expose-gc'] });
  return {
    url,
    machine: `${cpus()[0].model.trim()}, ${cpus().length} shared cores; Chromium ${browser.version()}, Node ${process.version}`,
    /** A page in a context, and by that in a process, of its own. */
    async open() {
      const page = await (await browser.newContext()).newPage();
      page.on('pageerror', (error) => console.error(error));
      await page.goto(url);
      return page;
    },
    async close() {
      await browser.close();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Calls a function of `globalThis.bench` in a page. */
export const ask = (page, name, ...given) =>
  page.evaluate(([called, args]) => globalThis.bench[called](...args), [name, given]);

export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** The median of the ratios of each round. */
export const medianRatio = (times, to) => median(times.map((time, round) => time / to[round]));
