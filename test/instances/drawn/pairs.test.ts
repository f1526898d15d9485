import { type Camera, Frustum, type InstancedMesh, Matrix4, Scene, Sphere } from 'three';
import { beforeAll, expect, it } from 'vitest';
import { accelerate } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { stopClock } from '../../helpers/clock.js';
import { loadBatchCode } from '../../helpers/drawnByIndex.js';
import { FakeGl } from '../../helpers/FakeGl.js';
import { pairsOf } from '../../helpers/pairs.js';
import { random } from '../../helpers/random.js';
import { CHANGES, type ChangeName, changesOf } from '../changes.js';
import { batchedCrowd, instancedCrowd } from '../table/crowds.js';
import { draw, expectSameLists, twins } from './batchLists.js';

stopClock();
beforeAll(loadBatchCode);

const COUNT = 300;
const REACH = 20;
const CAMERAS = [
  eye(-REACH, 0, -REACH, { fov: 30, far: 20 }),
  eye(REACH, 0, -REACH, { fov: 50, far: 25 }),
  eye(0, 0, 90),
];

/** What two changes before a picture make of what is drawn; null where it is what plain three draws. */
function problemOf(pair: [ChangeName, ChangeName], check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return `${pair.join(', ')}: ${(error as Error).message.slice(0, 200)}`;
  }
}

it('two changes of a batch before a picture are in its lists', () => {
  const pairs = pairsOf(
    changesOf(() => batchedCrowd(random(1), COUNT, REACH)),
    5,
  );
  const problems = pairs.map((pair) =>
    problemOf(pair, () => {
      const both = twins(1, COUNT, REACH);
      const drawing = draw(both[1]);
      expectSameLists(both, CAMERAS[0]);
      for (const name of pair) for (const mesh of both) CHANGES[name](mesh);
      for (const camera of CAMERAS) expectSameLists(both, camera);
      drawing.dispose();
    }),
  );
  expect(problems.filter((problem) => problem !== null)).toEqual([]);
});

interface Crowd {
  readonly mesh: InstancedMesh;
  readonly scene: Scene;
  readonly gl: FakeGl;
}

function crowd(): Crowd {
  const mesh = instancedCrowd(random(3), COUNT, REACH);
  mesh.name = 'crowd';
  mesh.geometry = mesh.geometry.clone();
  CHANGES.coloured(mesh);
  return { mesh, scene: new Scene().add(mesh), gl: new FakeGl() };
}

/** The instances of which plain three may show something to a camera: their spheres meet its frustum. */
function seenBy(camera: Camera, { mesh }: Crowd): number[] {
  const view = new Matrix4()
    .multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
    .multiply(mesh.matrixWorld);
  const frustum = new Frustum().setFromProjectionMatrix(view);
  const matrix = new Matrix4();
  return Array.from({ length: mesh.count }, (_, i) => i).filter((i) => {
    mesh.getMatrixAt(i, matrix);
    return frustum.intersectsSphere(new Sphere().copy(mesh.geometry.boundingSphere as Sphere).applyMatrix4(matrix));
  });
}

/** What a picture draws of a mesh, on the card, told by the rows that the mesh has. */
function drawnIn({ gl, scene, mesh }: Crowd, camera: Camera): number[] {
  const rows = gl.render(scene, camera).get('crowd') ?? [];
  const places = new Map(Array.from({ length: mesh.count }, (_, i) => [rowOf(mesh, i), i]));
  return rows.map((row) => places.get(row) ?? -1);
}

function rowOf({ instanceMatrix, instanceColor }: InstancedMesh, i: number): string {
  return [
    ...instanceMatrix.array.subarray(16 * i, 16 * i + 16),
    ...(instanceColor?.array.subarray(3 * i, 3 * i + 3) ?? []),
  ].join();
}

it('two changes of an InstancedMesh before a picture are drawn, and all that is in view', () => {
  const pairs = pairsOf(
    changesOf(() => crowd().mesh),
    5,
  );
  const problems = pairs.map((pair) =>
    problemOf(pair, () => {
      const [fast, plain] = [crowd(), crowd()];
      const index = accelerate(fast.scene);
      const before = [0, 1, 2].map(() => drawnIn(fast, CAMERAS[0]).length);
      expect(before[2], 'drawn by the index').toBeLessThan(COUNT / 2);
      for (const name of pair) for (const { mesh } of [fast, plain]) CHANGES[name](mesh);
      for (const camera of CAMERAS) {
        const drawn = drawnIn(fast, camera);
        const all = drawnIn(plain, camera);
        expect(drawn).not.toContain(-1);
        expect(drawn).toEqual(all.filter((id) => drawn.includes(id)));
        expect(seenBy(camera, plain).filter((id) => all.includes(id) && !drawn.includes(id))).toEqual([]);
      }
      index.dispose();
    }),
  );
  expect(problems.filter((problem) => problem !== null)).toEqual([]);
});
