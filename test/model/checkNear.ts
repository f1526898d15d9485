import {
  createIndex,
  enableSimd,
  findPairs,
  findPairsBetween,
  Hits,
  IdList,
  IdPairs,
  type SpatialIndex,
} from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';
import type { Box } from './randomBox.js';
import { type Hit, pairName, type Truth, touches } from './Truth.js';

/** Coordinates beyond this are asked about from here: distances to farther places are all the same number. */
const FAR = 1e13;
/** Items up to which all pairs are compared each time. */
const FEW = 24;
const { POSITIVE_INFINITY: EVER } = Number;

/**
 * Fails unless the index is healthy, holds what the truth holds, and answers like it near a box: queries of the whole
 * world would not see that the boxes of nodes are too tight.
 * @param kind Which of four kinds of questions is asked besides those that always are; any, if nothing is said.
 */
export function checkNear(index: SpatialIndex, truth: Truth, near: Box, seed: number, kind?: number): void {
  const next = random(seed);
  enableSimd(next() < 0.5);
  const problems = validate(index);
  if (problems.length > 0) throw new Error(`validate: ${problems.join('; ')}`);
  same(index.size, truth.boxes.size, 'size');
  sameBoxes(index.getBounds(), truth.bounds(), 'bounds');
  if (truth.boxes.size > 0) {
    const id = truth.pick(seed);
    sameBoxes(index.getBox(id), truth.boxes.get(id) as Box, `box of item ${id}`);
  }

  // A corner of the box, mostly, so that questions touch it.
  const side = next();
  const [low, high] = [near.slice(0, 3), near.slice(3)].map((p) => p.map((c) => Math.max(-FAR, Math.min(FAR, c))));
  const place = low.map((c, i) => (side < 0.4 ? c : side < 0.8 ? high[i] : c + (high[i] - c) * next()));
  const reach = [0, 0.25, 1, 8, high[0] - low[0]][Math.floor(next() * 5)];
  const beside = (): number[] => place.map((c) => c + (next() < 0.4 ? 0 : (next() - 0.5) * 2 * reach));

  const box = boxAround(beside(), beside());
  sameIds(index.queryBox(box, ids), truth.box(box), () => `box ${box}`);

  // The ball touches the place when it is exactly as far from its centre as its radius.
  const centre = place.slice();
  centre[Math.floor(next() * 3)] += reach;
  const radius = next() < 0.95 ? reach : EVER;
  sameIds(
    index.querySphere(centre[0], centre[1], centre[2], radius, ids),
    truth.sphere(centre, radius),
    () => `sphere ${centre}, radius ${radius}`,
  );

  const origin = beside();
  const direction: number[] = origin.map((c, i) => (next() < 0.3 ? 0 : place[i] - c));
  for (let c = 0; c < 3; c++) if (hasNoInverse(direction[c])) direction[c] = next() < 0.5 ? 0 : -0;
  if (!direction.some((c) => c !== 0)) direction[Math.floor(next() * 3)] = next() < 0.5 ? -1 : 1;
  checkRay(index, truth, origin, direction, next, reach);

  const planes = region(next, place, reach, kind === 1 || kind === 3 ? 2 ** 40 : 8);
  const seen = truth.frustum(planes);
  sameIds(index.queryPlanes(planes, ids), seen, () => `frustum ${planes}`);

  const from = next() < 0.5 ? place : beside();
  const count = [1, 2, 7, EVER][Math.floor(next() * 4)];
  const farthest = next() < 0.5 ? EVER : reach;
  sameHits(
    index.nearest(from[0], from[1], from[2], count, farthest, hits),
    truth.nearest(from, count, farthest),
    () => `nearest ${count} of ${from} within ${farthest}`,
  );

  const any = Math.floor(next() * 4);
  switch (kind ?? any) {
    case 0:
      sameIds(
        index.queryPoint(place[0], place[1], place[2], ids),
        truth.box([...place, ...place]),
        () => `point ${place}`,
      );
      break;
    case 1: {
      index.classify(planes, ids, others);
      const inside = truth.inside(planes);
      sameIds(ids, inside, () => `classify ${planes}: inside`);
      for (const id of inside) seen.delete(id);
      sameIds(others, seen, () => `classify ${planes}: intersecting`);
      break;
    }
    case 2: {
      const motion = direction.map((c) => c * (0.5 + next()));
      const swept = truth.sweep(box, motion);
      sameHits(index.sweep(box, motion, hits), swept, () => `sweep of ${box} by ${motion}`);
      break;
    }
    case 3: {
      const to = beside();
      const way = to.map((c, i) => c - origin[i]);
      if (way.some(hasNoInverse)) break;
      sameHits(
        index.querySegment(origin, to, hits),
        truth.sweep([...origin, ...origin], way),
        () => `segment from ${origin} to ${to}`,
      );
    }
  }

  if (truth.boxes.size <= FEW || next() < 1 / 16) checkPairs(index, truth);
  else {
    const expected = truth.box(box);
    one.clear();
    one.add(box);
    const found = findPairsBetween(index, one, pairs);
    ids.length = 0;
    const list = ids.reserve(found.length);
    for (let i = 0; i < found.length; i++) list[ids.length++] = found.ids[2 * i];
    sameIds(ids, expected, () => `pairs with ${box}`);
  }
}

