import { Mesh, MeshBasicMaterial, PlaneGeometry, Scene } from 'three';
import { beforeAll, expect, it } from 'vitest';
import { accelerate } from '../../src/index.js';
import { drawnTriangles } from '../helpers/drawnTriangles.js';
import { mainPass } from '../helpers/passes.js';
import { cameraAt, loadAllBatching } from './Stage.js';

beforeAll(loadAllBatching);

it.each([
  // Meshes, the option, and the draw calls: with all of them, with half of those that it takes, and with one less.
  [4, 4, [1, 1, 1]],
  [3, 4, [3, 2, 1]],
  [2, 2, [1, 1, 0]],
  [1, 1, [1, 1, 0]],
  [10, 10, [1, 1, 4]],
  [9, 10, [9, 5, 4]],
])('%d similar meshes, with atLeast %s, take %j draw calls', (count, atLeast, calls) => {
  const scene = new Scene();
  const meshes = Array.from({ length: count }, () => new Mesh(plane, paint));
  scene.add(...meshes);
  const index = accelerate(scene, { batch: { atLeast } });
  const camera = cameraAt(10);
  const draws = (): number => {
    for (let i = 0; i < 3; i++) drawnTriangles(scene, camera, camera);
    return drawnTriangles(scene, camera, camera).calls;
  };
  const half = Math.ceil(atLeast / 2);
  expect(
    [count, half, half - 1].map((left) => {
      scene.remove(...meshes.splice(left));
      return draws();
    }),
  ).toEqual(calls);
  index.dispose();
});

it('a batch has the user data of its first mesh, for sort functions', () => {
  const scene = new Scene();
  for (let i = 0; i < 4; i++) scene.add(Object.assign(new Mesh(plane, paint), { userData: { i } }));
  const index = accelerate(scene, { batch: { atLeast: 4 } });
  const camera = cameraAt(10);
  for (let i = 0; i < 3; i++) drawnTriangles(scene, camera, camera);
  expect(mainPass(scene, camera).drawn.map(({ object }) => object.userData)).toEqual([{ i: 0 }]);
  index.dispose();
});

it.each([0, -1, 1.5, Number.NaN, Number.NEGATIVE_INFINITY])('%d is refused', (atLeast) => {
  expect(() => accelerate(new Scene(), { batch: { atLeast } })).toThrow(RangeError);
});

it.each(['4', null, true, [], {}])('%j is no number', (atLeast) => {
  expect(() => accelerate(new Scene(), { batch: { atLeast: atLeast as never } })).toThrow(
    /accelerate\.batch\.atLeast: must be a number/,
  );
});

it('options of batches are those that there are, in their own right', () => {
  expect(() => accelerate(new Scene(), { batch: { atleast: 2 } as never })).toThrow(/mergeColors, maxBytes, atLeast/);
  expect(() => accelerate(new Scene(), { batch: Object.create({ atLeast: 0 }) })).not.toThrow();
});

const plane = new PlaneGeometry();
const paint = new MeshBasicMaterial();
