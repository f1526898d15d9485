import {
  ArrayCamera,
  BoxGeometry,
  type BufferGeometry,
  type Camera,
  Matrix4,
  type Mesh,
  MeshPhongMaterial,
  type MeshStandardMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Raycaster,
  Scene,
  type Sphere,
  SphereGeometry,
  Texture,
  TorusKnotGeometry,
  Vector3,
  Vector4,
} from 'three';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LevelMaker } from '../../../src/batching/LevelQueue.js';
import type { LevelSource, Levels } from '../../../src/batching/levels/makeLevels.js';
import { levelsCode } from '../../../src/batching/MeshLevels.js';
import { report } from '../../../src/index.js';
import { drawnTriangles, plainTriangles } from '../../helpers/drawnTriangles.js';
import { SHADOW_MAP } from '../../helpers/passes.js';
import { random } from '../../helpers/random.js';
import { BROKEN, CENTER, SHOTS, SIZE, Sight } from '../../helpers/sights.js';
import { looksTheSame, padded } from '../../model/pictures/makeLooks.js';
import { cameraAt, loadAllBatching } from '../Stage.js';
import { Crowd, HEIGHT, knot, knots, paint } from './Crowd.js';

beforeAll(loadAllBatching);
afterEach(() => vi.restoreAllMocks());

function lens(fov: number, aspect = 2, shift = 0): PerspectiveCamera {
  const camera = new PerspectiveCamera(fov, aspect, 0.1, 1000);
  if (shift !== 0) camera.setViewOffset(100, 100, shift, 0, 100, 100);
  return camera;
}

/** One that stays where it is. */
const camera = lens(50);

function viewed(camera: PerspectiveCamera, height: number, x: number): Camera {
  camera.position.x = x;
  camera.updateMatrixWorld();
  return Object.assign(camera, { viewport: new Vector4(0, 0, 2 * height, height) });
}

const CAMERAS: readonly [name: string, make: () => Camera][] = [
  ['a usual camera', () => lens(50)],
  ['a wide one', () => lens(100)],
  ['a long one', () => lens(8)],
  ['one that looks aside', () => lens(50, 2, 60)],
  ['one of parallel rays', () => new OrthographicCamera(-80, 80, 40, -40, 0.1, 500)],
  [
    'two views of an ArrayCamera',
    () => new ArrayCamera([viewed(lens(50), 100, 0), viewed(lens(50), 300, 60)] as never),
  ],
];

/** Pixels of a unit of a mesh where a camera sees it largest, as the guide says it. */
function pixelsOf(mesh: Mesh, camera: Camera, height: number, width = 2 * height): number {
  const views = (camera as ArrayCamera).isArrayCamera ? (camera as ArrayCamera).cameras : [camera];
  const sizes = views.map((view) => {
    const { viewport } = view as Camera & { viewport?: Vector4 };
    const p = view.projectionMatrix.elements;
    const [across, upwards] = viewport === undefined ? [width, height] : [viewport.z, viewport.w];
    const pixels = Math.max(p[0] * across, p[5] * upwards) / 2;
    const scale = mesh.matrixWorld.getMaxScaleOnAxis();
    if (p[11] === 0) return scale * pixels;
    const ball = (mesh.geometry.boundingSphere ?? new SphereGeometry().boundingSphere)
      ?.clone()
      .applyMatrix4(mesh.matrixWorld);
    const away = ball?.distanceToPoint(new Vector3().setFromMatrixPosition(view.matrixWorld)) ?? 0;
    // The corner that is farthest from the axis.
    const inverse = new Matrix4().copy(view.projectionMatrix).invert();
    const corners = [-1, 1].flatMap((x) => [-1, 1].map((y) => new Vector3(x, y, 0).applyMatrix4(inverse).normalize()));
    const cosine = Math.min(...corners.map(({ z }) => Math.abs(z)));
    // A frame that is no rectangle about the axis counts as the one that holds it.
    const wide = 1 + ((1 + Math.abs(p[8])) / p[0]) ** 2 + ((1 + Math.abs(p[9])) / p[5]) ** 2;
    expect(wide).toBeGreaterThanOrEqual(0.999 / cosine ** 2);
    return (scale * pixels * wide) / Math.max(away, (view as PerspectiveCamera).near);
  });
  return Math.max(...sizes);
}

