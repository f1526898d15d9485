// Keeps results as JSON, a file for each part and number of boxes, and makes peers.md of all files there are.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { libraries, PARTS } from './parts.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const RESULTS = path('../results/');

export function keep(part, n, rounds, label, result) {
  const command = `${n === undefined ? '' : `N=${n} `}npm run bench:peers -- ${part}`;
  const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}`;
  const file = `${RESULTS}${part}${n === undefined ? '' : `-${n}`}.json`;
  mkdirSync(RESULTS, { recursive: true });
  const before = existsSync(file) ? read(file).results : {};
  // In the order of the workloads, whichever was measured last.
  const results = Object.fromEntries(
    Object.keys(PARTS[part].workloads)
      .map((name) => [name, name === label ? result : before[name]])
      .filter(([, kept]) => kept !== undefined),
  );
  writeFileSync(file, JSON.stringify({ part, n, command, machine, rounds, results }, null, 2));
  execFileSync('npx', ['biome', 'format', '--write', file], { cwd: path('../../..'), stdio: 'ignore' });
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

export function writeReport() {
  const kept = readdirSync(RESULTS).map((file) => read(RESULTS + file));
  const order = Object.keys(PARTS);
  kept.sort((a, b) => order.indexOf(a.part) - order.indexOf(b.part) || a.n - b.n);
  writeFileSync(path('../peers.md'), readFileSync(path('intro.md'), 'utf8') + kept.map(section).join(''));
}

function section({ part, n, command, machine, rounds, results }) {
  const title = n === undefined ? part : `${part}, ${n} boxes`;
  return `\n## ${title}\n\n\`${command}\`, medians of ${rounds} rounds, on ${machine}.\n\n${table(part, results)}`;
}

export function table(part, results) {
  const names = libraries(part);
  const rows = Object.entries(results).map(([label, result]) => {
    const cells = names.map((library) =>
      cell(
        fastest(result, (one) => one.library === library),
        label,
      ),
    );
    return `| ${label} | ${ratio(result)} | ${cells.join(' | ')} |\n`;
  });
  return `| | ours / best peer | ${names.join(' | ')} |\n| --- | --- |${' --- |'.repeat(names.length)}\n${rows.join('')}`;
}

/** All contestants of a workload in one line, the fastest first; in brackets the part that went into telling changes. */
export function line(label, result) {
  const sorted = Object.entries(result).sort(([, a], [, b]) => a.median - b.median || 0);
  const upkeep = (one) => (one.upkeep === undefined ? '' : ` (${time(one.upkeep)})`);
  return `${label}: ${sorted.map(([name, one]) => `${name} ${cell(one, label)}${upkeep(one)}`).join('; ')}`;
}

/** The fastest of those that a condition holds for and that are right. */
function fastest(result, holds) {
  const some = Object.values(result).filter((one) => holds(one));
  const right = some.filter(({ fault }) => fault !== 'wrong').sort((a, b) => a.median - b.median);
  return right[0] ?? some[0];
}

/** The judge is neither one of ours nor a peer. */
function ratio(result) {
  const [judge] = Object.values(result);
  const us = fastest(result, ({ isOurs }) => isOurs);
  const peer = fastest(result, (one) => !one.isOurs && one !== judge && one.fault !== 'wrong');
  if (us === undefined || peer === undefined) return '';
  const byBest = (us.best / peer.best).toPrecision(2);
  return `**${(us.median / peer.median).toPrecision(2)}** (${byBest}) ${us.library} / ${peer.library}`;
}

function cell(one, label) {
  if (one === undefined) return '–';
  if (one.fault === 'wrong') return 'wrong';
  const value = label === 'memory' ? `${one.median.toFixed(0)} B` : time(one.median);
  return one.fault === 'nearly' ? `${value} ≈` : value;
}

function time(microseconds) {
  if (microseconds >= 1e6) return `${(microseconds / 1e6).toPrecision(3)} s`;
  if (microseconds >= 1000) return `${(microseconds / 1000).toPrecision(3)} ms`;
  return microseconds >= 1 ? `${microseconds.toPrecision(3)} µs` : `${(microseconds * 1000).toFixed(0)} ns`;
}
