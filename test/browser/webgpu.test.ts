import * as THREE from 'three';
import { BundleGroup, ClippingGroup } from 'three/webgpu';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';
import { paint, slab } from './stories.js';
import { BACKENDS, expectSameFrames, expectSamePixels, WebGPUPictures } from './webgpuPictures.js';

function cameras(next: () => number): THREE.Camera[] {
  return [new THREE.PerspectiveCamera(40, 1, 0.5, 90), new THREE.OrthographicCamera(-16, 16, 16, -16, 1, 60)].map(
    (camera) => {
      camera.position.set(next() * 60 - 30, next() * 40, next() * 60 - 30);
      camera.lookAt(next() * 10, 0, next() * 10);
      return camera;
    },
  );
}

/** Every object in a colour of its own kind; some transparent. */
function painted(scene: THREE.Scene, next: () => number): THREE.Scene {
  // Few materials, as each takes the renderer long to prepare.
  const materials = Array.from({ length: 10 }, (_, i) => {
    const color = new THREE.Color().setHSL(i / 10, 0.8, 0.5);
    const values = { color, transparent: i < 4, opacity: i < 4 ? 0.5 : 1 };
    return i % 2 ? new THREE.MeshBasicMaterial(values) : new THREE.MeshLambertMaterial(values);
  });
  scene.add(new THREE.DirectionalLight());
  return paint(scene, next, () => materials[Math.floor(next() * materials.length)]);
}

function strewnBoxes(next: () => number, count: number, parent: THREE.Object3D, size = 60): void {
  for (let i = 0; i < count; i++) {
    parent.add(boxMesh((next() - 0.5) * size, (next() - 0.5) * size, (next() - 0.5) * size, 1 + next() * 5));
  }
}

function paintedBoxes(next: () => number): THREE.Scene {
  const scene = new THREE.Scene();
  strewnBoxes(next, 150, scene, 110);
  return painted(scene, next);
}

/** A group that clips by planes, given by normal and constant. */
const clipping = (...planes: [x: number, y: number, z: number, constant: number][]): ClippingGroup =>
  Object.assign(new ClippingGroup(), {
    clippingPlanes: planes.map(([x, y, z, constant]) => new THREE.Plane(new THREE.Vector3(x, y, z), constant)),
  });

describe.each(BACKENDS)('WebGPURenderer on $backend', ({ forceWebGL, isMissing }) => {
  describe.skipIf(isMissing)('draws the pictures of plain three', () => {
    let pictures: WebGPUPictures;
    beforeAll(async () => {
      pictures = await WebGPUPictures.make(forceWebGL);
    });
    afterAll(() => pictures?.dispose());

    test('with shadows of all kinds of lights, casters out of view included', async () => {
      const scene = paintedBoxes(random(7));
      const lights = [
        new THREE.DirectionalLight(0xffffff, 1),
        new THREE.SpotLight(0xffffff, 2000, 0, 0.35),
        new THREE.PointLight(0xffffff, 2000),
      ];
      for (const [i, light] of lights.entries()) {
        light.position.set(20 - 15 * i, 40, 10);
        light.castShadow = true;
        Object.assign(light.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 150 });
        light.shadow.mapSize.set(128, 128);
      }
      scene.add(...lights, slab());
      const { shadowMap } = pictures.renderer;
      const { type } = shadowMap;
      shadowMap.enabled = true;
      const camera = new THREE.PerspectiveCamera(40, 1, 0.5, 120);
      camera.position.set(15, 20, 25);
      camera.lookAt(-5, -12, 0);
      await pictures.expectSame(scene, [camera]);
      // The shadows can be seen.
      const fully = await pictures.take(scene, camera);
      for (const child of scene.children) child.castShadow = lights.includes(child as never);
      const shadowless = await pictures.takeFast(scene, camera);
      expect(() => expectSamePixels(shadowless, fully, 'no shadows')).toThrow();
      // three has no variance shadows of point lights.
      scene.remove(lights[2]);
      for (const child of scene.children) child.castShadow = true;
      shadowMap.type = THREE.VSMShadowMap;
      await pictures.expectSame(scene, [camera]);
      shadowMap.type = type;
      shadowMap.enabled = false;
    });

    test('with groups that clip, nested, hidden and switched off', async () => {
      const next = random(21);
      const scene = new THREE.Scene();
      const [outer, off, unseen] = [1, 2, 3].map(() => clipping([1, 0, 0, 4]));
      const inner = clipping([0, 1, 0, 2], [0, 0, 1, 3]);
      inner.clipIntersection = true;
      off.enabled = false;
      unseen.layers.set(3);
      const group = Object.assign(new THREE.Group(), { renderOrder: 2 });
      scene.add(outer.add(group.add(inner)), off, unseen);
      for (const parent of [outer, group, inner, off, unseen]) strewnBoxes(next, 12, parent, 40);
      strewnBoxes(next, 150, scene, 160);
      // What lies below a mesh is drawn once, in and out of such a group.
      const mesh = boxMesh(0, 0, 0, 8);
      const clipped = clipping([0, 0, -1, 1]);
      strewnBoxes(next, 5, clipped, 4);
      scene.add(mesh.add(clipped));
      painted(scene, next);
      const views = cameras(next);
      await pictures.expectSame(scene, views);
      const cut = await pictures.take(scene, views[0]);
      outer.enabled = inner.enabled = false;
      const whole = await pictures.takeFast(scene, views[0]);
      expect(() => expectSamePixels(whole, cut, 'uncut')).toThrow();
    });

    test('with bundles', async () => {
      const next = random(22);
      const scene = new THREE.Scene();
      const group = new THREE.Group();
      const bundles = [new BundleGroup(), new BundleGroup()];
      scene.add(bundles[0], group.add(bundles[1]));
      for (const parent of [scene, group]) strewnBoxes(next, 70, parent, 160);
      for (const parent of bundles) strewnBoxes(next, 15, parent, 50);
      painted(scene, next);
      const views = cameras(next);
      await pictures.expectSame(scene, views);
      // Recorded while the gate stands, and played back; also after a change that the bundle must be told of.
      const index = accelerate(scene);
      bundles[0].add(boxMesh(0, 0, 0, 9));
      bundles[0].needsUpdate = true;
      const fast = [await pictures.take(scene, views[0]), await pictures.take(scene, views[0])];
      index.dispose();
      bundles[0].needsUpdate = true;
      const plain = await pictures.take(scene, views[0]);
      expectSameFrames(fast, [plain, plain]);
    });
  });
});
