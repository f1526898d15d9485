import { type Browser, chromium } from 'playwright';
import { findChrome } from '../chrome.mjs';
import type { OcclusionRun, OcclusionScript } from '../model/occlusion/runOcclusion.js';
import { bundlePage } from './bundlePage.js';

/** Pictures of one scene: small ones, of which many are made in little time. */
const PICTURES = 40;
const SECONDS = Number(process.env.SECONDS ?? 3600);
const FIRST = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Which of how many processes this is: each takes every so many seeds. */
const [SHARE, SHARES] = (process.env.SHARE ?? '0/1').split('/').map(Number);
/** Scenes of all processes: 2,000 pictures. */
const COUNT = Number(process.env.COUNT ?? 50);

const code = await bundlePage('occlusion');
const browser = await chromium.launch(findChrome());
const end = performance.now() + 1000 * SECONDS;
let pictures = 0;
let hidden = 0;
let faults = 0;
let elsewhere = 0;
let seed = FIRST + SHARE;
for (; seed < FIRST + COUNT && performance.now() < end; seed += SHARES) {
  const run = await draw(browser, { seed, pictures: PICTURES, isIndexed: true, isSmall: true });
  pictures += run.pictures;
  elsewhere += run.elsewhere;
  hidden += run.calls[0] - run.calls[1];
  if ((seed - FIRST - SHARE) % (10 * SHARES) === 0) console.log(`seed ${seed}: ${pictures} pictures, ${faults} faults`);
  if (run.fault === null) continue;
  faults++;
  console.log(`seed ${seed}: ${run.fault}`);
}
console.log(
  `${pictures} pictures, ${hidden} draws spared, ${faults} faults, ${elsewhere} pictures that differ elsewhere; to go on: SEED=${seed - SHARE} npm run soak occlusion`,
);
await browser.close();
if (faults > 0) process.exitCode = 1;

/** Runs a script in a page of its own, as contexts of WebGL are few. */
async function draw(browser: Browser, script: OcclusionScript): Promise<OcclusionRun> {
  const page = await browser.newPage();
  try {
    await page.addScriptTag({ content: code });
    type Global = { runOcclusion(script: OcclusionScript): Promise<OcclusionRun> };
    return await page.evaluate((given) => (globalThis as unknown as Global).runOcclusion(given), script);
  } finally {
    await page.close();
  }
}
