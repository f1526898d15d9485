import { Capsule, Hits, IdList, OrientedBox, type SpatialIndex } from '../../src/standalone.js';

/** What is found; ids without distances come in any order. */
export interface Answer {
  ids: number[];
  distances: number[];
  /** Nodes visited and items tested. */
  work: [number, number];
}

const list = new IdList();
const other = new IdList();
const hits = new Hits();
const { POSITIVE_INFINITY: EVER } = Number;

/** Questions of all kinds about a place, and what lies between it and another. */
export function questionsAbout(
  a: number[],
  b: number[],
  size: number,
  next: () => number,
): ((index: SpatialIndex) => Answer)[] {
  const box = [...a.map((v, c) => Math.min(v, b[c]) - size), ...a.map((v, c) => Math.max(v, b[c]) + size)];
  const direction: number[] = a.map((v, c) => (next() < 0.2 ? 0 : b[c] - v));
  if (!direction.some((v) => v !== 0)) direction[1] = 1;
  const planes = Array.from({ length: Math.floor(next() * 8) }, (_, i) => {
    const normal = [0, 1, 2].map((axis) => (i % 4 === axis ? 0 : next() - 0.5));
    return [...normal, (i % 2) * next() * size - normal.reduce((sum, n, c) => sum + n * a[c], 0)];
  }).flat();
  const ray = { origin: a, direction };
  const parts = [ray, { ...ray, near: size / 4, far: 2 * size, margin: size / 50 }];
  const [x, y, z] = a;
  const ids = (ask: (index: SpatialIndex) => IdList) => (index: SpatialIndex) => answerOf(index, ask(index).toArray());
  const met = (ask: (index: SpatialIndex) => Hits) => (index: SpatialIndex) => {
    const { length, ids, distances } = ask(index);
    return answerOf(index, [...ids.subarray(0, length)], [...distances.subarray(0, length)]);
  };
  const classified = (inside: IdList, crossing: IdList) => (index: SpatialIndex) => {
    index.classify(planes, inside, crossing);
    return list;
  };
  return [
    ids((index) => index.queryBox(box, list)),
    ids((index) => index.queryBox([...a, ...a], list)),
    ids((index) => index.queryPoint(x, y, z, list)),
    ...[0, size, EVER].map((radius) => ids((index) => index.querySphere(x, y, z, radius, list))),
    ids((index) => index.queryPlanes(planes, list)),
    ids((index) => index.queryPlanes([], list)),
    ids(classified(list, other)),
    ids(classified(other, list)),
    ids((index) =>
      index.queryShape(new OrientedBox(a, [size, size / 8, size], [0.8, 0, 0.6, 0, 1, 0, -0.6, 0, 0.8]), list),
    ),
    ids((index) => index.queryShape(new Capsule(a, b, size), list)),
    ...parts.map((part) => met((index) => index.raycast(part, hits))),
    ...parts.map((part) => met((index) => index.raycastFirst(part, hits))),
    met((index) => index.querySegment(a, b, hits)),
    met((index) => index.sweep(box, direction, hits)),
    met((index) => index.nearest(x, y, z, 1, EVER, hits)),
    met((index) => index.nearest(x, y, z, 7, size, hits)),
    met((index) => index.nearest(x, y, z, EVER, 3 * size, hits)),
  ];
}

function answerOf({ counters }: SpatialIndex, ids: number[], distances: number[] = []): Answer {
  return { ids, distances, work: [counters.nodesVisited, counters.itemsTested] };
}