describe.each(CAMERAS)('for %s', (_name, make) => {
  it.each([0.25, 1])('each mesh is drawn by the coarsest level that is off by at most %d pixels', async (maxError) => {
    const next = random(3);
    const meshes = knots(24, (mesh, i) => {
      mesh.position.set(40 * (next() - 0.5), 20 * (next() - 0.5), i === 0 ? 0 : -200 * next() ** 2);
      mesh.scale.set(0.2 + 4 * next(), 0.2 + next(), 0.2 + next());
      mesh.frustumCulled = false;
    });
    const crowd = new Crowd(meshes, { maxError });
    await crowd.settle(cameraAt(300));
    const seen = new Set<number>();
    for (const height of [HEIGHT, 40]) {
      const fresh = make();
      crowd.draw(fresh, 2 * height, height);
      for (const mesh of meshes) {
        const { count, counts, errors } = crowd.drawnOf(mesh);
        if (count === 0) continue;
        const pixels = pixelsOf(mesh, fresh, height);
        const level = errors.filter((error) => error * pixels <= maxError).length;
        expect(count, mesh.id.toString()).toBe([knot.index?.count, ...counts][level]);
        seen.add(level);
      }
    }
    expect(seen.size).toBeGreaterThan(1);
  });
});

it('for any camera levels are off by at most a quarter of a pixel, and no finer than that', async () => {
  const next = random(41);
  const meshes = knots(24, (mesh) => {
    mesh.position
      .set(next() - 0.5, next() - 0.5, next() - 0.5)
      .multiplyScalar(120)
      .add(CENTER);
    mesh.scale.setScalar(0.3 + 3 * next() ** 3);
    mesh.frustumCulled = false;
  });
  const crowd = await new Crowd(meshes, { maxError: 0.25 }).settle(cameraAt(300));
  const levelsFor = (camera: Camera, [width, height] = SIZE): number[] => {
    crowd.draw(camera, width, height);
    return meshes.map((mesh) => crowd.levelOf(mesh));
  };
  for (const [what, make, size] of SHOTS) {
    const camera = make();
    const sight = new Sight(camera, size);
    const levels = levelsFor(camera, size);
    expect(new Set(levels).size, what).toBeGreaterThan(1);
    for (const [i, mesh] of meshes.entries()) {
      const ball = (knot.boundingSphere as Sphere).clone().applyMatrix4(mesh.matrixWorld);
      const pixels = sight.unitOf(ball) * mesh.matrixWorld.getMaxScaleOnAxis();
      const { errors } = crowd.drawnOf(mesh);
      if (errors.some((error) => Math.abs(error * pixels - 0.25) < 1e-5)) continue;
      const level = errors.filter((error) => error * pixels <= 0.25).length;
      expect(levels[i], what).toBe(level);
      const off = Number((errors[level - 1] * pixels).toPrecision(2));
      if (level > 0) expect(crowd.say(mesh, camera), what).toContain(`off by at most ${off} pixels`);
    }
  }
  for (const [what, make] of BROKEN) expect(levelsFor(make()), what).toEqual(meshes.map(() => 0));
  // Of several views all are drawn by the level of the one that needs the finest.
  const single = SHOTS.map(([, make, size]) => levelsFor(make(), size));
  const views = SHOTS.map(([, make, size]) => Object.assign(make(), { viewport: new Vector4(0, 0, ...size) }));
  const several = levelsFor(new ArrayCamera(views as never));
  expect(several).toEqual(meshes.map((_, i) => Math.min(...single.map((levels) => levels[i]))));
});

