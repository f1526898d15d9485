import * as THREE from 'three';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { accelerate, explain } from '../../src/index.js';
import { areShadersSeen } from '../../src/three/shaders.js';
import { cameraAt, loadAllBatching } from '../batching/Stage.js';
import { drawnTriangles } from '../helpers/drawnTriangles.js';
import { loadCasters } from '../helpers/loadCasters.js';
import { tryOcclusion } from '../helpers/occlusion/tryOcclusion.js';
import { CanvasStandIn, drawn, loadOcclusion, wallScene } from '../helpers/occlusion.js';
import { casterPasses } from '../helpers/passes.js';

const webgl = { isWebGLRenderer: true, sortObjects: true };
const webgpu = { isWebGPURenderer: true, sortObjects: true };
const BUILD = "WebGLRenderer is of another build than the imported 'three'";

beforeAll(() => Promise.all([loadAllBatching(), loadOcclusion(), loadCasters()]));

it('the sources have a build of three without shader chunks', () => expect(areShadersSeen).toBe(false));

/** Meshes that are alike, and the draw calls of each of so many pictures by a renderer. */
function crowd() {
  const scene = new THREE.Scene();
  const plane = new THREE.PlaneGeometry();
  const paint = new THREE.MeshStandardMaterial();
  const meshes = Array.from({ length: 40 }, (_, i) => new THREE.Mesh(plane, paint).translateX(i % 8).translateY(i / 8));
  scene.add(...meshes);
  const camera = cameraAt(20);
  const index = accelerate(scene, { batch: true });
  return {
    scene,
    calls: (by: object, pictures = 3): number[] =>
      Array.from({ length: pictures }, () => {
        scene.updateMatrixWorld();
        return drawnTriangles(scene, camera, camera, undefined, by).calls;
      }),
    say: () => explain(index, meshes[7], camera).join(' '),
  };
}

it('batches are drawn by WebGPURenderer, and not by a WebGLRenderer whose chunks nobody sees', () => {
  const { calls, say } = crowd();
  for (let turn = 0; turn < 2; turn++) {
    // Where no mesh was in a batch, it takes some pictures until all are compared again.
    expect(calls(webgpu, 100).at(-1)).toBe(1);
    expect(say()).toBe('It is drawn in a batch of 40 draws.');
    expect(calls(webgl)).toEqual([40, 40, 40]);
    expect(say()).toContain(`not in a batch: ${BUILD}.`);
  }
});

it('batches are drawn where a material overrides all others from the first picture on', () => {
  const { scene, calls } = crowd();
  scene.overrideMaterial = new THREE.MeshNormalMaterial();
  expect(calls(webgl)).toEqual([40, 40, 40]);
  expect(calls(webgpu).at(-1)).toBe(1);
});

it('what is hidden is left out by WebGPURenderer, and not by a WebGLRenderer whose chunks nobody sees', () => {
  const { scene, camera } = wallScene();
  onTestFinished(tryOcclusion());
  const index = accelerate(scene, { occlusion: true });
  const gpu = Object.assign(new CanvasStandIn(), { isWebGLRenderer: false });
  const far = scene.getObjectByName('far 1') as THREE.Object3D;
  for (let turn = 0; turn < 2; turn++) {
    expect(drawn(scene, camera, gpu).length).toBe(26);
    expect(explain(index, far, camera).join()).toBe('It is hidden behind others.');
    expect(drawn(scene, camera).length).toBe(101);
    expect(explain(index, far, camera).join()).toContain(`behind others in this picture: ${BUILD}.`);
  }
});

it('all casters are drawn by a WebGLRenderer whose filters nobody sees', () => {
  const scene = new THREE.Scene();
  const sun = Object.assign(new THREE.DirectionalLight(), { castShadow: true });
  const box = new THREE.BoxGeometry();
  const boxes = Array.from({ length: 50 }, (_, i) => new THREE.Mesh(box).translateX(10 * (i - 25)));
  for (const box of boxes) box.castShadow = true;
  Object.assign(sun.shadow.camera, { left: -500, right: 500, top: 500, bottom: -500 }).updateProjectionMatrix();
  sun.position.set(0, 30, 0);
  scene.add(sun, sun.target, ...boxes);
  accelerate(scene, { cullCasters: true });
  const camera = cameraAt(30);
  const shadowMap = { autoUpdate: true, needsUpdate: false, type: THREE.PCFShadowMap };
  for (let i = 0; i < 3; i++) {
    expect(casterPasses({ ...webgl, shadowMap } as never, scene, camera).get(sun)).toHaveLength(50);
  }
});