/**
 * Several checks around a place, near which something of that size may be; SIMD is allowed again afterwards. Every kind of
 * question is asked.
 */
export function checkAround(index: SpatialIndex, truth: Truth, next: () => number, at: number[], size: number): void {
  const before = enableSimd(true);
  const half = size / 2;
  try {
    for (let kind = 0; kind < 4; kind++) {
      const middle = at.map((c) => c + (next() - 0.5) * size);
      const near = next() < 0.5 ? [...at, ...at] : [...middle.map((c) => c - half), ...middle.map((c) => c + half)];
      checkNear(index, truth, near, Math.floor(next() * 2 ** 31), kind);
    }
    checkPairs(index, truth);
  } finally {
    enableSimd(before);
  }
}

/** True of numbers so small that one divided by them is not finite: which way they lead is lost in rounding. */
function hasNoInverse(c: number): boolean {
  return c !== 0 && Math.abs(c) < 1e-100;
}

const one = createIndex('bruteForce');
const ids = new IdList();
const others = new IdList();
const hits = new Hits();
const pairs = new IdPairs();

function checkRay(
  index: SpatialIndex,
  truth: Truth,
  origin: number[],
  direction: number[],
  next: () => number,
  reach: number,
): void {
  const near = next() < 0.7 ? 0 : next() * reach;
  const far = next() < 0.6 ? EVER : near + reach;
  const margin = next() < 0.8 ? 0 : reach / 8;
  const ray = { origin, direction, near, far, margin };
  const met = truth.ray(origin, direction, near, far, margin);
  const label = (): string => `ray from ${origin} along ${direction}, ${near} to ${far}, margin ${margin}`;
  sameHits(index.raycast(ray, hits), met, label);
  sameHits(index.raycastFirst(ray, hits), met.slice(0, 1), () => `first of ${label()}`);
}

/** Up to eight planes around a place, some of them through it, with normals in so many steps. */
function region(next: () => number, place: number[], reach: number, steps: number): number[] {
  const planes: number[] = [];
  const count = Math.floor(next() * 9);
  for (let i = 0; i < count; i++) {
    const normal = [0, 0, 0].map(() => (next() < 0.3 ? 0 : Math.round((next() - 0.5) * 2 * steps) / steps));
    const [x, y, z] = normal;
    planes.push(x, y, z, (next() < 0.3 ? 0 : next() * reach) - (x * place[0] + y * place[1] + z * place[2]));
  }
  return planes;
}

function boxAround(a: number[], b: number[]): Box {
  return [...a.map((c, i) => Math.min(c, b[i])), ...a.map((c, i) => Math.max(c, b[i]))];
}

/** Fails unless the pairs are exactly those of boxes that touch, each once, the lower id first. */
export function checkPairs(index: SpatialIndex, truth: Truth): void {
  const missing = truth.pairs();
  const found = findPairs(index, pairs);
  for (let i = 0; i < found.length; i++) {
    const a = found.ids[2 * i];
    const b = found.ids[2 * i + 1];
    if (!(a < b)) throw new Error(`pairs: ${a} before ${b}`);
    if (missing.delete(pairName(a, b))) continue;
    const [mine, its] = [truth.boxes.get(a), truth.boxes.get(b)];
    const why = mine && its && touches(mine, its) ? 'is found twice' : 'does not touch';
    throw new Error(`pairs: ${a} and ${b} ${why}`);
  }
  if (missing.size > 0) throw new Error(`pairs: ${missing.size} are missing`);
}

/** Empties `missing`. */
function sameIds(actual: IdList, missing: Set<number>, label: () => string): void {
  const expected = missing.size;
  let right = 0;
  for (let i = 0; i < actual.length; i++) {
    if (!missing.has(actual.ids[i])) throw new Error(`${label()}: item ${actual.ids[i]} is extra`);
    right++;
  }
  if (right !== expected || new Set(actual).size !== expected)
    throw new Error(`${label()}: ${[...actual]} instead of ${[...missing]}`);
}

function sameHits(actual: Hits, expected: Hit[], label: () => string): void {
  let isSame = actual.length === expected.length;
  for (let i = 0; isSame && i < actual.length; i++)
    isSame = actual.ids[i] === expected[i][1] && actual.distances[i] === expected[i][0];
  if (isSame) return;
  const got = Array.from({ length: actual.length }, (_, i) => `${actual.ids[i]} at ${actual.distances[i]}`);
  const wanted = expected.map(([distance, id]) => `${id} at ${distance}`);
  throw new Error(`${label()}: ${got.join(', ')} instead of ${wanted.join(', ')}`);
}

function sameBoxes(actual: Float64Array, expected: Box, label: string): void {
  for (let c = 0; c < 6; c++) {
    if (actual[c] !== expected[c]) throw new Error(`${label}: ${actual.join(' ')} instead of ${expected.join(' ')}`);
  }
}

function same<T>(actual: T, expected: T, label: string): void {
  if (actual !== expected) throw new Error(`${label}: ${String(actual)} instead of ${String(expected)}`);
}
