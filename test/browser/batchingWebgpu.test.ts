import * as THREE from 'three';
import { RenderTarget, type WebGPURenderer } from 'three/webgpu';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accelerate, explain } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { otherPixels } from '../helpers/pictures.js';
import { eyeAt, world } from './batching.js';
import { BACKENDS, WebGPUPictures } from './webgpuPictures.js';

/** A light with shadows of six faces. */
function lamp(): THREE.Object3D {
  const lamp = new THREE.PointLight('white', 20);
  lamp.position.set(0.3, 1, 1);
  lamp.castShadow = true;
  return lamp;
}

/** Shows what lies behind the camera, and is drawn after the ground and before the rest. */
function mirror(): THREE.Object3D {
  const target = new RenderTarget(32, 32);
  const material = new THREE.MeshBasicMaterial({ map: target.texture });
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 0.1), material);
  mesh.position.set(0, 2, 0);
  mesh.renderOrder = -1;
  const camera = eyeAt(2, 3, 0);
  camera.lookAt(2, 0, 8);
  mesh.onBeforeRender = (given, scene) => {
    const renderer = given as unknown as WebGPURenderer;
    const before = renderer.getRenderTarget();
    mesh.visible = false;
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(before);
    mesh.visible = true;
  };
  return mesh;
}

describe.each(BACKENDS)('batches by WebGPURenderer with $backend look the same', ({ forceWebGL, isMissing }) => {
  let pictures: WebGPUPictures;
  beforeAll(async () => {
    pictures = await WebGPUPictures.make(forceWebGL);
    pictures.renderer.shadowMap.enabled = true;
  });
  afterAll(() => pictures.dispose());

  test.skipIf(isMissing).each<[string, order: number, make?: () => THREE.Object3D]>([
    ['a shadow shows other meshes of a batch that is drawn before it', 0],
    // Renderers draw shadows when something lit is drawn first.
    ['the faces of the shadow of a point light show other meshes of a batch that is drawn after it', -2, lamp],
    [
      'a mirror, and a shadow that is drawn once more for it, show others of a batch that is drawn after it',
      -2,
      mirror,
    ],
  ])('where %s', async (_where, order, make) => {
    const box = new THREE.BoxGeometry(0.5, 0.5, 0.5);
    const { scene, meshes } = world([new THREE.MeshBasicMaterial({ color: '#f80' })], [box]);
    // The camera sees six of them, the sun all.
    for (const [i, mesh] of meshes.entries()) {
      mesh.position.set((i % 6) - 2.5, 0, i < 6 ? 8 : 0);
      mesh.receiveShadow = false;
    }
    const ground = new THREE.Mesh(new THREE.BoxGeometry(30, 0.1, 30), new THREE.MeshLambertMaterial());
    ground.position.y = -1;
    ground.receiveShadow = true;
    ground.renderOrder = order;
    scene.add(ground);
    if (make) scene.add(make());
    const camera = eyeAt(0, 3, 6);
    await pictures.take(scene, camera);
    const expected = await pictures.take(scene, camera);
    const index = accelerate(scene, { batch: { atLeast: 4 } });
    await loadBatching();
    for (let frame = 0; frame < 5; frame++) {
      expect(otherPixels(await pictures.take(scene, camera), expected, 8), `frame ${frame}`).toBeLessThanOrEqual(3);
    }
    expect(explain(index, meshes[6], camera).join()).toContain('It is drawn in a batch of');
    index.dispose();
  });
});
