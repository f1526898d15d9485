import * as THREE from 'three';
import { describe, expect, test } from 'vitest';
import { accelerate, explain } from '../../src/index.js';

import { loadBatching } from '../helpers/loadBatching.js';
import { differences } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { openStudio } from './batching.js';

const WIDTH = 640;
const HEIGHT = 480;
const studio = openStudio(WIDTH, {}, HEIGHT);

/** Stripes of one texel, which show a shift of a small part of a pixel. */
function stripes(): THREE.DataTexture {
  const data = new Uint8Array(64 * 64 * 4);
  for (let i = 0; i < 64 * 64; i++) data.set([((i & 1) ^ ((i >> 6) & 1)) * 255, 80, 80, 255], 4 * i);
  const texture = new THREE.DataTexture(data, 64, 64);
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** Boxes around the point x, 0, 0, and one at the origin that is always drawn, first. */
function world(x: number, isLit: boolean): THREE.Scene {
  const next = random(7);
  const scene = new THREE.Scene();
  const geometry = new THREE.BoxGeometry();
  const map = stripes();
  const material = isLit ? new THREE.MeshLambertMaterial({ map }) : new THREE.MeshBasicMaterial({ map });
  const first = new THREE.Mesh(geometry, material);
  first.frustumCulled = false;
  scene.add(first);
  for (let i = 0; i < 16; i++) {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.position.set((next() - 0.5) * 4 + x, (next() - 0.5) * 3, (next() - 0.5) * 3);
    mesh.rotation.set(next() * 6, next() * 6, next() * 6);
    if (i % 3 === 0) mesh.scale.x = -1;
    scene.add(mesh);
  }
  const light = new THREE.DirectionalLight(0xffffff, 3);
  light.position.set(1, 2, 3);
  scene.add(light);
  return scene;
}

function cameraOf(kind: string): THREE.PerspectiveCamera | THREE.OrthographicCamera {
  if (kind === 'parallel') return new THREE.OrthographicCamera(-2, 2, 1.5, -1.5, 0.1, 200);
  return new THREE.PerspectiveCamera(kind === 'narrow' ? 12 : 50, WIDTH / HEIGHT, 0.1, 200);
}

async function pictures(
  scene: THREE.Scene,
  cameras: THREE.Camera[],
  isBatched: boolean,
): Promise<[Uint8Array[], number]> {
  const index = isBatched ? accelerate(scene, { batch: { atLeast: 4 } }) : null;
  if (isBatched) {
    await loadBatching();
    studio.draws(scene, cameras[0], 3);
  }
  let most = 0;
  const drawn = cameras.map((camera) => {
    const { pixels, calls } = studio.draw(scene, camera);
    most = Math.max(most, calls);
    return pixels;
  });
  index?.dispose();
  return [drawn, most];
}

describe('batches are drawn where plain three draws their meshes', () => {
  const cases = [1_000, 8_000, 100_000].flatMap((x) =>
    ['narrow', 'wide', 'parallel'].map((kind) => [x, kind] as const),
  );
  test.each(cases)('%i units from their first mesh, with a %s view', async (x, kind) => {
    for (const isLit of [false, true]) {
      // Walks around what is far, with a look at the origin in between.
      const cameras = Array.from({ length: 6 }, (_, i) => {
        const camera = cameraOf(kind);
        const at = i === 3 ? 0 : x;
        camera.position.set(Math.sin(i * 0.4) * 8 + at, 1, Math.cos(i * 0.4) * 8);
        camera.lookAt(at, 0, 0);
        return camera;
      });
      const [plain] = await pictures(world(x, isLit), cameras, false);
      const [batched, calls] = await pictures(world(x, isLit), cameras, true);
      expect(calls).toBeLessThanOrEqual(3);
      batched.forEach((picture, i) => {
        expect(differences(picture, plain[i])).toBeLessThanOrEqual((WIDTH * HEIGHT) / 1000);
      });
    }
  });
});

test('a mirror within the picture that looks from far away draws its meshes themselves', async () => {
  const target = new THREE.WebGLRenderTarget(WIDTH, HEIGHT);
  const [plain, batched] = await Promise.all(
    [false, true].map(async (isBatched) => {
      const scene = world(100_000, true);
      const first = scene.children[0] as THREE.Mesh;
      for (let i = 1; i < 5; i++) scene.add(first.clone().translateX(1.5 * i));
      const camera = cameraOf('wide');
      camera.position.z = 12;
      const inner = cameraOf('narrow');
      inner.position.set(100_008, 1, 0);
      inner.lookAt(100_000, 0, 0);
      const mirror = new THREE.Mesh(new THREE.PlaneGeometry(), new THREE.MeshBasicMaterial());
      mirror.onBeforeRender = (renderer, mirrored) => {
        renderer.setRenderTarget(target);
        renderer.render(mirrored as THREE.Scene, inner);
        renderer.setRenderTarget(null);
      };
      const index = isBatched ? accelerate(scene, { batch: { atLeast: 4 } }) : null;
      if (isBatched) await loadBatching();
      scene.add(mirror);
      studio.draws(scene, camera, 3);
      if (index !== null) expect(explain(index, scene.children[1], inner).join(' ')).toMatch(/looked from far away/);
      index?.dispose();
      const pixels = new Uint8Array(4 * WIDTH * HEIGHT);
      studio.renderer.readRenderTargetPixels(target, 0, 0, WIDTH, HEIGHT, pixels);
      return pixels;
    }),
  );
  expect(differences(batched, plain)).toBe(0);
});
