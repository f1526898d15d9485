import { type Browser, chromium, type Page } from 'playwright';
import { findChrome } from '../chrome.mjs';
import type { PictureRun, PictureScript } from '../model/pictures/runPictures.js';
import { bundlePage } from './bundlePage.js';

/** Pictures of one scene. */
const STEPS = 60;
const SECONDS = Number(process.env.SECONDS ?? 3600);
const FIRST = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Which of how many processes this is: each takes every so many seeds. */
const [SHARE, SHARES] = (process.env.SHARE ?? '0/1').split('/').map(Number);
/** Faults after which there is no point in going on. */
const MOST_FAULTS = Number(process.env.FAULTS ?? 5);
const COUNT = Number(process.env.COUNT ?? Number.POSITIVE_INFINITY);
/** What the pictures are of. */
const of = process.env.OF === 'occlusion' ? 'occlusion' : 'batches';
const without = (process.env.WITHOUT ?? '').split(',').filter((name) => name !== '');

const code = await bundlePage('pictures');
const browser = await chromium.launch(findChrome());
const end = performance.now() + 1000 * SECONDS;
let seed = FIRST + SHARE;
let runs = 0;
let faults = 0;
let unsteady = 0;
let hidden = 0;
for (; performance.now() < end && faults < MOST_FAULTS && runs < COUNT; seed += SHARES, runs++) {
  const script: PictureScript = { seed, steps: STEPS, of, without };
  const { fault, history, hidden: some } = await run(browser, script);
  hidden += some;
  if (fault === null) continue;
  // What three draws in two ways by itself says nothing.
  if ((await run(browser, { ...script, isPlain: true })).fault !== null) {
    unsteady++;
    continue;
  }
  faults++;
  console.log(`seed ${seed}: ${fault}\n${await shrink(browser, { ...script, steps: history.length })}`);
}
console.log(
  `${runs} scenes of ${STEPS} pictures, ${faults} faults, ${unsteady} scenes that three alone draws in two ways, ${hidden} objects hidden; ` +
    `to go on: SEED=${seed - SHARE} npm run soak ${of === 'occlusion' ? of : 'pictures'}`,
);
await browser.close();
if (faults > 0) process.exitCode = 1;

/** Runs a script in a page of its own, as contexts of WebGL are few. */
async function run(browser: Browser, script: PictureScript): Promise<PictureRun> {
  const page: Page = await browser.newPage();
  try {
    await page.addScriptTag({ content: code });
    type Global = { runPictures(script: PictureScript): Promise<PictureRun> };
    return await page.evaluate((given) => (globalThis as unknown as Global).runPictures(given), script);
  } finally {
    await page.close();
  }
}

/** Leaves out what the fault does not need; says what is left. */
async function shrink(browser: Browser, script: PictureScript): Promise<string> {
  const last = script.steps - 1;
  let skipped: number[] = [];
  let size = Math.max(1, Math.floor(last / 2));
  let left: PictureRun | null = null;
  for (; size >= 1; size = Math.floor(size / 2)) {
    for (let step = 3; step < last; step += size) {
      const more = Array.from({ length: Math.min(size, last - step) }, (_, i) => step + i);
      if (more.every((one) => skipped.includes(one))) continue;
      const attempt = [...skipped, ...more];
      const shorter = await run(browser, { ...script, skipped: attempt });
      if (shorter.fault === null || shorter.history.length <= last) continue;
      skipped = attempt;
      left = shorter;
    }
  }
  const { fault, history } = left ?? (await run(browser, script));
  const steps = history.map((edits, step) => `${step} ${edits}`).filter((line) => !line.endsWith(' nothing'));
  return `  in short: ${steps.join('; ')}: ${fault}\n  skipped: ${skipped.join()}`;
}
