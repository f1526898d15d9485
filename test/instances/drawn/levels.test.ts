import * as THREE from 'three';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { accelerate, InstanceIndex } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { stopClock } from '../../helpers/clock.js';
import { loadBatchCode } from '../../helpers/drawnByIndex.js';
import { random } from '../../helpers/random.js';
import { ownNames } from '../../helpers/scene.js';
import { BROKEN, CENTER, SHOTS, Sight } from '../../helpers/sights.js';
import { anyCamera, batchedCrowd, ifPresent, kinds, placeAnywhere } from '../table/crowds.js';

stopClock();

/** Private parts of three, and what a renderer calls. */
type Batch = THREE.BatchedMesh & {
  _multiDrawStarts: Int32Array;
  _multiDrawCount: number;
  _multiDrawBytesPerElement: number;
  _geometryInfo: { start: number }[];
  _indirectTexture: { image: { data: Uint32Array } };
};

const HEIGHT = 720;
const REACH = 20;
const material = new THREE.MeshBasicMaterial();
const depth = new THREE.MeshDepthMaterial();

/** A renderer that draws to so many pixels. */
const renderer = (height: number, width: number): never =>
  ({
    getRenderTarget: () => null,
    getCurrentViewport: (out: THREE.Vector4) => out.set(0, 0, width, height),
  }) as never;

/** What a pass draws: the geometry of each instance. */
function draw(
  mesh: THREE.BatchedMesh,
  camera: THREE.Camera,
  height = HEIGHT,
  with_: THREE.Material = material,
  width = height,
): Map<number, number> {
  const batch = mesh as Batch;
  if (with_ === material)
    batch.onBeforeRender(renderer(height, width), new THREE.Scene(), camera, batch.geometry, with_, null as never);
  else
    batch.onBeforeShadow(renderer(height, width), batch as never, camera, camera, batch.geometry, with_, null as never);
  const starts = batch._geometryInfo.map(({ start }) => start * batch._multiDrawBytesPerElement);
  const drawn = new Map<number, number>();
  for (let i = 0; i < batch._multiDrawCount; i++) {
    drawn.set(batch._indirectTexture.image.data[i], starts.indexOf(batch._multiDrawStarts[i]));
  }
  return drawn;
}

/** The ball around an instance, in whichever geometry it is drawn. */
function ballOf(mesh: THREE.BatchedMesh, id: number, geometries: number[]): THREE.Sphere {
  const ball = new THREE.Sphere().makeEmpty();
  for (const geometry of geometries) ball.union(mesh.getBoundingSphereAt(geometry, new THREE.Sphere()) as THREE.Sphere);
  const matrix = mesh.getMatrixAt(id, new THREE.Matrix4()) as THREE.Matrix4;
  return ball.applyMatrix4(matrix).applyMatrix4(mesh.matrixWorld);
}

/** Diameter of an instance on the screen of one view, where it has more pixels, by its corners in three's own projection. */
function pixelsOf(
  mesh: THREE.BatchedMesh,
  id: number,
  view: THREE.Camera,
  height: number,
  geometries: number[],
  width = height,
): number {
  const ball = ballOf(mesh, id, geometries);
  const distance = ball.center.distanceTo(new THREE.Vector3().setFromMatrixPosition(view.matrixWorld));
  // Put before the camera, as far as it is, and seen from there.
  const [low, high] = [-ball.radius, ball.radius].map((r) =>
    new THREE.Vector3(r, r, -distance).applyMatrix4(view.projectionMatrix),
  );
  return Math.max(((high.y - low.y) * height) / 2, ((high.x - low.x) * width) / 2);
}

const levels = [
  { geometryId: 1, pixels: 200 },
  { geometryId: 2, pixels: 110 },
  { geometryId: 0, pixels: 50 },
];
const chain = [1, 2, 0];

function levelOf(pixels: number): number {
  const level = levels.findIndex((one) => pixels >= one.pixels);
  return chain[level < 0 ? 2 : level];
}

const crowd = (seed: number): THREE.BatchedMesh => batchedCrowd(random(seed), 400, REACH);

/** A crowd that is drawn by levels. */
function leveled(seed: number, mesh = crowd(seed)): { mesh: THREE.BatchedMesh; index: InstanceIndex } {
  const index = new InstanceIndex(mesh);
  onTestFinished(() => index.dispose());
  index.setLevels(levels);
  return { mesh, index };
}

