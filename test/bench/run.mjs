// Bundles a benchmark with vite and runs it in a Node of its own: node test/bench/run.mjs core
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('../../node_modules/.cache/bench', import.meta.url));
const [name = 'core', ...flags] = process.argv.slice(2);

await build({
  configFile: false,
  logLevel: 'warn',
  build: { ssr: `${here}${name}.ts`, outDir, emptyOutDir: false, minify: false, target: 'node20' },
});
const { status } = spawnSync(process.execPath, ['--expose-gc', ...flags, `${outDir}/${name}.js`], { stdio: 'inherit' });
process.exit(status ?? 1);
