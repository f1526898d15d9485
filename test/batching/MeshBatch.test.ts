import {
  ArrayCamera,
  BatchedMesh,
  BoxGeometry,
  BufferGeometry,
  type Camera,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Sphere,
  Vector3,
} from 'three';
import { afterEach, expect, it, vi } from 'vitest';
import { BatchGroups, type Draw } from '../../src/batching/BatchGroup.js';
import { BatchMemory } from '../../src/batching/BatchMemory.js';
import { DrawSlots, findOrigin, GoodOrigin, type SeenDraws } from '../../src/batching/DrawSlots.js';
import { JoinedWith } from '../../src/batching/JoinedWith.js';
import { MaterialGeometryCache } from '../../src/batching/MaterialGeometryCache.js';
import { MeshBatch } from '../../src/batching/MeshBatch.js';
import type { PlacedGeometry } from '../../src/batching/PlacedGeometry.js';
import { IdList } from '../../src/core/ids.js';
import { depthCoefficients } from '../../src/instances/drawn/drawLists.js';
import type { ObjectRecord } from '../../src/scene/objects/ObjectRecord.js';
import { type Internals, knowsBatches } from '../../src/three/batches.js';
import { eye as eyeAt } from '../helpers/cameras.js';
import { throwIt } from '../helpers/failures.js';
import { random } from '../helpers/random.js';
import { inverseOf, mapOf } from '../helpers/sights.js';
import { seeds } from '../helpers/width.js';

afterEach(() => vi.restoreAllMocks());

it('knows the batches of this three', () => expect(knowsBatches()).toBe(true));

it.each(['_multiDrawStarts', '_multiDrawCounts', '_multiDrawCount', '_indirectTexture', '_matricesTexture'])(
  'notices that %s is another',
  (name) => {
    // Set by the constructor, which finds this in its place.
    const kind = BatchedMesh.prototype;
    Object.defineProperty(kind, name, { configurable: true, get: () => ({ image: { data: [] } }), set() {} });
    expect(knowsBatches()).toBe(false);
    Reflect.deleteProperty(kind, name);
  },
);

it('notices that a part is kept elsewhere', () => {
  const kind = BatchedMesh.prototype as unknown as { _initMatricesTexture(): void };
  vi.spyOn(kind, '_initMatricesTexture').mockImplementation(function (this: { _matrices: Float32Array }) {
    this._matrices = new Float32Array(16);
  });
  expect(knowsBatches()).toBe(false);
});

it('a batch is as its meshes were when they came, whatever they are by now', () => {
  const cache = new MaterialGeometryCache(true, () => {});
  const [material, shape] = [new MeshBasicMaterial(), new BoxGeometry()];
  const known = cache.material(material);
  const groups = new BatchGroups(new BatchMemory(1e6), 4, throwIt);
  const keys = Array.from({ length: 4 }, () => {
    const mesh = Object.assign(new Mesh(shape, material), { renderOrder: 2, castShadow: true, receiveShadow: true });
    return new JoinedWith(mesh, 0, cache);
  });
  const [group, ...others] = keys.map((joined, i) => {
    const group = groups.of(joined, known);
    const mesh = new Mesh();
    const record = { object: mesh } as unknown as ObjectRecord;
    const owner = { record, mesh, isLeveled: true, first: null, onBatch() {} };
    const range = { start: 0, count: 3 };
    const draw: Draw = { owner, joined, group, range, material, known, slot: -1, part: null, piece: null, next: null };
    group.add(draw);
    if (i < 3) Object.assign(joined, { mask: 7, renderOrder: 9, shadows: 0 });
    return group;
  });
  expect(others.every((other) => other === group)).toBe(true);
  expect(group.batch?.mesh).toMatchObject({ renderOrder: 2, castShadow: true, receiveShadow: true });
  expect(group.batch?.mesh.layers.mask).toBe(1);
  for (const draw of group.draws) group.leave(draw);
  expect(group.batch).not.toBe(null);
  groups.tidy();
  expect(group.batch).toBe(null);
  expect(groups.of(keys[3], known)).not.toBe(group);
  groups.dispose();
});

