import { FaultList } from '../model/scene/FaultList.js';
import { Counters } from '../model/scene/Frame.js';
import { loadBatches } from '../model/scene/loadBatches.js';
import { withoutOf } from '../model/scene/withoutOf.js';

/** Acts of all processes together. */
const OPERATIONS = Number(process.env.OPERATIONS ?? 1_000_000);
const SECONDS = Number(process.env.SECONDS ?? 3600);
const FIRST = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Which of how many processes this is: each takes every so many seeds. */
const [SHARE, SHARES] = (process.env.SHARE ?? '0/1').split('/').map(Number);
/** Faults after which there is no point in going on. */
const MOST_FAULTS = Number(process.env.FAULTS ?? 20);

// The index warns of bounds that are no numbers, and three of much else.
console.warn = () => {};
await loadBatches();
const counters = new Counters();
const faults = new FaultList(withoutOf(process.env.WITHOUT), counters);
const start = performance.now();
let seed = FIRST + SHARE;
for (let n = 1; faults.steps < OPERATIONS / SHARES && performance.now() - start < 1000 * SECONDS; n++, seed += SHARES) {
  faults.run(seed);
  // What is kept by weak references is free to go only between tasks.
  await new Promise(setImmediate);
  if (faults.found.size >= MOST_FAULTS) break;
  if (n % 500 === 0) console.log(`seed ${seed}: ${faults.steps} acts, ${faults.found.size} faults`);
}
const rate = Math.round((1000 * faults.steps) / (performance.now() - start - faults.shrinkTime));
console.log(
  [...faults.found.values()].join('\n\n') +
    `\n${faults.steps} acts, ${rate} a second, ${faults.found.size} faults in ${faults.failures} scripts; ` +
    `to go on: SEED=${seed - SHARE} npm run soak scenes\n${JSON.stringify(counters)}`,
);
if (faults.found.size > 0) process.exitCode = 1;
