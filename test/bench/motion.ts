/**
 * What motion leaves behind: all boxes fly and bounce for FRAMES frames, each with maintenance and a query, then the index culls in turns
 * with one built just then of the same boxes. `MAINTAIN=0` leaves that out.
 */
import { PerspectiveCamera } from 'three';
import {
  createIndex,
  enableSimd,
  IdList,
  maintain,
  type SpatialIndex,
  STRUCTURES,
  type StructureName,
  stats,
} from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { scanFrustum } from './linearScan.js';
import { microseconds, Timings } from './Timings.js';
import { cameraPlanes } from './worlds.js';

enableSimd();

const N = Math.min(Number(process.env.N ?? 20_000), 100_000);
const FRAMES = Number(process.env.FRAMES ?? 10_000);
const BUDGET = Number(process.env.MAINTAIN ?? 0.5);
const ROUNDS = 15;
const WARM_UP = 3;
/** As many boxes to the volume as 100,000 in a cube of 1000. */
const EDGE = 1000 * Math.cbrt(N / 100_000);
const out = new IdList();

console.log(`\n### After ${FRAMES} frames in which all ${N} boxes moved, maintained for ${BUDGET} ms a frame\n`);
console.log(
  '| | cull 10 % | of a new one | ratio | looks | ratio | quality | update a frame | maintain a frame | at most |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
for (const name of STRUCTURES) console.log(row(name));

function row(name: StructureName): string {
  const next = random(7);
  const boxes = new Float64Array(6 * N);
  const way = Float64Array.from({ length: 3 * N }, () => (next() - 0.5) / 2);
  for (let i = 0; i < N; i++) {
    for (let c = 0; c < 3; c++) {
      boxes[6 * i + c] = next() * (EDGE - 5);
      boxes[6 * i + c + 3] = boxes[6 * i + c] + 0.5 + next() * 4.5;
    }
  }
  const index = createIndex(name);
  const ids = index.addAll(boxes);
  let updating = 0;
  let maintenance = 0;
  let worst = 0;
  const early = views(boxes);
  for (let frame = 0; frame < FRAMES; frame++) {
    move(boxes, way);
    const start = performance.now();
    index.updateAll(ids, boxes);
    const between = performance.now();
    if (BUDGET > 0) maintain(index, BUDGET);
    const end = performance.now();
    index.queryPlanes(early[frame % early.length], out);
    updating += between - start;
    maintenance += end - between;
    worst = Math.max(worst, end - between);
  }
  const fresh = createIndex(name);
  fresh.addAll(boxes);
  const planes = views(boxes);
  const timings = new Timings();
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    timings.add(round, 'new', planes.length, () => cull(fresh, planes));
    timings.add(round, 'old', planes.length, () => cull(index, planes));
  }
  if (cull(fresh, planes) !== cull(index, planes)) throw new Error('other answers than a new index');
  const ratio = timings.median('old') / timings.median('new');
  const cells = [
    name,
    microseconds(timings.median('old')),
    microseconds(timings.median('new')),
    ratio.toFixed(2),
    looks(index, planes).toFixed(0),
    (looks(index, planes) / looks(fresh, planes)).toFixed(2),
    stats(index).quality.toFixed(2),
    microseconds((1000 * updating) / FRAMES),
    microseconds((1000 * maintenance) / FRAMES),
    microseconds(1000 * worst),
  ];
  return `| ${cells.join(' | ')} |`;
}

function move(boxes: Float64Array, way: Float64Array): void {
  for (let i = 0; i < way.length; i++) {
    const o = 6 * Math.floor(i / 3) + (i % 3);
    if (boxes[o] + way[i] < 0 || boxes[o + 3] + way[i] > EDGE) way[i] *= -1;
    boxes[o] += way[i];
    boxes[o + 3] += way[i];
  }
}

function cull(index: SpatialIndex, planes: Float64Array[]): number {
  return planes.reduce((n, view) => n + index.queryPlanes(view, out).length, 0);
}

/** Nodes visited and items tested for a view. */
function looks(index: SpatialIndex, planes: Float64Array[]): number {
  let sum = 0;
  for (const view of planes) {
    index.queryPlanes(view, out);
    sum += index.counters.nodesVisited + index.counters.itemsTested;
  }
  return sum / planes.length;
}

/** Poses on an orbit, each with the far plane at which it sees a tenth of the boxes. */
function views(boxes: Float64Array): Float64Array[] {
  const found = new Int32Array(N);
  return Array.from({ length: 32 }, (_, i) => {
    const angle = (i / 32) * 2 * Math.PI;
    const camera = new PerspectiveCamera(60, 1.6, 0.1, 1);
    camera.position.set(EDGE * (0.5 + 0.3 * Math.cos(angle)), EDGE / 2, EDGE * (0.5 + 0.3 * Math.sin(angle)));
    camera.lookAt(EDGE / 2, EDGE / 2, EDGE / 2);
    let low = 1;
    let high = 4 * EDGE;
    for (let step = 0; step < 16; step++) {
      camera.far = (low + high) / 2;
      camera.updateProjectionMatrix();
      if (scanFrustum(boxes, cameraPlanes(camera), found) < 0.1 * N) low = camera.far;
      else high = camera.far;
    }
    return cameraPlanes(camera);
  });
}
