// The benchmark against peer libraries: `npm run bench:peers`, or parts of it with `-- pairs` (uniform, city, mixed).
// N=10000 sets the number of boxes of the worlds, ROUNDS=15 the number of rounds, ONLY=cull,nearest does the workloads that
// begin so, SIMD=0 keeps ours from using WebAssembly. Each workload replaces its row in results/ and in
// peers.md, but for runs without SIMD and those of less than 7 rounds: those are trials.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

if (!existsSync(path('../node_modules'))) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefix', path('..')], { stdio: 'inherit' });
}
await build({
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: path('../library.ts'),
    outDir: path('../../../node_modules/.cache/bench'),
    minify: false,
    target: 'node20',
    emptyOutDir: false,
  },
});
// They import what was just installed and bundled.
const { PARTS } = await import('./parts.mjs');
const { measure, ROUNDS } = await import('./measure.mjs');
const { keep, line, writeReport } = await import('./report.mjs');

const N = Number(process.env.N ?? 100_000);
const only = process.env.ONLY?.split(',') ?? [''];
const isTrial = ROUNDS < 7 || process.env.SIMD === '0';
const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(PARTS)) {
  const part = PARTS[name];
  for (const [label, workload] of Object.entries(part.workloads)) {
    if (!only.some((word) => label.startsWith(word))) continue;
    const result = await measure(label, workload, part, workload.n ?? N);
    console.log(line(label, result));
    if (!isTrial) keep(name, part.world === undefined ? undefined : N, ROUNDS, label, result);
  }
}
if (!isTrial) writeReport();
