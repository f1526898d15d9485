import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const outDir = fileURLToPath(new URL('../../../node_modules/.cache/bench', import.meta.url));

// Both together isolate the page, which is what makes its clock a fine one.
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const HTML = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="page.js"></script>';

/** Bundles a module as the only script of a page and serves that on localhost. */
export async function servePage(entry) {
  await build({
    configFile: false,
    logLevel: 'warn',
    // The peers next to this folder bring a three of their own.
    resolve: { dedupe: ['three'] },
    // React measures itself otherwise.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      lib: { entry, formats: ['es'], fileName: 'page' },
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
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => new Promise((done) => server.close(done)) };
}
