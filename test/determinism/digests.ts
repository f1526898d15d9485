import {
  Capsule,
  createIndex,
  findPairs,
  Hits,
  IdList,
  IdPairs,
  type IndexOptions,
  maintain,
  OrientedBox,
  type SpatialIndex,
  stats,
} from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { VARIANTS } from '../helpers/variants.js';
import { Digest } from './Digest.js';

const STEPS = 120;
const SEED = 1;

/**
 * What a script of operations gives with every structure: one line for each kind of answer, one for how much was looked at
 * to find them, and one for the shape the structure had meanwhile.
 */
export function digests(): { [label: string]: { [query: string]: string } } {
  const all: { [label: string]: { [query: string]: string } } = {};
  for (const { label, name, options } of VARIANTS) {
    const index = createIndex(name, options as IndexOptions);
    const answers = new Answers(index);
    run(index, random(SEED), answers);
    all[label] = answers.toJSON();
  }
  return all;
}

/** Answers of a kind come to one digest each, ids in the order in which they were given. */
class Answers {
  readonly #index: SpatialIndex;
  readonly #digests = new Map<string, Digest>();

  constructor(index: SpatialIndex) {
    this.#index = index;
  }

  ids(query: string, list: IdList): void {
    this.#work();
    const digest = this.#of(query);
    digest.integer(list.length);
    for (const id of list) digest.integer(id);
  }

  hits(query: string, hits: Hits): void {
    this.#work();
    const digest = this.#of(query);
    digest.integer(hits.length);
    for (let i = 0; i < hits.length; i++) {
      digest.integer(hits.ids[i]);
      digest.number(hits.distances[i]);
    }
  }

  pairs(query: string, pairs: IdPairs): void {
    const digest = this.#of(query);
    digest.integer(pairs.length);
    for (const [a, b] of pairs.toArray()) {
      digest.integer(a);
      digest.integer(b);
    }
  }

  numbers(query: string, numbers: Iterable<number>): void {
    for (const value of numbers) this.#of(query).number(value);
  }

  /** All but bytes, which are more where kernels are. */
  shape(): void {
    const { items, copies: entries, nodes, leaves, rows, height, quality, unbounded } = stats(this.#index);
    this.numbers('shape', [items, entries, nodes, leaves, rows, height, quality, unbounded]);
  }

  toJSON(): { [query: string]: string } {
    return Object.fromEntries([...this.#digests].map(([query, digest]) => [query, digest.toString()]));
  }

  #work(): void {
    const { nodesVisited, itemsTested } = this.#index.counters;
    this.numbers('work', [nodesVisited, itemsTested]);
  }

  #of(query: string): Digest {
    const known = this.#digests.get(query) ?? new Digest();
    this.#digests.set(query, known);
    return known;
  }
}

/** Adds, moves, removes and asks. Enough items for trees to be walked by the kernels, where these are allowed. */
function run(index: SpatialIndex, next: () => number, answers: Answers): void {
  const live: number[] = [];
  const numbers = (count: number, scale: number): number[] =>
    Array.from({ length: count }, () => (next() - 0.5) * scale);
  const place = (): number[] => {
    const low = numbers(3, 400).map((c) => (next() < 0.5 ? Math.round(c * 64) / 64 : c));
    const size = next() < 0.02 ? 200 : 6;
    const box = [...low, ...low.map((c) => c + next() * size)];
    if (next() < 0.005) box[3] = Number.POSITIVE_INFINITY;
    return box;
  };
  const some = (): number => live[Math.floor(next() * live.length)];
  const list = new IdList();
  const other = new IdList();
  const hits = new Hits();
  const pairs = new IdPairs();

  const first = index.addAll(Array.from({ length: 1500 }, place).flat());
  answers.numbers('ids', first);
  live.push(...first);
  for (let step = 0; step < STEPS; step++) {
    edit();
    ask();
    answers.shape();
    if (step % 40 === 39) answers.pairs('pairs', findPairs(index, pairs));
    if (step % 100 === 99) index.rebuild();
    if (step % 30 === 29) maintain(index, Number.POSITIVE_INFINITY);
  }
  answers.numbers('bounds', index.getBounds());

  function edit(): void {
    for (let i = 0; i < 12; i++) {
      const choice = next();
      if (choice < 0.25) {
        const id = index.add(place());
        answers.numbers('ids', [id]);
        live.push(id);
      } else if (choice < 0.5) {
        const [id] = live.splice(Math.floor(next() * live.length), 1);
        index.remove(id);
      } else if (choice < 0.7) {
        index.update(some(), place());
      } else {
        const id = some();
        const shift = numbers(3, 2);
        index.update(
          id,
          [...index.getBox(id)].map((c, k) => c + shift[k % 3]),
        );
      }
    }
  }

  function ask(): void {
    const [x, y, z] = numbers(3, 300);
    const [r, t, u] = numbers(3, 60).map(Math.abs);
    const direction = numbers(3, 2);
    const to = [x + direction[0] * 100, y + direction[1] * 100, z + direction[2] * 100];
    answers.ids('box', index.queryBox([x, y, z, x + r, y + t, z + u], list));
    answers.ids('point', index.queryPoint(x, y, z, list));
    answers.ids('sphere', index.querySphere(x, y, z, r, list));
    const planes = [1, 0, 0, r - x, -1, 0, 0, x + t, 0, 0, 1, u - z, 0.6, 0.8, 0, r, 0, -0.6, -0.8, 90];
    answers.ids('frustum', index.queryPlanes(planes, list));
    index.classify(planes, list, other);
    answers.ids('classify', list);
    answers.ids('classify', other);
    const axes = [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6];
    answers.ids('orientedBox', index.queryShape(new OrientedBox([x, y, z], [r, t, u], axes), list));
    answers.ids('capsule', index.queryShape(new Capsule([x, y, z], to, t / 4), list));
    answers.hits('ray', index.raycast({ origin: [x, y, z], direction, far: 200, margin: u / 30 }, hits));
    answers.hits('rayFirst', index.raycastFirst({ origin: [x, y, z], direction }, hits));
    answers.hits('segment', index.querySegment([x, y, z], to, hits));
    answers.hits(
      'sweep',
      index.sweep(
        [x, y, z, x + 2, y + 3, z + 4],
        direction.map((c) => c * 60),
        hits,
      ),
    );
    answers.hits('nearest', index.nearest(x, y, z, 5, 80, hits));
  }
}
