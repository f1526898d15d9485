import * as THREE from 'three';
import { expect } from 'vitest';
import { type AccelerateOptions, accelerate, LooseOctree, type SceneIndex } from '../../src/index.js';
import { differences, makeRenderer, readPicture } from '../helpers/pictures.js';
import { validateScene } from '../helpers/validateScene.js';

export const SIZE = 96;
export const renderer = makeRenderer(SIZE);

export function picture(draw: () => void): Uint8Array {
  draw();
  return readPicture(renderer);
}

export type Snap = (draw: () => void) => void;

/**
 * Tells the story of a scene in plain three, and once more with each of some options for an index, each time with a scene
 * made anew. Fails unless all pictures taken are the same, and there are different ones among them.
 */
export function expectSamePictures(
  tell: (scene: THREE.Scene, snap: Snap, options: AccelerateOptions | null) => void,
  variants: readonly AccelerateOptions[] = [{}],
): void {
  const run = (options: AccelerateOptions | null): Uint8Array[] => {
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0x334455);
    const pictures: Uint8Array[] = [];
    tell(scene, (draw) => pictures.push(picture(draw)), options);
    for (const sun of suns.splice(0)) sun.shadow.dispose();
    return pictures;
  };
  const plain = run(null);
  expect(plain.length).toBeGreaterThan(1);
  expect(plain.some((pixels) => differences(pixels, plain[0]) > 0)).toBe(true);
  for (const options of variants) {
    run(options).forEach((pixels, i) => {
      expect(differences(pixels, plain[i]), `picture ${i}, ${JSON.stringify(options)}`).toBe(0);
    });
  }
}

/** The same for a scene that has its index from the start to the end. */
export function expectSameStory(
  tell: (scene: THREE.Scene, snap: Snap, index: SceneIndex | null) => void,
  variants?: readonly AccelerateOptions[],
): void {
  expectSamePictures((scene, snap, options) => {
    const index = options && accelerate(scene, { structure: new LooseOctree({ capacity: 4 }), ...options });
    try {
      tell(scene, snap, index);
      expect(index === null ? [] : validateScene(index)).toEqual([]);
    } finally {
      index?.dispose();
    }
  }, variants);
}

/** A matrix of any turn and size, over the ground. */
export function anyPlace(next: () => number): THREE.Matrix4 {
  const place = new THREE.Vector3(60 * next() - 30, 8 * next(), 60 * next() - 30);
  const turn = new THREE.Quaternion(next(), next(), next(), next()).normalize();
  return new THREE.Matrix4().compose(place, turn, new THREE.Vector3().setScalar(0.5 + 2 * next()));
}

export const box = new THREE.BoxGeometry();

export function colour(next: () => number): THREE.Color {
  return new THREE.Color().setHSL(next(), 0.8, 0.5);
}

/** Boxes in groups, some with boxes of their own below them; all cast and receive. */
export function fill(scene: THREE.Object3D, next: () => number, count: number): THREE.Mesh[] {
  const parents: THREE.Object3D[] = [scene];
  const meshes: THREE.Mesh[] = [];
  for (let i = 0; i < count; i++) {
    const mesh = new THREE.Mesh(box, new THREE.MeshLambertMaterial({ color: colour(next) }));
    const isTop = next() < 0.5;
    const reach = isTop ? 40 : 10;
    mesh.position.set(next() * reach - reach / 2, next() * 8, next() * reach - reach / 2);
    if (isTop) mesh.scale.setScalar(1 + next() * 3);
    mesh.castShadow = mesh.receiveShadow = true;
    (isTop ? scene : parents[Math.floor(next() * parents.length)]).add(mesh);
    if (next() < 0.3) parents.push(mesh);
    meshes.push(mesh);
  }
  scene.add(new THREE.AmbientLight(0xffffff, 0.5));
  return meshes;
}

/** Boxes on a ground in the sun. */
export function addWorld(
  scene: THREE.Scene,
  next: () => number,
  count = 60,
): { meshes: THREE.Mesh[]; sun: THREE.DirectionalLight } {
  const meshes = fill(scene, next, count);
  addGround(scene);
  return { meshes, sun: addSun(scene) };
}

export function addGround(scene: THREE.Scene): void {
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(80, 80), new THREE.MeshLambertMaterial({ color: 0xccccaa }));
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  scene.add(ground);
}

/** Every mesh in materials that are picked for it, in fog; most cast shadows. */
export function paint(scene: THREE.Scene, next: () => number, pick: () => THREE.Material): THREE.Scene {
  scene.traverse((object) => {
    if (!('isMesh' in object)) return;
    const mesh = object as THREE.Mesh;
    mesh.material = Array.isArray(mesh.material) ? mesh.material.map(pick) : pick();
    mesh.castShadow = next() < 0.8;
    mesh.receiveShadow = true;
  });
  scene.background = new THREE.Color(0x334455);
  scene.fog = new THREE.Fog(0x334455, 20, 120);
  return scene.add(new THREE.AmbientLight(0xffffff, 0.6));
}

/** A ground of some thickness, far below. */
export function slab(): THREE.Mesh {
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(100, 1, 100), new THREE.MeshLambertMaterial({ color: 0x888888 }));
  mesh.position.y = -20;
  mesh.receiveShadow = true;
  return mesh;
}

/** Those of the story that is told. */
const suns: THREE.DirectionalLight[] = [];

export function addSun(scene: THREE.Scene, x = -30): THREE.DirectionalLight {
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(x, 12, 5);
  sun.castShadow = true;
  Object.assign(sun.shadow.camera, { left: -50, right: 50, top: 50, bottom: -50, near: -60, far: 120 });
  sun.shadow.mapSize.set(128, 128);
  sun.shadow.bias = -0.002;
  scene.add(sun);
  suns.push(sun);
  renderer.shadowMap.enabled = true;
  return sun;
}

export function eye(x: number, y: number, z: number, far = 80): THREE.PerspectiveCamera {
  const camera = new THREE.PerspectiveCamera(45, 1, 0.5, far);
  camera.position.set(x, y, z);
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld();
  return camera;
}
