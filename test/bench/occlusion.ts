/**
 * Occlusion: a buffer of 320 by 180 is filled with at most 64 occluders, then an index is asked for what is in the frustum
 * and not hidden; in turns with the frustum alone. Times are the least of all rounds, averaged over cameras. Then how much
 * of what is truly hidden pictures leave out, next to item buffers of 1920 by 1080 with four samples a pixel.
 */
import { OcclusionBuffer } from '../../src/occlusion/OcclusionBuffer.js';
import { queryVisible } from '../../src/occlusion/queryVisible.js';
import { enableSimd, IdList, Packed } from '../../src/standalone.js';
import { WorldCull } from '../helpers/occlusion/cullWorld.js';
import { Occluders, planesOf } from '../helpers/occlusion/occlude.js';
import { WORLDS } from '../helpers/occlusion/worlds.js';

enableSimd();

const WIDTH = 320;
const HEIGHT = 180;
const ROUNDS = Number(process.env.ROUNDS ?? 11);
const CAMERAS = Number(process.env.CAMERAS ?? 40);
/** One in so many cameras is compared with the truth, which takes a second for each. */
const EVERY = 4;
const worlds = Object.entries(WORLDS).filter(([name]) => name === (process.env.WORLD ?? name));

console.log('\n### Occlusion: 320 by 180 pixels, at most 64 occluders of 4,096 triangles\n');
console.log(
  '| world | in the frustum | and not hidden | occluders | frustum | frustum and buffer | of the frustum alone |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const [name, make] of worlds) measure(name, make());

console.log('\n### Occlusion: what is found of what is hidden, by item buffers\n');
console.log('| world | in the frustum | truly visible | drawn | hidden found | left out, but visible |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const [name, make] of worlds) await compare(name, make());

function measure(name: string, world: ReturnType<(typeof WORLDS)['street']>): void {
  const index = new Packed();
  index.addAll(world.boxes);
  const occluders = new Occluders(world);
  const buffer = OcclusionBuffer.create(WIDTH, HEIGHT)!;
  const found = new IdList();
  const visible = new IdList();
  const sums = { inView: 0, visible: 0, draw: 0, frustum: 0, walk: 0 };
  const cameras = world.cameras.slice(0, CAMERAS);
  for (const camera of cameras) {
    const planes = planesOf(camera);
    const inView = new Uint8Array(world.size);
    for (const id of index.queryPlanes(planes, found)) inView[id] = 1;
    const order = occluders.choose(camera, inView, HEIGHT);
    const best = { draw: Number.POSITIVE_INFINITY, frustum: Number.POSITIVE_INFINITY, walk: Number.POSITIVE_INFINITY };
    const time = (label: keyof typeof best, work: () => void): void => {
      const start = process.hrtime.bigint();
      work();
      best[label] = Math.min(best[label], Number(process.hrtime.bigint() - start) / 1e6);
    };
    for (let round = 0; round < ROUNDS; round++) {
      time('draw', () => occluders.draw(buffer, camera, order));
      time('frustum', () => index.queryPlanes(planes, found));
      time('walk', () => queryVisible(index, planes, buffer, visible));
    }
    sums.inView += found.length;
    sums.visible += visible.length;
    for (const label of ['draw', 'frustum', 'walk'] as const) sums[label] += best[label];
  }
  const mean = (label: keyof typeof sums, digits: number): string => (sums[label] / cameras.length).toFixed(digits);
  console.log(
    `| ${name} | ${mean('inView', 0)} | ${mean('visible', 0)} | ${mean('draw', 2)} ms | ${mean('frustum', 3)} ms | ${mean('walk', 3)} ms | ${(sums.walk / sums.frustum).toFixed(1)} |`,
  );
}

async function compare(name: string, world: ReturnType<(typeof WORLDS)['street']>): Promise<void> {
  const views = await WorldCull.create(world);
  const sums = { inView: 0, seen: 0, kept: 0 };
  let wrong = 0;
  let count = 0;
  for (let i = 0; i < Math.min(CAMERAS, world.cameras.length); i += EVERY, count++) {
    const view = views.look(world.cameras[i]);
    for (const key of ['inView', 'seen', 'kept'] as const) sums[key] += view[key];
    wrong += view.wrong.length;
  }
  const { inView, seen, kept } = sums;
  const found = ((100 * (inView - kept)) / (inView - seen)).toFixed(1);
  const mean = (sum: number): string => (sum / count).toFixed(0);
  console.log(`| ${name} | ${mean(inView)} | ${mean(seen)} | ${mean(kept)} | ${found} % | ${wrong} |`);
}