it('a camera that goes back and forth changes each level once for each limit that it crosses well', async () => {
  const [mesh, ...others] = knots(2, (mesh, i) => mesh.position.set(i, 0, 0));
  const crowd = await new Crowd([mesh, ...others], { maxError: 0.5 }).settle(cameraAt(300));
  const camera = lens(50);
  const levels: number[] = [];
  const at = (z: number): void => {
    camera.position.z = z;
    crowd.draw(camera);
    levels.push(crowd.levelOf(mesh));
    const { errors } = crowd.drawnOf(mesh);
    const exact = (maxError: number): number =>
      errors.filter((error) => error * pixelsOf(mesh, camera, HEIGHT) <= maxError).length;
    expect(levels.at(-1)).toBeLessThanOrEqual(exact(0.5));
    expect(levels.at(-1)).toBeGreaterThanOrEqual(exact(0.45));
  };
  for (let i = 0; i < 60; i++) at(10 * 1.07 ** i);
  expect(levels).toEqual([...levels].sort((a, b) => a - b));
  expect(new Set(levels).size).toBeGreaterThan(2);
  const end = camera.position.z;
  levels.length = 0;
  for (let i = 0; i < 60; i++) at(end * (1 + 0.02 * Math.sin(i)));
  expect(levels.filter((level, i) => i > 8 && level !== levels[i - 1])).toEqual([]);
});

it('nothing changes without an error, and picks never do', async () => {
  const place = (mesh: Mesh, i: number): unknown => mesh.position.set(3 * i - 12, 0, -40);
  const [plain, exact, coarse] = [{ maxError: 0 }, { maxError: 0 }, { maxError: 8 }].map(
    (levels, i) => new Crowd(knots(8, place), levels, i === 0 ? { levels: undefined as never } : {}),
  );
  const all = [plain, exact, coarse];
  for (const crowd of all) await crowd.settle(camera);
  const triangles = all.map(({ scene, sun, renderer }) => drawnTriangles(scene, camera, sun, undefined, renderer));
  expect(triangles[1]).toEqual(triangles[0]);
  expect(triangles[2].main.length).toBeLessThan(0.3 * triangles[0].main.length);
  const ray = new Raycaster(new Vector3(), new Vector3(0.02, 0.01, -1).normalize());
  const hits = all.map(({ scene }) =>
    ray.intersectObject(scene).map(({ faceIndex, distance }) => [faceIndex, distance]),
  );
  expect(hits[0].length).toBeGreaterThan(0);
  expect(hits.slice(1)).toEqual([hits[0], hits[0]]);
});

it('shadows are never coarser than what the camera sees, nor than their map shows', async () => {
  const meshes = knots(12, (mesh, i) => mesh.position.set(0, 0, -10 * 1.5 ** i));
  const crowd = await new Crowd(meshes, { maxError: 0.5 }).settle(camera);
  const { mesh: batch } = crowd.placeOf(meshes[0]).batch;
  const { onBeforeShadow } = batch;
  let inShadow: number[] = [];
  batch.onBeforeShadow = (...given) => {
    onBeforeShadow.apply(batch, given);
    inShadow = meshes.map((mesh) => crowd.levelOf(mesh));
  };
  const seen = new Set<number>();
  for (const reach of [30_000, 3000, 300]) {
    crowd.sun = new OrthographicCamera(-reach, reach, reach, -reach, 0, 1e4);
    crowd.sun.position.z = 10;
    crowd.sun.updateMatrixWorld();
    crowd.draw(camera);
    for (const [i, mesh] of meshes.entries()) {
      const pixels = pixelsOf(mesh, crowd.sun, SHADOW_MAP, SHADOW_MAP);
      const byMap = crowd.drawnOf(mesh).errors.filter((error) => error * pixels <= 1).length;
      expect(inShadow[i]).toBe(Math.min(crowd.levelOf(mesh), byMap));
      seen.add(inShadow[i]);
    }
  }
  expect(seen.size).toBeGreaterThan(2);
});

const dense = new TorusKnotGeometry(1, 0.3, 300, 24);

function partOf(geometry: BufferGeometry): BufferGeometry {
  geometry.setDrawRange(0, 600);
  return geometry;
}

