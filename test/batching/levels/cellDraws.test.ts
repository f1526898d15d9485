import {
  ArrayCamera,
  BackSide,
  type BufferGeometry,
  type Camera,
  DoubleSide,
  FrontSide,
  Mesh,
  MeshStandardMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  PlaneGeometry,
  type Side,
  SphereGeometry,
  Texture,
  Vector3,
  Vector4,
} from 'three';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LevelMaker } from '../../../src/batching/LevelQueue.js';
import { cellsOf as cutInCells } from '../../../src/batching/levels/cells.js';
import type { Cells, LevelSource, Levels } from '../../../src/batching/levels/makeLevels.js';
import { report } from '../../../src/index.js';
import { frustumOf, SHADOW_MAP } from '../../helpers/passes.js';
import { random } from '../../helpers/random.js';
import { CENTER, SHOTS, Sight, type Size } from '../../helpers/sights.js';
import { loadAllBatching } from '../Stage.js';
import { Crowd, knot } from './Crowd.js';
import { cellsOf, drawsOf, isWhole, meetsSides, partOf, pixelsOf, seenCells, shownOf } from './cellTruth.js';

beforeAll(loadAllBatching);
afterEach(() => vi.restoreAllMocks());

function bumpy(geometry: BufferGeometry, height: number, step: number): BufferGeometry {
  const { position } = geometry.attributes;
  const point = new Vector3();
  for (let i = 0; i < position.count; i++) {
    point.fromBufferAttribute(position, i);
    const bump = height * (Math.sin(step * point.x) * Math.cos(step * point.y) + Math.sin(2 * step * point.z));
    position.setXYZ(i, point.x * (1 + bump), point.y * (1 + bump), point.z * (1 + bump) + bump);
  }
  geometry.computeVertexNormals();
  return geometry;
}

const ball = bumpy(new SphereGeometry(1, 120, 72), 0.05, 5);
const ground = bumpy(new PlaneGeometry(100, 100, 120, 70), 0.05, 0.2);

/** Sees all, from afar. */
function overview(at = CENTER): Camera {
  const camera = new OrthographicCamera(-400, 400, 400, -400, 0, 1000);
  camera.position.copy(at).add(new Vector3(0, 0, 500));
  camera.updateMatrixWorld();
  return camera;
}

/** Balls in several poses on a ground, all of one material, around a place. */
function land(side: Side = FrontSide, at = CENTER): Mesh[] {
  const material = new MeshStandardMaterial({ side });
  const add = (geometry: BufferGeometry, place: number[], turn: number[], scale: number[]): Mesh => {
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = true;
    mesh.position.set(...(place as [number, number, number])).add(at);
    mesh.rotation.set(...(turn as [number, number, number]));
    mesh.scale.set(...(scale as [number, number, number]));
    mesh.updateMatrixWorld();
    return mesh;
  };
  return [
    add(ball, [-20, 15, 0], [0.4, 1, 2], [22, 22, 22]),
    add(ball, [30, 20, 10], [2, 0.3, 0.1], [9, 30, 18]),
    add(ball, [0, 10, 30], [1, 1, 0], [-15, 20, 20]),
    add(ground, [0, 0, 0], [-Math.PI / 2, 0, 0.3], [1.5, 1.5, 1.5]),
    add(knot, [0, 30, 0], [0, 0, 0], [4, 4, 4]),
  ];
}

const isLarge = (mesh: Mesh): boolean => (mesh.geometry.index?.count ?? 0) >= 3 * 16_000;

