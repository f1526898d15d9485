import { BoxGeometry, Mesh, MeshBasicMaterial, MeshLambertMaterial, PointLight } from 'three';
import { RenderTarget, type WebGPURenderer } from 'three/webgpu';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';

import { loadBatching } from '../helpers/loadBatching.js';
import { otherPixels } from '../helpers/pictures.js';
import { eyeAt, sunlit } from './batching.js';
import { BACKENDS, WebGPUPictures } from './webgpuPictures.js';

describe.each(BACKENDS)(
  'meshes that are alike are drawn at once, by WebGPURenderer with $backend',
  ({ forceWebGL, isMissing }) => {
    let pictures: WebGPUPictures;
    beforeAll(async () => {
      pictures = await WebGPUPictures.make(forceWebGL);
      pictures.renderer.shadowMap.enabled = true;
      pictures.renderer.info.autoReset = false;
    });
    afterAll(() => pictures.dispose());

    test.skipIf(isMissing).each([
      ['a shadow shows other meshes of a batch that is drawn before it', 'sun'],
      ['the faces of the shadow of a point light show other meshes of a batch that is drawn after it', 'lamp'],
      [
        'a mirror, and a shadow that is drawn once more for it, show others of a batch that is drawn after it',
        'mirror',
      ],
    ])('where %s', async (_where, kind) => {
      const scene = sunlit();
      const shape = new BoxGeometry(0.5, 0.5, 0.5);
      const unlit = new MeshBasicMaterial({ color: '#f80' });
      if (kind === 'lamp') {
        const lamp = new PointLight('white', 20);
        lamp.position.set(0.3, 1, 1);
        lamp.castShadow = true;
        scene.add(lamp);
      }
      for (let i = 0; i < 12; i++) {
        const box = new Mesh(shape, unlit);
        // The camera sees six of them, the sun all.
        box.position.set((i % 6) - 2.5, 0, i < 6 ? 8 : 0);
        box.castShadow = true;
        scene.add(box);
      }
      const ground = new Mesh(new BoxGeometry(30, 0.1, 30), new MeshLambertMaterial());
      ground.position.y = -1;
      ground.receiveShadow = true;
      // Renderers draw shadows when something lit is drawn first.
      if (kind !== 'sun') ground.renderOrder = -2;
      scene.add(ground);
      if (kind === 'mirror') scene.add(mirror());
      const camera = eyeAt(0, 3, 6);
      await pictures.take(scene, camera);
      const expected = await pictures.take(scene, camera);
      const index = accelerate(scene, { batch: { atLeast: 4 } });
      await loadBatching();
      for (let frame = 0; frame < 5; frame++) {
        expect(otherPixels(await pictures.take(scene, camera), expected, 8), `frame ${frame}`).toBeLessThanOrEqual(3);
      }
      index.dispose();
    });
  },
);

/** Shows what lies behind the camera, and is drawn after the ground and before the rest. */
function mirror(): Mesh {
  const target = new RenderTarget(32, 32);
  const material = new MeshBasicMaterial({ map: target.texture });
  const mesh = new Mesh(new BoxGeometry(1, 1, 0.1), material);
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
