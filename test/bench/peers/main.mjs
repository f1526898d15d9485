// The benchmark against peer libraries: `npm run bench:peers`, or parts of it with `-- pairs` (uniform, city, mixed, loading, instances).
// N=10000 sets the number of boxes of the worlds, or several as N=1000,10000; ROUNDS=15 the number of rounds,
// ONLY=cull,nearest does the workloads that begin so, WHO='packed,linear WASM' the libraries of these names, SIMD=0 keeps ours from using WebAssembly. Each workload replaces its
// row in results/, in peers.md and in the chart, but for runs without SIMD, of some libraries, and of less than 7 rounds: those are
// trials, kept only in a folder of their own, RESULTS=/tmp/trial.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from '../processes.mjs';
import { compileScan } from './compileScan.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

if (!existsSync(path('../node_modules'))) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefix', path('..')], { stdio: 'inherit' });
}
await bundle('test/bench/library.ts', 'test/bench/node_modules/.cache', 'library');
await compileScan();
// They import what was just installed and bundled.
const { PARTS } = await import('./parts.mjs');
const { measure, ROUNDS } = await import('./measure.mjs');
const { keep, line, writeReport } = await import('./report.mjs');
const { drawChart } = await import('./chart.mjs');

const sizes = (process.env.N ?? '100000').split(',').map(Number);
const only = process.env.ONLY?.split(',') ?? [''];
const who = process.env.WHO?.split(',');
const isTrial = ROUNDS < 7 || process.env.SIMD === '0' || who !== undefined;
const isKept = !isTrial || process.env.RESULTS !== undefined;
const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(PARTS)) {
  const part = { ...PARTS[name] };
  if (who !== undefined) part.contestants = part.contestants.filter(({ library }) => who.includes(library));
  // Scenes of pairs have sizes of their own.
  for (const n of part.world === undefined ? [undefined] : sizes.filter((size) => !(size > part.most))) {
    for (const [label, workload] of Object.entries(part.workloads)) {
      if (!only.some((word) => label.startsWith(word))) continue;
      // What few boxes take is lost in what a process holds.
      if (label === 'memory' && n < 10_000) continue;
      const result = await measure(label, workload, part, workload.n ?? n);
      console.log(line(label, result, n));
      if (isKept) keep(name, n, ROUNDS, label, result);
    }
  }
}
if (isKept) {
  writeReport();
  drawChart();
}
