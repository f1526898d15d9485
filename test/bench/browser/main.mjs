// Measures frames and picks in a headless Chromium, three alone against accelerated, and keeps the table in
// ../results-browser.md: `npm run bench:browser`. With names of rows, as `-- seen`, only these are measured and nothing
// is kept. N=10000 sets the number of meshes, ROUNDS=9 the number of rounds.
import { writeFileSync } from 'node:fs';
import { ask, median, medianRatio, openBrowser } from './openBrowser.mjs';
import { ROWS } from './rows.mjs';

const N = Number(process.env.N ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 25);
/** New pages in which a row is measured that is about code that runs for the first time. */
const PAGES = 5;
const wanted = process.argv.slice(2);
const HEAD = `| | drawn or hit | three | accelerated | ratio | of the best | limit | |
| --- | --- | --- | --- | --- | --- | --- | --- |`;

const milliseconds = (time) => (time < 1 ? `${(1000 * time).toFixed(1)} µs` : `${time.toFixed(2)} ms`);
const factor = (ratio) => (ratio >= 0.02 ? ratio.toFixed(3) : ratio.toFixed(4));

/** A row of the table: medians, the median ratio of two turns that follow each other, and that of the best ones. */
function line({ label, limit, over, unit }, { plain, fast, seen }) {
  const written = unit === undefined ? milliseconds : (amount) => `${amount.toFixed(1)} ${unit}`;
  const ratio = medianRatio(fast, plain);
  const cells = [label, seen, written(median(plain)), written(median(fast)), factor(ratio)];
  cells.push(factor(Math.min(...fast) / Math.min(...plain)));
  const isKept = over === undefined ? ratio <= limit : median(fast) - median(plain) <= over;
  const promise = over === undefined ? limit && factor(limit) : `+${over} ms`;
  cells.push(...(promise === null ? ['', ''] : [promise, isKept ? 'kept' : '**missed**']));
  return `| ${cells.join(' | ')} |`;
}

const { open, machine, url, close } = await openBrowser('page.ts');
try {
  const page = await open();
  if (!(await page.evaluate('crossOriginIsolated'))) throw new Error('the clock of the page is coarse');
  console.log(HEAD);
  const lines = [];
  let opened = '';
  let made = 0;
  for (const row of ROWS(N)) {
    if (wanted.length > 0 && !wanted.some((word) => row.label.includes(word))) continue;
    const { count, arrangement = 'flat', batch = false, isFresh = false } = row;
    if (count !== undefined) {
      const world = [count, arrangement, batch];
      if (opened !== world.join()) made = Math.max(made, await ask(page, 'open', ...world));
      opened = world.join();
      await ask(page, 'declareStatic', row.isStatic);
    }
    const all = { plain: [], fast: [], seen: 0 };
    for (let i = 0; i < (isFresh ? PAGES : 1); i++) {
      if (isFresh) await page.goto(url);
      const { plain, fast, seen } = await ask(page, row.what, ...row.args, ROUNDS);
      all.plain.push(...plain);
      all.fast.push(...fast);
      all.seen = seen;
    }
    if (isFresh) opened = '';
    lines.push(line(row, all));
    console.log(lines.at(-1));
  }
  console.log(`\n\`accelerate(scene)\` took ${made.toFixed(0)} ms for ${N} meshes.`);
  if (wanted.length === 0 && N === 100_000) {
    writeFileSync(
      new URL('../results-browser.md', import.meta.url),
      `# Results in the browser

Made by \`npm run bench:browser\` on ${machine}. Two equal scenes, one of them accelerated, take turns in one page, ${ROUNDS} rounds long. Times are medians; the ratio is the median of those of each round, and beside it that of the best turns. Only ratios mean something; a limit is the ratio that is promised.

A whole frame is the CPU time of \`renderer.render(scene, camera)\` of three's WebGLRenderer: matrices, the pass for the shadows of one directional light that sees as many meshes as the camera does, the list of what the camera sees, its sorting, and three's work for each draw call. The GPU is left out, for that of a headless browser is a program that takes many times as long as all of this. Finding what to draw is the same as far as an index can help: matrices and culling, in both passes. A pointer's move is the CPU time of one event, from its dispatch to the last call of a handler.

${[HEAD, ...lines].join('\n')}

\`accelerate(scene)\` takes ${made.toFixed(0)} ms for ${N.toLocaleString('en')} meshes, once.
`,
    );
  }
} finally {
  await close();
}
