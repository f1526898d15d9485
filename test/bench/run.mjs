// Bundles the benchmarks with vite, runs each in a Node of its own, prints their tables and keeps them in results.md.
// `node test/bench/run.mjs scene` (or motion, interest, occlusion) runs that part and keeps nothing.
import { keep, MACHINE } from './figures.mjs';
import { bundle, run } from './processes.mjs';

const PARTS = ['motion', 'scene', 'interest', 'occlusion'];

const wanted = process.argv.slice(2);
let text = '';
for (const part of wanted.length > 0 ? wanted : PARTS) {
  const tables = run(await bundle(`test/bench/${part}.ts`, 'node_modules/.cache/bench', part));
  process.stdout.write(tables);
  text += tables;
}
if (wanted.length === 0) {
  keep(
    'results.md',
    `# Results\n\nMade by \`npm run bench\` on ${MACHINE}. Only ratios mean something: in each process all that is compared takes turns. Medians are shown: the machine is shared, and the medians of two runs differ by up to a half.\n${text}`,
  );
}
