import { chromium, type Page } from 'playwright';
import { findChrome } from '../chrome.mjs';
import type { ModeName, ShadowRun, ShadowScript, TypeName } from '../model/shadows/runShadows.js';
import { bundlePage } from './bundlePage.js';

/** Pictures of one world. */
const STEPS = Number(process.env.STEPS ?? 60);
const SECONDS = Number(process.env.SECONDS ?? 3600);
const FIRST = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Which of how many processes this is: each takes every so many seeds. */
const [SHARE, SHARES] = (process.env.SHARE ?? '0/1').split('/').map(Number);
/** Faults after which there is no point in going on. */
const MOST_FAULTS = Number(process.env.FAULTS ?? 5);
const COUNT = Number(process.env.COUNT ?? Number.POSITIVE_INFINITY);
const named = (name: string, all: string): string[] =>
  (process.env[name] ?? all).split(',').filter((one) => one !== '');
const TYPES = named('TYPES', 'pcf,basic,vsm') as TypeName[];
const MODES = named('MODES', 'accelerate,batches,occlusion,cullCasters') as ModeName[];
const without = named('WITHOUT', '');

const code = await bundlePage('shadows');
const browser = await chromium.launch(findChrome());
const page: Page = await browser.newPage();
await page.addScriptTag({ content: code });
const end = performance.now() + 1000 * SECONDS;
let seed = FIRST + SHARE;
let faults = 0;
let unsteady = 0;
const sums = { runs: 0, pictures: 0, maps: 0 };
const ways = MODES.flatMap((mode) => TYPES.map((type) => ({ mode, type })));
for (; performance.now() < end && faults < MOST_FAULTS && sums.runs < COUNT; seed += SHARES, sums.runs++) {
  const script: ShadowScript = { seed, steps: STEPS, maps: 3, without, ...ways[sums.runs % ways.length] };
  const { fault, history, pictures, maps } = await run(script);
  sums.pictures += pictures;
  sums.maps += maps;
  if (fault === null) continue;
  // What differs though nothing is kept says nothing.
  const control = await run({ ...script, isControl: true });
  if (control.fault !== null) {
    console.log(`${script.mode} ${script.type} seed ${seed}: also where nothing is kept: ${control.fault}`);
    unsteady++;
    continue;
  }
  faults++;
  const { mode, type } = script;
  console.log(`${mode} ${type} seed ${seed}: ${fault}\n${await shrink({ ...script, steps: history.length })}`);
}
console.log(
  `${sums.runs} worlds, ${sums.pictures} pictures and ${sums.maps} maps, ${faults} faults, ${unsteady} worlds that differ though ` +
    `nothing is kept; to go on: SEED=${seed - SHARE} npm run soak shadows`,
);
await browser.close();
if (faults > 0) process.exitCode = 1;

function run(script: ShadowScript): Promise<ShadowRun> {
  type Global = { runShadows(script: ShadowScript): Promise<ShadowRun> };
  return page.evaluate((given) => (globalThis as unknown as Global).runShadows(given), script);
}

/** Leaves out what the fault does not need; says what is left. */
async function shrink(script: ShadowScript): Promise<string> {
  const last = script.steps - 1;
  let skipped: number[] = [];
  let left: ShadowRun | null = null;
  for (let size = Math.max(1, Math.floor(last / 2)); size >= 1; size = Math.floor(size / 2)) {
    for (let step = 3; step < last; step += size) {
      const more = Array.from({ length: Math.min(size, last - step) }, (_, i) => step + i);
      if (more.every((one) => skipped.includes(one))) continue;
      const attempt = [...skipped, ...more];
      const shorter = await run({ ...script, skipped: attempt });
      if (shorter.fault === null || shorter.history.length <= last) continue;
      skipped = attempt;
      left = shorter;
    }
  }
  const { fault, history } = left ?? (await run(script));
  const steps = history.map((edits, step) => `${step} ${edits}`).filter((line) => !line.endsWith(' nothing'));
  return `  in short: ${steps.join('; ')}: ${fault}\n  skipped: ${skipped.join()}`;
}
