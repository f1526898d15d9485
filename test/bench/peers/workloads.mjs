// What is measured. A workload asks an adapter for some of its methods, and gives a function that does one round: it
// returns the time of one operation in microseconds, and the answers of all operations in a form that can be compared.
import { digestIds } from './answers.mjs';
import { MEASURES } from './exact.mjs';
import { boxQueries, Drift, Jumps, points, rays, sphereQueries, WORLDS } from './worlds.mjs';

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

const culls = (share) => worldly(['cull'], queries('cull'), { share });
const asks = (method, make) => worldly([method], queries(method, make));
/** Equally near results are equally right, so what is compared is how far the ones found are. */
const seeks = (method, make) =>
  worldly([method], (adapter, boxes, settings) => {
    const all = make(boxes);
    const ask = queries(method, () => all)(adapter, boxes, settings);
    const distance = (query) => {
      const { ids, length } = adapter[method](query);
      return length === 0 ? Number.POSITIVE_INFINITY : MEASURES[method](boxes, 6 * ids[0], query);
    };
    return (round) => ({ time: ask(-1).time, answers: [], distances: round === 0 ? all.map(distance) : [] });
  });
/**
 * Frames in which a share of the boxes drifts, or is elsewhere: told so, or removed and put in anew. A round is some of them,
 * the first after a long motion, in which the order of the start is lost. Timed are telling the change and a cull by one
 * camera, and the answer of each frame is compared.
 */
const changes = (change, changed) =>
  worldly(
    [change, 'cull'],
    (adapter, boxes, { views, frames }) => {
      const motion = change === 'update' ? new Drift(boxes, changed) : new Jumps(boxes, changed);
      adapter.build(boxes);
      for (let i = 0; i < motion.pauses; i++) {
        motion.drift();
        adapter[change](motion.ids, boxes);
        adapter.cull(views[0]);
      }
      let number = 0;
      return () => {
        const answers = [];
        let time = 0;
        for (let i = 0; i < frames; i++) {
          motion.step();
          const view = views[(5 * number++) % views.length];
          let found;
          time += timed(() => {
            adapter[change](motion.ids, boxes);
            found = adapter.cull(view);
          });
          answers.push(digestIds(found, adapter.names));
        }
        return { time: (1e3 * time) / frames, answers };
      };
    },
    { share: 0.1, changed },
  );

export const WORLD_WORKLOADS = {
  build: worldly(['build'], build),
  'cull 1 %': culls(0.01),
  'cull 10 %': culls(0.1),
  'cull 50 %': culls(0.5),
  'cull 100 %': culls(1),
  'ray nearest': seeks('rayFirst', rays),
  'ray all': asks('rayAll', rays),
  'small box': asks('box', (boxes) => boxQueries(boxes, 20, 200)),
  'large box': asks('box', (boxes) => boxQueries(boxes, 400, 20)),
  'small sphere': asks('sphere', (boxes) => sphereQueries(boxes, 12, 200)),
  'large sphere': asks('sphere', (boxes) => sphereQueries(boxes, 250, 20)),
  nearest: seeks('nearest', points),
  'move 1 % + cull 10 %': changes('update', 0.01),
  'move 10 % + cull 10 %': changes('update', 0.1),
  'move 100 % + cull 10 %': changes('update', 1),
  'teleport 1 % + cull 10 %': changes('teleport', 0.01),
  'replace 10 % + cull 10 %': changes('replace', 0.1),
  memory: worldly(['build'], memory, { isFresh: true }),
};

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

function build(adapter, boxes) {
  return () => ({ time: (1e3 * timed(() => adapter.build(boxes))) / (boxes.length / 6), answers: [] });
}

/** Bytes that stay on the heap and beside it for each box, the boxes handed in not counted. */
export function memory(adapter, boxes) {
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
