import { VARIANTS } from '../helpers/variants.js';
import { runScripts } from '../model/runScripts.js';
import { seedsFrom } from '../model/seedsFrom.js';

/** For each structure, in all its variants. */
const OPERATIONS = Number(process.env.OPERATIONS ?? 10_000_000);
const SECONDS = Number(process.env.SECONDS ?? 3600);
const FIRST = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

const variants = VARIANTS.filter(({ label }) => label === (process.env.STRUCTURE ?? label));
const done = new Map<string, number>(variants.map(({ name }) => [name, 0]));
const end = performance.now() + 1000 * SECONDS;

try {
  for (const seed of seedsFrom(FIRST)) {
    const waiting = variants.filter(({ name }) => (done.get(name) as number) < OPERATIONS);
    if (waiting.length === 0 || performance.now() > end) {
      console.log(
        `${waiting.length === 0 ? 'All is done' : 'Time is up'}; to go on: SEED=${seed} npm run soak scripts`,
      );
      break;
    }
    for (const { label, name } of waiting) {
      done.set(name, (done.get(name) as number) + runScripts(label, [seed], Number.POSITIVE_INFINITY));
    }
    console.log(`seed ${seed}: ${[...done].map(([name, count]) => `${name} ${count}`).join(', ')}`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
