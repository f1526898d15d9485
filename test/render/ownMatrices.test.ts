import * as THREE from 'three';
import { beforeAll, expect, it } from 'vitest';
import { accelerate } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { drawnTriangles } from '../helpers/drawnTriangles.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';

beforeAll(loadBatching);

it.each<[what: string, move: (mesh: THREE.Mesh, to: THREE.Matrix4) => unknown]>([
  ['written', ({ matrixWorld }, to) => matrixWorld.copy(to)],
  ['replaced', (mesh, to) => Object.assign(mesh, { matrixWorld: to })],
])('a page that owns its matrices is drawn in batches by those that are there: %s', (_what, move) => {
  const camera = eye(0, 0, 300);
  const [plain, fast] = [false, true].map((isFast) => {
    const next = random(5);
    const scene = Object.assign(new THREE.Scene(), { matrixWorldAutoUpdate: false });
    const groups = [scene, new THREE.Group(), new THREE.Group()];
    const meshes = Array.from({ length: 120 }, () => boxMesh());
    const place = (mesh: THREE.Mesh): unknown =>
      move(mesh, new THREE.Matrix4().makeTranslation(next() * 200 - 100, next() * 60 - 30, next() * 40 - 20));
    scene.add(groups[1], groups[2]);
    for (const [i, mesh] of meshes.entries()) groups[i % 3].add(mesh);
    meshes.forEach(place);
    const index = isFast ? accelerate(scene, { batch: { atLeast: 2 } }) : null;
    const said = Array.from({ length: 6 }, (_, picture) => {
      if (picture > 2) meshes.filter((_, i) => i % 2 === 0).forEach(place);
      return drawnTriangles(scene, camera, camera).main;
    });
    index?.dispose();
    return said;
  });
  expect(fast).toEqual(plain);
});
