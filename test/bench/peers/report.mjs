// Keeps results, and makes peers.md of all that are kept.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { libraries, PARTS } from './parts.mjs';
import { FOLDER, isElsewhere, read, readAll, write } from './results.mjs';
import { fastest, isRight, rivals } from './rivals.mjs';
import { time } from './time.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const REPORT = isElsewhere ? `${FOLDER}/peers.md` : path('../peers.md');

export function keep(part, n, rounds, label, result) {
  const command = `${n === undefined ? '' : `N=${n} `}npm run bench:peers -- ${part}`;
  const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}`;
  const before = read(part, n)?.results ?? {};
  // In the order of the workloads, whichever was measured last.
  const results = Object.fromEntries(
    Object.keys(PARTS[part].workloads)
      .map((name) => [name, name === label ? result : before[name]])
      .filter(([, kept]) => kept !== undefined),
  );
  const file = write(part, n, { part, n, command, machine, rounds, results });
  if (!isElsewhere)
    execFileSync('npx', ['biome', 'format', '--write', file], { cwd: path('../../..'), stdio: 'ignore' });
}

export function writeReport() {
  const order = Object.keys(PARTS);
  const kept = readAll().sort((a, b) => order.indexOf(a.part) - order.indexOf(b.part) || a.n - b.n);
  writeFileSync(REPORT, readFileSync(path('intro.md'), 'utf8') + kept.map(section).join(''));
}

function section({ part, n, command, machine, rounds, results }) {
  const title = n === undefined ? part : `${part}, ${n.toLocaleString('en')} boxes`;
  return `\n## ${title}\n\n\`${command}\`, medians of ${rounds} rounds, on ${machine}.\n\n${table(part, results)}`;
}

function table(part, results) {
  const names = libraries(part);
  const { title } = PARTS[part].yardstick;
  const rows = Object.entries(results).map(([label, result]) => {
    const cells = names.map((library) =>
      cell(
        fastest(result, (one) => one.library === library),
        label,
      ),
    );
    return `| ${label} | ${toBestPeer(result)} | ${toYardstick(part, label, result)} | ${cells.join(' | ')} |\n`;
  });
  const head = `| | ours / best peer | ours / ${title} | ${names.join(' | ')} |\n`;
  return `${head}| --- | --- | --- |${' --- |'.repeat(names.length)}\n${rows.join('')}`;
}

/** All contestants of a workload in one line, the fastest first; in brackets the part that went into telling changes. */
export function line(label, result, n) {
  const sorted = Object.entries(result).sort(([, a], [, b]) => a.median - b.median || 0);
  const upkeep = (one) => (one.upkeep === undefined ? '' : ` (${time(one.upkeep)})`);
  return `${n === undefined ? '' : `${n}, `}${label}: ${sorted.map(([name, one]) => `${name} ${cell(one, label)}${upkeep(one)}`).join('; ')}`;
}

function toBestPeer(result) {
  const { us, peer } = rivals(result);
  if (us === undefined || peer === undefined) return '';
  return `**${ratio(us.median, peer.median)}** (${ratio(us.best, peer.best)}) ${us.library} / ${peer.library}`;
}

function toYardstick(part, label, result) {
  const { libraries, within = '' } = PARTS[part].yardstick;
  const { us } = rivals(result);
  const plain = fastest(result, (one) => libraries.includes(one.library) && isRight(one));
  return us === undefined || plain === undefined || !label.match(within) ? '' : ratio(us.median, plain.median);
}

function ratio(a, b) {
  return a > 10 * b ? (a / b).toFixed(0) : (a / b).toPrecision(2);
}

function cell(one, label) {
  if (one === undefined) return '–';
  if (!isRight(one)) return one.fault;
  const value = label.startsWith('memory') ? `${one.median.toFixed(0)} B` : time(one.median);
  return one.fault === 'nearly' ? `${value} ≈` : value;
}
