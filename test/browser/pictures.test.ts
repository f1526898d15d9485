import * as THREE from 'three';
import { expect, test } from 'vitest';
import { LooseOctree, SceneIndex, SceneIndexHelper } from '../../src/index.js';
import { differences, endRenderer, makeRenderer, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { mixedScene } from '../helpers/scene.js';

const SIZE = 128;

function picture(renderer: THREE.WebGLRenderer, scene: THREE.Scene, camera: THREE.Camera): Uint8Array {
  renderer.render(scene, camera);
  return readPicture(renderer);
}

/** Draws with everything switched off that the index does not list; layers do it, as `visible` hides what is below. */
function pictureOf(
  renderer: THREE.WebGLRenderer,
  scene: THREE.Scene,
  camera: THREE.Camera,
  seen: THREE.Object3D[],
): Uint8Array {
  const off: [THREE.Object3D, mask: number][] = [];
  const visit = (object: THREE.Object3D, inLod?: boolean): void => {
    // A level of a LOD is listed as the LOD.
    const isSeen = inLod ?? seen.includes(object);
    if (!isSeen && 'material' in object) off.push([object, object.layers.mask]);
    for (const child of object.children) visit(child, 'isLOD' in object ? isSeen : inLod);
  };
  visit(scene);
  for (const [object] of off) object.layers.mask = 0;
  const pixels = picture(renderer, scene, camera);
  for (const [object, mask] of off) object.layers.mask = mask;
  return pixels;
}

/** A scene of many colours, so that no object can be missing unseen. */
function colourful(seed: number): THREE.Scene {
  const next = random(seed);
  const scene = mixedScene(next, 150);
  scene.background = new THREE.Color(0x102030);
  scene.traverse((object) => {
    const { material } = object as THREE.Mesh;
    if (!material || Array.isArray(material)) return;
    const own = material.clone();
    (own as unknown as { color: THREE.Color }).color?.setHSL(next(), 0.8, 0.6);
    (object as THREE.Mesh).material = own;
  });
  return scene;
}

type Make = (next: () => number) => THREE.Camera;
const perspective: Make = (next) => new THREE.PerspectiveCamera(20 + next() * 60, 1, 0.1, 20 + next() * 80);
const orthographic: Make = (next) => {
  const s = 3 + next() * 12;
  return new THREE.OrthographicCamera(-s, s, s, -s, 0.1, 20 + next() * 80);
};

test.each<[string, Make, THREE.WebGLRendererParameters]>([
  ['perspective', perspective, {}],
  ['orthographic', orthographic, {}],
  ['perspective with reversed depth', perspective, { reversedDepthBuffer: true }],
])('%s: what the index leaves out is on no picture, seeds 1 and 2', (_label, make, options) => {
  const renderer = makeRenderer(SIZE, SIZE, options);
  let [left, lit] = [0, 0];
  for (let seed = 1; seed <= 2; seed++) {
    const scene = colourful(seed);
    const index = new SceneIndex(scene);
    const next = random(seed + 50);
    for (let i = 0; i < 6; i++) {
      const camera = make(next);
      camera.position.set(next() * 80 - 40, next() * 80 - 40, next() * 80 - 40);
      camera.lookAt(next() * 20 - 10, next() * 20 - 10, next() * 20 - 10);
      const plain = picture(renderer, scene, camera);
      // Rendering moved what three moves of itself: LODs, and the camera to its depth order.
      index.update();
      const seen = index.cull(camera);
      expect(differences(pictureOf(renderer, scene, camera, seen), plain), `seed ${seed}, camera ${i}`).toBe(0);
      left += index.size - seen.length;
      if (differences(plain, pictureOf(renderer, scene, camera, [])) > 0) lit++;
    }
    index.dispose();
  }
  expect(left).toBeGreaterThan(100);
  expect(lit).toBeGreaterThan(6);
  endRenderer(renderer);
});

test('the helper draws all its boxes in one call', () => {
  const renderer = makeRenderer(SIZE);
  const scene = colourful(4);
  const index = new SceneIndex(scene, { structure: new LooseOctree({ capacity: 4 }) });
  const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 500);
  camera.position.set(0, 0, 120);
  const before = picture(renderer, scene, camera);
  const { calls } = renderer.info.render;
  const helper = new SceneIndexHelper(index);
  scene.add(helper);
  const after = picture(renderer, scene, camera);
  expect(renderer.info.render.calls).toBe(calls + 1);
  expect(renderer.info.render.lines).toBeGreaterThanOrEqual(12 * helper.boxCount);
  expect(differences(before, after)).toBeGreaterThan(200);
  // Fewer, then many more: the buffers on the graphics card follow.
  scene.remove(...scene.children.filter((child) => child !== helper).slice(20));
  index.update();
  helper.update();
  picture(renderer, scene, camera);
  const next = random(1);
  for (let i = 0; i < 3000; i++) {
    const mesh = new THREE.Mesh();
    mesh.position.set(next() * 80 - 40, next() * 80 - 40, next() * 80 - 40);
    mesh.layers.set(5);
    scene.add(mesh);
  }
  index.update();
  helper.update();
  const grown = picture(renderer, scene, camera);
  scene.remove(helper);
  expect(differences(grown, picture(renderer, scene, camera))).toBeGreaterThan(1000);
  expect(renderer.getContext().getError()).toBe(0);
  helper.dispose();
  endRenderer(renderer);
});
