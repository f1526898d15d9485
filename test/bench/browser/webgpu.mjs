// Measures frames of WebGPURenderer in a headless Chromium and keeps the tables in ../results-webgpu.md:
// `npm run bench:webgpu`. ROUNDS=41 sets the number of rounds.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { findChrome } from '../../chrome.mjs';
import { servePage } from './servePage.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 41);
const WALKS = ['three', 'accelerated', 'pipeline', 'trusting'];

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
/** The median of the ratios of each round. */
const ratio = (times, to) => median(times.map((time, round) => time / to[round])).toFixed(2);
const milliseconds = (times) => `${median(times).toFixed(3)} ms`;

const { url, close } = await servePage(fileURLToPath(new URL('webgpu.ts', import.meta.url)));
const browser = await chromium.launch(findChrome());
const page = await browser.newPage();
page.on('pageerror', (error) => console.error(error));
await page.goto(url);

async function table(ways, counts, head, cells) {
  const lines = [head, head.replace(/[^|]+/g, ' --- ')];
  for (const count of counts) {
    for (const share of [0.05, 1]) {
      const args = [count, share, ways, ROUNDS];
      const times = await page.evaluate((given) => globalThis.bench.measure(...given), args);
      const label = `${count.toLocaleString('en')} meshes, ${100 * share} % in view`;
      lines.push(`| ${[label, ...cells(times)].join(' | ')} |`);
      console.log(lines.at(-1));
    }
  }
  return lines.join('\n');
}

try {
  const walks = await table(
    WALKS,
    [500, 5000, 20_000],
    '| | three | accelerated | a pipeline, to accelerated | one that does not test again, to accelerated |',
    ([three, fast, pipeline, trusting]) => [
      milliseconds(three),
      milliseconds(fast),
      ratio(pipeline, fast),
      ratio(trusting, fast),
    ],
  );
  const machine = `${cpus()[0].model.trim()}, ${cpus().length} shared cores; Chromium ${browser.version()}, Node ${process.version}`;
  writeFileSync(
    fileURLToPath(new URL('../results-webgpu.md', import.meta.url)),
    `# Results of WebGPURenderer

Made by \`npm run bench:webgpu\` on ${machine}. Two equal scenes, one of them accelerated, take turns in one page, in each way and in random order, ${ROUNDS} rounds long; all meshes are static, the camera turns a little. Times are medians of the CPU time of \`renderer.render(scene, camera)\`, ratios medians of those of each round. Only ratios mean something.

## A drawing pipeline that asks the index

three alone; an accelerated scene; the same drawn by a drawing pipeline that takes the index's list and projects each object of it; and by one that draws all of the list without testing it again, which three does by bounding spheres. The commands of the draw calls are left out: with them the ratios are nearer to 1.

${walks}
`,
  );
} finally {
  await browser.close();
  await close();
}