it.each<[what: string, says: RegExp, material: object, geometry?: () => BufferGeometry]>([
  ['alphaTest', /alphaTest/, { alphaTest: 0.5 }],
  ['alphaToCoverage', /alphaToCoverage/, { alphaToCoverage: true }],
  ['alphaMap', /alphaMap/, { alphaMap: new Texture() }],
  ['polygonOffset', /polygonOffset/, { polygonOffset: true }],
  ['displacementMap', /displacementMap/, { displacementMap: new Texture() }],
  ['a shader', /shader of its own/, { onBeforeCompile() {} }],
  ['few triangles', /fewer than 256/, {}, () => new BoxGeometry(1, 1, 1, 4, 4, 2)],
  ['a part', /part of its geometry/, {}, () => partOf(knot.clone())],
])('%s has no levels, and is told so', async (_what, says, values, geometry = () => knot) => {
  const meshes = knots(3, undefined, geometry());
  const material = Object.assign(paint.clone(), values);
  for (const mesh of meshes) mesh.material = material;
  const usual = knots(3, (mesh, i) => mesh.position.set(i, 9, -500));
  const crowd = new Crowd([...meshes, ...usual], {}, { batch: { atLeast: 2, accept: () => true } });
  await crowd.settle(camera);
  for (const mesh of meshes) expect(crowd.say(mesh, camera)).toMatch(says);
  expect(report(crowd.index).find(({ reason }) => says.test(reason))).toMatchObject({ count: 3 });
  expect(crowd.levelOf(meshes[0])).toBe(0);
  expect(crowd.levelOf(usual[0])).toBeGreaterThan(0);
  expect(crowd.say(usual[0], camera)).toMatch(
    /^It is drawn in a batch of \d+ draws\. It has \d+ levels of detail: by number [1-9] .* off by at most 0\.\d+ pixels\.$/,
  );
  const { triangles } = report(crowd.index).find(({ triangles }) => triangles) ?? {};
  expect(triangles?.spared).toBeGreaterThan(3 * 1800);
});

it('a rule holds for a subtree, at once, and is lifted as well', async () => {
  const meshes = knots(4);
  const crowd = await new Crowd(meshes).settle(camera);
  const levels = [true, false, true].map((isLeveled) => {
    crowd.index.levels(crowd.scene, isLeveled);
    crowd.index.levels(meshes[0], true);
    crowd.draw(camera);
    expect(/switched off/.test(crowd.say(meshes[1], camera))).toBe(!isLeveled);
    return meshes.map((mesh) => crowd.levelOf(mesh) > 0);
  });
  expect(levels).toEqual([Array(4).fill(true), [true, false, false, false], Array(4).fill(true)]);
  const material = meshes[0].material as MeshStandardMaterial;
  material.polygonOffset = true;
  crowd.draw(camera);
  material.polygonOffset = false;
  expect(meshes.map((mesh) => crowd.levelOf(mesh))).toEqual([0, 0, 0, 0]);
});

it('what is explained before the picture that draws it is told of no levels', async () => {
  const meshes = knots(12, (mesh, i) => {
    mesh.position.set(i, 0, -500);
    if (i >= 9) mesh.material = new MeshPhongMaterial();
  });
  for (const mesh of meshes.slice(9)) mesh.material = meshes[9].material;
  const crowd = await new Crowd(meshes).settle(camera);
  // More than its batch has had.
  for (const mesh of meshes.slice(0, 9)) mesh.material = meshes[9].material;
  crowd.index.update();
  for (const mesh of meshes) expect(crowd.say(mesh, camera)).not.toMatch(/memory limit/);
  crowd.draw(camera);
  for (const mesh of meshes) expect(crowd.say(mesh, camera)).toMatch(/by number [1-9]/);
});

it('what changes is drawn as it is, at once, and gets levels of its new shape when it rests', async () => {
  const geometry = knot.clone();
  const meshes = knots(3, undefined, geometry);
  const crowd = await new Crowd(meshes).settle(camera);
  const { errors } = crowd.drawnOf(meshes[0]);
  geometry.attributes.position.applyMatrix4(new Matrix4().makeScale(2, 2, 2));
  geometry.attributes.position.needsUpdate = true;
  crowd.draw(camera);
  crowd.draw(camera);
  expect(crowd.drawnOf(meshes[0])).toMatchObject({ count: geometry.index?.count, errors: [] });
  expect(crowd.say(meshes[0], camera)).toMatch(/changed a short time ago/);
  await crowd.settle(camera);
  for (const [i, error] of crowd.drawnOf(meshes[0]).errors.entries()) expect(error / errors[i]).toBeCloseTo(2, 1);
});

