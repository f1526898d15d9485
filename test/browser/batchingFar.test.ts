import * as THREE from 'three';
import { describe, expect, test } from 'vitest';
import { accelerate, explain } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { differences } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { inverseOf } from '../helpers/sights.js';
import { BatchTwin, openStudio } from './batching.js';

const SIZE = [640, 480] as const;
const studio = openStudio(SIZE[0], {}, SIZE[1]);

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
  return new THREE.PerspectiveCamera(kind === 'narrow' ? 12 : 50, 4 / 3, 0.1, 200);
}

describe('batches are drawn where plain three draws their meshes', () => {
  const cases = [1_000, 8_000, 100_000].flatMap((x) =>
    (['narrow', 'wide', 'parallel'] as const).map((kind) => [x, kind] as const),
  );
  test.each(cases)('%i units from their first mesh, with a %s view', async (x, kind) => {
    const camera = cameraOf(kind);
    const lookFrom = (i: number, at: number): void => {
      camera.position.set(Math.sin(i * 0.4) * 8 + at, 1, Math.cos(i * 0.4) * 8);
      camera.lookAt(at, 0, 0);
    };
    const twin = new BatchTwin(studio, () => ({ scene: world(x, kind !== 'narrow') }), {
      most: (SIZE[0] * SIZE[1]) / 3000,
    });
    lookFrom(0, x);
    await twin.settle(camera);
    // Walks around what is far, with a look at the origin in between.
    for (let i = 1; i < 6; i++) {
      lookFrom(i, i === 3 ? 0 : x);
      twin.frame(`place ${i}`, camera);
      expect(twin.calls.batched).toBeLessThanOrEqual(3);
    }
    camera.updateMatrixWorld();
    twin.frames(2, 'told by the inverse alone', inverseOf(camera));
    twin.index.dispose();
  });
});

test('a mirror within the picture that looks from far away draws its meshes themselves', async () => {
  const target = new THREE.WebGLRenderTarget(...SIZE);
  const [camera, inner] = [cameraOf('wide'), cameraOf('narrow')];
  camera.position.z = 12;
  inner.position.set(100_008, 1, 0);
  inner.lookAt(100_000, 0, 0);
  await loadBatching();
  const [plain, batched] = [false, { atLeast: 4 }].map((batch) => {
    const scene = world(100_000, true);
    const first = scene.children[0] as THREE.Mesh;
    for (let i = 1; i < 5; i++) scene.add(first.clone().translateX(1.5 * i));
    const mirror = new THREE.Mesh(new THREE.PlaneGeometry(), new THREE.MeshBasicMaterial());
    mirror.onBeforeRender = (renderer, mirrored) => {
      renderer.setRenderTarget(target);
      renderer.render(mirrored as THREE.Scene, inner);
      renderer.setRenderTarget(null);
    };
    const index = accelerate(scene.add(mirror), { batch });
    studio.draws(scene, camera, 3);
    if (batch) expect(explain(index, scene.children[1], inner).join(' ')).toMatch(/looked from far away/);
    index.dispose();
    const pixels = new Uint8Array(4 * target.width * target.height);
    studio.renderer.readRenderTargetPixels(target, 0, 0, ...SIZE, pixels);
    return pixels;
  });
  expect(differences(batched, plain)).toBe(0);
});
