/** minX minY minZ maxX maxY maxZ. */
export type Box = number[];

const { POSITIVE_INFINITY: EVER } = Number;
const OUTWARDS = [-1, -1, -1, 1, 1, 1];

/** A box of a world of some size: three in four are common, the others awkward. */
export function randomBox(next: () => number, world: number): Box {
  return next() < 0.75 ? commonBox(next, world) : specialBox(next, world);
}

/** Coordinates are on a grid of 1/64 for one half, so that boxes touch each other and the borders of cells. */
export function commonBox(next: () => number, world: number): Box {
  const box = [0, 0, 0, 0, 0, 0];
  const widest = next() < 0.2 ? 0 : world / 16;
  for (let c = 0; c < 3; c++) {
    box[c] = coordinate(next, (next() - 0.5) * world);
    box[c + 3] = box[c] + coordinate(next, next() * widest);
  }
  return box;
}

function specialBox(next: () => number, world: number): Box {
  const box = commonBox(next, world);
  const pick = <T>(values: T[]): T => values[Math.floor(next() * values.length)];
  const kinds: (() => Box)[] = [
    // Of no size.
    () => [...box.slice(0, 3), ...box.slice(0, 3)],
    // Flat.
    () => {
      const flat = Math.floor(next() * 3);
      return box.map((c, i) => (i === flat + 3 ? box[flat] : c));
    },
    // Without ends, on some sides or on all.
    () => {
      const sides = 1 + Math.floor(next() * 63);
      return box.map((c, i) => (sides & (1 << i) ? OUTWARDS[i] * EVER : c));
    },
    // Huge.
    () => {
      const by = pick([50, 1000, 1e6, 1e15]);
      return box.map((c, i) => c + OUTWARDS[i] * by);
    },
    // The same again and again.
    () =>
      pick([
        [1, 2, 3, 4, 5, 6],
        [7, 7, 7, 7, 7, 7],
        [0, 0, 0, 0, 0, 0],
        [-0, -0, -0, 0, 0, 0],
      ]).slice(),
    // Tiny, down to the smallest numbers there are.
    () => {
      const s = pick([2 ** -20, 2 ** -60, 1e-150, 1e-310, 5e-324]);
      return next() < 0.5 ? [0, -s, s, s, 0, 2 * s] : [box[0], box[1], box[2], box[0] + s, box[1] + s, box[2] + s];
    },
    // Far away.
    () => {
      const by = pick([1e3, 1e7, -1e7, 1e12, -1e12, 2 ** 60]);
      const sides = 1 + Math.floor(next() * 7);
      return box.map((c, i) => (sides & (1 << (i % 3)) ? c + by : c));
    },
    // At the end of the range in which items are placed by their position, and beyond.
    () => {
      const at = pick([2 ** 300, -(2 ** 300), 1e80, 1e200, -1e200, 2 ** 299]);
      const [x, y, z] = box;
      return pick([
        [at, y, z, at, y, z],
        [Math.min(at, x), y, z, Math.max(at, x), y + 1, z + 1],
        [x, Math.min(at, y), z, x + 1, Math.max(at, y), z],
      ]);
    },
    // On the borders of cells.
    () => {
      const edge = pick([1, 3, 8, 10, 16]);
      const at = (): number => edge * Math.floor((next() - 0.5) * (world / edge + 2));
      const [x, y, z, s] = [at(), at(), at(), pick([0, edge, 2 * edge])];
      return [x, y, z, x + s, y + s, z + s];
    },
    // Of any scale.
    () => {
      const s = 2 ** Math.floor(next() * 96 - 60);
      return [s, -s, s, 1.5 * s, s, 1.25 * s];
    },
  ];
  return pick(kinds)();
}

function coordinate(next: () => number, value: number): number {
  return next() < 0.5 ? Math.round(value * 64) / 64 : value;
}
