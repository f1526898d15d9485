// The benchmark against peer libraries: `npm run bench:peers`, or parts of it with `-- uniform` (city, mixed, loading,
// instances). Its variables are told in ../README.md. Each workload replaces its row in results/, in peers.md and in the chart,
// but for runs without SIMD, and of less than 7 rounds: those are trials, kept only in a folder of their own.
import { prepare } from '../processes.mjs';

await prepare();
// They import what was just installed and bundled.
const { PARTS } = await import('./parts.mjs');
const { measure } = await import('./measure.mjs');
const { keep, line, writeReport } = await import('./report.mjs');
const { drawChart } = await import('./chart.mjs');

const { env } = process;
const rounds = Number(env.ROUNDS ?? 9);
const sizes = (env.N ?? '100000').split(',').map(Number);
const only = env.ONLY?.split(',') ?? [''];
const isKept = (rounds >= 7 && env.SIMD !== '0') || env.RESULTS !== undefined;
for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS)) {
  const part = PARTS[name];
  for (const n of sizes.filter((size) => !(size > part.most))) {
    for (const [label, workload] of Object.entries(part.workloads)) {
      // What few boxes take is lost in what a process holds.
      if (!only.some((word) => label.startsWith(word)) || (label === 'memory' && n < 10_000)) continue;
      const result = await measure(label, workload, part, n, rounds);
      console.log(line(label, result, n));
      if (isKept) keep(name, n, rounds, label, result);
    }
  }
}
if (isKept) {
  writeReport();
  drawChart();
}
