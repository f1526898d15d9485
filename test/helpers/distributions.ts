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
const boxes = (count: number, make: (i: number) => number[]): Boxes => Array.from({ length: count }, (_, i) => make(i));

/** The awkward worlds every structure must cope with. */
export const DISTRIBUTIONS: Distribution[] = [
  {
    label: 'uniform',
    make: (seed, count) => {
      const next = random(seed);
      return boxes(count, () => boxAt(next, cube(-100), cube(100), cube(4)));
    },
  },
  {
    label: 'clustered',
    make: (seed, count) => {
      const next = random(seed);
      const centers = boxes(5, () => [
        coordinate(next, -500, 500),
        coordinate(next, -20, 20),
        coordinate(next, -500, 500),
      ]);
      return boxes(count, (i) => {
        const c = centers[i % 5];
        return boxAt(next, [c[0] - 3, c[1] - 3, c[2] - 3], [c[0] + 3, c[1] + 3, c[2] + 3], cube(1));
      });
    },
  },
  { label: 'identical', make: (_seed, count) => boxes(count, () => [1, 2, 3, 4, 5, 6]) },
  { label: 'identical points', make: (_seed, count) => boxes(count, () => [7, 7, 7, 7, 7, 7]) },
  {
    label: 'flat in Y',
    make: (seed, count) => {
      const next = random(seed);
      return boxes(count, () => boxAt(next, [-100, 0, -100], [100, 0, 100], [5, 0, 5]));
    },
  },
  {
    label: 'points',
    make: (seed, count) => {
      const next = random(seed);
      return boxes(count, () => boxAt(next, cube(-50), cube(50), cube(0)));
    },
  },
  {
    label: 'on cell borders',
    make: (seed, count) => {
      const next = random(seed);
      const at = (): number => Math.floor(next() * 17 - 8) * 8;
      return boxes(count, () => {
        const [x, y, z] = [at(), at(), at()];
        const s = next() < 0.3 ? 0 : 8;
        return [x, y, z, x + s, y + s, z + s];
      });
    },
  },
  {
    label: 'huge among tiny',
    make: (seed, count) => {
      const next = random(seed);
      return boxes(count, (i) => boxAt(next, cube(-100), cube(100), cube(i % 10 === 0 ? 300 : 0.1)));
    },
  },
  {
    label: 'far from the origin',
    make: (seed, count) => {
      const next = random(seed);
      return boxes(count, () => boxAt(next, [1e7, -1e7, 1e7], [1e7 + 50, -1e7 + 50, 1e7 + 50], cube(2)));
    },
  },
  {
    label: 'nested',
    make: (_seed, count) => boxes(count, (i) => [-i, -i / 2, -i, i, i / 2, i]),
  },
  {
    label: 'exponential',
    make: (seed, count) => {
      const next = random(seed);
      return boxes(count, (i) => {
        const at = 2 ** ((i % 200) - 100) * (next() < 0.5 ? 1 : -1);
        const s = Math.abs(at) * next();
        return [at, at / 2, at, at + s, at / 2 + s, at + s];
      });
    },
  },
  {
    label: 'half infinite',
    make: (seed, count) => {
      const next = random(seed);
      return boxes(count, (i) => {
        const box = boxAt(next, cube(-100), cube(100), cube(4));
        if (i % 3 === 0) box[Math.floor(next() * 3)] = Number.NEGATIVE_INFINITY;
        if (i % 5 === 0) box[3 + Math.floor(next() * 3)] = Number.POSITIVE_INFINITY;
        if (i % 11 === 0) box[4] = 1e200;
        return box;
      });
    },
  },
  {
    label: 'one far outlier',
    make: (seed, count) => {
      const next = random(seed);
      return boxes(count, (i) =>
        i === 3 ? [1e12, 5, -1e12, 1e12 + 1, 6, -1e12] : boxAt(next, cube(-10), cube(10), cube(1)),
      );
    },
  },
];
