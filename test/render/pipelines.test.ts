import * as THREE from 'three';
import { beforeAll, expect, it, vi } from 'vitest';
import { explain, report } from '../../src/index.js';
import { hasOtherPipeline } from '../../src/three/renderer.js';
import { loadAllBatching } from '../batching/Stage.js';
import { eye } from '../helpers/cameras.js';
import { accelerated } from '../helpers/indexed.js';
import { cameraPass, withinRender } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { instancedMesh, rowOfBoxes } from '../helpers/scene.js';

/** As three's: it extends nothing, and others extend it. */
class Standard {}
class Other extends Standard {}

const renderer = (drawingPipeline: object) => ({ sortObjects: true, drawingPipeline });
const STANDARD = renderer(new Standard());
const OTHER = renderer(new Other());

beforeAll(loadAllBatching);

/** The meshes that a renderer asks whether they are in view. */
function asked(scene: THREE.Scene, camera: THREE.Camera, by: object): THREE.Object3D[] {
  scene.updateMatrixWorld();
  camera.updateMatrixWorld();
  const { intersectsFrustum } = THREE.Mesh.prototype;
  const met: THREE.Object3D[] = [];
  THREE.Mesh.prototype.intersectsFrustum = function (frustum) {
    met.push(this);
    return intersectsFrustum.call(this, frustum);
  };
  try {
    withinRender(by, scene, camera, () => cameraPass(scene, camera, new THREE.Frustum()));
  } finally {
    THREE.Mesh.prototype.intersectsFrustum = intersectsFrustum;
  }
  return met;
}

it('a renderer with a drawing pipeline of its own finds the scene as it is, which is said of each mesh', async () => {
  const swarm = instancedMesh(random(1), 300);
  const scene = rowOfBoxes(200).add(swarm);
  const index = accelerated(scene, { batch: { atLeast: 4 }, minPixels: 1, maxDistance: 40, occlusion: true });
  // The code for instances is loaded for the first of them.
  await vi.dynamicImportSettled();
  const camera = eye(30, 0, 30, { fov: 90, lookAt: [30, 0, 0] });
  const mesh = scene.children[15];
  for (const isOther of [true, false, true]) {
    for (let i = 0; i < 3; i++) asked(scene, camera, isOther ? OTHER : STANDARD);
    // Batches have culled what they draw.
    const met = asked(scene, camera, isOther ? OTHER : STANDARD);
    if (isOther) expect(met).toEqual(scene.children);
    else expect(met).not.toContain(mesh);
    const how = isOther ? /by itself, not in a batch: the drawingPipeline/ : /in a batch of/;
    expect(explain(index, mesh, camera).at(-1)).toMatch(how);
    const why = explain(index, swarm, camera).find((sentence) => sentence.startsWith('All its instances'));
    expect(/drawingPipeline/.test(why ?? '')).toBe(isOther);
    const rows = report(index).filter(({ reason }) => /drawingPipeline/.test(reason));
    expect(rows.map(({ count }) => count)).toEqual(isOther ? [201] : []);
  }
});

it.each([
  [undefined, false],
  [new Standard(), false],
  [new Other(), true],
  [{}, true],
])('a pipeline is told from the standard one: %o', (drawingPipeline, isOther) => {
  expect(hasOtherPipeline({ sortObjects: true, ...(drawingPipeline && { drawingPipeline }) })).toBe(isOther);
});
