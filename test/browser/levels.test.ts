import * as THREE from 'three';
// @ts-expect-error three has no types of it.
import { MeshoptSimplifier } from 'three/addons/libs/meshopt_simplifier.module.js';
import { expect, test } from 'vitest';
import { type AcceleratedScene, accelerate, explain } from '../../src/index.js';
import { simplifyInWorker } from '../../src/levels-worker.js';
import { areShadersSeen } from '../../src/scene/objects/shaderChunks.js';
import { makeRenderer, otherPixels, readPicture, renewContext } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { BACKENDS, WebGPUPictures } from './webgpuPictures.js';

const knot = new THREE.TorusKnotGeometry(1, 0.3, 80, 16);

/** Knots in the sun, some of which one sees through, far and near. */
function crowd(): THREE.Scene {
  const next = random(5);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color('#456');
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(20, 60, 30);
  sun.castShadow = true;
  Object.assign(sun.shadow.camera, { left: -60, right: 60, top: 60, bottom: -60, far: 200 });
  scene.add(sun, new THREE.HemisphereLight(0xffffff, 0x445566, 1));
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(300, 300), new THREE.MeshLambertMaterial());
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  scene.add(ground);
  const paints = [0.5, 1].map((opacity) => {
    return new THREE.MeshLambertMaterial({ color: '#c84', transparent: opacity < 1, opacity });
  });
  for (let i = 0; i < 40; i++) {
    const mesh = new THREE.Mesh(knot, paints[i % 2]);
    mesh.position.set(60 * (next() - 0.5), 2 + 3 * next(), 10 - 60 * next());
    mesh.rotation.set(6 * next(), 6 * next(), 0);
    mesh.castShadow = mesh.receiveShadow = true;
    scene.add(mesh);
  }
  return scene;
}

function eye(): THREE.PerspectiveCamera {
  const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 300);
  camera.position.set(0, 12, 30);
  camera.lookAt(0, 2, -20);
  return camera;
}

/** Draws until every mesh of a geometry has levels that this camera has shown. */
async function settle(index: AcceleratedScene, camera: THREE.Camera, draw: () => unknown): Promise<void> {
  const isLeveled = (mesh: THREE.Object3D): boolean =>
    /It has \d+ levels.*triangles|outside the frustum/.test(explain(index, mesh, camera).join());
  const meshes = index.root.children.filter((child) => (child as THREE.Mesh).geometry?.index && child.castShadow);
  for (let i = 0; i < 5000 && !meshes.every(isLeveled); i++) {
    await draw();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(meshes.filter((mesh) => !isLeveled(mesh)).map((mesh) => explain(index, mesh, camera))).toEqual([]);
  await draw();
}

test.skipIf(!areShadersSeen).each([
  ['between frames', MeshoptSimplifier],
  ['in the worker', simplifyInWorker],
])(
  'levels made %s: as good a picture, opaque and transparent, with shadows, of fewer triangles',
  async (_where, simplifier) => {
    const renderer = makeRenderer(256);
    renderer.shadowMap.enabled = true;
    const camera = eye();
    /** The picture of a scene, and triangles with those of the shadow map. */
    const take = (scene: THREE.Scene): [Uint8Array, number] => {
      renderer.render(scene, camera);
      return [readPicture(renderer), renderer.info.render.triangles];
    };
    const [expected, all] = take(crowd());
    const scene = crowd();
    const index = accelerate(scene, { batch: true, levels: { simplifier, maxError: 2 } });
    await settle(index, camera, () => take(scene));
    const [picture, leveled] = take(scene);
    expect(leveled).toBeLessThan(0.5 * all);
    expect(otherPixels(picture, expected, 32)).toBeLessThan(0.01 * 256 * 256);
    await renewContext(renderer, () => renderer.render(scene, camera));
    expect(take(scene)).toEqual([picture, leveled]);
    index.dispose();
    expect(take(scene)[1]).toBe(all);
    renderer.dispose();
  },
);

test.each(BACKENDS)('by WebGPURenderer with $backend', async ({ forceWebGL, isMissing }) => {
  if (isMissing) return;
  const pictures = await WebGPUPictures.make(forceWebGL);
  const { info, shadowMap } = pictures.renderer;
  shadowMap.enabled = true;
  info.autoReset = false;
  const camera = eye();
  const take = async (scene: THREE.Scene): Promise<[Uint8Array, number]> => {
    info.reset();
    return [await pictures.take(scene, camera), info.render.triangles];
  };
  const plain = crowd();
  await take(plain);
  const [expected, all] = await take(plain);
  const scene = crowd();
  const index = accelerate(scene, { batch: { atLeast: 4 }, levels: { simplifier: simplifyInWorker, maxError: 2 } });
  // It draws transparent meshes one by one.
  const meshes = scene.children.filter((child) => child.castShadow && (child as THREE.Mesh).isMesh);
  for (const [i, mesh] of meshes.entries()) mesh.castShadow = i % 2 === 1;
  await settle(index, camera, () => take(scene));
  for (const mesh of meshes) mesh.castShadow = true;
  for (let i = 0; i < 4; i++) await take(scene);
  const [taken, leveled] = await take(scene);
  expect(leveled).toBeLessThan(0.8 * all);
  expect(otherPixels(taken, expected, 32)).toBeLessThan((0.015 * expected.length) / 4);
  index.dispose();
  pictures.dispose();
});
