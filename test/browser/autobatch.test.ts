import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhongMaterial,
  MeshStandardMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  SphereGeometry,
  TorusGeometry,
  WebGLRenderer,
} from 'three';
import { afterAll, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';
import { differences, readPicture } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';

const SIZE = 128;
const renderer = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
afterAll(() => renderer.dispose());

/** At most so many pixels differ, by rounding at edges. */
const FEW = Math.round(0.001 * SIZE * SIZE);

function crowd(seed: number, count = 300): Scene {
  const next = random(seed);
  const scene = new Scene();
  scene.background = new Color(0x334455);
  const sun = new DirectionalLight(0xffffff, 2);
  sun.position.set(20, 40, 10);
  sun.castShadow = true;
  sun.shadow.camera.left = sun.shadow.camera.bottom = -40;
  sun.shadow.camera.right = sun.shadow.camera.top = 40;
  sun.shadow.camera.far = 120;
  scene.add(sun, new HemisphereLight(0xffffff, 0x445566, 1));
  const geometries: BufferGeometry[] = [
    new BoxGeometry(),
    new SphereGeometry(0.6, 12, 8),
    new TorusGeometry(0.6, 0.2, 8, 12),
    new BoxGeometry(1, 2, 1).toNonIndexed(),
  ];
  const materials = [
    new MeshStandardMaterial({ color: 0xcc8844 }),
    new MeshLambertMaterial({ color: 0x44cc88 }),
    new MeshPhongMaterial({ color: 0x8844cc }),
    new MeshBasicMaterial({ color: 0xcccccc }),
  ];
  const ground = new Mesh(new PlaneGeometry(100, 100), new MeshLambertMaterial({ color: 0x777777 }));
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  scene.add(ground);
  for (let i = 0; i < count; i++) {
    const group = new Group();
    const mesh = new Mesh(geometries[Math.floor(next() * 4)], materials[Math.floor(next() * 4)]);
    mesh.position.set(next() * 60 - 30, next() * 6, next() * 60 - 30);
    mesh.rotation.set(next() * 6, next() * 6, next() * 6);
    mesh.scale.set(next() < 0.2 ? -1 : 1, 0.5 + next(), 0.5 + next());
    mesh.castShadow = next() < 0.7;
    mesh.receiveShadow = true;
    group.add(mesh);
    scene.add(group);
  }
  return scene;
}

async function loaded(): Promise<void> {
  await import('../../src/three/autobatch/SceneBatches.js');
  await new Promise((done) => setTimeout(done));
}

function lookAt(): PerspectiveCamera {
  const camera = new PerspectiveCamera(50, 1, 0.5, 120);
  camera.position.set(25, 18, 30);
  camera.lookAt(0, 0, 0);
  return camera;
}

describe('meshes that are alike are drawn at once', () => {
  for (const shadows of [false, true]) {
    test(`the same picture, ${shadows ? 'with' : 'without'} shadows`, async () => {
      renderer.shadowMap.enabled = shadows;
      const scene = crowd(1);
      const camera = lookAt();
      renderer.render(scene, camera);
      renderer.render(scene, camera);
      const plain = readPicture(renderer);
      const calls = renderer.info.render.calls;
      const index = accelerate(scene, { batch: true });
      await loaded();
      for (let frame = 0; frame < 4; frame++) {
        renderer.render(scene, camera);
        const different = differences(readPicture(renderer), plain);
        expect(different).toBeLessThanOrEqual(FEW);
      }
      index.dispose();
      renderer.render(scene, camera);
      expect(differences(readPicture(renderer), plain)).toBe(0);
      expect(renderer.info.render.calls).toBe(calls);
    });
  }
});
