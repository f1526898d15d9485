import * as THREE from 'three';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { stopClock } from '../helpers/clock.js';
import { loadBatchCode } from '../helpers/drawnByIndex.js';
import { random } from '../helpers/random.js';
import { addGround, addSun, anyPlace, colour, expectSameStory, eye, renderer } from './stories.js';
import { BACKENDS, expectSamePixels, WebGPUPictures } from './webgpuPictures.js';

stopClock();

// Shadow maps in software take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
beforeAll(loadBatchCode);
afterAll(() => renderer.dispose());

const COUNT = 600;

/** Many cones, with colours, all casting and receiving. */
function heap(seed: number, isTransparent: boolean): THREE.InstancedMesh {
  const next = random(seed);
  const material = new THREE.MeshLambertMaterial({ transparent: isTransparent, opacity: isTransparent ? 0.5 : 1 });
  const mesh = new THREE.InstancedMesh(new THREE.ConeGeometry(0.6, 1.5, 6), material, COUNT);
  for (let i = 0; i < COUNT; i++) {
    mesh.setMatrixAt(i, anyPlace(next));
    mesh.setColorAt(i, colour(next));
  }
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** Gives each instance weights of its own for two morph targets, which carry it beyond its bounds. */
function morph(mesh: THREE.InstancedMesh, seed: number): void {
  const next = random(seed);
  const { geometry } = mesh;
  const { position } = geometry.attributes;
  geometry.morphAttributes.position = [
    [2, 1],
    [1, 2],
  ].map(([x, y]) => {
    const target = position.clone() as THREE.BufferAttribute;
    for (let v = 0; v < target.count; v++) target.setXYZ(v, x * target.getX(v), y * target.getY(v), target.getZ(v));
    return target;
  });
  mesh.updateMorphTargets();
  for (let i = 0; i < COUNT; i++) {
    mesh.morphTargetInfluences = [2 * next(), next()];
    mesh.setMorphAt(i, mesh);
  }
  (mesh.morphTexture as THREE.DataTexture).needsUpdate = true;
}

/** Moves and paints some instances. */
function stir(mesh: THREE.InstancedMesh, frame: number): void {
  const matrix = new THREE.Matrix4();
  for (let i = frame; i < COUNT; i += 9) {
    mesh.getMatrixAt(i, matrix);
    mesh.setMatrixAt(i, matrix.premultiply(new THREE.Matrix4().makeTranslation(3, 1, -2)));
    mesh.setColorAt(i, new THREE.Color().setHSL(frame / 7, 1, 0.5));
  }
  mesh.instanceMatrix.needsUpdate = true;
  if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
}

/** Pictures draw much less than in plain three; the wireframe has no triangles. */
function expectFewer([plain, fast]: number[][]): void {
  expect(fast.length).toBe(plain.length);
  for (const [i, count] of fast.entries()) if (plain[i] > COUNT) expect(count).toBeLessThan(0.5 * plain[i]);
}

/** Frames of a heap that is stirred, in WebGLRenderer: the same pictures with fewer triangles. */
function expectSameFrames(
  count: number,
  far: number,
  add: (scene: THREE.Scene) => THREE.InstancedMesh,
  change: (mesh: THREE.InstancedMesh, frame: number) => void = () => {},
): void {
  const triangles: number[][] = [[], []];
  renderer.info.autoReset = false;
  expectSameStory((scene, snap, index) => {
    const mesh = add(scene);
    scene.add(mesh);
    for (let frame = 0; frame < count; frame++) {
      snap(() => {
        renderer.info.reset();
        renderer.render(scene, eye(20 - 7 * frame, 6, 16, far));
        triangles[index === null ? 0 : 1].push(renderer.info.render.triangles);
      });
      stir(mesh, frame);
      change(mesh, frame);
    }
    renderer.sortObjects = true;
    renderer.shadowMap.enabled = false;
    mesh.dispose();
  });
  expectFewer(triangles);
}

describe('an accelerated scene with instances looks as without', () => {
  test.each([false, true])('in WebGLRenderer with shadows, transparent: %s', (isTransparent) => {
    const add = (scene: THREE.Scene): THREE.InstancedMesh => {
      addGround(scene);
      addSun(scene);
      const lamp = new THREE.PointLight(0xffddaa, 200);
      lamp.position.set(8, 6, 0);
      lamp.castShadow = true;
      lamp.shadow.mapSize.set(128, 128);
      lamp.shadow.camera.far = 15;
      scene.add(lamp, new THREE.AmbientLight(0xffffff, 0.5));
      const mesh = heap(1, isTransparent);
      mesh.rotation.y = 0.3;
      return mesh;
    };
    expectSameFrames(8, 60, add, (mesh, frame) => {
      if (frame === 3) Object.assign(mesh.material, { wireframe: true });
      if (frame === 4) Object.assign(mesh.material, { wireframe: false });
      if (frame === 4) mesh.count = COUNT - 200;
      if (frame === 5) mesh.count = COUNT;
      if (frame === 5) renderer.sortObjects = false;
    });
  });

  test('in WebGLRenderer with morph targets', () => {
    expectSameFrames(6, 30, (scene) => {
      scene.add(new THREE.AmbientLight(0xffffff, 2));
      const mesh = heap(3, false);
      morph(mesh, 4);
      return mesh;
    });
  });

  for (const { backend, forceWebGL, isMissing } of BACKENDS) {
    test.skipIf(isMissing)(`in WebGPURenderer, ${backend}, with shadows`, async () => {
      const pictures = await WebGPUPictures.make(forceWebGL);
      pictures.renderer.info.autoReset = false;
      const triangles: number[][] = [[], []];
      const take = async (isFast: boolean): Promise<Uint8Array[]> => {
        const mesh = heap(2, false);
        const taken = await pictures.takeInSun(mesh, 10, isFast, 5, (frame) => {
          triangles[isFast ? 1 : 0].push(pictures.renderer.info.render.triangles);
          stir(mesh, frame);
        });
        mesh.dispose();
        return taken;
      };
      const plain = await take(false);
      expect(plain.some((pixels, i) => i > 0 && pixels.some((value, k) => value !== plain[0][k]))).toBe(true);
      for (const [i, pixels] of (await take(true)).entries()) expectSamePixels(pixels, plain[i], `picture ${i}`);
      // Before r187 it keeps to the instances that it has met first.
      if (Number.parseInt(THREE.REVISION, 10) >= 187) expectFewer(triangles);
      else expect(triangles[1]).toEqual(triangles[0]);
      pictures.dispose();
    });
  }
});
