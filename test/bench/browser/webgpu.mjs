// Measures frames of WebGPURenderer in a headless Chromium and keeps the table in ../results-webgpu.md:
// `npm run bench:webgpu`. ROUNDS=41 sets the number of rounds, with N=500 that of the meshes nothing is kept.
import { keep, median, medianRatio, row, table, time } from '../figures.mjs';
import { ask, openBrowser } from './openBrowser.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 41);
const COUNTS = process.env.N ? [Number(process.env.N)] : [500, 5000, 20_000];

const { open, machine, close } = await openBrowser();
try {
  const lines = [];
  for (const count of COUNTS) {
    for (const share of [0.05, 1]) {
      const [three, fast, pipeline] = (await ask(await open(), 'webgpu', count, share, ROUNDS)).times;
      const times = [three, fast].map((all) => time(1e3 * median(all)));
      const label = `${count.toLocaleString('en')} meshes, ${100 * share} % in view`;
      lines.push([label, ...times, medianRatio(pipeline, fast).toFixed(2)]);
      console.log(row(lines.at(-1)));
    }
  }
  if (process.env.N === undefined) {
    keep(
      'results-webgpu.md',
      `# Results of WebGPURenderer

Made by \`npm run bench:webgpu\` on ${machine}. Two equal scenes, one of them accelerated, take turns in one page, in each way and in random order, ${ROUNDS} rounds long; all meshes are static, the camera turns a little. Times are medians of the CPU time of \`renderer.render(scene, camera)\`, ratios medians of those of each round. Only ratios mean something.

## A drawing pipeline that asks the index

three alone; an accelerated scene; and the same drawn by a drawing pipeline that takes the index's list and projects each object of it. The commands of the draw calls are left out: with them the ratios are nearer to 1.

${table(['scene', 'three', 'accelerated', 'a pipeline, to accelerated'], lines)}
`,
    );
  }
} finally {
  await close();
}
