// Takes away one guard of occlusion at a time, of the list in guards.mjs, and sees whether the test that is named there
// notices. `npm run mutate:guards`, with FILES (part of a path) or GUARD (parts of names, with commas between) for some of them.
import { readFileSync } from 'node:fs';
import { compile, KERNELS, moduleOf } from '../../src/wasm/build.mjs';
import { GUARDS } from './guards.mjs';
import { runTests } from './runTests.mjs';
import { Sandbox } from './Sandbox.mjs';

const { FILES = '', GUARD = '' } = process.env;
/** Milliseconds without a finished test after which one counts as endless. */
const PATIENCE = Number(process.env.PATIENCE ?? 120_000);
const ASSEMBLY = 'src/wasm/assembly/';

const some = GUARDS.filter(
  ({ file, name }) => file.includes(FILES) && GUARD.split(',').some((part) => name.includes(part)),
);
const tests = [...new Set(some.map(({ test }) => test))];
const sandbox = await Sandbox.create(['src/', 'test/helpers/', ...tests]);
process.on('exit', () => sandbox.remove());
const healthy = await runTests(sandbox, tests, PATIENCE);
if (healthy.verdict !== 'survived') {
  console.error(`Without any change: ${healthy.verdict}, ${healthy.by}`);
  process.exit(1);
}
let lived = 0;
for (const { name, file, from, to, test } of some) {
  const source = readFileSync(file, 'utf8');
  const parts = source.split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places of ${from}`);
  const changed = await modulesOf(file, parts.join(to));
  for (const [path, text] of changed) await sandbox.put(path, text);
  const { verdict, by = '' } = await runTests(sandbox, [test], PATIENCE);
  for (const [path] of changed) await sandbox.restore(path);
  if (verdict !== 'killed') lived++;
  console.log(`${verdict === 'killed' ? 'found' : verdict}: ${name} (${file})\n  ${by.slice(0, 160)}`);
}
console.log(`${some.length - lived} of ${some.length} guards are missed by their test when they are gone`);
if (lived > 0) process.exitCode = 1;

/** What a source becomes when it has another text: itself, or the kernels that are compiled from it. */
async function modulesOf(file, text) {
  if (!file.startsWith(ASSEMBLY)) return [[file, text]];
  // Files of packed rows are part of other kernels, too.
  const only = file.startsWith(`${ASSEMBLY}occlusion`) ? ['occlusion'] : KERNELS;
  const kernels = await compile({ only, sources: { [file]: text } });
  return Object.entries(kernels).map(([name, hex]) => [`src/wasm/${name}Kernel.ts`, moduleOf(name, hex)]);
}
