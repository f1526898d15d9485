/**
 * Every structure against every other on the same boxes, in one process, taking turns: medians of the time of each
 * workload. Then what motion leaves behind: all boxes fly and bounce for FRAMES frames, each with maintenance (MAINTAIN
 * milliseconds of it) and a query; the index culls in turns with one built just then of the same boxes.
 */
import { Vector3 } from 'three';
import {
  createIndex,
  enableSimd,
  findPairs,
  Hits,
  IdList,
  IdPairs,
  maintain,
  type SpatialIndex,
  type StructureName,
  stats,
} from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { microseconds, print, Timings } from './Timings.js';
import { cameraPlanes, cameraThatSees, flatBoxes, uniformBoxes } from './worlds.js';

enableSimd();

const N = Number(process.env.N ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 9);
const MOVING = Math.min(Number(process.env.N ?? 20_000), 100_000);
const FRAMES = Number(process.env.FRAMES ?? 10_000);
const BUDGET = Number(process.env.MAINTAIN ?? 0.5);
const WARM_UP = 2;
const QUERIES = 100;
const VIEWS = 32;

const STRUCTURES: StructureName[] = ['packed', 'looseOctree', 'octree', 'grid', 'bvh', 'bruteForce'];
const ids = new IdList();
const hits = new Hits();

/** Boxes of 0.01 to 300, most of them small. */
function mixedBoxes(count: number): Float64Array {
  const next = random(3);
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    const size = 0.01 * 30_000 ** (next() * next());
    for (let c = 0; c < 3; c++) {
      boxes[6 * i + c] = next() * 1000 - 500;
      boxes[6 * i + c + 3] = boxes[6 * i + c] + size * (0.5 + next());
    }
  }
  return boxes;
}

compare('uniform boxes in a cube', uniformBoxes(N, 7), false);
compare('clusters on a plane, all structures planar', flatBoxes(N, 7), true);
compare('boxes of very uneven sizes', mixedBoxes(N), false);
print(
  `After ${FRAMES} frames in which all ${MOVING} boxes moved, maintained for ${BUDGET} ms a frame`,
  [
    '',
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
  STRUCTURES.map(afterMotion),
);

function compare(world: string, boxes: Float64Array, planar: boolean): void {
  const next = random(9);
  const place = (): number => next() * 1000 - 500;
  const at = Array.from({ length: QUERIES }, () => [place(), planar ? next() * 10 : place(), place()]);
  const steps = Float64Array.from(boxes, () => (next() - 0.5) * 0.2);
  const contestants = STRUCTURES.map((name) => {
    const index = createIndex(name, { planar });
    index.addAll(boxes);
    return { name, index, boxes: boxes.slice(), timings: new Timings() };
  });
  const pairs = new IdPairs();
  const box = new Float64Array(6);
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const { name, index, boxes: own, timings } of contestants) {
      timings.add(round, 'build', 1, () => createIndex(name, { planar }).addAll(boxes).length);
      timings.add(round, 'box of 50', QUERIES, () => {
        return at.reduce((n, [x, y, z]) => n + index.queryBox([x, y, z, x + 50, y + 50, z + 50], ids).length, 0);
      });
      timings.add(round, 'first ray hit', QUERIES, () => {
        const direction = [0.5, planar ? -0.02 : 0.3, 0.4];
        return at.reduce((n, origin) => n + index.raycastFirst({ origin, direction }, hits).length, 0);
      });
      timings.add(round, 'ten nearest', QUERIES, () => {
        return at.reduce((n, [x, y, z]) => n + index.nearest(x, y, z, 10, Number.POSITIVE_INFINITY, hits).length, 0);
      });
      timings.add(round, 'all pairs', 1, () => findPairs(index, pairs).length);
      for (let i = 0; i < own.length; i += 6) {
        for (let c = 0; c < 3; c++) {
          const step = round % 2 === 0 ? steps[i + c] : -steps[i + c];
          own[i + c] += step;
          own[i + c + 3] += step;
        }
      }
      timings.add(round, 'move all a little', 1, () => {
        for (let id = 0, o = 0; o < own.length; id++, o += 6) {
          for (let c = 0; c < 6; c++) box[c] = own[o + c];
          index.update(id, box);
        }
        return 0;
      });
    }
  }
  print(
    `${world}, ${N} of them`,
    ['', ...STRUCTURES],
    contestants[0].timings.labels.map((label) => [
      label,
      ...contestants.map(({ timings }) => microseconds(timings.median(label))),
    ]),
  );
}

function afterMotion(name: StructureName): string[] {
  // As many boxes to the volume as 100,000 in a cube of 1000.
  const half = 500 * Math.cbrt(MOVING / 100_000);
  const next = random(7);
  const wide = uniformBoxes(MOVING, 7);
  const boxes = wide.map((c, i) => c - (1 - half / 500) * wide[i - (i % 6) + (i % 3)]);
  const way = Float64Array.from({ length: 3 * MOVING }, () => (next() - 0.5) / 2);
  const index = createIndex(name);
  const all = index.addAll(boxes);
  const early = viewsOf(boxes, half);
  let [updating, maintenance, worst] = [0, 0, 0];
  for (let frame = 0; frame < FRAMES; frame++) {
    for (let i = 0; i < way.length; i++) {
      const o = 6 * Math.floor(i / 3) + (i % 3);
      if (boxes[o] + way[i] < -half || boxes[o + 3] + way[i] > half) way[i] *= -1;
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
  const planes = viewsOf(boxes, half);
  const timings = new Timings();
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const seen = [fresh, index].map((one, i) => timings.add(round, ['new', 'old'][i], VIEWS, () => cull(one, planes)));
    if (seen[0] !== seen[1]) throw new Error('other answers than a new index');
  }
  const [now, then] = [timings.median('old'), timings.median('new')];
  const looked = looks(index, planes);
  return [
    name,
    ...[now, then].map(microseconds),
    (now / then).toFixed(2),
    looked.toFixed(0),
    (looked / looks(fresh, planes)).toFixed(2),
    stats(index).quality.toFixed(2),
    ...[updating / FRAMES, maintenance / FRAMES, worst].map((time) => microseconds(1000 * time)),
  ];
}

function cull(index: SpatialIndex, planes: Float64Array[]): number {
  return planes.reduce((n, view) => n + index.queryPlanes(view, ids).length, 0);
}

/** Nodes visited and items tested for a view. */
function looks(index: SpatialIndex, planes: Float64Array[]): number {
  const { counters } = index;
  return planes.reduce((sum, view) => {
    index.queryPlanes(view, ids);
    return sum + (counters.nodesVisited + counters.itemsTested) / VIEWS;
  }, 0);
}

/** Poses on an orbit, each with the far plane at which it sees a tenth of the boxes. */
function viewsOf(boxes: Float64Array, half: number): Float64Array[] {
  return Array.from({ length: VIEWS }, (_, i) => {
    const angle = (i / VIEWS) * 2 * Math.PI;
    const at = new Vector3(Math.cos(angle), 0, Math.sin(angle)).multiplyScalar(0.6 * half);
    return cameraPlanes(cameraThatSees(boxes, 0.1, at));
  });
}
