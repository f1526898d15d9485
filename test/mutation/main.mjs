// Mutation testing of all that lies below scenes: changes one small thing of the source at a time, and sees whether a test
// notices. `npm run mutate`, with COUNT mutants (default 200) by SEED out of all, or only those of FILES (part of a path);
// JOBS at a time (default: one a core), for at most so many SECONDS; VERBOSE lists those that are killed as well.
//
// A mutant is killed when a test fails, and left alone when none does. One that does not come to an end says nothing about
// the tests: it is counted by itself. Tests run without vitest, see worker.mjs: a mutant takes seconds.
import { availableParallelism } from 'node:os';
import { mutantsOf } from './mutantsOf.mjs';
import { runTests } from './runTests.mjs';
import { Sandbox } from './Sandbox.mjs';
import { reasonOf, staleSurvivors } from './survivors.mjs';

const COUNT = Number(process.env.COUNT ?? 200);
const SEED = Number(process.env.SEED ?? 1);
const FILES = process.env.FILES ?? '';
const SECONDS = Number(process.env.SECONDS ?? Number.POSITIVE_INFINITY);
/** Milliseconds without a finished test after which a mutant counts as endless. */
const PATIENCE = Number(process.env.PATIENCE ?? 20_000);
/** Mutants that are tried at the same time. */
const JOBS = Number(process.env.JOBS ?? availableParallelism());
const FOLDERS = ['core', 'wasm', 'contract', 'packed', 'trees', 'pairs', 'structures'].map((room) => `src/${room}/`);
const CANARY = 'test/mutation/canary.ts';

/** Tests, cheapest per killed mutant first, and the sources they are about: parts of paths, any of which is enough. */
const TESTS = [
  ['test/mutation/canaryChecks.ts', 'canary'],
  ['test/packed/kernelMemory.test.ts', 'Simd Kernel'],
  ['test/structures/idList.test.ts', 'core/arrays core/ids'],
  ['test/packed/distribute.test.ts', 'PackedItems'],
  ['test/trees/nodes.test.ts', 'Nodes trees/Rows TreeStructure trees/cells Index CellLayout stats forEachNode'],
  ['test/core/shapes/longDirections.test.ts', 'shapes/Ray'],
  ['test/contract/hostileCallbacks.test.ts', 'core/box core/shapes Index'],
  ['test/core/readOptions.test.ts', 'options'],
  ['test/packed/hilbertCurve.test.ts', 'HilbertCurve'],
  ['test/packed/anywhere.test.ts', 'src/packed'],
  ['test/packed/shape.test.ts', 'src/packed'],
  ['test/core/shapes/planes.test.ts', 'Planes overlap'],
  ['test/mutation/quickChecks.ts', 'src/'],
  ['test/determinism/digests.test.ts', 'src/'],
  ['test/trees/placement.test.ts', 'octree grid cells'],
  ['test/contract/badArguments.test.ts', 'src/'],
  ['test/structures/options.test.ts', 'options createIndex'],
  ['test/contract/badArguments.any.test.ts', 'Index core/shapes core/options core/box core/ids pairs IdPairs'],
  ['test/contract/translate.test.ts', 'BoxIndex Packed.ts core/box'],
  ['test/repro/scripts.test.ts', 'octree cells grid'],
  ['test/core/shapes/shapes.test.ts', 'core/box core/shapes'],
  ['test/trees/bvh/bvh.test.ts', 'bvh trees/packRows trees/MortonOrder trees/Nodes trees/Rows trees/Tree'],
  ['test/trees/grid/grid.test.ts', 'grid trees/packRows trees/MortonOrder trees/Nodes trees/Rows trees/Tree BoxIndex'],
  ['test/trees/validate.test.ts', 'src/'],
  ['test/trees/maintain.test.ts', 'trees maintain stats core/options'],
  ['test/packed/pairs.test.ts', 'pairs IdPairs'],
  ['test/packed/kernels.test.ts', 'packed trees core/shapes'],
].map(([test, about]) => [test, about.split(' ')]);

const FILES_OF_SANDBOX = [
  'src/',
  'test/helpers/',
  'test/model/',
  'test/mutation/',
  'test/determinism/',
  ...TESTS.map(([test]) => test),
];
const sandboxes = await Promise.all(Array.from({ length: JOBS }, () => Sandbox.create(FILES_OF_SANDBOX)));
process.on('exit', () => {
  for (const sandbox of sandboxes) sandbox.remove();
});

const guarded = sandboxes[0].sources.filter((file) => file === CANARY || FOLDERS.some((room) => file.startsWith(room)));
const idle = TESTS.flatMap(([test, about]) =>
  about.filter((part) => !guarded.some((file) => file.includes(part))).map((part) => `${test} is about ${part}`),
);
if (idle.length + staleSurvivors().length > 0) {
  console.error(`No source has what is named here:\n${[...idle, ...staleSurvivors()].join('\n')}`);
  process.exit(1);
}

const healthy = await runTests(sandboxes[0], [...new Set(TESTS.map(([test]) => test))], PATIENCE);
if (healthy.verdict !== 'survived') {
  console.error(`Without any change: ${healthy.verdict}, ${healthy.by}`);
  process.exit(1);
}
for (const mutant of mutantsOf(CANARY)) {
  const { verdict } = await tryMutant(sandboxes[0], mutant);
  if (verdict === 'killed') continue;
  console.error(`The canary lives, so nothing can be believed: ${describe(mutant)}`);
  process.exit(1);
}

const all = guarded.filter((file) => file !== CANARY).flatMap(mutantsOf);
const sample = shuffled(all.filter(({ file }) => file.includes(FILES))).slice(0, COUNT);
console.log(`${sample.length} of ${all.length} mutants, SEED=${SEED}`);
const tally = { killed: 0, survived: 0, known: 0, endless: 0 };
const end = performance.now() + 1000 * SECONDS;
const rest = sample.values();
await Promise.all(
  sandboxes.map(async (sandbox) => {
    for (const mutant of rest) {
      if (performance.now() > end) return;
      count(mutant, await tryMutant(sandbox, mutant));
    }
  }),
);
const { killed, survived, known, endless } = tally;
console.log(
  `${killed} killed, ${survived} survived, ${known} more are known to, with the reasons in survivors.mjs, ${endless} endless`,
);
const share = (of) => ((100 * killed) / of).toFixed(1);
console.log(
  `${share(killed + survived + known)} % killed, ${share(killed + survived)} % of those that are not known to live`,
);

function count(mutant, { verdict, by }) {
  const reason = verdict === 'survived' && reasonOf(mutant);
  tally[reason ? 'known' : verdict]++;
  if (verdict === 'killed' && !process.env.VERBOSE) return;
  const details = [reason && `as ${reason}`, by].filter(Boolean).map((text) => `\n  ${text}`);
  console.log(`${reason ? 'known' : verdict}: ${describe(mutant)}${details.join('')}`);
}

function describe({ file, line, text, change }) {
  return `${file}:${line}: ${change}\n  ${text}`;
}

async function tryMutant(sandbox, mutant) {
  await sandbox.put(mutant.file, mutant.source);
  try {
    return await runTests(
      sandbox,
      TESTS.filter(([, about]) => about.some((part) => mutant.file.includes(part))).map(([test]) => test),
      PATIENCE,
    );
  } finally {
    await sandbox.restore(mutant.file);
  }
}

/** In an order that depends on the seed alone: mulberry32. */
function shuffled(list) {
  let a = SEED >>> 0;
  const next = () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return list
    .map((item) => [next(), item])
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
