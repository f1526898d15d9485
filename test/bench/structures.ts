/**
 * Every structure against every other on the same boxes, in one process, taking turns: medians of the time of each
 * workload. Prints a table for each world.
 */
import {
  createIndex,
  enableSimd,
  findPairs,
  Hits,
  IdList,
  IdPairs,
  type IndexOptions,
  type StructureName,
} from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { microseconds, Timings } from './Timings.js';
import { flatBoxes, uniformBoxes } from './worlds.js';

enableSimd();

const N = Number(process.env.N ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 9);
const WARM_UP = 2;
const QUERIES = 100;

const STRUCTURES: [label: string, name: StructureName, options: IndexOptions][] = [
  ['packed', 'packed', {}],
  ['looseOctree', 'looseOctree', {}],
  ['octree', 'octree', {}],
  ['grid', 'grid', {}],
  ['bvh', 'bvh', {}],
  ['bruteForce', 'bruteForce', {}],
];

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

function compare(world: string, boxes: Float64Array, planar: boolean): void {
  const next = random(9);
  const place = (): number => next() * 1000 - 500;
  const at = Array.from({ length: QUERIES }, () => [place(), planar ? next() * 10 : place(), place()]);
  const steps = Float64Array.from(boxes, () => (next() - 0.5) * 0.2);
  const contestants = STRUCTURES.map(([label, name, options]) => {
    const all = { ...options, planar };
    const index = createIndex(name, all);
    index.addAll(boxes);
    return { label, name, all, index, boxes: boxes.slice(), timings: new Timings() };
  });
  const ids = new IdList();
  const hits = new Hits();
  const pairs = new IdPairs();
  const box = new Float64Array(6);
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const { name, all, index, boxes: own, timings } of contestants) {
      timings.add(round, 'build', 1, () => createIndex(name, all).addAll(boxes).length);
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
  console.log(`\n### ${world}, ${N} of them\n`);
  console.log(`| | ${contestants.map(({ label }) => label).join(' | ')} |`);
  console.log(`| --- |${' --- |'.repeat(contestants.length)}`);
  for (const label of contestants[0].timings.labels) {
    console.log(`| ${label} | ${contestants.map(({ timings }) => microseconds(timings.median(label))).join(' | ')} |`);
  }
}
