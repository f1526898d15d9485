// What is measured. A workload asks an adapter for some of its methods, and gives a function that does one round: it
// returns the time of one operation in microseconds, that part of it which went into telling changes, and the answers of
// all operations in a form that can be compared.
import { digestIds, digestPairs } from './answers.mjs';
import { rayEntry, squaredDistance } from './exact.mjs';
import {
  boxQueries,
  Corners,
  Drift,
  Jumps,
  PAIR_SCENES,
  pairBoxes,
  points,
  rays,
  someIds,
  sphereQueries,
  WORLDS,
} from './worlds.mjs';

/** Short rounds repeat their queries until they take this long, in milliseconds. */
const ROUND_MS = 20;

/**
 * The lesser of wall and processor time, in milliseconds: the first counts the other processes of a shared machine, the
 * second the helper threads of the garbage collector.
 */
export function timed(what) {
  const usage = process.cpuUsage();
  const start = performance.now();
  what();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(usage);
  return Math.min(wall, (user + system) / 1e3);
}

/**
 * A workload: methods of the adapter it needs, its boxes, and what a round does. `share` is how much of the world its camera
 * sees, `changed` how much of it changes in a frame.
 */
export const worldly = (needs, run, more) => ({ needs, run, boxes: ({ world, n }) => WORLDS[world](n), ...more });

export const WORLD_WORKLOADS = {
  build: worldly(['build'], build),
  'cull 1 %': worldly(['cull'], queries('cull'), { share: 0.01 }),
  'cull 10 %': worldly(['cull'], queries('cull'), { share: 0.1 }),
  'cull 50 %': worldly(['cull'], queries('cull'), { share: 0.5 }),
  'cull 100 %': worldly(['cull'], queries('cull'), { share: 1 }),
  'ray nearest': worldly(['rayFirst'], closest('rayFirst', rays, ofBox(rayEntry))),
  'ray all': worldly(['rayAll'], queries('rayAll', rays)),
  'small box': worldly(
    ['box'],
    queries('box', (boxes) => boxQueries(boxes, 20, 200)),
  ),
  'large box': worldly(
    ['box'],
    queries('box', (boxes) => boxQueries(boxes, 400, 20)),
  ),
  'small sphere': worldly(
    ['sphere'],
    queries('sphere', (boxes) => sphereQueries(boxes, 12, 200)),
  ),
  'large sphere': worldly(
    ['sphere'],
    queries('sphere', (boxes) => sphereQueries(boxes, 250, 20)),
  ),
  nearest: worldly(['nearest'], closest('nearest', points, ofBox(squaredDistance))),
  'move 1 % + cull 10 %': worldly(['update', 'cull'], moving(0.01), { share: 0.1, changed: 0.01 }),
  'move 10 % + cull 10 %': worldly(['update', 'cull'], moving(0.1), { share: 0.1, changed: 0.1 }),
  'move 100 % + cull 10 %': worldly(['update', 'cull'], moving(1), { share: 0.1, changed: 1 }),
  'move 100 % in singles + cull 10 %': worldly(['update', 'cull'], moving(1, Corners), { share: 0.1, changed: 1 }),
  'teleport 1 % + cull 10 %': worldly(['teleport', 'cull'], jumping('teleport', 0.01), { share: 0.1, changed: 0.01 }),
  'replace 10 % + cull 10 %': worldly(['replace', 'cull'], jumping('replace', 0.1), { share: 0.1, changed: 0.1 }),
  memory: worldly(['build'], memory),
};

export const PAIR_WORKLOADS = Object.fromEntries(
  Object.entries(PAIR_SCENES).map(([name, scene]) => [
    name,
    { needs: ['update', 'pairs'], run: pairs(scene), boxes: () => pairBoxes(scene), n: scene.n, frames: scene.frames },
  ]),
);

/**
 * Asks queries; all answers are compared in the first round, later only their number, unless it is not the same for all that
 * are right.
 */
