// Measures frames and picks in a headless Chromium, three alone against accelerated, and keeps the table in
// ../results-browser.md: `npm run bench:browser`. With names of rows, as `-- seen`, only these are measured and nothing
// is kept. N=10000 sets the number of meshes, ROUNDS=9 the number of rounds.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { findChrome } from '../../chrome.mjs';
import { ROWS } from './rows.mjs';
import { servePage } from './servePage.mjs';

const N = Number(process.env.N ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 25);
const wanted = process.argv.slice(2);

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
const best = (times) => Math.min(...times);
const milliseconds = (time) => (time < 1 ? `${(1000 * time).toFixed(1)} µs` : `${time.toFixed(2)} ms`);
const factor = (ratio) => (ratio >= 0.02 ? ratio.toFixed(3) : ratio.toFixed(4));

/** New pages in which a row is measured that is about code that runs for the first time. */
const PAGES = 5;

/** A row of the table: medians, the median ratio of two turns that follow each other, and that of the best ones. */
function line({ label, limit, over, unit }, { plain, fast, seen }) {
  const written = unit === undefined ? milliseconds : (amount) => `${amount.toFixed(1)} ${unit}`;
  const ratio = median(fast.map((time, round) => time / plain[round]));
  const cells = [label, seen, written(median(plain)), written(median(fast)), factor(ratio)];
  cells.push(factor(best(fast) / best(plain)));
  const more = median(fast) - median(plain);
  if (over !== undefined) cells.push(`+${over} ms`, more <= over ? 'kept' : '**missed**');
  else cells.push(...(limit === null ? ['', ''] : [factor(limit), ratio <= limit ? 'kept' : '**missed**']));
  return `| ${cells.join(' | ')} |`;
}

const { url, close } = await servePage(fileURLToPath(new URL('page.ts', import.meta.url)));
const launch = findChrome();
const browser = await chromium.launch({ ...launch, args: [...launch.args, '--js-flags=--expose-gc'] });
try {
  const page = await browser.newPage();
  const measured = async ({ what, args, isFresh = false }) => {
    const all = { plain: [], fast: [], seen: 0 };
    for (let i = 0; i < (isFresh ? PAGES : 1); i++) {
      if (isFresh) await page.goto(url);
      const { plain, fast, seen } = await page.evaluate(
        ([name, given]) => globalThis.bench[name](...given),
        [what, [...args, ROUNDS]],
      );
      all.plain.push(...plain);
      all.fast.push(...fast);
      all.seen = seen;
    }
    return all;
  };
  page.on('pageerror', (error) => console.error(error));
  await page.goto(url);
  if (!(await page.evaluate('crossOriginIsolated'))) throw new Error('the clock of the page is coarse');
  const head = [
    '| | drawn or hit | three | accelerated | ratio | of the best | limit | |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
  ];
  console.log(head.join('\n'));
  const lines = [];
  let opened = '';
  let made = 0;
  for (const row of ROWS(N)) {
    if (wanted.length > 0 && !wanted.some((word) => row.label.includes(word))) continue;
    const { count, arrangement = 'flat', batch = false } = row;
    const world = `${count} ${arrangement} ${batch}`;
    if (row.hasWorld !== false && opened !== world) {
      made = Math.max(
        made,
        await page.evaluate((given) => globalThis.bench.open(...given), [count, arrangement, batch]),
      );
      opened = world;
    }
    if (row.hasWorld !== false) {
      await page.evaluate((isStatic) => globalThis.bench.declareStatic(isStatic), row.isStatic);
    }
    const times = await measured(row);
    lines.push(line(row, times));
    console.log(lines.at(-1));
  }
  console.log(`\n\`accelerate(scene)\` took ${made.toFixed(0)} ms for ${N} meshes.`);
  if (wanted.length === 0 && N === 100_000) {
    const machine = `${cpus()[0].model.trim()}, ${cpus().length} shared cores; Chromium ${browser.version()}, Node ${process.version}`;
    writeFileSync(
      fileURLToPath(new URL('../results-browser.md', import.meta.url)),
      `# Results in the browser

Made by \`npm run bench:browser\` on ${machine}. Two equal scenes, one of them accelerated, take turns in one page, ${ROUNDS} rounds long. Times are medians; the ratio is the median of those of each round, and beside it that of the best turns. Only ratios mean something; a limit is the ratio that is promised.

A whole frame is the CPU time of \`renderer.render(scene, camera)\` of three's WebGLRenderer: matrices, the pass for the shadows of one directional light that sees as many meshes as the camera does, the list of what the camera sees, its sorting, and three's work for each draw call. The GPU is left out, for that of a headless browser is a program that takes many times as long as all of this. Finding what to draw is the same as far as an index can help: matrices and culling, in both passes. A pointer's move is the CPU time of one event, from its dispatch to the last call of a handler.

${[...head, ...lines].join('\n')}

\`accelerate(scene)\` takes ${made.toFixed(0)} ms for ${N.toLocaleString('en')} meshes, once.
`,
    );
  }
} finally {
  await browser.close();
  await close();
}