describe('levels of detail of a batch', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('are chosen by size on the screen, seed %i', (seed) => {
    const next = random(300 + seed);
    const [{ mesh }, twin] = [leveled(seed), crowd(seed)];
    placeAnywhere(mesh, next, true);
    twin.matrixWorld.copy(mesh.matrixWorld);
    const used = new Set<number>();
    for (let frame = 0; frame < 20; frame++) {
      const camera = anyCamera(next, REACH);
      if (frame % 3 === 0) Object.assign(camera, { zoom: 1.7 });
      (camera as THREE.PerspectiveCamera).updateProjectionMatrix();
      const height = 300 + Math.floor(900 * next());
      const drawn = draw(mesh, camera, height);
      const plain = draw(twin, camera, height);
      for (const [id, geometry] of plain) {
        const pixels = pixelsOf(mesh, id, camera, height, chain);
        expect(drawn.get(id), `${pixels} pixels`).toBe(geometry === 1 ? levelOf(pixels) : geometry);
        if (geometry === 1) used.add(levelOf(pixels));
      }
      // The sphere around all levels may be in view where that of the finest is not.
      for (const id of drawn.keys()) expect(plain.has(id) || mesh.getGeometryIdAt(id) === 1).toBe(true);
    }
    expect(used.size).toBe(3);
  });

  it('stay as they are while instances get hardly smaller', () => {
    const mesh = new THREE.BatchedMesh(1, 200, 600, material);
    const fine = mesh.addGeometry(new THREE.SphereGeometry(1, 12, 8));
    const coarse = mesh.addGeometry(new THREE.BoxGeometry());
    mesh.addInstance(fine);
    mesh.sortObjects = false;
    new InstanceIndex(mesh).setLevels([
      { geometryId: fine, pixels: 100 },
      { geometryId: coarse, pixels: 0 },
    ]);
    // 100 pixels at a distance of 10.
    const flat = (): THREE.OrthographicCamera => new THREE.OrthographicCamera(-99, 99, 1, -1, 0.1, 100);
    const shown = (camera: THREE.OrthographicCamera, pixels: number): number | undefined => {
      camera.top = (2 * HEIGHT) / pixels / 2;
      camera.bottom = -camera.top;
      camera.position.z = 10;
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
      return draw(mesh, camera).get(0);
    };
    const [first, second] = [flat(), flat()];
    const sizes = [99, 101, 95, 91, 89, 95, 99, 101];
    const isFine = sizes.map((pixels) => shown(first, pixels) === fine);
    expect(isFine).toEqual([false, true, true, true, false, false, false, true]);
    expect(shown(second, 95)).toBe(coarse);
    expect(shown(first, 95)).toBe(fine);
  });

  it('are those of the largest of several views, by the viewport of each', () => {
    const { mesh } = leveled(20);
    const next = random(21);
    const views = [400, 150].map((height) => {
      const view = anyCamera(next, REACH) as THREE.PerspectiveCamera;
      view.viewport = new THREE.Vector4(0, 0, 500, height);
      return view;
    });
    const camera = new THREE.ArrayCamera(views);
    const drawn = draw(mesh, camera);
    expect(drawn.size).toBeGreaterThan(0);
    for (const [id, geometry] of drawn) {
      if (mesh.getGeometryIdAt(id) !== 1) continue;
      const sizes = views.map((view) => pixelsOf(mesh, id, view, view.viewport?.w as number, chain, 500));
      expect(geometry).toBe(levelOf(Math.max(...sizes)));
    }
  });

  it('are those of the last camera in shadows, and what is too small casts', () => {
    const { mesh, index } = leveled(22);
    index.minPixels = 80;
    expect(index.minPixels).toBe(80);
    const next = random(23);
    const sun = new THREE.OrthographicCamera(-50, 50, 50, -50, -50, 50);
    // Before any picture the finest are drawn.
    for (const [id, geometry] of draw(mesh, sun, HEIGHT, depth)) expect(geometry).toBe(mesh.getGeometryIdAt(id));
    let dropped = 0;
    for (let frame = 0; frame < 10; frame++) {
      const camera = anyCamera(next, REACH);
      const drawn = draw(mesh, camera);
      const cast = draw(mesh, sun, HEIGHT, depth);
      for (const [id, geometry] of drawn) expect(cast.get(id)).toBe(geometry);
      for (const id of draw(crowd(22), camera).keys()) {
        const geometries = mesh.getGeometryIdAt(id) === 1 ? chain : [mesh.getGeometryIdAt(id)];
        const isLarge = pixelsOf(mesh, id, camera, HEIGHT, geometries) >= 80;
        expect(drawn.has(id)).toBe(isLarge);
        expect(cast.has(id)).toBe(true);
        if (!isLarge) dropped++;
      }
    }
    expect(dropped).toBeGreaterThan(0);
  });

  it.each([...SHOTS, ...BROKEN])('are those of the size on the screen by %s', (what, make, size) => {
    const [width, height] = [4 * size[0], 4 * size[1]];
    const mesh = crowd(25);
    for (let id = 0; id < mesh.maxInstanceCount; id++) ifPresent(() => mesh.setVisibleAt(id, true));
    mesh.perObjectFrustumCulled = false;
    mesh.position.copy(CENTER);
    mesh.updateMatrixWorld();
    const { index } = leveled(25, mesh);
    index.minPixels = 20;
    const camera = make();
    const drawn = draw(mesh, camera, height, material, width);
    const isBroken = BROKEN.some(([name]) => name === what);
    const sight = isBroken ? null : new Sight(camera, [width, height]);
    const used = new Set<number | undefined>();
    for (let id = 0; id < mesh.maxInstanceCount; id++) {
      const geometry = ifPresent(() => mesh.getGeometryIdAt(id));
      if (geometry === undefined) continue;
      const pixels = sight === null ? 1e9 : sight.sizeOf(ballOf(mesh, id, geometry === 1 ? chain : [geometry]));
      if ([20, ...levels.map((level) => level.pixels)].some((limit) => Math.abs(pixels / limit - 1) < 1e-5)) continue;
      const expected = pixels < 20 ? undefined : geometry === 1 ? levelOf(pixels) : geometry;
      expect(drawn.get(id), `${pixels} pixels`).toBe(expected);
      used.add(expected);
    }
    expect(used.size).toBeGreaterThan(isBroken ? 0 : 1);
  });

  it('follow the batch, and go with their geometries', () => {
    const { mesh } = leveled(24);
    const camera = eye(0, 0, 90);
    const all = draw(mesh, camera);
    const [id] = [...all.keys()].filter((one) => mesh.getGeometryIdAt(one) === 1);
    expect(all.get(id)).not.toBe(1);
    mesh.setMatrixAt(id, new THREE.Matrix4().setPosition(0, 0, 85));
    expect(draw(mesh, camera).get(id)).toBe(1);
    mesh.setVisibleAt(id, false);
    expect(draw(mesh, camera).has(id)).toBe(false);
    mesh.deleteGeometry(2);
    expect([...draw(mesh, camera).values()]).not.toContain(2);
  });
});

