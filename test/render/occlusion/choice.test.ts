import * as THREE from 'three';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { accelerate } from '../../../src/index.js';
import { Occluders } from '../../../src/render/occlusion/Occluders.js';
import { tryOcclusion } from '../../helpers/occlusion/tryOcclusion.js';
import { drawn, loadOcclusion } from '../../helpers/occlusion.js';

let rest = (): void => {};

beforeAll(loadOcclusion);
beforeEach(() => {
  rest = tryOcclusion();
});
afterEach(() => {
  vi.restoreAllMocks();
  rest();
});

const wall = new THREE.BoxGeometry(8, 4, 0.5);
const crate = new THREE.BoxGeometry(0.5, 0.5, 0.5);

interface Yard {
  readonly scene: THREE.Scene;
  readonly walls: THREE.Mesh[];
}

/** A row of walls along x, and crates behind them. */
function makeYard(): Yard {
  const scene = new THREE.Scene();
  const material = new THREE.MeshBasicMaterial();
  const place = (geometry: THREE.BufferGeometry, x: number, z: number): THREE.Mesh => {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.position.set(x, 0, z);
    scene.add(mesh);
    return mesh;
  };
  const walls = Array.from({ length: 20 }, (_, i) => place(wall, 9 * i - 90, -10));
  for (let i = 0; i < 800; i++) place(crate, i / 4 - 100, -14);
  return { scene, walls };
}

/** Steps of a camera, or of the scene, and whether occluders are chosen anew then. */
const STEPS: readonly [string, (camera: THREE.PerspectiveCamera, yard: Yard) => void, isAnew: boolean][] = [
  ['goes a little', (camera) => camera.translateX(0.05), false],
  ['turns a little', (camera) => camera.rotateY(0.02), false],
  ['goes far', (camera) => camera.translateX(30), true],
  ['turns', (camera) => camera.rotateY(0.2), true],
  ['zooms', (camera) => Object.assign(camera, { fov: 30 }).updateProjectionMatrix(), true],
  ['sees another wall', (_, { scene, walls }) => scene.add(walls[10].clone()), true],
  ['no longer sees a wall', (_, { walls }) => walls[10].removeFromParent(), true],
  ['sees a wall move', (_, { walls }) => walls[10].translateY(0.1), false],
];

it.each(STEPS)('when a camera %s', (_what, step, isAnew) => {
  const given = makeYard();
  const index = accelerate(given.scene, { occlusion: true });
  const camera = new THREE.PerspectiveCamera(60, 2, 0.1, 200);
  const choose = vi.spyOn(Occluders.prototype, 'choose');
  const seen = (): number => drawn(given.scene, camera).length;
  const first = seen();
  expect(first).toBeLessThan(index.cull(camera).length / 2);
  expect(choose).toHaveBeenCalledTimes(1);
  step(camera, given);
  seen();
  expect(choose).toHaveBeenCalledTimes(isAnew ? 2 : 1);
});

it('a camera that goes on gets others after some pictures, and those that are there all the while', () => {
  const [{ scene }, twin] = [makeYard(), makeYard()];
  accelerate(scene, { occlusion: true });
  const camera = new THREE.PerspectiveCamera(60, 2, 0.1, 200);
  const choose = vi.spyOn(Occluders.prototype, 'choose');
  for (let picture = 0; picture < 24; picture++) {
    camera.translateX(0.01);
    accelerate(twin.scene, { occlusion: true });
    expect(drawn(scene, camera).length).toBe(drawn(twin.scene, camera).length);
  }
  expect(choose.mock.calls.length - 24).toBe(3);
});
