// Measures frames and picks in a headless Chromium, three alone against accelerated, and keeps the table in
// ../results-browser.md: `npm run bench:browser`. With names of rows, as `-- seen`, only these are measured and nothing
// is kept. N=10000 sets the number of meshes, ROUNDS=9 the number of rounds.
import { keep, median, medianRatio, row as rowOf, table, time } from '../figures.mjs';
import { ask, askAlone, openBrowser } from './openBrowser.mjs';

const N = Number(process.env.N ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 25);
const wanted = process.argv.slice(2);
const HEAD = ['workload', 'drawn or hit', 'three', 'accelerated', 'ratio', 'of the best', 'limit', 'verdict'];
const MODELS = ['scene', 'draw calls left', 'three', 'batch', 'batch, ratio', 'static besides', 'static, ratio'];

const factor = (ratio) => (ratio >= 0.02 ? ratio.toFixed(3) : ratio.toFixed(4));

/** A row of the table: medians, the median ratio of two turns that follow each other, and that of the best ones. */
function cellsOf({ label, limit, over }, [plain, fast], seen) {
  const ratio = medianRatio(fast, plain);
  const times = [plain, fast].map((all) => time(1e3 * median(all)));
  const best = Math.min(...fast) / Math.min(...plain);
  const isKept = over === undefined ? ratio <= limit : median(fast) - median(plain) <= over;
  const promise = over === undefined ? limit && factor(limit) : `+${over} ms`;
  const kept = promise === undefined ? ['', ''] : [promise, isKept ? 'kept' : '**missed**'];
  return [label, seen, ...times, factor(ratio), factor(best), ...kept];
}

/** A row of the second table: the quickest frames, and their ratios to those of three alone. */
function modelCells({ label }, times, seen) {
  const [plain, ...others] = times.map((all) => Math.min(...all));
  return [label, seen, time(1e3 * plain), ...others.flatMap((one) => [time(1e3 * one), factor(one / plain)])];
}

const { open, machine, close } = await openBrowser();
try {
  const page = await open();
  console.log(table(HEAD, []));
  const lines = [];
  const models = [];
  let longest = 0;
  for (const [i, row] of (await ask(page, 'rows', N)).entries()) {
    if (wanted.length > 0 && !wanted.some((word) => row.label.includes(word))) continue;
    const asked = ['measure', N, i, ROUNDS];
    const { times, seen, made } = row.isModel ? await askAlone(open, ...asked) : await ask(page, ...asked);
    longest = Math.max(longest, made);
    const cells = (row.isModel ? modelCells : cellsOf)(row, times, seen);
    if (row.isModel && models.length === 0) console.log(`\n${table(MODELS, [])}`);
    (row.isModel ? models : lines).push(cells);
    console.log(rowOf(cells));
  }
  console.log(`\n\`accelerate(scene)\` took ${longest.toFixed(0)} ms for ${N} meshes.`);
  if (wanted.length === 0 && N === 100_000) {
    keep(
      'results-browser.md',
      `# Results in the browser

Made by \`npm run bench:browser\` on ${machine}. Two equal scenes, one of them accelerated, take turns in one page, ${ROUNDS} rounds long. Times are medians; the ratio is the median of those of each round, and beside it that of the best turns. Only ratios mean something; a limit is the ratio that is promised.

A whole frame is the CPU time of \`renderer.render(scene, camera)\` of three's WebGLRenderer: matrices, the pass for the shadows of one directional light that sees as many meshes as the camera does, the list of what the camera sees, its sorting, and three's work for each draw call. The GPU is left out, for that of a headless browser is a program that takes many times as long as all of this. Finding what to draw is the same as far as an index can help: matrices and culling, in both passes.

${table(HEAD, lines)}

\`accelerate(scene)\` takes ${longest.toFixed(0)} ms for ${N.toLocaleString('en')} meshes, once.

## Models that are all in view

Three equal scenes take turns, a frame each, in a page of their own while the camera rolls: plain three, \`batch: true\`, and \`batch: true\` with \`index.setStatic(scene)\`. Each time is that of the quickest of ${3 * ROUNDS} frames, each ratio is to plain three. Draw calls are made, but only one pixel is drawn. 20,000 meshes share one geometry, fewer meshes share 20. In rows of shadows the third scene has \`keepShadows: true\` in place of \`setStatic\`, and draw calls are left out.

${table(MODELS, models)}
`,
    );
  }
} finally {
  await close();
}
