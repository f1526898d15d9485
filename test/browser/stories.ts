import {
  AmbientLight,
  BoxGeometry,
  Color,
  DirectionalLight,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { expect } from 'vitest';
import { type AccelerateOptions, accelerate, LooseOctree, type SceneIndex } from '../../src/index.js';
import { differences, readPicture } from '../helpers/pictures.js';
import { validateScene } from '../helpers/validateScene.js';

export const SIZE = 96;
export const renderer = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);

export function picture(draw: () => void): Uint8Array {
  draw();
  return readPicture(renderer);
}

export type Snap = (draw: () => void) => void;

/**
 * Tells the story of a scene twice, in plain three and with an index, each time with a scene made anew. Fails unless all
 * pictures taken are the same, and there are different ones among them.
 */
export function expectSamePictures(tell: (scene: Scene, snap: Snap, isFast: boolean) => void): void {
  const run = (isFast: boolean): Uint8Array[] => {
    const scene = new Scene();
    scene.background = new Color(0x334455);
    const pictures: Uint8Array[] = [];
    tell(scene, (draw) => pictures.push(picture(draw)), isFast);
    return pictures;
  };
  const plain = run(false);
  expect(plain.length).toBeGreaterThan(1);
  expect(plain.some((pixels) => differences(pixels, plain[0]) > 0)).toBe(true);
  run(true).forEach((pixels, i) => {
    expect(differences(pixels, plain[i]), `picture ${i}`).toBe(0);
  });
}

/** The same for a scene that has its index from the start to the end. */
export function expectSameStory(
  tell: (scene: Scene, snap: Snap, index: SceneIndex | null) => void,
  options: AccelerateOptions = {},
): void {
  expectSamePictures((scene, snap, isFast) => {
    const index = isFast ? accelerate(scene, { index: new LooseOctree({ capacity: 4 }), ...options }) : null;
    try {
      tell(scene, snap, index);
      expect(index === null ? [] : validateScene(index)).toEqual([]);
    } finally {
      index?.dispose();
    }
  });
}

/** A matrix of any turn and size, over the ground. */
export function anyPlace(next: () => number): Matrix4 {
  const place = new Vector3(60 * next() - 30, 8 * next(), 60 * next() - 30);
  const turn = new Quaternion(next(), next(), next(), next()).normalize();
  return new Matrix4().compose(place, turn, new Vector3().setScalar(0.5 + 2 * next()));
}

export const box = new BoxGeometry();

export function colour(next: () => number): Color {
  return new Color().setHSL(next(), 0.8, 0.5);
}

/** Boxes in groups, some with boxes of their own below them; all cast and receive. */
export function fill(scene: Object3D, next: () => number, count: number): Mesh[] {
  const parents: Object3D[] = [scene];
  const meshes: Mesh[] = [];
  for (let i = 0; i < count; i++) {
    const mesh = new Mesh(box, new MeshLambertMaterial({ color: colour(next) }));
    const isTop = next() < 0.5;
    const reach = isTop ? 40 : 10;
    mesh.position.set(next() * reach - reach / 2, next() * 8, next() * reach - reach / 2);
    if (isTop) mesh.scale.setScalar(1 + next() * 3);
    mesh.castShadow = mesh.receiveShadow = true;
    (isTop ? scene : parents[Math.floor(next() * parents.length)]).add(mesh);
    if (next() < 0.3) parents.push(mesh);
    meshes.push(mesh);
  }
  scene.add(new AmbientLight(0xffffff, 0.5));
  return meshes;
}

export function addGround(scene: Scene): void {
  const ground = new Mesh(new PlaneGeometry(80, 80), new MeshLambertMaterial({ color: 0xccccaa }));
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  scene.add(ground);
}

export function addSun(scene: Scene, x = -30): DirectionalLight {
  const sun = new DirectionalLight(0xffffff, 2);
  sun.position.set(x, 12, 5);
  sun.castShadow = true;
  Object.assign(sun.shadow.camera, { left: -50, right: 50, top: 50, bottom: -50, near: -60, far: 120 });
  sun.shadow.bias = -0.002;
  scene.add(sun);
  renderer.shadowMap.enabled = true;
  return sun;
}

export function eye(x: number, y: number, z: number, far = 80): PerspectiveCamera {
  const camera = new PerspectiveCamera(45, 1, 0.5, far);
  camera.position.set(x, y, z);
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld();
  return camera;
}
