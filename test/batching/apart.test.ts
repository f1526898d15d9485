import * as THREE from 'three';
import { beforeAll, expect, it } from 'vitest';
import { drawnTriangles } from '../helpers/drawnTriangles.js';
import { accelerated } from '../helpers/indexed.js';
import { cameraAt, loadAllBatching } from './Stage.js';

const box = new THREE.BoxGeometry();
const camera = cameraAt(10);
const SORTED = { isWebGLRenderer: true, sortObjects: true };
const UNSORTED = { isWebGLRenderer: true, sortObjects: false };

beforeAll(loadAllBatching);

/** Boxes that lie in pairs at the same places, of one paint and another. */
function pairs(...paints: THREE.Material[][]) {
  const scene = new THREE.Scene();
  for (const paint of paints) {
    for (let i = 0; i < 4; i++) scene.add(new THREE.Mesh(box, paint[i % paint.length]).translateX(i));
  }
  accelerated(scene, { batch: { atLeast: 4 } });
  return (by: object, mesh?: THREE.Mesh): number => {
    if (mesh) scene.add(mesh);
    scene.updateMatrixWorld();
    return drawnTriangles(scene, camera, camera, undefined, by).calls;
  };
}

const lamberts = (emissive: number, count: number): THREE.Material[] =>
  Array.from({ length: count }, (_, color) => new THREE.MeshLambertMaterial({ color, emissive }));

it('what is coplanar is drawn apart by renderers that may draw two batches in another order, and by no others', () => {
  const draw = pairs(lamberts(0, 1), lamberts(1, 1));
  for (let frame = 0; frame < 3; frame++) draw(SORTED);
  const calls = [SORTED, UNSORTED, SORTED, UNSORTED].map((by) => draw(by));
  expect(calls).toEqual([2, 8, 2, 8]);
});

it('what is coplanar is drawn apart once a material joins with which two batches may be drawn in another order', () => {
  const [first, second, late] = [lamberts(0, 2), lamberts(1, 2), lamberts(0, 1)];
  const draw = pairs(first, second);
  for (let frame = 0; frame < 3; frame++) draw(SORTED);
  expect(draw(SORTED)).toBe(2);
  expect(draw(SORTED, new THREE.Mesh(box, late[0]).translateY(3))).toBe(9);
});
