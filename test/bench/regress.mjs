// Compares the library as it is with what it was at a commit: `npm run bench:regress`, or with `-- bvh cull` the workloads
// whose names hold all these words. BASE=v1.0 names the commit (HEAD~1), N=20000 sets the number of boxes, ROUNDS=7 the
// number of rounds in which both versions take turns. Ends with 1 when something has become worse.
//
// What decides does not hang on the clock where that can be: nodes visited, items tested, bytes kept and allocated, and
// instructions where `perf` can count them. Elsewhere a time is divided by that of a linear scan in the same process, the
// best of all rounds of each.
import { fork, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildVersions } from './regress/buildVersions.mjs';
import { workloads } from './regress/workloads.mjs';

/** By how much a figure may grow: counts, and what is not the same in each run. */
const COUNT_LIMIT = Number(process.env.COUNT_LIMIT ?? 1.05);
const TIME_LIMIT = Number(process.env.TIME_LIMIT ?? 1.25);
const N = Number(process.env.N ?? 20_000);
const ROUNDS = Number(process.env.ROUNDS ?? 7);
/** How many times as many rounds a time gets that has become worse. */
const PATIENCE = 4;
/** Microseconds of calls whose instructions are counted. */
const COUNTED = 500_000;
const EVENT = process.env.EVENT ?? 'instructions:u';

/** A time, in linear scans of all boxes. */
const TIME = 'time in scans';
const ALLOCATED = 'bytes allocated a call';
const ROUGH = [TIME, ALLOCATED];
/** An object more now and then is none in each call. */
const SLACK = { [ALLOCATED]: 24 };
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const words = process.argv.slice(2);
const { commit, tools, ...files } = await buildVersions(process.env.BASE ?? 'HEAD~1');
const names = Object.keys(workloads({}, await import(tools), N)).filter((name) => words.every((w) => name.includes(w)));
const countsInstructions = counted(['true']) !== null;
const players = Object.fromEntries(Object.entries(files).map(([version, file]) => [version, start(file)]));

console.log(`${commit} against the working tree, ${N} boxes, ${ROUNDS} rounds, Node ${process.version}.\n`);
console.log('| | figure | base | now | ratio | |\n| --- | --- | --- | --- | --- | --- |');
let same = 0;
let worse = 0;
let missing = 0;
for (const name of names) {
  const [base, now] = await figures(name);
  for (const [figure, after] of Object.entries(now)) {
    const before = base[figure];
    if (before === undefined) {
      missing++;
      continue;
    }
    if (before === after) {
      same++;
      continue;
    }
    const isWorse = after > (ROUGH.includes(figure) ? TIME_LIMIT : COUNT_LIMIT) * before + (SLACK[figure] ?? 0);
    if (isWorse) worse++;
    const ratio = before === 0 ? '' : (after / before).toFixed(3);
    console.log(`| ${[name, figure, show(before), show(after), ratio, isWorse ? '**worse**' : ''].join(' | ')} |`);
  }
}
for (const { child } of Object.values(players)) child.kill();
console.log(`\n${same} figures are the same, ${worse} are worse.`);
if (missing > 0) console.log(`${missing} figures are not known of the base.`);
process.exitCode = worse > 0 ? 1 : 0;

/** Of base and now, by their names; none where a version cannot do the workload. */
async function figures(name) {
  const both = [players.base, players.now];
  const results = [];
  for (const player of both) results.push(await (name.endsWith('build') ? alone : asked)(player, [name, 'counts']));
  if (results[1].error !== undefined) throw new Error(`${name}: ${results[1].error}`);
  if (results[0].error !== undefined) return [{}, results[1]];
  if (countsInstructions) {
    const { time } = await players.now.ask([name, 'times']);
    const calls = Math.max(10, Math.ceil(COUNTED / time));
    for (const [i, { file }] of both.entries()) results[i]['instructions a call'] = instructions(file, name, calls);
    return results;
  }
  const best = both.map(() => ({ time: Number.POSITIVE_INFINITY, scan: Number.POSITIVE_INFINITY }));
  const ratio = (i) => best[i].time / best[i].scan;
  const isSlow = () => ratio(1) > TIME_LIMIT * ratio(0);
  // What seems slow has more time to prove the contrary.
  for (let round = 0; round < ROUNDS || (round < PATIENCE * ROUNDS && isSlow()); round++) {
    for (const [i, player] of both.entries()) {
      const { time, scan } = await player.ask([name, 'times']);
      best[i] = { time: Math.min(time, best[i].time), scan: Math.min(scan, best[i].scan) };
    }
  }
  return results.map((counts, i) => ({ ...counts, [TIME]: ratio(i) }));
}

function asked(player, message) {
  return player.ask(message);
}

/** Asks in a process of its own, where nothing else lies in memory. */
async function alone({ file }, message) {
  const player = start(file);
  const answer = await player.ask(message);
  player.child.kill();
  return answer;
}

function start(file) {
  const child = fork(path('regress/contestant.mjs'), [file, tools, String(N)], {
    // A nursery that holds a sample: nothing is collected while allocations are counted.
    execArgv: ['--expose-gc', '--max-semi-space-size=128', '--min-semi-space-size=128'],
  });
  const ask = (message) =>
    new Promise((resolve, reject) => {
      const fail = (code) => reject(new Error(`${file} died with ${code} in ${message.join(', ')}`));
      child.once('exit', fail);
      child.once('message', (answer) => {
        child.off('exit', fail);
        resolve(answer);
      });
      child.send(message);
    });
  return { child, file, ask };
}

/** The difference of a long run and a short one: what start and compilation take is in both. */
function instructions(file, name, calls) {
  const run = (number) =>
    counted([process.execPath, path('regress/contestant.mjs'), file, tools, String(N), name, String(number)]);
  return Math.round((run(2 * calls) - run(calls)) / calls);
}

/** What perf counts of a command; null where it cannot. */
function counted([command, ...args]) {
  const { stderr, status } = spawnSync('perf', ['stat', '-x,', '-e', EVENT, '--', command, ...args], {
    encoding: 'utf8',
  });
  const count = Number.parseFloat(stderr?.split('\n').find((line) => line.includes(EVENT)) ?? '');
  return status === 0 && Number.isFinite(count) ? count : null;
}

function show(figure) {
  return Number.isInteger(figure) ? String(figure) : figure.toPrecision(4);
}