/** Draws of unit spheres at some places along X. */
function drawsAt(places: readonly number[]): SeenDraws {
  const geometry = new BufferGeometry();
  geometry.boundingSphere = new Sphere(new Vector3(), 1);
  const slots = new DrawSlots(places.length);
  const ids = new IdList();
  for (const x of places) {
    const shape = { known: { geometry }, start: 0, center: new Vector3() } as PlacedGeometry;
    const slot = slots.add(shape, { start: 0, count: 3 }, 0, 0);
    slots.setMatrix(slot, new Matrix4().setPosition(x, 0, 0));
    ids.reserve(1)[ids.length++] = slot;
  }
  return { ids, slots, isSame: true };
}

/** The X of the origin that is found; null for the present one. */
function originFor(batches: readonly SeenDraws[], eye: number, camera: Camera, origin = 0): number | null {
  camera.position.set(eye, 0, 0);
  if (camera.matrixWorldAutoUpdate) camera.updateMatrixWorld();
  const out = new Float64Array(4);
  const present = new Matrix4().setPosition(origin, 0, 0).elements;
  return findOrigin(batches, present, camera, out) ? out[0] : null;
}

const wide = new PerspectiveCamera(50, 1, 0.1, 1e6);
const narrow = new PerspectiveCamera(10, 1, 0.1, 1e6);
const parallel = new OrthographicCamera(-5, 5, 5, -5, 0.1, 1e6);
const at = (x: number): PerspectiveCamera => eyeAt(x, 0, 0, { fov: 50, lookAt: [x, 0, -1] });
const several = new ArrayCamera([at(0), at(998)]);

it.each<[label: string, places: number[], eye: number, camera: Camera, origin: number, expected: number | null]>([
  ['nothing is seen', [], 1e6, wide, 0, null],
  ['all is near', [3, 8, 20], 10, wide, 0, null],
  ['one is near the eye, and far from the origin', [1000, 5000], 998, wide, 0, 1000],
  ['the new origin is the nearest, as a whole number', [40, 1000.4], 999, wide, 0, 1000],
  ['what is far from the origin is as far from the eye', [1000], 0, wide, 0, null],
  ['a narrow view shows more', [1000], 880, narrow, 0, 1000],
  ['and a wide one less', [1000], 880, wide, 0, null],
  ['a parallel view shows the same at any distance', [1000], 0, parallel, 0, 1000],
  ['a projection tells where the eye is', [1000], 0, mapOf(at(998)), 0, 1000],
  ['an inverse tells where the eye is', [1000], 0, inverseOf(at(998)), 0, 1000],
  ['the second of two views is near', [1000], 0, several, 0, 1000],
  ['the eye is nowhere', [1000], Number.NaN, wide, 0, null],
  ['a draw is nowhere', [Number.NaN, 1000], 999, wide, 0, 1000],
  ['the present origin is the best, though not good enough', [0, 1000], 0, parallel, 0, null],
])('the origin of a batch, when %s', (_label, places, eye, camera, origin, expected) => {
  expect(originFor([drawsAt(places)], eye, camera, origin)).toBe(expected);
  // All batches share it, whichever holds the draws.
  const apart = places.map((place) => drawsAt([place]));
  expect(originFor(apart, eye, camera, origin)).toBe(expected);
  expect(originFor(apart.reverse(), eye, camera, origin)).toBe(expected);
});

it.each(seeds(40, 10))('an origin that was good enough is, as long as that is remembered of it, seed %i', (seed) => {
  const next = random(seed);
  const camera = next() < 0.7 ? eyeAt(0, 0, 0, { fov: 50 }) : new OrthographicCamera(-5, 5, 5, -5, 0.1, 1e6);
  let batches = [drawsAt([0, 1].map(() => 100 * next()))];
  const good = new GoodOrigin();
  const out = new Float64Array(4);
  let held = 0;
  for (let picture = 0; picture < 100; picture++) {
    if (next() < 0.1) batches = [drawsAt([0, 1].map(() => 100 * next()))];
    const [{ ids, slots }] = batches;
    const moved = new Matrix4().setPosition(next() < 0.5 ? camera.position.x : 100 * next(), 0, 0);
    if (next() < 0.2) slots.setMatrix(0, moved);
    const before = ids.length;
    ids.length = next() < 0.8 ? 2 : 1;
    Object.assign(batches[0], { isSame: ids.length === before });
    camera.position.x += (next() < 0.2 ? 80 : 4) * (next() - 0.5);
    camera.rotation.z = next();
    camera.updateMatrixWorld();
    const isFar = findOrigin(batches, new Matrix4().elements, camera, out);
    if (good.holdsFor(batches, camera)) {
      held++;
      expect(isFar).toBe(false);
    } else good.remember(batches, camera, isFar ? -1 : out[3]);
  }
  expect(held).toBeGreaterThan(10);
});