describe('a batch with levels of detail', () => {
  beforeAll(loadBatchCode);

  it.each([
    ['first', true],
    ['last', true],
    ['first', false],
    ['never', false],
  ])('is as before once they are gone, accelerated %s, culled by three: %s', (order, isCulled) => {
    const mesh = crowd(25);
    mesh.perObjectFrustumCulled = mesh.sortObjects = isCulled;
    const names = ownNames(mesh);
    const camera = eye(0, 0, 50);
    const plain = draw(mesh, camera);
    const scene = new THREE.Scene().add(mesh);
    const before = order === 'first' ? accelerate(scene) : null;
    scene.updateMatrixWorld();
    const { index } = leveled(25, mesh);
    const whole = order === 'last' ? accelerate(scene) : before;
    scene.updateMatrixWorld();
    expect(draw(mesh, camera)).not.toEqual(plain);
    for (const few of [[], [levels[0]]]) {
      index.setLevels(few);
      expect(draw(mesh, camera)).toEqual(plain);
    }
    index.minPixels = 1e4;
    expect(draw(mesh, camera).size).toBe(0);
    index.setLevels([]);
    index.minPixels = 0;
    expect(draw(mesh, camera)).toEqual(plain);
    index.setLevels(levels);
    for (const one of order === 'first' ? [whole, index] : [index, whole]) one?.dispose();
    expect(draw(mesh, camera)).toEqual(plain);
    expect(ownNames(mesh).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('is drawn as it is where it changed between two drawings by levels', () => {
    const { mesh, index } = leveled(30);
    const camera = eye(0, 0, 90);
    const [id, ...others] = draw(mesh, camera).keys();
    index.setLevels([]);
    mesh.setVisibleAt(id, false);
    index.setLevels(levels);
    expect([...draw(mesh, camera).keys()].sort()).toEqual(others.sort());
  });

  it('has the shadows of all by a depth material of its own', () => {
    const mesh = crowd(29);
    mesh.customDepthMaterial = new THREE.ShaderMaterial();
    const index = new InstanceIndex(mesh);
    index.minPixels = 1e4;
    const sun = new THREE.OrthographicCamera(-50, 50, 50, -50, -50, 50);
    expect(draw(mesh, sun, HEIGHT, mesh.customDepthMaterial).size).toBe(draw(crowd(29), sun).size);
  });

  it('refuses what is none, and stays as it was', () => {
    const mesh = crowd(26);
    const names = ownNames(mesh);
    const index = new InstanceIndex(mesh);
    const level = (geometryId: number, pixels: number) => [{ geometryId, pixels }];
    const bad = [level(9, 1), level(1.5, 1), level(1, -1), level(1, Number.NaN), [levels[1], levels[0]]];
    for (const value of [null, {}, [null]]) expect(() => index.setLevels(value as never)).toThrow(TypeError);
    for (const value of bad) expect(() => index.setLevels(value)).toThrow(RangeError);
    for (const minPixels of [-1, Number.NaN, '3']) {
      expect(() => Object.assign(index, { minPixels })).toThrow(RangeError);
    }
    expect(ownNames(mesh)).toEqual(names);
    index.dispose();
    expect(() => index.setLevels(levels)).toThrow('disposed');
    const other = new InstanceIndex(new THREE.InstancedMesh(kinds[0], material, 5));
    expect(() => other.setLevels(levels)).toThrow(TypeError);
    const own = crowd(27);
    own.onBeforeRender = () => {};
    expect(() => new InstanceIndex(own).setLevels(levels)).toThrow('replaced');
  });
});
