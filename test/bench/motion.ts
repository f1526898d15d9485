/**
 * What motion leaves behind: all boxes fly and bounce for FRAMES frames, each with maintenance (MAINTAIN milliseconds of it)
 * and a query; then the index culls in turns with one built just then of the same boxes.
 */
import { Vector3 } from 'three';
import {
  createIndex,
  enableSimd,
  IdList,
  maintain,
  type SpatialIndex,
  type StructureName,
  stats,
} from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { time } from './figures.mjs';
import { print, takeTurns } from './turns.js';
import { cameraPlanes, cameraThatSees, uniformBoxes } from './worlds.js';

enableSimd();

const ROUNDS = Number(process.env.ROUNDS ?? 9);
const N = Math.min(Number(process.env.N ?? 20_000), 100_000);
const FRAMES = Number(process.env.FRAMES ?? 10_000);
const BUDGET = Number(process.env.MAINTAIN ?? 0.5);
const NAMES: StructureName[] = ['packed', 'looseOctree', 'octree', 'grid', 'bvh', 'bruteForce'];
const WARM_UP = 2;
const VIEWS = 32;
/** As many boxes to the volume as 100,000 in a cube of 1000. */
const HALF = 500 * Math.cbrt(N / 100_000);
const ids = new IdList();

print(
  `After ${FRAMES} frames in which all ${N} boxes moved, maintained for ${BUDGET} ms a frame`,
  [
    'structure',
    'cull 10 %',
    'of a new one',
    'ratio',
    'looks',
    'ratio',
    'quality',
    'update a frame',
    'maintain a frame',
    'at most',
  ],
  NAMES.map(afterMotion),
);

function afterMotion(name: StructureName): string[] {
  const next = random(7);
  const wide = uniformBoxes(N, 7);
  const boxes = wide.map((c, i) => c - (1 - HALF / 500) * wide[i - (i % 6) + (i % 3)]);
  const way = Float64Array.from({ length: 3 * N }, () => (next() - 0.5) / 2);
  const index = createIndex(name);
  const all = index.addAll(boxes);
  const early = viewsOf(boxes);
  let [updating, maintenance, worst] = [0, 0, 0];
  for (let frame = 0; frame < FRAMES; frame++) {
    for (let i = 0; i < way.length; i++) {
      const o = 6 * Math.floor(i / 3) + (i % 3);
      if (boxes[o] + way[i] < -HALF || boxes[o + 3] + way[i] > HALF) way[i] *= -1;
      boxes[o] += way[i];
      boxes[o + 3] += way[i];
    }
    const start = performance.now();
    index.updateAll(all, boxes);
    const between = performance.now();
    if (BUDGET > 0) maintain(index, BUDGET);
    const end = performance.now();
    index.queryPlanes(early[frame % early.length], ids);
    updating += between - start;
    maintenance += end - between;
    worst = Math.max(worst, end - between);
  }
  const fresh = createIndex(name);
  fresh.addAll(boxes);
  const views = viewsOf(boxes);
  const culls = [index, fresh].map((one) => () => cull(one, views).seen);
  const [now, then] = takeTurns(ROUNDS, WARM_UP, culls).map((spent) => spent / VIEWS);
  const looked = cull(index, views).looked / VIEWS;
  return [
    name,
    ...[now, then].map(time),
    (now / then).toFixed(2),
    looked.toFixed(0),
    ((looked * VIEWS) / cull(fresh, views).looked).toFixed(2),
    stats(index).quality.toFixed(2),
    ...[updating / FRAMES, maintenance / FRAMES, worst].map((spent) => time(1000 * spent)),
  ];
}

/** What is seen in all views, and the nodes visited and items tested for it. */
function cull(index: SpatialIndex, views: Float64Array[]): { seen: number; looked: number } {
  const sums = { seen: 0, looked: 0 };
  for (const view of views) {
    sums.seen += index.queryPlanes(view, ids).length;
    sums.looked += index.counters.nodesVisited + index.counters.itemsTested;
  }
  return sums;
}

/** Poses on an orbit, each with the far plane at which it sees a tenth of the boxes. */
function viewsOf(boxes: Float64Array): Float64Array[] {
  return Array.from({ length: VIEWS }, (_, i) => {
    const angle = (i / VIEWS) * 2 * Math.PI;
    const at = new Vector3(Math.cos(angle), 0, Math.sin(angle)).multiplyScalar(0.6 * HALF);
    return cameraPlanes(cameraThatSees(boxes, 0.1, at));
  });
}
