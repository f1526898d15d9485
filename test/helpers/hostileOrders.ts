import { distribution } from './distributions.js';
import { random } from './random.js';

/** Worlds, and orders in which their boxes come, that make trees high, uneven or empty. */
export interface HostileOrder {
  label: string;
  /** True where small questions have few answers, so that they must not look at much. */
  isSpread: boolean;
  make(count: number): number[][];
}

const from = (label: string) => (count: number) => distribution(label)(1, count);
const list = (make: (i: number, count: number) => number[]) => (count: number) =>
  Array.from({ length: count }, (_, i) => make(i, count));
/** Boxes from the random numbers of a seed. */
const strewn = (seed: number, make: (next: () => number, i: number) => number[]) => (count: number) => {
  const next = random(seed);
  return list((i) => make(next, i))(count);
};
const shifted = (i: number): number[] => [i, i / 2, -i, i + 1, i / 2 + 1, -i + 1];
/** Places along an axis that grow by the same factor each time, to 1e12. */
const grown = (i: number, count: number): number => 10 ** ((12 * i) / count);
const unitAt = (x: number, y = 0, z = 0): number[] => [x, y, z, x + 1, y + 1, z + 1];
/** A square that faces one of the axes. */
const sheet = (next: () => number, axis: number, size: number): number[] => {
  const at = [next() * 100, next() * 100, next() * 100];
  return [...at, ...at.map((c, i) => (i === axis ? c : c + size))];
};

export const HOSTILE_ORDERS: HostileOrder[] = [
  { label: 'identical boxes', isSpread: false, make: from('identical') },
  { label: 'identical points', isSpread: false, make: from('identical points') },
  { label: 'nested boxes', isSpread: false, make: from('nested') },
  { label: 'exponential places', isSpread: false, make: from('exponential') },
  { label: 'half infinite boxes', isSpread: false, make: from('half infinite') },
  { label: 'sorted places', isSpread: true, make: list(shifted) },
  { label: 'places sorted downwards', isSpread: true, make: list((i, count) => shifted(count - i)) },
  { label: 'places from both ends in turn', isSpread: true, make: list((i) => shifted(i % 2 ? i : -i)) },
  {
    label: 'places from both ends to the middle',
    isSpread: true,
    make: list((i, count) => shifted(i % 2 ? i >> 1 : count - (i >> 1))),
  },
  { label: 'places that grow geometrically', isSpread: false, make: list((i, count) => unitAt(grown(i, count))) },
  { label: 'the same downwards', isSpread: false, make: list((i, count) => unitAt(grown(count - i, count))) },
  {
    label: 'the same with boxes that grow, in both directions',
    isSpread: false,
    make: list((i, count) => {
      const x = i % 2 ? grown(i, count) : -grown(i, count);
      return [x, 0, 0, x + 0.01 * Math.abs(x), 1, 1];
    }),
  },
  {
    label: 'the same in all octants',
    isSpread: false,
    make: list((i, count) => {
      const [x = 0, y, z] = [1, 2, 4].map((bit) => (i & bit ? grown(i, count) : -grown(i, count)));
      return unitAt(x, y, z);
    }),
  },
  {
    label: 'points that shrink geometrically',
    isSpread: false,
    make: list((i, count) => [1, 1, 1, 1, 1, 1].map((c) => c / grown(i, count))),
  },
  {
    label: 'places of any size',
    isSpread: false,
    make: strewn(8, (next) => unitAt(grown(next(), 1), grown(next(), 1))),
  },
  { label: 'points on a line', isSpread: true, make: list((i) => [i, 0, 0, i, 0, 0]) },
  { label: 'boxes without thickness', isSpread: true, make: strewn(6, (next, i) => sheet(next, i % 3, next())) },
  {
    label: 'sheets in one plane, one upon the other',
    isSpread: false,
    make: strewn(7, (next) => sheet(next, 1, 50).map((c, i) => (i % 3 === 1 ? 0 : c))),
  },
  {
    label: 'two clusters in turn, far apart',
    isSpread: true,
    make: strewn(4, (next, i) => {
      const [x, y, z] = [next() + (i % 2) * 1e9, next(), next()];
      return [x, y, z, x + 0.01, y + 0.01, z + 0.01];
    }),
  },
  {
    label: 'boxes across the middle of the world',
    isSpread: false,
    make: strewn(5, (next, i) => {
      const s = 0.01 + next() * (i % 50);
      const x = next() * 100 - 50;
      return [x - s, -s, -s, x + s, s, s];
    }),
  },
];
