// Bundles the benchmarks with vite, runs each in a Node of its own, and writes what they print to results.md.
// `node test/bench/run.mjs core` runs one of them and writes nothing.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('../../node_modules/.cache/bench', import.meta.url));
const wanted = process.argv.slice(2);

let tables = '';
for (const name of wanted.length > 0 ? wanted : ['core', 'scene']) {
  const input = `${here}${name}.ts`;
  await build({ configFile: false, logLevel: 'warn', build: { ssr: input, outDir, minify: false, target: 'node20' } });
  const { status, stdout } = spawnSync(process.execPath, [`${outDir}/${name}.js`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  process.stdout.write(stdout);
  tables += stdout;
}

if (wanted.length === 0) {
  const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}`;
  writeFileSync(
    `${here}results.md`,
    `# Results\n\nMade by \`npm run bench\` on ${machine}. Only ratios within one table mean something: contestants take turns in every round of one run, and medians are shown. *Scans* are the time of the linear scan at 10 %, per box.\n${tables}`,
  );
}