it('levels wait until they are made for the texture coordinates that a material uses, and then serve all', async () => {
  const sources: LevelSource[] = [];
  const geometry = knot.clone().setAttribute('uv1', knot.attributes.uv).setAttribute('uv2', knot.attributes.uv);
  const [bare, painted] = [knots(3, undefined, geometry), knots(3, undefined, geometry)];
  const material = Object.assign(paint.clone(), { envMap: new Texture() });
  for (const mesh of painted) mesh.material = material;
  const make = async (source: LevelSource): Promise<Levels> => {
    sources.push(source);
    return half(source);
  };
  const crowd = await new Crowd([...bare, ...painted], { make }).settle(camera);
  const map = (channel: number): Texture => Object.assign(new Texture(), { channel });
  const shown = (): number[] => [...bare, ...painted].map((mesh) => crowd.levelOf(mesh));
  expect(shown()).toEqual([1, 1, 1, 1, 1, 1]);
  for (const [name, channel] of [
    ['map', 1],
    ['lightMap', 2],
    ['aoMap', 1],
    ['emissiveMap', 3],
  ] as const) {
    material[name] = map(channel);
    crowd.draw(camera);
    // The geometry has no fourth set; the second has been weighed when it is used again.
    const isNew = name === 'map' || name === 'lightMap';
    expect(shown(), name).toEqual([1, 1, 1, ...Array(3).fill(isNew ? 0 : 1)]);
    if (isNew) expect(crowd.say(painted[0], camera)).toMatch(/yet to be made/);
    await crowd.settle(camera);
    expect(shown(), name).toEqual([1, 1, 1, 1, 1, 1]);
  }
  expect(sources.map(({ attributes }) => attributes.filter(({ isTexture }) => isTexture).length)).toEqual([0, 1, 2]);
});

it('meshes get levels that joined while the code of levels was on its way', async () => {
  const meshes = knots(20);
  const get = vi.spyOn(levelsCode, 'get').mockReturnValue(null);
  const crowd = new Crowd(meshes);
  await crowd.index.ready;
  for (let i = 0; i < 10; i++) crowd.draw(camera);
  expect(crowd.say(meshes[0], camera)).toMatch(/in a batch of 20/);
  get.mockRestore();
  await crowd.settle(camera);
  expect(crowd.levelOf(meshes[0])).toBeGreaterThan(0);
});

it.each([1, 6])(
  'a geometry that is edited in %i pictures of a page that draws on demand gets its levels again',
  async (edits) => {
    const meshes = knots(3, undefined, knot.clone());
    const drawn: number[] = [];
    const onChange = (): void => {
      crowd.draw(camera);
      drawn.push(crowd.levelOf(meshes[0]));
    };
    const crowd: Crowd = new Crowd(meshes, {}, { onChange });
    await crowd.settle(camera);
    for (let i = 0; i < edits; i++) {
      meshes[0].geometry.attributes.position.needsUpdate = true;
      crowd.draw(camera);
    }
    expect(crowd.levelOf(meshes[0])).toBe(0);
    drawn.length = 0;
    await vi.waitUntil(() => (drawn.at(-1) ?? 0) > 0, { timeout: 20_000 });
    expect(drawn.length).toBeLessThan(8);
  },
);

it('stand-ins that leave while levels are made leave those of the others as they are', async () => {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const make = async (source: LevelSource): Promise<Levels> => {
    await gate;
    return looksTheSame(source);
  };
  const place = (mesh: Mesh, i: number): void => {
    mesh.geometry = padded(new SphereGeometry(1 + i / 40, 8 + (i % 5), 6));
    mesh.position.set(3 * i - 60, 0, -100);
  };
  const [kept, plain] = [0, 1].map(() => knots(40, place).slice(10));
  const crowd = new Crowd([...knots(10, place), ...kept], { make });
  for (let i = 0; i < 5; i++) {
    await crowd.index.ready;
    crowd.draw(camera);
  }
  for (const mesh of crowd.scene.children.slice(0, 10)) mesh.removeFromParent();
  crowd.draw(camera);
  open();
  await crowd.settle(camera);
  expect(kept.map((mesh) => crowd.levelOf(mesh))).toEqual(Array(30).fill(1));
  const { scene, sun, renderer } = crowd;
  const drawn = drawnTriangles(scene, camera, sun, undefined, renderer).main;
  const all = plainTriangles(new Scene().add(...plain), camera, sun).main;
  expect(drawn.length).toBe(all.length - 30 * 256);
  expect(drawn).toEqual(all.filter((line, i) => line !== all[i - 1] && line !== all[i + 1]));
});

