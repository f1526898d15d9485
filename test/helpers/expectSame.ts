import { Frustum, Matrix4, PerspectiveCamera, Vector3 } from 'three';
import { expect } from 'vitest';
import { findPairs, Hits, IdList, type SpatialIndex } from '../../src/standalone.js';
import type { Oracle } from './oracle.js';

/** Fails unless the list is exactly the expected set, each id once, and names what is missing or extra. */
export function expectSameIds(actual: Iterable<number>, expected: number[], label: string): void {
  const ids = [...actual];
  const got = new Set(ids);
  expect(got.size, `${label}: an id twice`).toBe(ids.length);
  const missing = expected.filter((id) => !got.has(id));
  const want = new Set(expected);
  const extra = ids.filter((id) => !want.has(id));
  expect({ missing, extra }, label).toEqual({ missing: [], extra: [] });
}

/** The six planes of a camera as the core takes them. */
export function planesOf(camera: PerspectiveCamera): number[] {
  camera.updateMatrixWorld();
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const { planes } = new Frustum().setFromProjectionMatrix(matrix);
  return planes.flatMap((p) => [p.normal.x, p.normal.y, p.normal.z, p.constant]);
}

/** Compares every query of the index with the oracle, around a place of the given size. */
export function expectSameAnswers(
  index: SpatialIndex,
  oracle: Oracle,
  next: () => number,
  at: number[],
  size: number,
): void {
  const near = (scale = 1): number[] => at.map((c) => c + (next() - 0.5) * size * scale);
  const [x, y, z] = near();
  const [sx, sy, sz] = [next(), next(), next()].map((v) => v * size * 0.5);
  const box = [x, y, z, x + sx, y + sy, z + sz];
  expectSameIds(index.queryBox(box), oracle.box(box), `box ${box}`);
  expectSameIds(index.queryPoint(at[0], at[1], at[2]), oracle.point(at[0], at[1], at[2]), `point ${at}`);
  const radius = next() * size * 0.4;
  expectSameIds(index.querySphere(x, y, z, radius), oracle.sphere(x, y, z, radius), `sphere ${x} ${y} ${z} ${radius}`);

  const camera = new PerspectiveCamera(20 + next() * 70, 0.5 + next() * 1.5, size * 0.001, size * (0.2 + next()));
  camera.position.fromArray(near(2));
  camera.lookAt(new Vector3().fromArray(near(0.5)));
  const planes = planesOf(camera);
  const expected = oracle.frustum(planes);
  expectSameIds(index.queryPlanes(planes), expected, 'frustum');
  const inside = new IdList();
  const intersecting = new IdList();
  index.classify(planes, inside, intersecting);
  const whole = oracle.inside(planes);
  expectSameIds(inside, whole, 'classify: inside');
  expectSameIds(
    intersecting,
    expected.filter((id) => !whole.includes(id)),
    'classify: intersecting',
  );

  const origin = near(2);
  const target = near(0.5);
  const direction = origin.map((c, i) => (next() < 0.15 ? 0 : target[i] - c));
  if (!direction.some((c) => c !== 0)) direction[1] = -1;
  expectSameRay(index, oracle, origin, direction, 0, Number.POSITIVE_INFINITY, 0);
  expectSameRay(
    index,
    oracle,
    origin,
    direction,
    next() * size * 0.2,
    size * (0.2 + next()),
    next() < 0.5 ? 0 : size * 0.01,
  );

  const motion = direction.map((c) => c * (0.5 + next()));
  expectSameHits(list(index.sweep(box, motion)), oracle.sweep(box, motion), `sweep of ${box} by ${motion}`);
  expectSameHits(
    list(index.sweepFirst(box, motion)),
    oracle.sweep(box, motion).slice(0, 1),
    `first of the sweep of ${box} by ${motion}`,
  );
  const end = origin.map((c, i) => c + motion[i]);
  const way = end.map((c, i) => c - origin[i]);
  expectSameHits(
    list(index.querySegment(origin, end)),
    oracle.sweep([...origin, ...origin], way),
    `segment from ${origin} to ${end}`,
  );
  const count = [1, 3, 10, Number.POSITIVE_INFINITY][Math.floor(next() * 4)];
  const farthest = next() < 0.5 ? Number.POSITIVE_INFINITY : next() * size;
  const [px, py, pz] = next() < 0.5 ? at : [x, y, z];
  expectSameHits(
    list(index.nearest(px, py, pz, count, farthest)),
    oracle.nearest([px, py, pz], count, farthest),
    `nearest ${count} of ${px} ${py} ${pz}`,
  );
}

/** Fails unless `pairs` names exactly the pairs of boxes that touch, each once with the lower id first. */
export function expectSamePairs(index: SpatialIndex, oracle: Oracle): void {
  const got = findPairs(index).toArray();
  const names = got.map(([a, b]) => `${a}-${b}`);
  expect(new Set(names).size, 'a pair twice').toBe(names.length);
  const wanted = new Set(oracle.pairs());
  const found = new Set(names);
  const missing = [...wanted].filter((pair) => !found.has(pair));
  const extra = names.filter((pair) => !wanted.has(pair));
  expect({ missing, extra }, 'pairs').toEqual({ missing: [], extra: [] });
}

/** Compared as text first: a deep comparison of long lists takes longer than finding them. */
function expectSameHits(actual: [number, number][], expected: [number, number][], label: string): void {
  if (actual.join() !== expected.join()) expect(actual, label).toEqual(expected);
}

function list(hits: Hits): [number, number][] {
  return Array.from({ length: hits.length }, (_, i) => [hits.distances[i], hits.ids[i]]);
}

export function expectSameRay(
  index: SpatialIndex,
  oracle: Oracle,
  origin: number[],
  direction: number[],
  near: number,
  far: number,
  margin: number,
): void {
  const hits = index.raycast({ origin, direction, near, far, margin });
  const expected = oracle.ray(origin, direction, near, far, margin);
  const label = `ray from ${origin} along ${direction}, ${near} to ${far}`;
  expectSameHits(list(hits), expected, label);
  const first = index.raycastFirst({ origin, direction, near, far, margin }, new Hits());
  expectSameHits(list(first), expected.slice(0, 1), `first of ${label}`);
}