export function queries(method, make, { digest = digestIds, isSameNumber = true } = {}) {
  return (adapter, boxes, { views }) => {
    adapter.build(boxes);
    const all = views ?? make(boxes);
    // Cameras come in four turns: some peers take seconds for all.
    const turns = views === undefined ? 1 : 4;
    return (round) => {
      const some = all.filter((_, i) => (i + round) % turns === 0);
      let count = 0;
      let asked = 0;
      let time = 0;
      while (time < ROUND_MS) {
        count = 0;
        time += timed(() => {
          for (const query of some) count += adapter[method](query).length;
        });
        asked += some.length;
      }
      const number = isSameNumber ? [String(count)] : [];
      const answers = round === 0 ? all.map((query) => digest(adapter[method](query), query)) : number;
      return { time: (1e3 * time) / asked, answers };
    };
  };
}

/** Equally near results are equally right, so what is compared is how far the ones found are. */
export function closest(method, make, distance) {
  return (adapter, boxes, settings) => {
    const all = make(boxes);
    const ask = queries(method, () => all)(adapter, boxes, settings);
    return (round) => {
      const { time } = ask(-1);
      const distances = all.map((query) => distance(adapter[method](query), boxes, query));
      return { time, answers: [], distances: round === 0 ? distances : [] };
    };
  };
}

/** Of the one box that was found. */
function ofBox(distance) {
  return ({ ids, length }, boxes, query) =>
    length === 0 ? Number.POSITIVE_INFINITY : distance(boxes, 6 * ids[0], query);
}

function build(adapter, boxes) {
  return () => {
    const time = timed(() => adapter.build(boxes));
    return { time: (1e3 * time) / (boxes.length / 6), answers: [] };
  };
}

/** Bytes that stay on the heap and beside it for each box, the boxes handed in not counted. */
function memory(adapter, boxes) {
  const before = held();
  adapter.build(boxes);
  const bytes = (held() - before) / (boxes.length / 6);
  return () => ({ time: bytes, answers: [] });
}

export function held() {
  for (let i = 0; i < 4; i++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Frames in which a share of the boxes drifts, then one camera culls. */
function moving(share, Motion = Drift) {
  return (adapter, boxes, settings) => {
    const drift = new Motion(boxes, someIds(boxes.length / 6, share), -500, 520);
    return frames(adapter, boxes, settings, drift, 'update', (view) => adapter.cull(view));
  };
}

/** Frames in which boxes are elsewhere: told so, or removed and put in anew. */
function jumping(change, share) {
  return (adapter, boxes, settings) =>
    frames(adapter, boxes, settings, new Jumps(boxes, share), change, (view) => adapter.cull(view));
}

function pairs(scene) {
  return (adapter, boxes, settings) => {
    const drift = new Drift(boxes, someIds(scene.n, 1), 0, scene.size, scene);
    return frames(adapter, boxes, settings, drift, 'update', () => adapter.pairs(), digestPairs);
  };
}

/**
 * Adapters are told boxes and, of some motions, minima and maxima as well, and take what suits them.
 *
 * A round is some frames, the first of them after a long motion, in which the order of the start is lost. Timed are telling the change and
 * asking, and the answer of each frame is compared.
 */
function frames(adapter, boxes, { views = [], frames }, motion, change, ask, digest = digestIds) {
  adapter.build(boxes);
  for (let i = 0; i < motion.pauses; i++) {
    motion.drift();
    adapter[change](motion.ids, boxes, motion.min, motion.max);
    ask(views[0]);
  }
  let number = 0;
  return () => {
    const answers = [];
    let upkeep = 0;
    let time = 0;
    for (let i = 0; i < frames; i++) {
      motion.step();
      const view = views[(5 * number++) % views.length];
      let found;
      upkeep += timed(() => adapter[change](motion.ids, boxes, motion.min, motion.max));
      time += timed(() => {
        found = ask(view);
      });
      answers.push(digest(found, adapter.names));
    }
    return { time: (1e3 * (upkeep + time)) / frames, upkeep: (1e3 * upkeep) / frames, answers };
  };
}
