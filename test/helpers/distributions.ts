import { random } from './random.js';

/** Boxes as the structures take them: six numbers each. */
export type Boxes = number[][];

export interface Distribution {
  label: string;
  make(seed: number, count: number): Boxes;
}

/** Half of all coordinates on a grid of 1/64, so that touching happens; the other half raw doubles. */
function coordinate(next: () => number, from: number, to: number): number {
  const value = from + next() * (to - from);
  return next() < 0.5 ? Math.round(value * 64) / 64 : value;
}

function boxAt(next: () => number, low: number[], high: number[], sizes: number[]): number[] {
  const box = [0, 0, 0, 0, 0, 0];
  for (let c = 0; c < 3; c++) {
    const a = coordinate(next, low[c], high[c]);
    const b = a + (sizes[c] === 0 ? 0 : Math.abs(coordinate(next, 0, sizes[c])));
    box[c] = a;
    box[c + 3] = b;
  }
  return box;
}

const cube = (at: number): number[] => [at, at, at];
type Make = Distribution['make'];
/** Boxes one after the other, from a seed. */
const each =
  (make: (next: () => number, i: number) => number[]): Make =>
  (seed, count) => {
    const next = random(seed);
    return Array.from({ length: count }, (_, i) => make(next, i));
  };

const clustered: Make = (seed, count) => {
  const next = random(seed);
  const centers = Array.from({ length: 5 }, () => [500, 20, 500].map((reach) => coordinate(next, -reach, reach)));
  return Array.from({ length: count }, (_, i) => {
    const [low, high] = [-3, 3].map((by) => centers[i % 5].map((c) => c + by));
    return boxAt(next, low, high, cube(1));
  });
};

function onCellBorders(next: () => number): number[] {
  const [x, y, z] = [0, 0, 0].map(() => Math.floor(next() * 17 - 8) * 8);
  const s = next() < 0.3 ? 0 : 8;
  return [x, y, z, x + s, y + s, z + s];
}

function exponential(next: () => number, i: number): number[] {
  const at = 2 ** ((i % 200) - 100) * (next() < 0.5 ? 1 : -1);
  const s = Math.abs(at) * next();
  return [at, at / 2, at, at + s, at / 2 + s, at + s];
}

function halfInfinite(next: () => number, i: number): number[] {
  const box = boxAt(next, cube(-100), cube(100), cube(4));
  if (i % 3 === 0) box[Math.floor(next() * 3)] = Number.NEGATIVE_INFINITY;
  if (i % 5 === 0) box[3 + Math.floor(next() * 3)] = Number.POSITIVE_INFINITY;
  if (i % 11 === 0) box[4] = 1e200;
  return box;
}

const FAR = [1e7, -1e7, 1e7];
const OUTLIER = [1e12, 5, -1e12, 1e12 + 1, 6, -1e12];

/** The awkward worlds every structure must cope with. */
export const DISTRIBUTIONS: Distribution[] = Object.entries<Make>({
  uniform: each((next) => boxAt(next, cube(-100), cube(100), cube(4))),
  clustered,
  identical: each(() => [1, 2, 3, 4, 5, 6]),
  'identical points': each(() => [7, 7, 7, 7, 7, 7]),
  'flat in Y': each((next) => boxAt(next, [-100, 0, -100], [100, 0, 100], [5, 0, 5])),
  points: each((next) => boxAt(next, cube(-50), cube(50), cube(0))),
  'on cell borders': each(onCellBorders),
  'huge among tiny': each((next, i) => boxAt(next, cube(-100), cube(100), cube(i % 10 === 0 ? 300 : 0.1))),
  'far from the origin': each((next) =>
    boxAt(
      next,
      FAR,
      FAR.map((c) => c + 50),
      cube(2),
    ),
  ),
  nested: each((_next, i) => [-i, -i / 2, -i, i, i / 2, i]),
  exponential: each(exponential),
  'half infinite': each(halfInfinite),
  'one far outlier': each((next, i) => (i === 3 ? OUTLIER : boxAt(next, cube(-10), cube(10), cube(1)))),
}).map(([label, make]) => ({ label, make }));

/** How boxes of one of them are made. */
export function distribution(label: string): Make {
  const found = DISTRIBUTIONS.find((d) => d.label === label);
  if (!found) throw new Error(`no distribution ${label}`);
  return found.make;
}
