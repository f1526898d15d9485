// Compares the library as it is with what it was at a commit: `npm run bench:regress`, or with `-- bvh cull` the workloads
// whose names hold all these words. BASE=v1.0 names the commit (HEAD~1), N=20000 sets the number of boxes, ROUNDS=7 the
// number of rounds in which both versions take turns. Ends with 1 when something has become worse.
//
// What decides does not hang on the clock where that can be: nodes visited, items tested, bytes kept. Elsewhere the best rounds
// of both are compared, and their answers always are. Frames of models are compared by their ratios to three alone.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { askAlone, openBrowser } from './browser/openBrowser.mjs';
import { row, table } from './figures.mjs';
import { BESIDE_PEERS, bundle, prepare, ROOT } from './processes.mjs';

/** By how much a figure may grow: counts, and what is not the same in each run. */
const COUNT_LIMIT = Number(process.env.COUNT_LIMIT ?? 1.05);
const TIME_LIMIT = Number(process.env.TIME_LIMIT ?? 1.25);
const N = Number(process.env.N ?? 20_000);
const ROUNDS = Number(process.env.ROUNDS ?? 7);
/** How many times as many rounds a time gets that has become worse. */
const PATIENCE = 4;
const TIME = 'microseconds';
const RATIOS = ['batch to three', 'static besides to three'];
/** A heap is never quite the same. */
const SLACK = { 'bytes an item': 4 };
/** What takes the same paths as another workload is not asked. */
const SPARED = /^(cull (?!10 %)|large|move 10 %)/;

const words = process.argv.slice(2);
const isWanted = (name) => words.every((word) => name.includes(word));
const git = (...args) => execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 28 });
const commit = String(git('rev-parse', '--short', `${process.env.BASE ?? 'HEAD~1'}^{commit}`)).trim();
const now = await prepare();
/** The base is the judge of what both answer. */
const files = { base: await bundleCommit(), now };
// They import what was just installed and bundled.
const { PARTS, TREES } = await import('./peers/parts.mjs');
const { measure } = await import('./peers/measure.mjs');
const { isRight } = await import('./peers/results.mjs');

console.log(`${commit} against the working tree, ${N} boxes, ${ROUNDS} rounds, Node ${process.version}.\n`);
console.log(table(['workload', 'figure', 'base', 'now', 'ratio', 'verdict'], []));
const sums = { same: 0, worse: 0, missing: 0 };
for (const workload of workloads()) compare(workload.name, await figures(workload));
if (words.length === 0 || words.includes('model')) await compareModels();
console.log(`\n${sums.same} figures are the same, ${sums.worse} are worse.`);
if (sums.missing > 0) console.log(`${sums.missing} figures are not known of the base.`);
process.exitCode = sums.worse > 0 ? 1 : 0;

/** Prints the figures that differ, and counts all. */
function compare(name, [base, now]) {
  for (const [figure, after] of Object.entries(now)) {
    const before = base[figure];
    if (before === after) sums.same++;
    else if (before === undefined && Number.isFinite(after)) sums.missing++;
    else {
      const limit = ([TIME, ...RATIOS].includes(figure) ? TIME_LIMIT : COUNT_LIMIT) * before + (SLACK[figure] ?? 0);
      const isWorse = !(after <= limit);
      if (isWorse) sums.worse++;
      const cells = [before, after].map((value) => value?.toPrecision(4) ?? '');
      console.log(row([name, figure, ...cells, (after / before).toFixed(3), isWorse ? '**worse**' : '']));
    }
  }
}

/** Those of the comparison with other libraries, for each of our structures and for an index of a scene. */
function workloads() {
  const structures = [...TREES, 'bruteForce'].map((structure) => ['ours', structure, {}]);
  const parts = { uniform: structures, city: structures, loading: [['scene', 'ours', true]] };
  const all = Object.entries(parts).flatMap(([world, contestants]) =>
    contestants.flatMap(([file, ...options]) =>
      Object.keys(PARTS[world].workloads).map((label) => {
        return { name: `${world}, ${options[0]}, ${label}`, label, part: PARTS[world], file, options };
      }),
    ),
  );
  return all.filter(({ name, label }) => !SPARED.test(label) && isWanted(name));
}

/** Frames of models in a headless Chromium, of base and now by turns, each in a page of its own beside three alone. */
async function compareModels() {
  const browsers = [await openBrowser(files.base), await openBrowser(files.now)];
  const rows = await askAlone(browsers[1].open, 'rows', N);
  for (const [i, { label, isModel }] of rows.entries()) {
    if (!isModel || !isWanted(label)) continue;
    const ask = async (rounds) => {
      const all = [];
      for (const { open } of browsers) {
        const { times } = await askAlone(open, 'measure', N, i, rounds);
        const [three, ...others] = times.map((turns) => Math.min(...turns));
        all.push(Object.fromEntries(RATIOS.map((figure, side) => [figure, others[side] / three])));
      }
      return all;
    };
    const first = await ask(ROUNDS);
    const isSlow = RATIOS.some((figure) => first[1][figure] > TIME_LIMIT * first[0][figure]);
    compare(label, isSlow ? await ask(PATIENCE * ROUNDS) : first);
  }
  for (const { close } of browsers) await close();
}

/** Of base and now, by their names; none of a version that cannot do the workload. */
async function figures({ label, part, file, options }) {
  const workload = part.workloads[label];
  const contestants = Object.entries(files).map(([library, from]) => ({ library, file, options: [...options, from] }));
  const ask = (rounds) => measure(label, workload, { ...part, contestants }, N, rounds, true);
  let { base, now } = await ask(ROUNDS);
  // What seems slow has more time to prove the contrary.
  if (now.best > TIME_LIMIT * base?.best) ({ base, now } = await ask(PATIENCE * ROUNDS));
  const measured = label.startsWith('memory') ? 'bytes an item' : TIME;
  const of = (one) => (one?.best === undefined ? {} : { ...one.counts, [measured]: one.best });
  return [of(base), isRight(now) ? of(now) : { [now.fault]: Number.POSITIVE_INFINITY }];
}

/** Within node_modules, so that the sources of the commit find three where those of today do. */
async function bundleCommit() {
  const folder = `${BESIDE_PEERS}/${commit}`;
  mkdirSync(ROOT + folder, { recursive: true });
  try {
    writeFileSync(`${ROOT}${folder}/sources.tar`, git('archive', '--format=tar', commit, 'src', 'tsconfig.json'));
    execFileSync('tar', ['-xf', 'sources.tar'], { cwd: ROOT + folder });
    return await bundle(`${folder}/src/index.ts`, BESIDE_PEERS, 'base');
  } finally {
    rmSync(ROOT + folder, { recursive: true, force: true });
  }
}
