import { enableSimd } from '../../src/standalone.js';
import { WorldCull } from '../helpers/occlusion/cullWorld.js';
import { WORLDS } from '../helpers/occlusion/worlds.js';

/** Which of how many processes this is: each takes every so many cameras. */
const [SHARE, SHARES] = (process.env.SHARE ?? '0/1').split('/').map(Number);
const SECONDS = Number(process.env.SECONDS ?? 3600);

enableSimd();
const end = performance.now() + 1000 * SECONDS;
let samples = 0;
let wrong = 0;
for (const [name, make] of Object.entries(WORLDS)) {
  const world = make();
  const views = await WorldCull.create(world);
  const sums = { inView: 0, seen: 0, kept: 0 };
  let cameras = 0;
  for (let i = SHARE; i < world.cameras.length && performance.now() < end; i += SHARES, cameras++) {
    const view = views.look(world.cameras[i]);
    for (const key of ['inView', 'seen', 'kept'] as const) sums[key] += view[key];
    wrong += view.wrong.length;
    if (view.wrong.length > 0) console.log(`${name}, camera ${i}: seen, but left out are ${view.wrong.join()}`);
  }
  samples += views.truth.samples;
  const found = ((100 * (sums.inView - sums.kept)) / (sums.inView - sums.seen)).toFixed(1);
  console.log(`${name}, ${cameras} cameras: ${found} % of what is hidden is left out, ${samples} samples so far`);
}
console.log(`${samples} samples of item buffers, ${wrong} objects left out that are seen`);
if (wrong > 0) process.exitCode = 1;
