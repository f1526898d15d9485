// Compares the library as it is with what it was at a commit: `npm run bench:regress`, or with `-- bvh cull` the workloads
// whose names hold all these words. BASE=v1.0 names the commit (HEAD~1), N=20000 sets the number of boxes, ROUNDS=7 the
// number of rounds in which both versions take turns. Ends with 1 when something has become worse.
//
// What decides does not hang on the clock where that can be: nodes visited, items tested, bytes kept and allocated. Elsewhere
// a time is divided by that of a linear scan in the same process, the best of all rounds of each.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { bundle, ROOT, start } from './processes.mjs';
import { workloads } from './regress/workloads.mjs';

/** By how much a figure may grow: counts, and what is not the same in each run. */
const COUNT_LIMIT = Number(process.env.COUNT_LIMIT ?? 1.05);
const TIME_LIMIT = Number(process.env.TIME_LIMIT ?? 1.25);
const N = Number(process.env.N ?? 20_000);
const ROUNDS = Number(process.env.ROUNDS ?? 7);
/** How many times as many rounds a time gets that has become worse. */
const PATIENCE = 4;

/** A time, in linear scans of all boxes. */
const TIME = 'time in scans';
const ALLOCATED = 'bytes allocated a call';
const ROUGH = [TIME, ALLOCATED];
/** An object more now and then is none in each call. */
const SLACK = { [ALLOCATED]: 24 };
const CONTESTANT = `${ROOT}test/bench/regress/contestant.mjs`;
const FOLDER = 'node_modules/.cache/regress';
// A nursery that holds a sample: nothing is collected while allocations are counted.
const EXEC = { execArgv: ['--expose-gc', '--max-semi-space-size=128', '--min-semi-space-size=128'] };

const words = process.argv.slice(2);
const git = (...args) => execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 28 });
const commit = String(git('rev-parse', '--short', `${process.env.BASE ?? 'HEAD~1'}^{commit}`)).trim();
const tools = await bundle('test/bench/library.ts', FOLDER, 'now');
const players = [await bundleCommit(), tools].map((file) => ({ file, ...open(file) }));
const names = Object.keys(workloads({}, await import(tools), N)).filter((name) => words.every((w) => name.includes(w)));

console.log(`${commit} against the working tree, ${N} boxes, ${ROUNDS} rounds, Node ${process.version}.\n`);
console.log('| | figure | base | now | ratio | |\n| --- | --- | --- | --- | --- | --- |');
const sums = { same: 0, worse: 0, missing: 0 };
for (const name of names) {
  const [base, now] = await figures(name);
  for (const [figure, after] of Object.entries(now)) {
    const before = base[figure];
    if (before === undefined) sums.missing++;
    else if (before === after) sums.same++;
    else {
      const isWorse = after > (ROUGH.includes(figure) ? TIME_LIMIT : COUNT_LIMIT) * before + (SLACK[figure] ?? 0);
      if (isWorse) sums.worse++;
      const ratio = before === 0 ? '' : (after / before).toFixed(3);
      console.log(`| ${[name, figure, show(before), show(after), ratio, isWorse ? '**worse**' : ''].join(' | ')} |`);
    }
  }
}
for (const { child } of players) child.kill();
console.log(`\n${sums.same} figures are the same, ${sums.worse} are worse.`);
if (sums.missing > 0) console.log(`${sums.missing} figures are not known of the base.`);
process.exitCode = sums.worse > 0 ? 1 : 0;

/** Of base and now, by their names; none where a version cannot do the workload. */
async function figures(name) {
  const results = [];
  for (const { file, ask } of players) {
    // In a process of its own, where nothing else lies in memory.
    const alone = name.endsWith('build') ? open(file) : null;
    results.push(await (alone?.ask ?? ask)([name, 'counts']));
    alone?.child.kill();
  }
  if (results[1].error !== undefined) throw new Error(`${name}: ${results[1].error}`);
  if (results[0].error !== undefined) return [{}, results[1]];
  const best = players.map(() => ({ time: Number.POSITIVE_INFINITY, scan: Number.POSITIVE_INFINITY }));
  const ratio = (i) => best[i].time / best[i].scan;
  const isSlow = () => ratio(1) > TIME_LIMIT * ratio(0);
  // What seems slow has more time to prove the contrary.
  for (let round = 0; round < ROUNDS || (round < PATIENCE * ROUNDS && isSlow()); round++) {
    for (const [i, player] of players.entries()) {
      const { time, scan } = await player.ask([name, 'times']);
      best[i] = { time: Math.min(time, best[i].time), scan: Math.min(scan, best[i].scan) };
    }
  }
  return results.map((counts, i) => ({ ...counts, [TIME]: ratio(i) }));
}

function open(file) {
  const died = (code) => {
    throw new Error(`${file} died with ${code}`);
  };
  return start(CONTESTANT, [file, tools, String(N)], died, EXEC);
}

/** Within node_modules, so that the sources of the commit find three where those of today do. */
async function bundleCommit() {
  const folder = `${ROOT}${FOLDER}/${commit}`;
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(`${folder}/sources.tar`, git('archive', '--format=tar', commit, 'src', 'tsconfig.json'));
    execFileSync('tar', ['-xf', `${folder}/sources.tar`, '-C', folder]);
    return await bundle(`${folder}/src/index.ts`, FOLDER, 'base');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function show(figure) {
  return Number.isInteger(figure) ? String(figure) : figure.toPrecision(4);
}
