// Keeps results, and makes peers.md of all that are kept.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MACHINE, table, time } from '../figures.mjs';
import { ROOT } from '../processes.mjs';
import { libraries, PARTS } from './parts.mjs';
import { FOLDER, fastest, isElsewhere, isRight, read, readAll, rivals, write } from './results.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const REPORT = isElsewhere ? `${FOLDER}/peers.md` : path('../peers.md');

export function keep(part, n, rounds, label, result) {
  const command = `N=${n} npm run bench:peers -- ${part}`;
  const before = read(part, n)?.results ?? {};
  // In the order of the workloads, whichever was measured last.
  const results = Object.fromEntries(
    Object.keys(PARTS[part].workloads)
      .map((name) => [name, name === label ? result : before[name]])
      .filter(([, kept]) => kept !== undefined),
  );
  const file = write(part, n, { part, n, command, machine: MACHINE, rounds, results });
  if (!isElsewhere) execFileSync('npx', ['biome', 'format', '--write', file], { cwd: ROOT, stdio: 'ignore' });
}

export function writeReport() {
  const order = Object.keys(PARTS);
  const kept = readAll().sort((a, b) => order.indexOf(a.part) - order.indexOf(b.part) || a.n - b.n);
  writeFileSync(REPORT, readFileSync(path('intro.md'), 'utf8') + kept.map(section).join(''));
}

function section({ part, n, command, machine, rounds, results }) {
  const names = libraries(part);
  const head = ['workload', 'ours / best peer', `ours / ${names[0]}`, ...names];
  const rows = Object.entries(results).map(([label, result]) => {
    const cells = names.map((name) =>
      cell(
        fastest(result, ({ library }) => library === name),
        label,
      ),
    );
    return [label, toBestPeer(result), toJudge(result, names[0]), ...cells];
  });
  return `\n## ${part}, ${n.toLocaleString('en')} boxes\n\n\`${command}\`, medians of ${rounds} rounds, on ${machine}.\n\n${table(head, rows)}\n`;
}

/** All contestants of a workload in one line, the fastest first. */
export function line(label, result, n) {
  const sorted = Object.entries(result).sort(([, a], [, b]) => a.median - b.median || 0);
  return `${n}, ${label}: ${sorted.map(([name, one]) => `${name} ${cell(one, label)}`).join('; ')}`;
}

function toBestPeer(result) {
  const { us, peer } = rivals(result);
  if (us === undefined || peer === undefined) return '';
  return `**${ratio(us.median, peer.median)}** (${ratio(us.best, peer.best)}) ${us.library} / ${peer.library}`;
}

/** What besides the best peer ours are compared with: the judge. */
function toJudge(result, judge) {
  const { us } = rivals(result);
  const plain = fastest(result, ({ library }) => library === judge);
  return us === undefined || plain === undefined ? '' : ratio(us.median, plain.median);
}

const ratio = (a, b) => (a > 10 * b ? (a / b).toFixed(0) : (a / b).toPrecision(2));

function cell(one, label) {
  if (one === undefined) return '–';
  if (!isRight(one)) return one.fault;
  const value = label.startsWith('memory') ? `${one.median.toFixed(0)} B` : time(one.median);
  return one.fault === 'nearly' ? `${value} ≈` : value;
}
