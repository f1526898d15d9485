// Bundles what is to run for long and runs it in plain Node: `npm run soak`, or `npm run soak scripts` (or hostile) for
// that part alone, in a process for each structure, as many at a time as there are cores. SECONDS bounds the time of each,
// OPERATIONS and COUNT its size, SEED names the first seed, STRUCTURE one of the structures and VARIANT, for scripts, one
// of its variants by the label.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('../../node_modules/.cache/soak', import.meta.url));
const PARTS = ['hostile', 'scripts'];
const STRUCTURES = ['bruteForce', 'grid', 'octree', 'looseOctree', 'bvh'];

const wanted = process.argv.slice(2);
for (const part of wanted.length > 0 ? wanted : PARTS) {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: `${here}${part}.ts`, outDir, minify: false, target: 'node20', emptyOutDir: false },
  });
  const { STRUCTURE, VARIANT, SEED = `${Math.floor(Math.random() * 2 ** 31)}` } = process.env;
  const waiting = STRUCTURE || VARIANT ? [STRUCTURE] : [...STRUCTURES];
  const work = async () => {
    while (waiting.length > 0) await run(part, waiting.shift(), SEED);
  };
  await Promise.all(Array.from({ length: Math.min(waiting.length, availableParallelism()) }, work));
  if (process.exitCode) break;
}

/** Runs a part for one structure, or for what the environment says; notes that it failed, if it does. */
function run(part, structure, seed) {
  const env = { ...process.env, SEED: seed, ...(structure && { STRUCTURE: structure }) };
  const child = spawn(process.execPath, [`${outDir}/${part}.js`], { stdio: 'inherit', env });
  return new Promise((resolve) => {
    child.on('exit', (status) => {
      if (status !== 0) process.exitCode = 1;
      resolve();
    });
  });
}