/** Draws until all large meshes of a crowd have cells. */
async function withCells(crowd: Crowd, maxError = 0.5, camera = overview()): Promise<Crowd> {
  crowd.index.maxError = 0;
  await crowd.settle(camera);
  const large = (crowd.scene.children as Mesh[]).filter(isLarge);
  const hasCells = (mesh: Mesh): boolean => {
    const { batch, slot } = crowd.placeOf(mesh);
    return slot >= 0 && batch.slots.cellsAt(slot) !== null;
  };
  for (let n = 0; !large.every(hasCells); n++) {
    if (n > 2000) throw new Error('no cells');
    crowd.draw(camera);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  crowd.index.maxError = maxError;
  return crowd;
}

/** Fails unless each cell that shows is drawn, and as exactly as it has to be; returns how many meshes are drawn in cells. */
function checkCells(crowd: Crowd, meshes: Mesh[], views: Camera[], sights: Sight[], maxError = 0.5): number {
  let cut = 0;
  for (const mesh of meshes.filter(isLarge)) {
    if (!views.some((view) => mesh.intersectsFrustum(frustumOf(view)))) continue;
    const { cells } = cellsOf(crowd, mesh);
    const seen = seenCells(mesh, cells, views, (mesh.material as MeshStandardMaterial).side);
    const shown = shownOf(crowd, mesh);
    if (shown === null) continue;
    for (const cell of seen) expect(shown.has(cell), `cell ${cell} is left out`).toBe(true);
    if (seen.size > 0) cut++;
    const isEven = new Set(mesh.scale.toArray()).size === 1;
    for (const [cell, level] of shown) {
      expect(meetsSides(mesh, cells[cell], views), `cell ${cell} is out of view`).toBe(true);
      const pixels = pixelsOf(mesh, cells[cell], sights);
      const { errors } = cells[cell];
      if (level > 0) expect(errors[level] * pixels).toBeLessThanOrEqual(maxError * (1 + 1e-4));
      // Of one that is stretched, a finer level may be taken than has to be.
      if (isEven && level + 1 < errors.length)
        expect(errors[level + 1] * pixels).toBeGreaterThanOrEqual(maxError * (1 - 1e-4));
    }
  }
  return cut;
}

/** A camera somewhere around a place, or two of them, and how each sees. */
function anyCamera(next: () => number, at: Vector3): { camera: Camera; views: Camera[]; sights: Sight[]; size: Size } {
  const somewhere = (reach: number): Vector3 =>
    new Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(reach).add(at);
  const height = 100 + Math.floor(400 * next());
  const size: Size = [2 * height, height];
  const one = (): Camera => {
    const [fov, reach] = [20 + 100 * next(), 5 + 40 * next()];
    const camera =
      next() < 0.7
        ? new PerspectiveCamera(fov, 2, 0.05, 400)
        : new OrthographicCamera(-reach, reach, reach / 2, -reach / 2, -200, 400);
    if (next() < 0.3) camera.setViewOffset(100, 100, 60 * next(), 60 * next(), 50, 50);
    camera.position.copy(somewhere(120));
    camera.lookAt(somewhere(40));
    camera.updateMatrixWorld();
    return Object.assign(camera, { viewport: new Vector4(0, 0, ...size) });
  };
  const views = next() < 0.25 ? [one(), one()] : [one()];
  const camera = views.length > 1 ? new ArrayCamera(views as never) : views[0];
  return { camera, views, sights: views.map((view) => new Sight(view, size)), size };
}

const SIDES = [
  ['front', FrontSide],
  ['back', BackSide],
  ['both', DoubleSide],
] as const;

describe.each(SIDES)('of meshes that show the %s', (_side, side) => {
  it('each kind of camera is shown all cells that it sees, as exact as they have to be', async () => {
    const meshes = land(side);
    const crowd = await withCells(new Crowd(meshes));
    let cut = 0;
    for (const [, make, size] of SHOTS) {
      const camera = make();
      crowd.draw(camera, ...size);
      cut += checkCells(crowd, meshes, [camera], [new Sight(camera, size)]);
    }
    expect(cut).toBeGreaterThan(20);
  });

  it.each([
    [1, 0],
    [2, 1e6],
  ])('cameras anywhere as well; seed %i, %d units from the origin', async (seed, away) => {
    const next = random(seed);
    const at = CENTER.clone().setX(away);
    const meshes = land(side, at);
    const crowd = await withCells(new Crowd(meshes), 0.5, overview(at));
    let cut = 0;
    for (let i = 0; i < 20; i++) {
      const { camera, views, sights, size } = anyCamera(next, at);
      crowd.index.maxError = i % 4 === 0 ? 0 : 0.5;
      crowd.draw(camera, ...size);
      cut += checkCells(crowd, meshes, views, sights, crowd.index.maxError);
    }
    expect(cut).toBeGreaterThan(20);
  });
});

/** What is shown of some meshes in the shadow map of the next picture. */
function castBy(crowd: Crowd, meshes: readonly Mesh[], camera: Camera): (Map<number, number> | null)[] {
  const cast: (Map<number, number> | null)[] = meshes.map(() => null);
  const batches = new Set(meshes.map((mesh) => crowd.placeOf(mesh).batch));
  const spies = [...batches].map((batch) => {
    const { onBeforeShadow } = batch.mesh;
    return vi.spyOn(batch.mesh, 'onBeforeShadow').mockImplementation(function (this: never, ...given) {
      onBeforeShadow.apply(batch.mesh, given);
      for (const [i, mesh] of meshes.entries()) if (crowd.placeOf(mesh).batch === batch) cast[i] = shownOf(crowd, mesh);
    });
  });
  crowd.draw(camera);
  for (const spy of spies) spy.mockRestore();
  return cast;
}

it.each([false, true])(
  'maps have what lights see, on both sides, as exact as both views need; kept maps: %s',
  async (keepShadows) => {
    const next = random(11);
    const meshes = land().filter(isLarge);
    const crowd = await withCells(new Crowd(meshes, {}, { keepShadows }));
    let cut = 0;
    for (let i = 0; i < 40; i++) {
      const { camera, sights, size } = anyCamera(next, CENTER);
      const reach = 10 + 80 * next();
      const sun = i % 3 === 0 ? new PerspectiveCamera(30 + 60 * next(), 1, 1, 300) : overview();
      if (sun instanceof OrthographicCamera)
        Object.assign(sun, { left: -reach, right: reach, top: reach, bottom: -reach });
      (sun as OrthographicCamera).updateProjectionMatrix();
      sun.position.copy(CENTER).add(new Vector3(60 * next(), 90, 60 * next()));
      sun.lookAt(CENTER);
      sun.updateMatrixWorld();
      crowd.sun = sun;
      Object.assign(crowd, { width: size[0], height: size[1] });
      const light = new Sight(sun, [SHADOW_MAP, SHADOW_MAP]);
      for (const [m, shown] of castBy(crowd, meshes, camera).entries()) {
        if (shown === null) continue;
        cut++;
        const { cells } = cellsOf(crowd, meshes[m]);
        for (const cell of seenCells(meshes[m], cells, [sun], DoubleSide)) expect(shown.has(cell)).toBe(true);
        for (const [cell, level] of shown) {
          expect(meetsSides(meshes[m], cells[cell], [sun])).toBe(true);
          const error = cells[cell].errors[level];
          expect(error * pixelsOf(meshes[m], cells[cell], [light])).toBeLessThanOrEqual(1 + 1e-4);
          if (!keepShadows) expect(error * pixelsOf(meshes[m], cells[cell], sights)).toBeLessThanOrEqual(0.5 + 1e-4);
        }
      }
    }
    expect(cut).toBeGreaterThan(12);
  },
);

/** Makes one level of half of the triangles, that much off. */
const halfOff =
  (error: number) =>
  ({ index }: LevelSource): Levels => {
    const count = 3 * Math.floor(index.length / 6);
    return { index: index.slice(0, count), counts: [count], errors: [error] };
  };
const half = halfOff(0.01);
/** No level of a whole mesh is near enough then, and one of each cell always is. */
const onlyCells: LevelMaker = (source) =>
  source.inCells === true ? cutInCells(source, halfOff(1e-9)) : halfOff(10)(source);

/** Next to a ball, and looking away from it. */
function beside(mesh: Mesh): PerspectiveCamera {
  const camera = new PerspectiveCamera(60, 2, 0.05, 400);
  camera.position.copy(mesh.position).add(new Vector3(0, 0, 2.2 * mesh.scale.z));
  camera.rotation.y = Math.PI;
  camera.updateMatrixWorld();
  return camera;
}

it('there is room for the cells of meshes that only a map shows', async () => {
  const meshes = [land()[0], land()[0]];
  for (const mesh of meshes) mesh.material = meshes[0].material;
  const crowd = new Crowd(meshes, { make: onlyCells }, { batch: { atLeast: 1 } });
  crowd.sun = overview();
  const camera = beside(meshes[0]);
  await crowd.settle(camera);
  let cast: (Map<number, number> | null)[] = [];
  await vi.waitUntil(() => {
    cast = castBy(crowd, meshes, camera);
    return cast.every((shown) => shown !== null);
  }, 10_000);
  for (const [m, shown] of cast.entries()) expect(shown?.size).toBe(cellsOf(crowd, meshes[m]).cells.length);
});

it('there is room for all cells of any number of meshes', async () => {
  const [large] = land(DoubleSide);
  const meshes = Array.from({ length: 64 }, (_, i) => {
    const mesh = new Mesh(knot, large.material);
    mesh.position.copy(CENTER).add(new Vector3(i / 4, 0, 0));
    mesh.castShadow = true;
    return mesh;
  });
  const crowd = await withCells(new Crowd([large], { make: onlyCells }));
  const camera = new PerspectiveCamera(60, 2, 0.05, 400);
  camera.position.copy(large.position).add(new Vector3(0, 0, 3 * large.scale.z));
  const rooms = new Set<number>();
  for (const mesh of meshes) {
    crowd.scene.add(mesh);
    for (let i = 0; i < 3; i++) crowd.draw(camera);
    rooms.add(crowd.placeOf(large).batch.mesh.maxInstanceCount);
    expect(shownOf(crowd, large)?.size).toBe(cellsOf(crowd, large).cells.length);
  }
  expect(rooms.size).toBeGreaterThan(2);
});

it('meshes of one batch that come and go are drawn as they are; seed 1', async () => {
  const next = random(1);
  const meshes = land(DoubleSide);
  const crowd = await withCells(new Crowd(meshes));
  const [{ material }] = meshes;
  let cut = 0;
  for (let i = 0; i < 60; i++) {
    const gone = meshes.splice(Math.floor(next() * meshes.length), next() < 0.4 && meshes.length > 2 ? 1 : 0);
    for (const mesh of gone) mesh.removeFromParent();
    const added = next() < 0.7 ? land().slice(0, 1 + Math.floor(4 * next())) : [];
    for (const mesh of added.filter((one) => !isLarge(one) || meshes.filter(isLarge).length < 6)) {
      mesh.position
        .set(next() - 0.5, next(), next() - 0.5)
        .multiplyScalar(60)
        .add(CENTER);
      mesh.material = material;
      meshes.push(mesh);
      crowd.scene.add(mesh);
    }
    const { camera, views, sights, size } = anyCamera(next, CENTER);
    for (let n = 0; n < 3; n++) crowd.draw(camera, ...size);
    const seated = meshes.filter((mesh) => crowd.batches.states.has(mesh) && crowd.placeOf(mesh).slot >= 0);
    cut += checkCells(crowd, seated, views, sights);
    for (const mesh of seated.filter((one) => !isLarge(one)))
      for (const { hash } of drawsOf(crowd, mesh)) expect(isWhole(crowd, mesh, hash)).toBe(true);
  }
  expect(cut).toBeGreaterThan(50);
});

const inCells =
  (change: (cells: Cells, levels: Levels) => object) =>
  (source: LevelSource): Levels => {
    const levels = cutInCells(source, half);
    return { ...levels, ...change(levels.cells as Cells, levels) };
  };

/** Two balls, one around a camera, of a geometry that may be edited. */
async function nearby(options: object = {}, levels: object = {}): Promise<[Crowd, Mesh, PerspectiveCamera]> {
  const [mesh, other] = land(DoubleSide);
  mesh.geometry = other.geometry = ball.clone();
  const camera = new PerspectiveCamera(30, 2, 0.05, 400);
  camera.position.copy(mesh.position);
  camera.updateMatrixWorld();
  const make: LevelMaker = (source) => (source.inCells === true ? cutInCells(source, half) : half(source));
  const crowd = new Crowd([mesh, other], { make, ...levels }, options);
  await crowd.settle(camera);
  return [crowd, mesh, camera];
}

async function until(crowd: Crowd, camera: Camera, isReady: () => boolean): Promise<void> {
  await vi.waitUntil(
    () => {
      crowd.draw(camera);
      return isReady();
    },
    { timeout: 10_000, interval: 5 },
  );
}

it.each<[what: string, edit: (mesh: Mesh, crowd: Crowd) => void, isCutAgain: boolean, count?: number]>([
  [
    'its positions move',
    ({ geometry: { attributes } }) => Object.assign(attributes.position, { needsUpdate: true }),
    true,
  ],
  ['it has another index', ({ geometry }) => geometry.setIndex([...(geometry.index?.array ?? [])].reverse()), true],
  ['its index changes', ({ geometry }) => Object.assign(geometry.index as object, { needsUpdate: true }), true],
  ['it draws a part', ({ geometry }) => geometry.setDrawRange(0, 3 * 16_500), false, 3 * 16_500],
  ['its texture needs other coordinates', ({ material }) => Object.assign(material, { map: new Texture() }), true],
  ['its material gets holes', ({ material }) => Object.assign(material, { alphaTest: 0.5 }), false],
  ['it may have no levels', (mesh, { index }) => index.levels(mesh, false), false],
])('a mesh is drawn whole at once when %s', async (_what, edit, isCutAgain, count = 3 * 17_040) => {
  const [crowd, mesh, camera] = await nearby();
  await until(crowd, camera, () => shownOf(crowd, mesh) !== null);
  edit(mesh, crowd);
  for (let i = 0; i < 3; i++) {
    crowd.draw(camera);
    if (crowd.shown.includes(mesh)) continue;
    expect(drawsOf(crowd, mesh).map((draw) => draw.count)).toEqual([count]);
    expect(crowd.say(mesh, camera)).not.toMatch(/cells/);
  }
  if (isCutAgain) await until(crowd, camera, () => crowd.placeOf(mesh).slot >= 0 && shownOf(crowd, mesh) !== null);
});

it('where memory is short there are no cells, and all else is as it was', async () => {
  const [mesh, other] = land(DoubleSide);
  const bare = await new Crowd([mesh, other], {}, { levels: false }).settle(overview());
  const { used } = bare.batches.groups.memory;
  bare.index.dispose();
  const index = 4 * (ball.index?.count ?? 0);
  for (const share of [1.3, 6]) {
    const maxBytes = used + Math.ceil(share * index);
    const [crowd, near, camera] = await nearby({ batch: { atLeast: 2, maxBytes } });
    const isCut = (): boolean => shownOf(crowd, near) !== null;
    if (share > 2) await until(crowd, camera, isCut);
    else await until(crowd, camera, () => partOf(crowd, near)?.cells?.levels != null);
    for (let i = 0; i < 4; i++) crowd.draw(camera);
    expect(isCut()).toBe(share > 2);
    expect(crowd.batches.groups.memory.used).toBeLessThanOrEqual(maxBytes);
    expect(crowd.drawnOf(near).counts).toHaveLength(1);
    if (share < 2) expect(crowd.say(near, camera)).toMatch(/with all 17040 triangles/);
    crowd.draw(overview());
    expect(crowd.levelOf(near)).toBeGreaterThan(0);
  }
});

it.each<[what: string, make: (source: LevelSource) => Levels, warnings: number]>([
  ['makes levels of all', half, 0],
  [
    'throws',
    () => {
      throw new Error('no');
    },
    1,
  ],
  ['makes nothing', () => null as never, 1],
  ['forgets levels of a cell', inCells((cells) => ({ cells: { ...cells, levels: cells.levels.slice(1) } })), 1],
  ['has too few boxes', inCells((cells) => ({ cells: { ...cells, boxes: cells.boxes.slice(6) } })), 1],
  ['has no boxes', inCells(({ boxes: _, ...cells }) => ({ cells })), 1],
  ['has errors that fall within a cell', inCells((_, { errors }) => ({ errors: [...errors].reverse() })), 1],
  ['has errors below zero', inCells((_, { errors }) => ({ errors: errors.map((error) => error - 1) })), 1],
  ['has an index that is too short', inCells((_, { index }) => ({ index: index.slice(3) })), 1],
  ['names other vertices', inCells((_, { index }) => ({ index: index.map((vertex) => vertex + 1e6) })), 1],
])('where a function %s for cells, the mesh is drawn by its levels', async (_what, cells, warnings) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const asked: boolean[] = [];
  const make: LevelMaker = async (source) => {
    asked.push(source.inCells === true);
    return source.inCells === true ? cells(source) : half(source);
  };
  const [crowd, mesh, camera] = await nearby({}, { make });
  await until(crowd, camera, () => asked.includes(true));
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (let i = 0; i < 4; i++) crowd.draw(camera);
  expect(drawsOf(crowd, mesh).map(({ count }) => count)).toEqual([3 * 17_040]);
  crowd.draw(overview());
  expect(crowd.levelOf(mesh)).toBe(1);
  expect(warn).toHaveBeenCalledTimes(warnings);
  expect(asked).toEqual([false, true]);
});

