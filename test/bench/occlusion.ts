/**
 * Occlusion: a buffer of 320 by 180 is filled with at most 64 occluders, then an index is asked for what is in the frustum
 * and not hidden; in turns with the frustum alone. Times are the least of all rounds, averaged over cameras.
 */
import { createOcclusionBuffer } from '../../src/occlusion/createOcclusionBuffer.js';
import { queryVisible } from '../../src/occlusion/walk/queryVisible.js';
import { enableSimd, IdList, Packed } from '../../src/standalone.js';
import { Occluders, planesOf } from '../helpers/occlusion/occlude.js';
import { WORLDS } from '../helpers/occlusion/worlds.js';

enableSimd();

const WIDTH = 320;
const HEIGHT = 180;
const ROUNDS = Number(process.env.ROUNDS ?? 11);
const CAMERAS = Number(process.env.CAMERAS ?? 40);

console.log('\n### Occlusion: 320 by 180 pixels, at most 64 occluders of 4,096 triangles\n');
console.log(
  '| world | in the frustum | and not hidden | occluders | frustum | frustum and buffer | of the frustum alone |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const [name, make] of Object.entries(WORLDS)) if (name === (process.env.WORLD ?? name)) measure(name, make());

function measure(name: string, world: ReturnType<(typeof WORLDS)['street']>): void {
  const index = new Packed();
  index.addAll(world.boxes);
  const occluders = new Occluders(world);
  const buffer = createOcclusionBuffer(WIDTH, HEIGHT);
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
