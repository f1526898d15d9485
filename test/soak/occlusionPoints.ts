import { fuzzOcclusion } from '../helpers/occlusion/fuzzOcclusion.js';

/** Points of all processes: in covered pixels, and of hidden boxes. */
const POINTS = Number(process.env.COUNT ?? 1e8);
const SECONDS = Number(process.env.SECONDS ?? 3600);
const FIRST = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Which of how many processes this is: each takes every so many seeds. */
const [SHARE, SHARES] = (process.env.SHARE ?? '0/1').split('/').map(Number);
/** Scenes of a seed. */
const SCENES = 100;

const end = performance.now() + 1000 * SECONDS;
let points = 0;
let wrong = 0;
let seed = FIRST + SHARE;
for (; points < POINTS / SHARES && performance.now() < end; seed += SHARES) {
  const tally = fuzzOcclusion(seed, SCENES);
  points += tally.points + tally.hiddenPoints;
  wrong += tally.wrong.length;
  for (const text of tally.wrong) console.log(`seed ${seed}: ${text}`);
}
console.log(`${points} points, ${wrong} faults; to go on: SEED=${seed - SHARE} npm run soak occlusionPoints`);
if (wrong > 0) process.exitCode = 1;
