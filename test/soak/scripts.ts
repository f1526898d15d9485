import { VARIANTS } from '../helpers/variants.js';
import { runScripts } from '../model/runScripts.js';
import { seedsFrom } from '../model/seedsFrom.js';

/** For each structure, in all its variants. */
const OPERATIONS = Number(process.env.OPERATIONS ?? 10_000_000);
const SECONDS = Number(process.env.SECONDS ?? 3600);
const FIRST = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const { STRUCTURE, VARIANT } = process.env;
/** Seeds from one line of the log to the next. */
const LINE = 100;

const variants = VARIANTS.filter(({ name, label }) => name === (STRUCTURE ?? name) && label === (VARIANT ?? label));
const done = new Map<string, number>(variants.map(({ name }) => [name, 0]));
const start = performance.now();

try {
  for (const seed of seedsFrom(FIRST)) {
    const waiting = variants.filter(({ name }) => (done.get(name) as number) < OPERATIONS);
    const seconds = (performance.now() - start) / 1000;
    const isOver = waiting.length === 0 || seconds > SECONDS;
    if (isOver || (seed - FIRST) % LINE === 0) {
      const counts = [...done].map(([name, count]) => `${name} ${count}`).join(', ');
      const total = [...done.values()].reduce((sum, count) => sum + count, 0);
      // Of the processor, as others may work on the machine.
      const rate = Math.round(total / (process.cpuUsage().user / 1e6));
      console.log(`seed ${seed}: ${counts} edits, ${rate} for each second of the processor`);
    }
    if (isOver) {
      console.log(
        `${waiting.length === 0 ? 'All is done' : 'Time is up'}; to go on: SEED=${seed} npm run soak scripts`,
      );
      break;
    }
    for (const { label, name } of waiting) {
      done.set(name, (done.get(name) as number) + runScripts(label, [seed], Number.POSITIVE_INFINITY, true));
    }
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
