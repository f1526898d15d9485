// Bundles the benchmarks with vite, runs each in a Node of its own, prints their tables and keeps them in results.md.
// `node test/bench/run.mjs scene` (or motion, interest, occlusion) runs that part and keeps nothing.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { bundle } from './processes.mjs';

const PARTS = ['motion', 'scene', 'interest', 'occlusion'];

const wanted = process.argv.slice(2);
let text = '';
for (const part of wanted.length > 0 ? wanted : PARTS) {
  const table = run(await bundle(`test/bench/${part}.ts`, 'node_modules/.cache/bench', part));
  process.stdout.write(table);
  text += table;
}
if (wanted.length === 0) {
  const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}`;
  writeFileSync(
    new URL('results.md', import.meta.url),
    `# Results\n\nMade by \`npm run bench\` on ${machine}. Only ratios mean something: in each process all that is compared takes turns. Medians are shown: the machine is shared, and the medians of two runs differ by up to a half.\n${text}`,
  );
}

function run(file) {
  const { status, stdout } = spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}
