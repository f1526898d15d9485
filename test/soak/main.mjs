// Bundles what is to run for long and runs it in plain Node: `npm run soak`, or `npm run soak scripts` (or hostile) for
// that part alone. SECONDS bounds the time of each part, SEED names the first seed, STRUCTURE a variant by its label.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('../../node_modules/.cache/soak', import.meta.url));
const PARTS = ['hostile', 'scripts'];

const wanted = process.argv.slice(2);
for (const part of wanted.length > 0 ? wanted : PARTS) {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: `${here}${part}.ts`, outDir, minify: false, target: 'node20', emptyOutDir: false },
  });
  const { status } = spawnSync(process.execPath, [`${outDir}/${part}.js`], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
