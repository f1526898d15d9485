// Bundles what is to run for long and runs it in plain Node: `npm run soak`, or `npm run soak scripts` (or hostile, scenes)
// for that part alone. SECONDS bounds the time of each part, SEED names the first seed, STRUCTURE a variant by its label,
// WITHOUT what is to be left out of scenes, by name.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('../../node_modules/.cache/soak', import.meta.url));
/** Each with the number of processes that share its seeds. */
const PARTS = new Map([
  ['hostile', 1],
  ['scripts', 1],
  ['scenes', 2],
]);

const wanted = process.argv.slice(2);
for (const part of wanted.length > 0 ? wanted : PARTS.keys()) {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: `${here}${part}.ts`, outDir, minify: false, target: 'node20', emptyOutDir: false },
  });
  const processes = PARTS.get(part) ?? 1;
  const SEED = process.env.SEED ?? String(Math.floor(Math.random() * 2 ** 31));
  const runs = Array.from({ length: processes }, (_, share) => run(part, { SEED, SHARE: `${share}/${processes}` }));
  const failed = (await Promise.all(runs)).find((status) => status !== 0);
  if (failed !== undefined) process.exit(failed ?? 1);
}

function run(part, env) {
  return new Promise((resolve) => {
    spawn(process.execPath, [`${outDir}/${part}.js`], { stdio: 'inherit', env: { ...process.env, ...env } }).on(
      'exit',
      (status) => resolve(status),
    );
  });
}
