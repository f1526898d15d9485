// A headless Chromium with pages that run page.ts, for all benchmarks that need a browser.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build } from 'vite';
import { findChrome } from '../../chrome.mjs';
import { MACHINE } from '../figures.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const outDir = path('../../../node_modules/.cache/bench');

// Both together isolate the page, which is what makes its clock a fine one.
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const HTML = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="page.js"></script>';

/**
 * Bundles the page's module as its only script.
 * @param library The bundle that is measured in place of the sources.
 */
export async function openBrowser(library) {
  await build({
    configFile: false,
    logLevel: 'warn',
    // The peers next to this folder bring a three of their own.
    resolve: { dedupe: ['three'], alias: library ? [{ find: /^\.\.\/library\.js$/, replacement: library }] : [] },
    build: {
      lib: { entry: path('page.ts'), formats: ['es'], fileName: 'page' },
      outDir,
      minify: false,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const script = readFileSync(`${outDir}/page.js`);
  const launch = findChrome();
  const browser = await chromium.launch({ ...launch, args: [...launch.args, '--js-flags=--expose-gc'] });
  return {
    machine: `${MACHINE}, Chromium ${browser.version()}`,
    close: () => browser.close(),
    /** A page in a context, and by that in a process, of its own. */
    async open() {
      const page = await (await browser.newContext()).newPage();
      page.on('pageerror', (error) => console.error(error));
      await page.route('**', (route) => {
        const isScript = route.request().url().endsWith('/page.js');
        const contentType = isScript ? 'text/javascript' : 'text/html';
        return route.fulfill({ headers: ISOLATED, contentType, body: isScript ? script : HTML });
      });
      await page.goto('http://localhost/');
      if (!(await page.evaluate('crossOriginIsolated'))) throw new Error('the clock of the page is coarse');
      return page;
    },
  };
}

/** Calls a function of `globalThis.bench` in a page. */
export const ask = (page, name, ...given) =>
  page.evaluate(([called, args]) => globalThis.bench[called](...args), [name, given]);

/** Calls it in a new page, which is then closed. */
export async function askAlone(open, ...asked) {
  const page = await open();
  const answer = await ask(page, ...asked);
  await page.context().close();
  return answer;
}
