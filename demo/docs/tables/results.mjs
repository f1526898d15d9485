// Tables of what the benchmarks kept, whole: for each, how many times as fast this library is.
import { time } from '../../../test/bench/figures.mjs';
import { GROUPS } from '../../../test/bench/peers/chart.mjs';
import { fastest, rivals } from '../../../test/bench/peers/results.mjs';
import { keptResults, keptTable } from './kept.mjs';
import { factor, table } from './markdown.mjs';

/** Our fastest structure against the fastest other library, for each workload of a world of 100,000 boxes. */
export function libraries(part) {
  const { results, rounds, machine } = keptResults(part, 100_000);
  const rows = Object.entries(GROUPS).flatMap(([group, names]) =>
    Object.entries(names).flatMap(([label, name]) => {
      const { us, peer } = rivals(results[label] ?? {});
      if (us === undefined || peer === undefined) return [];
      const times = factor(peer.median / us.median);
      return [
        [`${group}: ${name}`, `${time(us.median)} (${us.library})`, `${time(peer.median)} (${peer.library})`, times],
      ];
    }),
  );
  const caption = `Our fastest structure against the fastest other library. Medians of ${rounds} rounds on ${machine}.`;
  return table(['workload', 'ours', 'fastest other', 'times as fast'], rows, caption);
}

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const WORK = {
  'cull 10 %': 'Cull, 10 % in view',
  'ray nearest': 'First hit of a ray',
  'move 10 % + cull 10 %': '10 % move, then cull',
};

/** How time grows with the number of boxes. */
export function sizes() {
  const rows = Object.entries(WORK).flatMap(([label, name]) =>
    SIZES.map((n) => {
      const result = keptResults('uniform', n).results[label];
      const { us, peer } = rivals(result);
      const plain = time(result['linear scan'].median);
      return [name, n.toLocaleString('en'), time(us.median), `${time(peer.median)} (${peer.library})`, plain];
    }),
  );
  const caption = `Uniform boxes. ${keptResults('uniform', SIZES[0]).machine}.`;
  return table(
    ['workload', 'boxes', 'three-scene-index', 'fastest other library', 'a loop over all boxes'],
    rows,
    caption,
  );
}

const FRAMES = {
  'Find what to draw': /^finding what to draw, (.*)$/,
  'Whole frame, on the CPU': /^whole frame, (.*)$/,
  'Whole frame of a small scene, all in view': /^whole frame of (.* meshes), all static, all seen$/,
};

/** An accelerated scene against plain three, in Chromium. */
export function browser() {
  const { head, rows: kept } = keptTable('results-browser.md');
  const rows = Object.entries(FRAMES).flatMap(([group, pattern]) =>
    kept.flatMap((cells) => {
      const [, name] = pattern.exec(cells[0]) ?? [];
      if (name === undefined) return [];
      const [three, accelerated, ratio] = ['three', 'accelerated', 'ratio'].map(
        (column) => cells[head.indexOf(column)],
      );
      // That of turns which follow each other: the times by themselves are of a machine that was busier now and then.
      return [[`${group}: ${name}`, three, accelerated, factor(1 / Number(ratio))]];
    }),
  );
  const caption = 'accelerate(scene) against plain three: 100,000 meshes and a shadow, WebGLRenderer, CPU time.';
  return table(['frame', 'three', 'accelerated', 'times as fast'], rows, caption);
}

const DRAWN = {
  'list 1 %': '1 % in view',
  'list 10 %': '10 % in view',
  'list 50 %': '50 % in view',
  'sorted list 10 %': '10 %, sorted',
  'instances hit': 'hits of a ray',
};

/** The draw list of a BatchedMesh, and a ray at it: accelerated against three's own. */
export function instances() {
  const { results, machine, rounds } = keptResults('instances', 100_000);
  const rows = Object.entries(DRAWN).map(([label, name]) => {
    const [us, three] = [results[label].accelerate.median, results[label].BatchedMesh.median];
    return [name, time(three), time(us), factor(three / us)];
  });
  const caption = `100,000 instances in one BatchedMesh: its draw list, and a ray at it, against three's own. Medians of ${rounds} rounds on ${machine}.`;
  return table(['workload', 'three', 'accelerated', 'times as fast'], rows, caption);
}

const WORLDS = { uniform: 'Uniform in a cube', city: 'Clusters on a plane', mixed: 'Very uneven sizes' };
const STRUCTURES = ['packed', 'looseOctree', 'octree', 'grid', 'bvh', 'bruteForce'];
const ASKED = {
  build: 'build, per box',
  'small box': 'small box',
  'ray nearest': 'first hit of a ray',
  nearest: 'nearest to a point',
  'cull 10 %': 'cull, 10 % in view',
  'move 100 % + cull 10 %': 'all move, then cull',
};

/** All structures beside each other; each planar where that is faster. */
export function structures() {
  const rows = Object.entries(WORLDS).flatMap(([part, world]) => {
    const { results } = keptResults(part, 100_000);
    return Object.entries(ASKED).map(([label, name]) => {
      const times = STRUCTURES.map(
        (structure) => fastest(results[label], ({ library }) => library === structure).median,
      );
      return [`${world}: ${name}`, ...fastestMarked(times)];
    });
  });
  const { rounds, machine } = keptResults('uniform', 100_000);
  const caption = `100,000 boxes. The fastest of each row in bold. Medians of ${rounds} rounds on ${machine}.`;
  return table(['world and workload', ...STRUCTURES], rows, caption);
}

function fastestMarked(times) {
  const best = Math.min(...times);
  return times.map((one) => (one === best ? `**${time(one)}**` : time(one)));
}