it.each(seeds(40, 10))('draws are in order whatever was listed, moved and seen before, seed %i', (seed) => {
  const next = random(seed);
  const cache = new MaterialGeometryCache(true, () => {});
  const shape = cache.geometry(new BoxGeometry());
  const batch = new MeshBatch(
    new MeshBasicMaterial(),
    { isMirrored: false, isTinted: false },
    new BatchGroups(new BatchMemory(1e6), 4, throwIt),
    () => {},
  );
  const camera = new PerspectiveCamera(50, 1, 0.1, 100);
  const places = new Map<number, Vector3>();
  const put = (slot: number): void => {
    const place = new Vector3(...[0, 1, 2].map(() => Math.floor(6 * next())));
    places.set(slot, place);
    batch.setMatrix(slot, new Matrix4().setPosition(place));
  };
  // The room of the first one is free, so the others lie elsewhere once the buffers grow.
  const first = batch.add(cache.geometry(new BoxGeometry()), { start: 0, count: 36 }, 0, 7);
  batch.setMatrix(first, new Matrix4());
  batch.add(shape, { start: 0, count: 36 }, 1, 7);
  batch.remove(first);
  for (let i = 0; i < 12; i++) put(batch.add(shape, { start: 0, count: 36 }, 2 * i, 7));
  let listed = [...places.keys()];
  let shown = '';
  for (let picture = 1; picture < 60; picture++) {
    const act = Math.floor(10 * next());
    if (act === 0) put(Math.floor(12 * next()));
    // The buffers of its geometries and its own lists grow, or a draw has another part of its geometry.
    if (act === 8) put(batch.add(cache.geometry(new BoxGeometry()), { start: 0, count: 36 }, 99 + places.size, 7));
    if (act === 9) batch.updateGeometry(Math.floor(12 * next()), { start: 3 * picture, count: 3 });
    if (act === 1) camera.position.set(9 * next(), 9 * next(), 9 * next());
    if (act === 2) camera.rotation.set(0, 0, 6 * next());
    if (act === 3) listed = [...places.keys()].filter(() => next() < 0.8);
    camera.updateMatrixWorld();
    const texture = batch.mesh._indirectTexture;
    const { version } = texture;
    const isSorted = next() < 0.8;
    const draws = batch.beginPass(0, isSorted ? depthCoefficients(camera) : null);
    for (const slot of listed) draws.add(slot);
    let expected = [...listed];
    if (act === 4) {
      const apart = expected.splice(Math.floor(next() * expected.length), 1);
      for (const slot of apart) batch.slots.apartIn[slot] = picture;
      batch.lists[0].dropApart(picture);
    }
    const turn = next() < 0.5 ? 1 : -1;
    if (act === 5) {
      batch.lists[0].sortBy((slot) => turn * slot);
      expected.sort((a, b) => turn * (a - b));
    }
    const { mesh } = batch;
    // A list may be drawn by no picture.
    if (next() < 0.2) continue;
    mesh.onBeforeRender({} as never, null as never, camera, mesh.geometry, mesh.material as never, null as never);
    const depthOf = (slot: number): number => {
      const { elements: e } = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
      const { x, y, z } = places.get(slot) as Vector3;
      return e[2] * x + e[6] * y + e[10] * z + e[14];
    };
    if (isSorted) expected = expected.sort((a, b) => depthOf(a) - depthOf(b) || a - b);
    const drawn = [...(texture.image.data as unknown as Uint32Array).subarray(0, expected.length)];
    expect(drawn, `picture ${picture}`).toEqual(expected);
    const { _multiDrawCount, _multiDrawStarts, _multiDrawCounts } = mesh as unknown as Internals;
    expect(_multiDrawCount).toBe(expected.length);
    const ranges = drawn.map((_, i) => [_multiDrawStarts[i], _multiDrawCounts[i]]);
    batch.slots.drawWhole(drawn, drawn.length);
    expect(ranges).toEqual(drawn.map((slot) => [4 * batch.slots.starts[slot], batch.slots.counts[slot]]));
    // What begins the texture already is not uploaded again.
    expect(texture.version > version).toBe(!shown.startsWith(`${texture.uuid}${expected},`));
    shown = `${texture.uuid}${[...(texture.image.data as unknown as Uint32Array)]},`;
  }
});