/** Makes levels elsewhere, when it is told to. */
function maker(levels: (source: LevelSource) => Levels): {
  make: LevelMaker;
  asked: (() => void)[];
} {
  const asked: (() => void)[] = [];
  const make = (source: LevelSource): Promise<Levels> =>
    new Promise((resolve) => asked.push(() => resolve(levels(source))));
  return { make, asked };
}

async function drawUntil(crowd: Crowd, isReady: () => boolean): Promise<void> {
  while (!isReady()) {
    crowd.draw(camera);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const half = ({ index }: LevelSource): Levels => {
  const count = 3 * Math.floor(index.length / 6);
  return { index: index.slice(0, count), counts: [count], errors: [0.001] };
};

it('a function makes levels of several geometries at once, first of what has most triangles, and of no older shape', async () => {
  const many = knots(2, (mesh) => mesh.position.setZ(-500), dense.clone());
  const few = knots(3, (mesh) => mesh.position.setZ(-500));
  const sizes: number[] = [];
  const { make, asked } = maker((source) => {
    sizes.push(source.index.length);
    return half(source);
  });
  const crowd = new Crowd([...few, ...many], { make });
  const until = (count: number): Promise<void> => drawUntil(crowd, () => asked.length === count);
  await until(2);
  const [{ geometry }] = many;
  geometry.attributes.position.needsUpdate = true;
  crowd.draw(camera);
  asked[0]();
  await until(3);
  expect(crowd.levelOf(many[0])).toBe(0);
  asked[1]();
  await drawUntil(crowd, () => crowd.levelOf(few[0]) === 1);
  expect(crowd.levelOf(many[0])).toBe(0);
  asked[2]();
  await crowd.settle(camera);
  expect(crowd.levelOf(many[0])).toBe(1);
  expect(sizes).toEqual([dense, knot, dense].map(({ index }) => index?.count));
});

it.each<[string, (source: LevelSource) => Levels]>([
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  ['makes levels of other vertices', (source) => ({ ...half(source), index: half(source).index.fill(1e6) })],
  ['makes levels without errors', (source) => ({ ...half(source), errors: [] })],
  ['makes something else', () => null as never],
])('where a function %s there is one warning, and no level', async (_what, levels) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const meshes = knots(4, (mesh, i) => Object.assign(mesh.position, { z: -500 }) && i > 1 && mesh.position.setX(i));
  meshes[3].geometry = knot.clone();
  const crowd = await new Crowd(meshes, { make: async (source) => levels(source) }).settle(camera);
  expect(crowd.say(meshes[0], camera)).toMatch(/making them failed/);
  expect(crowd.levelOf(meshes[0])).toBe(0);
  expect(warn).toHaveBeenCalledTimes(1);
});

it('levels that come after the end are dropped, and nothing goes on', async () => {
  const { make, asked } = maker(half);
  const onChange = vi.fn();
  const crowd = new Crowd(
    knots(3, (mesh) => mesh.position.setZ(-500)),
    { make },
    { onChange },
  );
  await drawUntil(crowd, () => asked.length > 0);
  crowd.index.dispose();
  onChange.mockClear();
  asked[0]();
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(onChange).not.toHaveBeenCalled();
});

it('a page that draws on demand is told once when levels have come, and then no more', async () => {
  let told = 0;
  const meshes = knots(4);
  for (const mesh of meshes.slice(2)) mesh.geometry = new TorusKnotGeometry(1, 0.35, 120, 16);
  const onChange = (): void => {
    told++;
    crowd.draw(camera);
  };
  const crowd: Crowd = new Crowd(meshes, {}, { onChange });
  crowd.draw(camera);
  await crowd.index.ready;
  while (crowd.levelOf(meshes[0]) === 0 || crowd.levelOf(meshes[3]) === 0)
    await new Promise((done) => setTimeout(done, 20));
  const before = told;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(told).toBe(before);
  expect(told).toBeLessThanOrEqual(5);
});

it.each([
  [1, 2200, 1],
  [4, 2200, 1],
  [4, 1900, 0],
])('%d draws of %d triangles get %d batches, as levels spare 2,000 of one', async (count, triangles, batches) => {
  const geometry = new SphereGeometry(1, triangles / 100, 51);
  const meshes = knots(count, undefined, geometry);
  const coarsest = async ({ index }: LevelSource): Promise<Levels> => {
    return { index: index.slice(0, 96), counts: [96], errors: [0.001] };
  };
  const crowd = await new Crowd(meshes, { make: coarsest }, { batch: true }).settle(camera);
  for (let i = 0; i < 4; i++) crowd.draw(camera);
  expect(/in a batch of/.test(crowd.say(meshes[0], camera)) ? 1 : 0).toBe(batches);
  if (batches > 0) expect(crowd.levelOf(meshes[0])).toBe(1);
  else expect(crowd.say(meshes[0], camera)).toMatch(/fewer than 2,000 of its triangles/);
});

it('levels take 1.25 times the index, and there are none where memory is short', async () => {
  const [meshes, others] = [knots(16), knots(16)];
  const bare = await new Crowd(meshes, {}, { levels: false }).settle(camera);
  const index = 4 * (knot.index?.count ?? 0);
  for (const share of [1.25, 1.2]) {
    const maxBytes = bare.batches.groups.memory.used + Math.ceil(share * index);
    const crowd = await new Crowd(others, {}, { batch: { atLeast: 2, maxBytes } }).settle(camera);
    const { counts } = crowd.drawnOf(others[0]);
    expect(counts.length > 2).toBe(share === 1.25);
    expect(crowd.batches.groups.memory.used).toBeLessThanOrEqual(maxBytes);
    if (counts.length === 0) expect(crowd.say(others[0], camera)).toMatch(/maxBytes/);
    crowd.index.dispose();
  }
});

const threeFold = (): BufferGeometry => new TorusKnotGeometry(1, 0.3, 300, 24);
const inGroups = (): BufferGeometry => {
  const geometry = threeFold();
  geometry.addGroup(0, 3 * 12_000, 0);
  geometry.addGroup(3 * 12_000, Number.POSITIVE_INFINITY, 1);
  return geometry;
};

it.each<[what: string, meshes: () => Mesh[]]>([
  ['one mesh alone', () => knots(1, undefined, threeFold())],
  ['scans with a texture each', () => knots(5, (mesh) => paintOwn(mesh, threeFold()))],
  ['triangles without an index', () => knots(2, undefined, threeFold().toNonIndexed())],
  [
    'a mesh with a material for each group, of which one is small',
    () => knots(1, (mesh) => paintGroups(mesh, inGroups())),
  ],
])('%s gets levels, and a batch for them', async (_, make) => {
  const meshes = make();
  const crowd = await new Crowd(meshes, {}, { batch: true }).settle(camera);
  for (let i = 0; i < 4; i++) crowd.draw(camera);
  for (const mesh of meshes) {
    expect(crowd.say(mesh, camera)).toMatch(/by number [1-9]/);
    for (const { slot, group } of crowd.batches.states.get(mesh)?.draws ?? [])
      expect(group.batch?.slots.counts[slot]).toBeLessThan(3 * 1200);
  }
});

function paintOwn(mesh: Mesh, geometry: BufferGeometry): void {
  Object.assign(mesh, { geometry, material: Object.assign(paint.clone(), { map: new Texture() }) });
  mesh.position.set(mesh.id % 10, 0, -500);
}

function paintGroups(mesh: Mesh, geometry: BufferGeometry): void {
  Object.assign(mesh, { geometry, material: [paint.clone(), Object.assign(paint.clone(), { roughness: 0.1 })] });
  mesh.position.set(0, 0, -500);
}

it('a batch of one geometry draws the vertices of the page, which stay when another comes and when it goes', async () => {
  const [mesh, other] = knots(2, (one) => paintOwn(one, threeFold()));
  const crowd = await new Crowd([mesh], {}, { batch: true }).settle(camera);
  const { batch } = crowd.placeOf(mesh);
  expect(batch.mesh.geometry.attributes.position).toBe(mesh.geometry.attributes.position);
  expect(batch.geometry.bytes).toBeLessThanOrEqual(4 * Math.ceil(2.25 * (mesh.geometry.index?.count ?? 0)));
  const lent = batch.mesh.geometry;
  const gone: string[][] = [];
  lent.addEventListener('dispose', () => gone.push(Object.keys(lent.attributes)));
  // Its vertex arrays are made anew when the page frees the buffers.
  mesh.geometry.dispose();
  expect(gone.splice(0)).toEqual([[]]);
  expect(batch.mesh.geometry).not.toBe(lent);
  expect(batch.mesh.geometry.attributes.position).toBe(mesh.geometry.attributes.position);
  const again = batch.mesh.geometry;
  again.addEventListener('dispose', () => gone.push(Object.keys(again.attributes)));
  other.material = mesh.material;
  crowd.scene.add(other);
  await crowd.settle(camera);
  expect(crowd.placeOf(other).batch).toBe(batch);
  expect(batch.mesh.geometry.attributes.position).not.toBe(mesh.geometry.attributes.position);
  // Renderers free the buffers of what a geometry has by then.
  expect(gone).toEqual([[]]);
  for (const one of [mesh, other]) expect(crowd.levelOf(one)).toBeGreaterThan(0);
});

it('the error may be set at any time', async () => {
  const [mesh] = knots(2, (one, i) => one.position.set(i, 0, -150));
  const crowd = await new Crowd([mesh, ...knots(2)], { maxError: 0 }).settle(camera);
  const levels = [0, 0.5, 4, 0].map((maxError) => {
    crowd.index.maxError = maxError;
    expect(crowd.index.maxError).toBe(maxError);
    crowd.draw(camera);
    return crowd.levelOf(mesh);
  });
  expect(levels[0]).toBe(0);
  expect(levels[1]).toBeGreaterThan(0);
  expect(levels[2]).toBeGreaterThan(levels[1]);
  expect(levels[3]).toBe(0);
  expect(() => {
    crowd.index.maxError = -1;
  }).toThrow('AcceleratedScene.maxError: must be');
});

it('levels of a geometry as it is are made once, whichever scene asks', async () => {
  let made = 0;
  const count: LevelMaker = async (source) => {
    made++;
    return half(source);
  };
  const geometry = knot.clone();
  const crowds: Crowd[] = [];
  for (let i = 0; i < 3; i++) {
    const crowd = await new Crowd(knots(3, undefined, geometry), { make: count }).settle(camera);
    crowds.push(crowd);
    expect(crowd.levelOf(crowd.scene.children[0] as Mesh)).toBe(1);
    if (i === 0) crowd.index.dispose();
  }
  expect(made).toBe(1);
  geometry.attributes.position.needsUpdate = true;
  await crowds[1].settle(camera);
  await crowds[2].settle(camera);
  expect(made).toBe(2);
});

it('levels that are taken one after the other are drawn as they come, in the same buffers', async () => {
  let go = (): void => {};
  const make: LevelMaker = async ({ index }, _, take) => {
    const levels = (...parts: number[]): Levels => {
      const counts = parts.map((part) => 3 * Math.floor(index.length / 3 / part));
      const all = Uint32Array.from(counts.flatMap((count) => [...index.subarray(0, count)]));
      return { index: all, counts, errors: parts.map((part) => part / 1e4) };
    };
    take(levels(16, 32));
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    return levels(2, 16, 32);
  };
  const [mesh] = knots(1, (one) => paintOwn(one, threeFold()));
  const crowd = await new Crowd([mesh], { make }, { batch: true }).settle(camera);
  const { geometry } = crowd.placeOf(mesh).batch.mesh;
  expect(crowd.levelOf(mesh)).toBe(2);
  go();
  await drawUntil(crowd, () => crowd.drawnOf(mesh).counts.length === 3);
  expect(crowd.placeOf(mesh).batch.mesh.geometry).toBe(geometry);
  expect(crowd.drawnOf(mesh).errors).toEqual([2, 16, 32].map((part) => part / 1e4));
});

it('a page that draws on demand is told until a large geometry and its levels are copied', async () => {
  const [mesh] = knots(1, undefined, new SphereGeometry(1, 600, 400));
  const onChange = (): void => crowd.draw(camera);
  const crowd: Crowd = new Crowd([mesh], { make: half }, { batch: true, onChange });
  crowd.draw(camera);
  await vi.waitUntil(() => crowd.batches?.states.size > 0 && crowd.levelOf(mesh) > 0, { timeout: 20_000 });
});