it.each(['mesh', 'scene'])('cells that come after the end of their %s are dropped', async (end) => {
  let open: (() => void) | null = null;
  const make: LevelMaker = (source) => {
    if (source.inCells !== true) return half(source);
    return new Promise((resolve) => {
      open = () => resolve(inCells(() => ({}))(source));
    });
  };
  const [crowd, mesh, camera] = await nearby({}, { make });
  const warn = vi.spyOn(console, 'warn');
  await until(crowd, camera, () => open !== null);
  if (end === 'mesh') mesh.removeFromParent();
  else crowd.index.dispose();
  crowd.draw(camera);
  (open as (() => void) | null)?.();
  await new Promise((resolve) => setTimeout(resolve, 60));
  for (let i = 0; i < 4; i++) crowd.draw(camera);
  if (end === 'mesh') {
    crowd.scene.add(mesh);
    await until(crowd, camera, () => crowd.placeOf(mesh).slot >= 0 && shownOf(crowd, mesh) !== null);
  } else expect(crowd.shown).toContain(mesh);
  expect(warn).not.toHaveBeenCalled();
});

it('what is told of cells is what lists have', async () => {
  const next = random(21);
  const meshes = land();
  const crowd = await withCells(new Crowd(meshes));
  const all = meshes.map(({ geometry }) => (geometry.index?.count ?? 0) / 3);
  let cut = 0;
  for (let i = 0; i < 80; i++) {
    const { camera, views, size } = anyCamera(next, CENTER);
    if (!meshes.every((mesh) => views.some((view) => mesh.intersectsFrustum(frustumOf(view))))) continue;
    crowd.draw(camera, ...size);
    const sum = { drawn: 0, spared: 0 };
    for (const [m, mesh] of meshes.entries()) {
      const draws = drawsOf(crowd, mesh);
      const drawn = draws.reduce((total, { count }) => total + count / 3, 0);
      sum.drawn += drawn;
      sum.spared += all[m] - drawn;
      if (shownOf(crowd, mesh) === null) continue;
      cut++;
      expect(crowd.say(mesh, camera)).toContain(
        `in ${draws.length} ${draws.length === 1 ? 'cell' : 'cells'}, by ${drawn} of ${all[m]} triangles`,
      );
    }
    expect(report(crowd.index).find(({ triangles }) => triangles)?.triangles).toEqual(sum);
  }
  expect(cut).toBeGreaterThan(30);
});

it.each([24_000, 60_000, 2_000_000])('%d triangles are cut in at most 500 cells of the same size', (count) => {
  const positions = Float32Array.from({ length: 3000 }, (_, i) => Math.sin(i));
  const index = new Uint32Array(3 * count);
  for (let i = 0; i < index.length; i++) index[i] = (Math.floor(i / 3) + (i % 3)) % 1000;
  const none = { index: new Uint32Array(0), counts: [], errors: [] };
  const { counts } = cutInCells({ positions, attributes: [], index, inCells: true }, () => none);
  expect(counts.length).toBe(Math.ceil(count / Math.min(4000, Math.max(2000, count / 500))));
  expect(counts.length).toBeLessThanOrEqual(500);
  expect(counts.reduce((sum, one) => sum + one, 0)).toBe(index.length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(3 * counts.length);
});
