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
import { print } from './turns.js';

enableSimd();

const WIDTH = 320;
const HEIGHT = 180;
const ROUNDS = Number(process.env.ROUNDS ?? 11);
const CAMERAS = 40;
/** One in so many cameras is compared with the truth, which takes a second for each. */
const EVERY = 4;
const worlds = Object.entries(WORLDS);

print(
  'Occlusion: 320 by 180 pixels, at most 64 occluders of 4,096 triangles',
  ['world', 'in the frustum', 'and not hidden', 'occluders', 'frustum', 'frustum and buffer', 'of the frustum alone'],
  worlds.map(([name, make]) => measure(name, make())),
);

const found: string[][] = [];
for (const [name, make] of worlds) found.push(await compare(name, make()));
print(
  'Occlusion: what is found of what is hidden, by item buffers',
  ['world', 'in the frustum', 'truly visible', 'drawn', 'hidden found', 'left out, but visible'],
  found,
);

function measure(name: string, world: ReturnType<(typeof WORLDS)['street']>): string[] {
  const index = new Packed();
  index.addAll(world.boxes);
  const occluders = new Occluders(world);
  const buffer = OcclusionBuffer.create(WIDTH, HEIGHT)!;
  const found = new IdList();
  const visible = new IdList();
  const sums = [0, 0, 0, 0, 0];
  const cameras = world.cameras.slice(0, CAMERAS);
  for (const camera of cameras) {
    const planes = planesOf(camera);
    const inView = new Uint8Array(world.size);
    for (const id of index.queryPlanes(planes, found)) inView[id] = 1;
    const order = occluders.choose(camera, inView, HEIGHT);
    const works = [
      () => occluders.draw(buffer, camera, order),
      () => index.queryPlanes(planes, found),
      () => queryVisible(index, planes, buffer, visible),
    ];
    const best = works.map(() => Number.POSITIVE_INFINITY);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, work] of works.entries()) {
        const start = performance.now();
        work();
        best[i] = Math.min(best[i], performance.now() - start);
      }
    }
    for (const [i, value] of [found.length, visible.length, ...best].entries()) sums[i] += value;
  }
  const [inView, seen, draw, frustum, walk] = sums.map((sum) => sum / cameras.length);
  const times = [draw.toFixed(2), frustum.toFixed(3), walk.toFixed(3)].map((time) => `${time} ms`);
  return [name, inView.toFixed(0), seen.toFixed(0), ...times, (walk / frustum).toFixed(1)];
}

async function compare(name: string, world: ReturnType<(typeof WORLDS)['street']>): Promise<string[]> {
  const views = await WorldCull.create(world);
  const sums = [0, 0, 0];
  let wrong = 0;
  let count = 0;
  for (let i = 0; i < Math.min(CAMERAS, world.cameras.length); i += EVERY, count++) {
    const { inView, seen, kept, wrong: lost } = views.look(world.cameras[i]);
    for (const [k, value] of [inView, seen, kept].entries()) sums[k] += value;
    wrong += lost.length;
  }
  const [inView, seen, kept] = sums;
  const hidden = ((100 * (inView - kept)) / (inView - seen)).toFixed(1);
  return [name, ...sums.map((sum) => (sum / count).toFixed(0)), `${hidden} %`, String(wrong)];
}
